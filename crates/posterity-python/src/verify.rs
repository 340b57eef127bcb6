//! Whether a document, or the results of a study, say what was drawn, charged and signed.

use posterity::Ledger;
use posterity_study::{Against, NotVerified, Results};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::argument::{path, text};
use crate::call::Call;
use crate::error::Failure;
use crate::interrupt::run;
use crate::json;
use crate::ledger::ledger_file;
use crate::panic::guarded;

/// Derives everything again, and compares it with what a ledger holds and what a key signed.
#[pyfunction]
pub(crate) fn verify<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let document = call.need("document")?;
        let key = call.key("key")?;
        let ledger = call.get("ledger").map(|ledger| ledger_file(&ledger)).transpose()?;
        let text =
            if document.is_instance_of::<PyString>() { Some(text(&document, "document")?) } else { None };
        // A document is an object of JSON; everything else is a path.
        let text = text.filter(|text| text.trim_start().starts_with('{'));
        let path = if text.is_none() { Some(path(&document, "document")?) } else { None };
        let found = run(py, move |_| {
            let results = match (text, path) {
                (Some(text), _) => Results::Document { name: None, text },
                (None, Some(path)) => Results::at(&path).map_err(NotVerified::from)?,
                (None, None) => return Err(Failure::argument("document", "this is required")),
            };
            let ledger = ledger
                .map(|path| Ledger::open(path).and_then(|one| one.verify().map(|_| one)))
                .transpose()?;
            let against = Against { key: key.as_ref(), ledger: ledger.as_ref(), argument: str::to_owned };
            Ok(results.verify(&against, &())?)
        })?;
        json::object(py, &found)
    })
}
