//! The page of a result.

use axum::extract::Path;

use super::command::command;
use super::document::document_body;
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
    let job = site.releases().job(&id).ok_or(GONE)?;
    let page = match job.outcome() {
        None => waiting(&format!("/release/result/{id}/progress"), job.progress()),
        // What was typed stays, to be corrected.
        Some(Err(why)) => {
            form::with(site, &job.asked().typed, Some(&format!("Not released. {}", sentence(why))))
        }
        Some(Ok(shown)) => {
            let source = Source { of: Origin::Result, id };
            let body =
                document_body(site, shown, &source, &ReadingForm::of(shown.document.request().ways()), None)
                    + &html::command(&command(site.ledger(), job.asked()));
            layout::page("Release", Section::Release, &body)
        }
    };
    Ok(Reply::Html(page))
}

/// How far a release is, for a page that waits; nothing once it is done.
pub(crate) fn progress(site: &Site, Path(id): Path<String>) -> Answer {
    underway::progress(site.releases(), &id)
}
