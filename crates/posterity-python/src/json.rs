//! Documents as Python objects.

use pyo3::prelude::*;
use serde::Serialize;

use crate::error::Failure;

/// A document, as it is printed and as Python objects.
pub(crate) type Document<'py> = (String, Bound<'py, PyAny>);

/// A document in both forms.
pub(crate) fn document<'py>(py: Python<'py>, document: &impl Serialize) -> PyResult<Document<'py>> {
    let text = text(document)?;
    let object = parsed(py, &text)?;
    Ok((text, object))
}

/// A document as it is printed.
pub(crate) fn text(document: &impl Serialize) -> Result<String, Failure> {
    posterity::json::text(document)
        .map_err(|_| Failure::Internal { what: "the document could not be written" })
}

/// A document as dictionaries, lists, text and numbers, in the order in which it is printed.
pub(crate) fn object<'py>(py: Python<'py>, document: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    parsed(py, &text(document)?)
}

/// A document that is printed, as Python objects.
pub(crate) fn parsed<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.getattr("loads")?.call1((text,))
}
