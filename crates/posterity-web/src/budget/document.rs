//! Documents that the ledger keeps.

use axum::extract::Path;
use maud::{Markup, html};
use posterity::{Ledger, LedgerError, Publication};
use posterity_present::describe::subject;

use crate::document::{Shown, body, file};
use crate::failure::Failure;
use crate::layout::{self, Section};
use crate::note::Note;
use crate::readings::{self, Origin, Source};
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;

/// The release of a charge.
pub(crate) fn entry(site: &Site, Path(id): Path<u64>) -> Answer {
    let source = Source { of: Origin::Entry, id: id.to_string() };
    let document = match <[Publication; 1]>::try_from(recorded(site, id)?) {
        Ok([document]) => document,
        Err(several) => return Ok(Reply::Html(study(&several))),
    };
    let shown = Shown::new(document, Note::Nothing).map_err(unreadable)?;
    let body = body(site, &shown, &source, &shown.form(), None);
    Ok(Reply::Html(layout::page("Release", Section::Budget, &body)))
}

/// The answers of a study, read as is usual.
fn study(documents: &[Publication]) -> Markup {
    let protects = documents.first().map(|document| document.guarantee().protects.clone());
    let body = html! {
        div.intro {
            p.kicker { "A study of " (documents.len()) " questions" }
            h1 { "What was drawn" }
            p.lead { (protects.unwrap_or_default()) }
            p {
                "These are the usual readings. Those of its plan, its report and its sheet are made by carrying out "
                a href="/study" { "the same plan" } " again, which costs nothing."
            }
        }
        @for document in documents {
            section.question {
                h2 { (subject(document.about())) }
                (readings::grid(&document.readings(), &document.comparisons()))
                (readings::tested(&document.tests()))
            }
        }
    };
    layout::page("A study", Section::Budget, &body)
}

/// A file of it.
pub(crate) fn download(site: &Site, Path((id, name)): Path<(u64, String)>) -> Answer {
    file(site, &stored(site, id)?, &name)
}

/// The release that was recorded for the charge with this number.
pub(crate) fn stored(site: &Site, id: u64) -> Result<Shown, Failure> {
    match <[Publication; 1]>::try_from(recorded(site, id)?) {
        Ok([document]) => Shown::new(document, Note::Nothing).map_err(unreadable),
        // Its plan says how the answers of a study are read.
        Err(_) => Err(Failure::Bad(
            "These are the draws of a study. Carry out its plan again, which costs nothing, to see its results.".to_owned(),
        )),
    }
}

fn unreadable(why: String) -> Failure {
    Failure::Bad(format!("This document cannot be read: {why}"))
}

/// The documents that were recorded for the charge with this number: several for a study. The whole chain is verified
/// on the way.
fn recorded(site: &Site, id: u64) -> Result<Vec<Publication>, Failure> {
    let gone = Failure::NotFound("The ledger has no document with this number.");
    let path = site.ledger().ok_or(gone.clone())?;
    let bad = |error: LedgerError| Failure::Bad(sentence(error));
    let ledger = Ledger::open(path).map_err(bad)?;
    ledger.verify().map_err(bad)?;
    let stored = ledger.release_at(id).map_err(bad)?.ok_or(gone)?;
    Publication::recorded(&stored).map_err(|error| unreadable(sentence(error)))
}
