//! Comparing two values. The type of each decides how the other is read.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::evaluation_error::EvaluationError;
use super::moment::Moment;
use super::printed::printed;
use crate::number::Number;
use crate::value::Value;

/// One side of a comparison.
pub(super) enum Operand<'a> {
    /// A missing value.
    Missing,
    /// A number of the filter, or a computed one.
    Number(Cow<'a, Number>),
    /// Text of the filter.
    Text(&'a str),
    /// A condition.
    Truth(bool),
    /// The value of a column.
    Column(usize, Value<'a>),
}

/// How the left side compares with the right one; `None`, which is unknown, if one of them is missing.
///
/// A column is a number against a number, text against text and a truth value against a condition. Two columns compare
/// as numbers if one of both values is of a numeric type; as truth values or moments if both are; as text otherwise.
pub(super) fn order(left: &Operand<'_>, right: &Operand<'_>) -> Result<Option<Ordering>, EvaluationError> {
    use Operand::{Column, Missing, Number, Text, Truth};
    match (left, right) {
        (Missing | Column(_, Value::Missing), _) | (_, Missing | Column(_, Value::Missing)) => Ok(None),
        (Column(column, value), Number(right)) => with_number(*column, *value, right),
        (Number(left), Column(column, value)) => {
            Ok(with_number(*column, *value, left)?.map(Ordering::reverse))
        }
        (Column(column, value), Text(right)) => with_text(*column, *value, right),
        (Text(left), Column(column, value)) => Ok(with_text(*column, *value, left)?.map(Ordering::reverse)),
        (Column(column, value), Truth(right)) => Ok(Some(truth(*column, *value)?.cmp(right))),
        (Truth(left), Column(column, value)) => Ok(Some(left.cmp(&truth(*column, *value)?))),
        (Column(first, left), Column(second, right)) => columns(*first, *left, *second, *right).map(Some),
        (Number(left), Number(right)) => Ok(Some(left.cmp(right))),
        (Text(left), Text(right)) => Ok(Some(left.cmp(right))),
        (Truth(left), Truth(right)) => Ok(Some(left.cmp(right))),
        // The parser refuses these.
        (Number(_), Text(_) | Truth(_))
        | (Text(_), Number(_) | Truth(_))
        | (Truth(_), Number(_) | Text(_)) => Ok(None),
    }
}

/// How a value compares with a number.
#[inline]
pub(super) fn with_number(
    column: usize,
    value: Value<'_>,
    right: &Number,
) -> Result<Option<Ordering>, EvaluationError> {
    match value {
        Value::Missing => Ok(None),
        Value::Integer(number) => Ok(Some(Number::from_i128(number).cmp(right))),
        Value::Double(number) => {
            right.cmp_f64(number).map(Some).ok_or(EvaluationError::NotANumber { column })
        }
        _ => Ok(Some(number(column, value)?.cmp(right))),
    }
}

/// How a value compares with text.
#[inline]
pub(super) fn with_text(
    column: usize,
    value: Value<'_>,
    right: &str,
) -> Result<Option<Ordering>, EvaluationError> {
    match value {
        Value::Missing => Ok(None),
        Value::Text(left) => Ok(Some(left.cmp(right.as_bytes()))),
        _ => Ok(Some(text(column, value)?.as_ref().cmp(right.as_bytes()))),
    }
}

/// The number that a value is.
#[inline]
pub(super) fn number(column: usize, value: Value<'_>) -> Result<Number, EvaluationError> {
    Number::of(value).ok_or(EvaluationError::NotANumber { column })
}

/// The printed form of a value.
#[inline]
pub(super) fn text(column: usize, value: Value<'_>) -> Result<Cow<'_, [u8]>, EvaluationError> {
    match value {
        Value::Text(text) => Ok(Cow::Borrowed(text)),
        _ => printed(value).ok_or(EvaluationError::NotPrintable { column }),
    }
}

/// The truth value that a value is.
pub(super) fn truth(column: usize, value: Value<'_>) -> Result<bool, EvaluationError> {
    match value {
        Value::Boolean(truth) => Ok(truth),
        Value::Text(b"true") => Ok(true),
        Value::Text(b"false") => Ok(false),
        _ => Err(EvaluationError::NotATruth { column }),
    }
}

/// How the values of two columns compare; neither is missing.
fn columns(
    first: usize,
    left: Value<'_>,
    second: usize,
    right: Value<'_>,
) -> Result<Ordering, EvaluationError> {
    if is_number(left) || is_number(right) {
        return Ok(number(first, left)?.cmp(&number(second, right)?));
    }
    if let (Value::Boolean(left), Value::Boolean(right)) = (left, right) {
        return Ok(left.cmp(&right));
    }
    if let (Some(left), Some(right)) = (Moment::of(left), Moment::of(right)) {
        return Ok(left.cmp(&right));
    }
    Ok(text(first, left)?.cmp(&text(second, right)?))
}

/// Whether a value is of a numeric type, rather than text that may be a number.
fn is_number(value: Value<'_>) -> bool {
    use Value::{Decimal, Double, Integer, Literal, Single};
    matches!(value, Integer(_) | Literal(_) | Decimal { .. } | Single(_) | Double(_))
}
