//! Files of a release of many tables.

use posterity::Publication;
use posterity_present::{csv, readings};

use super::shown::Shown;
use crate::failure::Failure;
use crate::release::sheet_of;
use crate::reply::{Answer, Reply};
use crate::site::Site;

/// A file of a release: the document, its readings as the command writes them, its picture, or the sheet for a
/// committee, which is a page of its own.
pub(crate) fn file(site: &Site, shown: &Shown, name: &str) -> Answer {
    let document = || Publication::Margins(Box::new(shown.document.clone()));
    let none = Failure::NotFound("There is no such file.");
    let (kind, content) = match name {
        "sheet.html" => return Ok(Reply::Foreign(sheet_of(site, &document())?.html())),
        "sheet.md" => ("text/markdown; charset=utf-8", sheet_of(site, &document())?.markdown()),
        "release.json" => {
            let text = posterity::json::text(&shown.document).map_err(|_| Failure::Broken)?;
            ("application/json", text + "\n")
        }
        "readings.csv" => {
            let sheet = readings::records(&shown.tables, &shown.comparisons);
            ("text/csv; charset=utf-8", csv::text(sheet))
        }
        "release.svg" => ("image/svg+xml", shown.picture.clone().ok_or(none)?),
        _ => return Err(none),
    };
    Ok(Reply::File { name: name.to_owned(), kind, content })
}
