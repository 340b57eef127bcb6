//! Files of a release of many tables.

use posterity::Publication;
use posterity_present::{Mark, csv, readings};

use super::shown::Shown;
use crate::release::file_of_any;
use crate::reply::{Answer, Reply};
use crate::site::Site;

/// A file of a release: the document, its readings as the command writes them, its picture, or the sheet for a
/// committee, which is a page of its own.
pub(crate) fn file(site: &Site, shown: &Shown, name: &str) -> Answer {
    let (kind, content) = match (name, &shown.picture) {
        ("readings.csv", _) => {
            let sheet = readings::records(Mark::of(&shown.document), &shown.tables, &shown.comparisons);
            ("text/csv; charset=utf-8", csv::text(sheet))
        }
        ("release.svg", Some(picture)) => ("image/svg+xml", picture.clone()),
        _ => return file_of_any(site, &Publication::Margins(Box::new(shown.document.clone())), name),
    };
    Ok(Reply::File { name: name.to_owned(), kind, content })
}
