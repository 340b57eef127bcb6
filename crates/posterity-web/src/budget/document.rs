//! Documents that the ledger keeps.

use std::sync::Arc;

use posterity::ledger::Event;
use posterity::{Document, open_ledger};

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
    let export = open_ledger(path)
        .and_then(|ledger| ledger.export())
        .map_err(|error| Failure::Bad(sentence(error)))?;
    let text = export.entries.into_iter().find_map(|entry| match entry.event {
        Event::Record { charge, document } if charge == wanted => Some(document),
        _ => None,
    });
    let text = text.ok_or(gone)?;
    let unreadable = |why: &str| Failure::Bad(format!("This document cannot be read: {why}"));
    // The answers of a study are recorded as what was drawn. Its plan says how they are read.
    if serde_json::from_str::<serde_json::Value>(&text).is_ok_and(|record| record["together"].is_array()) {
        return Err(Failure::Bad(
            "These are the draws of a study. Carry out its plan again, which costs nothing, to see its results.".to_owned(),
        ));
    }
    let document: Document =
        serde_json::from_str(&text).map_err(|_| unreadable("it is of another version."))?;
    Shown::of_document(document).map_err(|why| unreadable(&why))
}
