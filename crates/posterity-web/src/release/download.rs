//! Files of a release.

use axum::extract::Path;
use posterity_present::{cells, csv, readings};

use super::shown::Shown;
use crate::failure::Failure;
use crate::reply::{Answer, Reply};
use crate::site::Site;

/// A file of a result of this run.
pub(crate) fn download(site: &Site, Path((id, name)): Path<(String, String)>) -> Answer {
    let shown = site.releases().done(&id).ok_or(Failure::NotFound("This result is no longer known."))?;
    file(&shown, &name)
}

/// A file of a release: the document, its table as the command writes it, or its picture.
pub(crate) fn file(shown: &Shown, name: &str) -> Answer {
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
