//! A release for people who decide.

use posterity::Ledger;
use posterity::verification::verify_document;
use posterity_present::describe::{Case, Standing, label, registry, sheet};
use pyo3::prelude::*;

use crate::argument::text;
use crate::call::Call;
use crate::error::Failure;
use crate::interrupt::run;
use crate::ledger::ledger_file;
use crate::panic::guarded;

/// What a document can be described as, and how that is written.
pub(crate) const SHEETS: [&str; 3] = ["sheet", "label", "registry"];
pub(crate) const SPELLINGS: [&str; 2] = ["markdown", "html"];

/// The sheet of a committee, the label or the record for a registry of a document, which is derived again first.
#[pyfunction]
pub(crate) fn describe(py: Python<'_>, call: Call<'_>) -> PyResult<String> {
    guarded(|| {
        let (document, name) =
            (text(&call.need("document")?, "document")?, text(&call.need("name")?, "name")?);
        let what = choice(&call, "what", &SHEETS)?;
        let spelling = choice(&call, "format", &SPELLINGS)?;
        let ledger = call.get("ledger").map(|ledger| ledger_file(&ledger)).transpose()?;
        run(py, move |_| {
            let verified = verify_document(&document)?;
            let case =
                Case::of(verified.document(), &name).map_err(|error| Failure::argument("what", error))?;
            let ledger = ledger.map(Ledger::open).transpose()?;
            let case = match &ledger {
                None => case,
                Some(ledger) => {
                    let charge = verified.by_ledger(ledger)?;
                    case.with_standing(Standing::of(ledger, charge)?)
                }
            };
            let described = match what {
                "registry" => {
                    let record = registry(&case).map_err(|error| Failure::argument("what", error))?;
                    return Ok(record.yaml);
                }
                "label" => label(&case),
                _ => sheet(&case),
            };
            Ok(if spelling == "html" { described.html() } else { described.markdown() })
        })
    })
}

/// One of a few words.
fn choice(call: &Call<'_>, name: &'static str, all: &[&'static str]) -> Result<&'static str, Failure> {
    let given = text(&call.need(name)?, name)?;
    all.iter()
        .find(|one| **one == given)
        .copied()
        .ok_or_else(|| Failure::argument(name, format!("{given:?} is none of {}", all.join(", "))))
}
