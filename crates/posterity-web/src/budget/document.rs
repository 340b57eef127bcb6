//! Documents that the ledger keeps.

use std::sync::Arc;

use posterity::{Document, Ledger, LedgerError};

use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::layout::{self, Section};
use crate::plan::sentence;
use crate::readings;
use crate::release::{Shown, document_body, file};
use crate::site::{Reply, Site};

/// The release of a charge.
pub(crate) fn entry(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    let id = fields.text("id");
    let shown = stored(site, id)?;
    let ask = readings::form(&site.token_field(), "entry", id, &Fields::default(), None);
    let body = document_body(&shown, &format!("/budget/entry/{}", html::text(id)), &ask);
    Ok(Reply::Html(layout::page("Release", Section::Budget, &body)))
}

/// A file of it.
pub(crate) fn download(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    file(&stored(site, fields.text("id"))?, fields.text("file"))
}

/// The document that was recorded for the charge with this number. The whole chain is verified on the way.
pub(crate) fn stored(site: &Site, id: &str) -> Result<Shown, Failure> {
    let gone = Failure::NotFound("The ledger has no document with this number.");
    let wanted: u64 = id.parse().map_err(|_| gone.clone())?;
    let path = site.ledger().ok_or(gone.clone())?;
    let bad = |error: LedgerError| Failure::Bad(sentence(error));
    let ledger = Ledger::open(path).map_err(bad)?;
    ledger.verify().map_err(bad)?;
    let stored = ledger.release_at(wanted).map_err(bad)?.ok_or(gone)?;
    let unreadable = |why: String| Failure::Bad(format!("This document cannot be read: {why}"));
    let documents = Document::recorded(&stored).map_err(|error| unreadable(sentence(error)))?;
    match <[Document; 1]>::try_from(documents) {
        Ok([only]) => Shown::new(only, None).map_err(unreadable),
        // Its plan says how the answers of a study are read.
        Err(_) => Err(Failure::Bad(
            "These are the draws of a study. Carry out its plan again, which costs nothing, to see its results.".to_owned(),
        )),
    }
}
