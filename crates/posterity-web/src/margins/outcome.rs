//! The page of a release of many tables, and its files.

use axum::extract::Path;

use super::command::command;
use super::document::body;
use super::files::file;
use super::form;
use crate::html;
use crate::layout::{self, Section};
use crate::readings::{Origin, ReadingForm, Source};
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;
use crate::underway::{self, GONE, waiting};

/// The page of a result, or of its progress.
pub(crate) fn result(site: &Site, Path(id): Path<String>) -> Answer {
    let job = site.margins().job(&id).ok_or(GONE)?;
    let page = match job.outcome() {
        None => waiting(&format!("/margins/result/{id}/progress"), job.progress()),
        // What was typed stays, to be corrected.
        Some(Err(why)) => {
            form::with(site, &job.asked().typed, Some(&format!("Not released. {}", sentence(why))))
        }
        Some(Ok(shown)) => {
            let source = Source { of: Origin::Margins, id };
            let typed = ReadingForm::of(shown.document.answer().asked().terms().ways);
            let line = site.folder().map(|folder| command(folder.path(), site.ledger(), job.asked()));
            let body = body(site, shown, &source, &typed, None) + &html::command(&line.unwrap_or_default());
            layout::page("Release", Section::Release, &body)
        }
    };
    Ok(Reply::Html(page))
}

/// How far a release is, for a page that waits; nothing once it is done.
pub(crate) fn progress(site: &Site, Path(id): Path<String>) -> Answer {
    underway::progress(site.margins(), &id)
}

/// A file of a result of this run.
pub(crate) fn download(site: &Site, Path((id, name)): Path<(String, String)>) -> Answer {
    file(site, &*site.margins().done(&id).ok_or(GONE)?, &name)
}
