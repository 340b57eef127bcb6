//! Documents as Python objects.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;

use crate::error::Failure;

/// A document, as it is printed and as Python objects.
pub(crate) type Document<'py> = (String, Bound<'py, PyAny>);

/// A document in both forms.
pub(crate) fn document<'py>(py: Python<'py>, document: &impl Serialize) -> PyResult<Document<'py>> {
    Ok((text(document)?, object(py, document)?))
}

/// A document as it is printed.
pub(crate) fn text(document: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(document)
        .map_err(|_| Failure::Internal { what: "the document could not be written" })
}

/// A document as dictionaries, lists, text and numbers.
pub(crate) fn object<'py>(py: Python<'py>, document: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    let value = serde_json::to_value(document)
        .map_err(|_| Failure::Internal { what: "the document could not be written" })?;
    convert(py, &value)
}

fn convert<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Null => Ok(py.None().into_bound(py)),
        Value::Bool(value) => Ok(value.into_pyobject(py)?.to_owned().into_any()),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => Ok(number.into_pyobject(py)?.into_any()),
            (None, Some(number)) => Ok(number.into_pyobject(py)?.into_any()),
            (None, None) => Ok(number.as_f64().unwrap_or(f64::NAN).into_pyobject(py)?.into_any()),
        },
        Value::String(text) => Ok(text.into_pyobject(py)?.into_any()),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(convert(py, item)?)?;
            }
            Ok(list.into_any())
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, field) in fields {
                dict.set_item(name, convert(py, field)?)?;
            }
            Ok(dict.into_any())
        }
    }
}
