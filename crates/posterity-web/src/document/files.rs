//! The files of a document of any kind.

use maud::{Markup, html};
use posterity::{Ledger, Publication};
use posterity_present::describe::{Case, Description, Standing, sheet};
use posterity_present::{csv, readings};

use super::shown::Shown;
use crate::failure::Failure;
use crate::reply::{Answer, Reply};
use crate::sentence::sentence;
use crate::site::Site;

/// Links to the files of a release, to its sheet, and a button that prints the page.
pub(super) fn downloads(shown: &Shown, address: &str) -> Markup {
    let own = shown.own.file.map(|file| (file.name, file.label));
    let readings = !shown.tables.is_empty() || !shown.comparisons.is_empty();
    let readings = readings.then_some(("readings.csv", "Readings (CSV)"));
    let picture = picture(shown).map(|_| ("release.svg", "Picture (SVG)"));
    let files = [Some(("release.json", "JSON")), own, readings, picture].into_iter().flatten();
    html! {
        p.downloads id="downloads" {
            @for (file, name) in files {
                a.button href={ (address) "/" (file) } download { (name) }
                " "
            }
            (sheets(address))
        }
    }
}

/// Links to the sheet, and a button that prints the page.
pub(crate) fn sheets(address: &str) -> Markup {
    html! {
        a.button id="sheet" href={ (address) "/sheet.html" } { "Sheet for the committee" }
        " "
        a.button href={ (address) "/sheet.md" } download { "Sheet (Markdown)" }
        " "
        button type="button" id="print" hidden { "Print or save as PDF" }
    }
}

fn picture(shown: &Shown) -> Option<&String> {
    shown.own.picture.as_ref().or(shown.picture.as_ref())
}

/// A file of a release: the document, its tables as the command writes them, its picture, or the sheet for a committee,
/// which is a page of its own.
pub(crate) fn file(site: &Site, shown: &Shown, name: &str) -> Answer {
    const CSV: &str = "text/csv; charset=utf-8";
    let document = &shown.document;
    let own = shown.own.file.filter(|file| file.name == name);
    let (kind, content) = match (name, own, picture(shown)) {
        (_, Some(own), _) => (CSV, (own.text)(document)),
        ("readings.csv", ..) => {
            let (tables, comparisons) = (document.readings(), document.comparisons());
            (CSV, csv::text(readings::records(shown.mark(), &tables, &comparisons)))
        }
        ("release.svg", _, Some(picture)) => ("image/svg+xml", picture.clone()),
        ("sheet.html", ..) => return Ok(Reply::Foreign(sheet_of(site, shown)?.html())),
        ("sheet.md", ..) => ("text/markdown; charset=utf-8", sheet_of(site, shown)?.markdown()),
        ("release.json", ..) => {
            let text = posterity::json::text(document).map_err(|_| Failure::Broken)?;
            ("application/json", text + "\n")
        }
        _ => return Err(Failure::NotFound("There is no such file.")),
    };
    Ok(Reply::File { name: name.to_owned(), kind, content })
}

/// The sheet of a document, with the account that paid for it.
fn sheet_of(site: &Site, shown: &Shown) -> Result<Description, Failure> {
    let case = Case::of(&shown.document, &shown.file).map_err(|error| Failure::Bad(sentence(error)))?;
    with_account(site, case, &shown.document).map(|case| sheet(&case))
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
