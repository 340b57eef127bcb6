//! Documents that the ledger keeps.

use axum::extract::Path;
use posterity::{Document, Ledger, LedgerError, Publication};

use crate::failure::Failure;
use crate::layout::{self, Section};
use crate::readings::{Origin, ReadingForm, Source};
use crate::release::{Shown, document_body, file, sheet_of};
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;

/// The release of a charge.
pub(crate) fn entry(site: &Site, Path(id): Path<u64>) -> Answer {
    let source = Source { of: Origin::Entry, id: id.to_string() };
    let shown = match recorded(site, id)? {
        Publication::Posterior(document) => posterior(*document)?,
        // Documents of other kinds have no page yet, and are shown as a sheet.
        other => return Ok(Reply::Foreign(sheet_of(site, &other)?.html())),
    };
    let body = document_body(site, &shown, &source, &ReadingForm::of(&shown.document), None);
    Ok(Reply::Html(layout::page("Release", Section::Budget, &body)))
}

/// A file of it.
pub(crate) fn download(site: &Site, Path((id, name)): Path<(u64, String)>) -> Answer {
    file(site, &stored(site, id)?, &name)
}

/// The posterior that was recorded for the charge with this number.
pub(crate) fn stored(site: &Site, id: u64) -> Result<Shown, Failure> {
    match recorded(site, id)? {
        Publication::Posterior(document) => posterior(*document),
        _ => Err(Failure::NotFound("This document has no such file.")),
    }
}

fn posterior(document: Document) -> Result<Shown, Failure> {
    Shown::new(document, None).map_err(unreadable)
}

fn unreadable(why: String) -> Failure {
    Failure::Bad(format!("This document cannot be read: {why}"))
}

/// The document that was recorded for the charge with this number. The whole chain is verified on the way.
fn recorded(site: &Site, id: u64) -> Result<Publication, Failure> {
    let gone = Failure::NotFound("The ledger has no document with this number.");
    let path = site.ledger().ok_or(gone.clone())?;
    let bad = |error: LedgerError| Failure::Bad(sentence(error));
    let ledger = Ledger::open(path).map_err(bad)?;
    ledger.verify().map_err(bad)?;
    let stored = ledger.release_at(id).map_err(bad)?.ok_or(gone)?;
    let documents = Publication::recorded(&stored).map_err(|error| unreadable(sentence(error)))?;
    match <[Publication; 1]>::try_from(documents) {
        Ok([only]) => Ok(only),
        // Its plan says how the answers of a study are read.
        Err(_) => Err(Failure::Bad(
            "These are the draws of a study. Carry out its plan again, which costs nothing, to see its results.".to_owned(),
        )),
    }
}
