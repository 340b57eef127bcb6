//! Readings that are asked for after a release, of its result or of the document that a ledger keeps.

use std::sync::Arc;

use crate::budget;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::html;
use crate::layout::{self, Section};
use crate::readings::{self, AskedReadings};
use crate::release::{Shown, document_body, file};
use crate::site::{Reply, Site};

const GONE: Failure = Failure::NotFound(
    "This release is no longer known here. If it was charged, the budget's history has it, to be read again.",
);

/// Reads what is asked for, and leads to it.
pub(crate) fn ask(site: &Arc<Site>, form: &Fields) -> Result<Reply, Failure> {
    let (of, id) = (form.text("of"), form.text("id"));
    let shown = find(site, of, id)?;
    let asked = AskedReadings::new(form).and_then(|asked| {
        if asked.is_empty() { Err("Give a reading or a comparison.".to_owned()) } else { Ok(asked) }
    });
    match asked.and_then(|asked| shown.reread(&asked)) {
        Ok(read) => Ok(Reply::Redirect(format!("/reading/{}", site.readings().add(read)?))),
        Err(why) => {
            let ask = readings::form(&site.token_field(), of, id, form, Some(&why));
            let body = document_body(&shown, &address(of, id), &ask);
            Ok(Reply::Html(layout::page("Release", Section::None, &body)))
        }
    }
}

/// A release with the readings that were asked for.
pub(crate) fn page(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    let id = fields.text("id");
    let shown = site.readings().get(id).ok_or(GONE)?;
    // The form has what was asked, to be changed.
    let document = &shown.document;
    let comparisons = document.comparisons().iter().map(|one| one.comparison.to_string());
    let readings = document.readings().iter().map(|table| table.reading.to_string());
    let typed = Fields::default()
        .with("read", &readings.collect::<Vec<_>>().join("\n"))
        .with("compare", &comparisons.collect::<Vec<_>>().join("\n"));
    let ask = readings::form(&site.token_field(), "reading", id, &typed, None);
    let body = document_body(&shown, &address("reading", id), &ask);
    Ok(Reply::Html(layout::page("Readings", Section::None, &body)))
}

/// A file of it.
pub(crate) fn download(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    file(&*site.readings().get(fields.text("id")).ok_or(GONE)?, fields.text("file"))
}

fn find(site: &Site, of: &str, id: &str) -> Result<Arc<Shown>, Failure> {
    match of {
        "result" => {
            let job = site.releases().job(id).ok_or(GONE)?;
            match job.outcome() {
                Some(Ok(shown)) => Ok(Arc::clone(shown)),
                _ => Err(GONE),
            }
        }
        "reading" => site.readings().get(id).ok_or(GONE),
        "entry" => budget::stored(site, id).map(Arc::new),
        _ => Err(GONE),
    }
}

/// Where the files of a release are.
fn address(of: &str, id: &str) -> String {
    let id = html::text(id);
    match of {
        "result" => format!("/release/result/{id}"),
        "entry" => format!("/budget/entry/{id}"),
        _ => format!("/reading/{id}"),
    }
}
