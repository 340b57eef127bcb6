//! Python objects as labels.

use posterity::data::{DataError, LabelCounter};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString};

use crate::error::Failure;

/// The error for a kind of value that has no exact printed form. It does not show the value.
pub(crate) fn unsupported(kind: &str) -> Failure {
    let remedy = "whose values cannot be told apart by name; give text, integers or truth values";
    DataError::UnsupportedType { column: crate::arguments::COLUMN.into(), kind: kind.to_owned(), remedy }
        .into()
}

/// Calls a function with the label that an object stands for, as it would be printed in a file; with nothing if it is missing.
pub(crate) fn with_label<T>(
    object: &Bound<'_, PyAny>,
    then: impl FnOnce(Option<&str>) -> T,
) -> Result<T, Failure> {
    if let Ok(text) = object.cast::<PyString>() {
        return text
            .to_cow()
            .map(|text| then(Some(&text)))
            .map_err(|_| unsupported("text that is not Unicode"));
    }
    if object.is_none() {
        return Ok(then(None));
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(then(Some(if truth.is_true() { "true" } else { "false" })));
    }
    if object.is_instance_of::<PyInt>() {
        let text = match object.extract::<i64>() {
            Ok(number) => number.to_string(),
            Err(_) => {
                object.extract::<u64>().map_err(|_| unsupported("integer of more than 64 bits"))?.to_string()
            }
        };
        return Ok(then(Some(&text)));
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        // What many libraries put for a missing value.
        return if number.value().is_nan() { Ok(then(None)) } else { Err(unsupported("float")) };
    }
    let kind = object.get_type();
    let name = kind.name().ok().and_then(|name| name.extract::<String>().ok()).unwrap_or_default();
    let module = kind.module().ok().and_then(|module| module.extract::<String>().ok()).unwrap_or_default();
    if module.starts_with("pandas.") && matches!(name.as_str(), "NAType" | "NaTType") {
        return Ok(then(None));
    }
    // A scalar of NumPy is none of the above, and knows which of them it is.
    if module == "numpy"
        && let Ok(plain) = object.call_method0("item")
        && !plain.get_type().is(&kind)
    {
        return with_label(&plain, then);
    }
    Err(unsupported(&name))
}

/// How many elements are counted between two looks at signals.
pub(crate) const PIECE: usize = 1 << 16;

/// Counts the elements of anything that can be iterated.
pub(crate) fn count(object: &Bound<'_, PyAny>, counter: &mut LabelCounter) -> Result<(), Failure> {
    let unreadable = |cause: PyErr| {
        if cause.is_instance_of::<pyo3::exceptions::PyException>(object.py()) {
            Failure::Unreadable { what: "iterator", cause }
        } else {
            // Ctrl-C, or the end of the program.
            Failure::Python(cause)
        }
    };
    for (index, element) in object.try_iter().map_err(unreadable)?.enumerate() {
        with_label(&element.map_err(unreadable)?, |label| counter.add(label, 1))?;
        if index % PIECE == 0 {
            object.py().check_signals()?;
        }
    }
    Ok(())
}
