//! Readings that are asked for after a release, of its result or of a document that is kept.

use std::sync::Arc;

use axum::extract::Path;
use serde::Deserialize;

use crate::budget;
use crate::document::{Shown, body, file};
use crate::extract::Form;
use crate::failure::Failure;
use crate::layout::{self, Section};
use crate::readings::{Origin, ReadingForm, Source};
use crate::reply::{Answer, Reply};
use crate::site::Site;
use crate::study;

const GONE: Failure = Failure::NotFound(
    "This release is no longer known here. If it was charged, the budget's history has it, to be read again.",
);

/// A release, and what to read from it.
#[derive(Deserialize)]
pub(crate) struct Rereading {
    #[serde(flatten)]
    source: Source,
    #[serde(flatten)]
    readings: ReadingForm,
}

/// Reads what is asked for, and leads to it.
pub(crate) fn ask(site: &Site, Form(typed): Form<Rereading>) -> Answer {
    let shown = find(site, &typed.source)?;
    match shown.reread(&typed.readings) {
        Ok(read) => Ok(Reply::Redirect(format!("/reading/{}#answer", site.readings().add(read)?))),
        Err(why) => {
            let body = body(site, &shown, &typed.source, &typed.readings, Some(&why));
            Ok(Reply::Html(layout::page("Release", Section::None, &body)))
        }
    }
}

/// A release with the readings that were asked for.
pub(crate) fn page(site: &Site, Path(id): Path<String>) -> Answer {
    let shown = site.readings().get(&id).ok_or(GONE)?;
    // The form has what was asked, to be changed.
    let typed = shown.asked_form();
    let body = body(site, &shown, &Source { of: Origin::Reading, id }, &typed, None);
    Ok(Reply::Html(layout::page("Readings", Section::None, &body)))
}

/// A file of it.
pub(crate) fn download(site: &Site, Path((id, name)): Path<(String, String)>) -> Answer {
    file(site, &*site.readings().get(&id).ok_or(GONE)?, &name)
}

fn find(site: &Site, source: &Source) -> Result<Arc<Shown>, Failure> {
    match source.of {
        Origin::Result => site.releases().done(&source.id).ok_or(GONE),
        Origin::Reading => site.readings().get(&source.id).ok_or(GONE),
        Origin::Study => study::answered(site, &source.id).map(Arc::new),
        Origin::Entry => budget::stored(site, source.id.parse().map_err(|_| GONE)?).map(Arc::new),
    }
}
