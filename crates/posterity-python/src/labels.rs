//! Python objects as labels.

use posterity::data::{DataError, LabelCounter, MixedValue};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::Failure;
use crate::objects::{each, with_value};

/// What errors call the column of data that has no name.
pub(crate) const COLUMN: &str = "data";

/// The error for a kind of value that has no exact printed form. It does not show the value.
pub(crate) fn unsupported(kind: &str) -> Failure {
    let remedy = "whose values cannot be told apart by name; give text, integers or truth values";
    DataError::UnsupportedType { column: COLUMN.into(), kind: kind.to_owned(), remedy }.into()
}

/// Calls a function with the label that an object stands for, as it would be printed in a file; with nothing if it is
/// missing.
pub(crate) fn with_label<T>(
    object: &Bound<'_, PyAny>,
    then: impl FnOnce(Option<&str>) -> T,
) -> Result<T, Failure> {
    with_value(object, |value| match value {
        MixedValue::Missing => Ok(then(None)),
        MixedValue::Text(text) => Ok(then(Some(text))),
        MixedValue::Boolean(truth) => Ok(then(Some(if truth { "true" } else { "false" }))),
        // Columns of integers hold no more.
        MixedValue::Integer(digits) if digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok() => {
            Ok(then(Some(digits)))
        }
        MixedValue::Integer(_) => Err(unsupported("integer of more than 64 bits")),
        _ if object.is_instance_of::<PyString>() => Err(unsupported("text that is not Unicode")),
        _ => {
            let name = object.get_type().name().and_then(|name| name.extract::<String>());
            Err(unsupported(&name.unwrap_or_default()))
        }
    })?
}

/// Counts the elements of anything that can be iterated.
pub(crate) fn count(objects: &Bound<'_, PyAny>, counter: &mut LabelCounter) -> Result<(), Failure> {
    each(objects, |object| with_label(object, |label| counter.add(label, 1)))
}
