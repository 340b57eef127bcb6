//! Files of a release.

use axum::extract::Path;
use posterity::{Ledger, Publication};
use posterity_present::describe::{Case, Description, Standing, sheet};
use posterity_present::{Mark, cells, csv, readings};

use super::shown::Shown;
use crate::failure::Failure;
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;

/// A file of a result of this run.
pub(crate) fn download(site: &Site, Path((id, name)): Path<(String, String)>) -> Answer {
    let shown = site.releases().done(&id).ok_or(Failure::NotFound("This result is no longer known."))?;
    file(site, &shown, &name)
}

/// A file of a release: the document, its table as the command writes it, its picture, or the sheet for a committee,
/// which is a page of its own.
pub(crate) fn file(site: &Site, shown: &Shown, name: &str) -> Answer {
    let (kind, content) = match name {
        "release.csv" => ("text/csv; charset=utf-8", csv::text(cells::records(&shown.document))),
        "readings.csv" => {
            let document = &shown.document;
            let sheet = readings::records(Mark::of(document), document.readings(), document.comparisons());
            ("text/csv; charset=utf-8", csv::text(sheet))
        }
        "release.svg" => ("image/svg+xml", shown.svg.clone()),
        _ => return file_of_any(site, &shown.document.clone().into(), name),
    };
    Ok(Reply::File { name: name.to_owned(), kind, content })
}

/// A file that releases of all kinds have: the document or the sheet.
pub(crate) fn file_of_any(site: &Site, document: &Publication, name: &str) -> Answer {
    let (kind, content) = match name {
        "sheet.html" => return Ok(Reply::Foreign(sheet_of(site, document)?.html())),
        "sheet.md" => ("text/markdown; charset=utf-8", sheet_of(site, document)?.markdown()),
        "release.json" => {
            let text = posterity::json::text(document).map_err(|_| Failure::Broken)?;
            ("application/json", text + "\n")
        }
        _ => return Err(Failure::NotFound("There is no such file.")),
    };
    Ok(Reply::File { name: name.to_owned(), kind, content })
}

/// The sheet of a document, with the account that paid for it.
pub(crate) fn sheet_of(site: &Site, document: &Publication) -> Result<Description, Failure> {
    let case = Case::of(document, "release.json").map_err(|error| Failure::Bad(sentence(error)))?;
    with_account(site, case, document).map(|case| sheet(&case))
}

/// Adds the account that paid for a document, if this ledger holds it.
pub(crate) fn with_account<'a>(
    site: &Site,
    case: Case<'a>,
    document: &Publication,
) -> Result<Case<'a>, Failure> {
    let (Some(path), true) = (site.ledger(), document.provenance().is_some()) else { return Ok(case) };
    let standing = Ledger::open(path).and_then(|ledger| {
        ledger.verify()?;
        Standing::find(&ledger, document)
    });
    let standing = standing.map_err(|error| Failure::Bad(sentence(error)))?;
    Ok(match standing {
        Some(standing) => case.with_standing(standing),
        None => case,
    })
}
