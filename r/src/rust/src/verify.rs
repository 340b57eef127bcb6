//! Whether a document, or the results of a study, say what was drawn, charged and signed.

use extendr_api::prelude::*;
use posterity::ledger::Ledger;
use posterity_study::{Against, Results};

use crate::call::Call;
use crate::failure::Failure;
use crate::json;
use crate::worker::run;

/// Derives everything again, and compares it with what a ledger holds and what a key signed.
pub(crate) fn verify(call: &Call) -> Result<Robj, Failure> {
    let given = call.needed_text("document")?;
    let (ledger, key) = (call.path("ledger")?, call.key("key")?);
    let found = run(move |_| {
        // A document is an object of JSON; everything else is a path.
        let results = if given.trim_start().starts_with('{') {
            Results::Document { name: None, text: given }
        } else {
            Results::at(given.as_ref()).map_err(|error| Failure::not_verified(&error.into()))?
        };
        let ledger = ledger.map(|path| Ledger::open(path).and_then(|one| one.verify().map(|_| one)));
        let ledger = ledger.transpose()?;
        let against = Against { key: key.as_ref(), ledger: ledger.as_ref(), argument: str::to_owned };
        results.verify(&against, &()).map_err(|error| Failure::not_verified(&error))
    })?;
    // The charge of a single document, which most callers look for.
    let charge = match found.documents.as_slice() {
        [one] => one.charge.as_ref().map(json::object).transpose()?,
        _ => None,
    };
    let files: Vec<String> = found.documents.iter().map(|one| one.file.clone()).collect();
    Ok(json::list([
        ("holds", found.holds.into()),
        ("study", found.study.into()),
        ("documents", files.into()),
        ("charge", charge.unwrap_or_default()),
        ("checked", found.checked.into()),
        ("not_checked", found.not_checked.into()),
        ("differences", found.differences.into()),
    ]))
}
