//! Readings that are asked for after a release, of its result or of the document that a ledger keeps.

use std::sync::Arc;

use axum::extract::Path;
use serde::Deserialize;

use crate::budget;
use crate::extract::Form;
use crate::failure::Failure;
use crate::layout::{self, Section};
use crate::readings::{AskedReadings, Origin, ReadingForm, Source};
use crate::release::{Shown, document_body, file};
use crate::reply::{Answer, Reply};
use crate::site::Site;

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
    match reread(&shown, &typed.readings) {
        Ok(read) => {
            let place = if read.has_answer() { "answer" } else { "readings" };
            Ok(Reply::Redirect(format!("/reading/{}#{place}", site.readings().add(read)?)))
        }
        Err(why) => {
            let body = document_body(site, &shown, &typed.source, &typed.readings, Some(&why));
            Ok(Reply::Html(layout::page("Release", Section::None, &body)))
        }
    }
}

fn reread(shown: &Shown, typed: &ReadingForm) -> Result<Shown, String> {
    let asked = AskedReadings::new(typed)?.with_chosen(typed, &shown.document)?;
    let ways = shown.document.request().ways();
    if asked.is_empty() && asked.ways(ways) == ways {
        return Err("Give a reading or a comparison, or choose other intervals.".to_owned());
    }
    shown.reread(&asked)
}

/// A release with the readings that were asked for.
pub(crate) fn page(site: &Site, Path(id): Path<String>) -> Answer {
    let shown = site.readings().get(&id).ok_or(GONE)?;
    // The form has what was asked, to be changed.
    let document = &shown.document;
    let comparisons = document.comparisons().iter().map(|one| one.comparison.to_string());
    let readings = document.readings().iter().filter(|_| document.has_asked_readings());
    let readings = readings.map(|table| table.reading.to_string());
    let typed = ReadingForm {
        read: readings.collect::<Vec<_>>().join("\n").into(),
        compare: comparisons.collect::<Vec<_>>().join("\n").into(),
        ..ReadingForm::of(document)
    };
    let body = document_body(site, &shown, &Source { of: Origin::Reading, id }, &typed, None);
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
        Origin::Entry => budget::stored(site, source.id.parse().map_err(|_| GONE)?).map(Arc::new),
    }
}
