//! The page of a result, and its files.

use axum::extract::Path;

use super::command::command;
use crate::document::{body, file};
use crate::html;
use crate::layout::{self, Section};
use crate::readings::{Origin, Source};
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;
use crate::underway::{self, GONE, waiting};

/// The page of a result, or of its progress.
pub(crate) fn result(site: &Site, Path(id): Path<String>) -> Answer {
    let job = site.releases().job(&id).ok_or(GONE)?;
    let page = match job.outcome() {
        None => waiting(&format!("/release/result/{id}/progress"), job.progress()),
        // What was typed stays, to be corrected.
        Some(Err(why)) => {
            job.asked().own.page(&site.desk(), Some(&format!("Not released. {}", sentence(why))))
        }
        Some(Ok(shown)) => {
            let source = Source { of: Origin::Result, id };
            let line = html::command(&command(site.ledger(), job.asked()));
            let body = body(site, shown, &source, &shown.form(), None) + &line;
            layout::page("Release", Section::Release, &body)
        }
    };
    Ok(Reply::Html(page))
}

/// How far a release is, for a page that waits; nothing once it is done.
pub(crate) fn progress(site: &Site, Path(id): Path<String>) -> Answer {
    underway::progress(site.releases(), &id)
}

/// A file of a result of this run.
pub(crate) fn download(site: &Site, Path((id, name)): Path<(String, String)>) -> Answer {
    file(site, &*site.releases().done(&id).ok_or(GONE)?, &name)
}
