//! Python objects as labels.

use posterity::data::{Adjacency, DataError, LabelCounter, MixedValue, day_label, whole_label};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::Failure;
use crate::objects::{each, with_value};

/// What errors call the column of data that has no name.
pub(crate) const COLUMN: &str = "data";

/// The error for a kind of value that has no exact printed form. It does not show the value.
pub(crate) fn unsupported(kind: &str) -> Failure {
    let remedy = "whose values cannot be told apart by name; give text, integers, truth values or days";
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
        MixedValue::Double(_) | MixedValue::Single(_) | MixedValue::Decimal(_) => match whole_label(value) {
            Some(digits) => Ok(then(Some(&digits))),
            None => Err(unnamed(object)),
        },
        // Every day of Python has a name.
        MixedValue::Day(days) => {
            day_label(days).map(|name| then(Some(&name))).ok_or_else(|| unsupported("day"))
        }
        _ if object.is_instance_of::<PyString>() => Err(unsupported("text that is not Unicode")),
        _ => Err(unnamed(object)),
    })?
}

/// An object without an exact name.
fn unnamed(object: &Bound<'_, PyAny>) -> Failure {
    let name = object.get_type().name().and_then(|name| name.extract::<String>());
    unsupported(&name.unwrap_or_default())
}

/// The same where n is private: no object is an error. One without an exact name is left out, and the function is not
/// called.
pub(crate) fn with_label_if_named<T>(
    object: &Bound<'_, PyAny>,
    then: impl FnOnce(Option<&str>) -> T,
) -> Result<Option<T>, Failure> {
    with_value(object, |value| {
        Some(match value {
            MixedValue::Missing => then(None),
            MixedValue::Text(text) => then(Some(text)),
            MixedValue::Boolean(truth) => then(Some(if truth { "true" } else { "false" })),
            MixedValue::Integer(digits) => then(Some(digits)),
            MixedValue::Day(days) => then(Some(&day_label(days)?)),
            number => then(Some(&whole_label(number)?)),
        })
    })
}

/// Counts the elements of anything that can be iterated, and says how many were left out because they have no exact
/// name.
pub(crate) fn count(
    objects: &Bound<'_, PyAny>,
    counter: &mut LabelCounter,
    adjacency: Adjacency,
) -> Result<u64, Failure> {
    let mut unnamed = 0;
    each(objects, |object| match adjacency {
        Adjacency::Replace => with_label(object, |label| counter.add(label, 1)),
        Adjacency::AddRemove => {
            unnamed += u64::from(with_label_if_named(object, |label| counter.add(label, 1))?.is_none());
            Ok(())
        }
    })?;
    Ok(unnamed)
}
