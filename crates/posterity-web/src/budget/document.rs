//! Documents that the ledger keeps.

use std::sync::Arc;

use posterity::Document;
use posterity::ledger::{Event, Ledger};

use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::layout::{self, Section};
use crate::release::{Shown, document_body, file};
use crate::site::{Reply, Site};

/// The release of a charge.
pub(crate) fn entry(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    let id = fields.text("id");
    let shown = find(site, id)?;
    let body = document_body(&shown, &format!("/budget/entry/{}", html::text(id)));
    Ok(Reply::Html(layout::page("Release", Section::Budget, &body)))
}

/// A file of it.
pub(crate) fn download(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    file(&find(site, fields.text("id"))?, fields.text("file"))
}

/// The document that was recorded for the charge with this number. The whole chain is verified on the way.
fn find(site: &Site, id: &str) -> Result<Shown, Failure> {
    let gone = Failure::NotFound("The ledger has no document with this number.");
    let wanted: u64 = id.parse().map_err(|_| gone.clone())?;
    let path = site.ledger().ok_or(gone.clone())?;
    let export = Ledger::open(path)
        .and_then(|ledger| ledger.export())
        .map_err(|error| Failure::Bad(error.to_string()))?;
    let text = export.entries.into_iter().find_map(|entry| match entry.event {
        Event::Record { charge, document } if charge == wanted => Some(document),
        _ => None,
    });
    let unreadable = |why: &str| Failure::Bad(format!("This document cannot be read: {why}."));
    let document: Document =
        serde_json::from_str(&text.ok_or(gone)?).map_err(|_| unreadable("it is of another version"))?;
    Shown::of_document(document).map_err(|why| unreadable(&why))
}
