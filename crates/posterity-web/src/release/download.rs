//! Files of a release.

use std::sync::Arc;

use posterity_present::{cells, csv, readings};

use super::shown::Shown;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::site::{Reply, Site};

/// A file of a result of this run.
pub(crate) fn download(site: &Arc<Site>, fields: &Fields) -> Result<Reply, Failure> {
    let gone = Failure::NotFound("This result is no longer known.");
    let job = site.releases().job(fields.text("id")).ok_or(gone.clone())?;
    match job.outcome() {
        Some(Ok(shown)) => file(shown, fields.text("file")),
        _ => Err(gone),
    }
}

/// A file of a release: the document, its table as the command writes it, or its picture.
pub(crate) fn file(shown: &Shown, name: &str) -> Result<Reply, Failure> {
    let (kind, content) = match name {
        "release.json" => {
            let text = posterity::json::text(&shown.document).map_err(|_| Failure::Broken)?;
            ("application/json", text + "\n")
        }
        "release.csv" => ("text/csv; charset=utf-8", csv::text(cells::records(&shown.document))),
        "readings.csv" => {
            let document = &shown.document;
            let sheet = readings::records(document.readings(), document.comparisons());
            ("text/csv; charset=utf-8", csv::text(sheet))
        }
        "release.svg" => ("image/svg+xml", shown.svg.clone()),
        _ => return Err(Failure::NotFound("There is no such file.")),
    };
    Ok(Reply::File { name: name.to_owned(), kind, content })
}
