//! Comparing two values. What each is decides how the other is read.

use std::borrow::Cow;
use std::cmp::Ordering;

use posterity_formats::{Number, Value};

use super::evaluation_error::EvaluationError;
use super::expression::{Comparator, Texts};
use super::moment::Moment;
use super::printed::printed;
use super::quoted::{Quoted, is_padded};
use super::value_kind::ValueKind;

/// One side of a comparison.
pub(super) enum Operand<'a> {
    /// A missing value.
    Missing,
    /// A number of the filter, or a computed one.
    Number(Cow<'a, Number>),
    /// Text of the filter.
    Quoted(&'a Quoted),
    /// The printed form of a value, which `TEXT` gives.
    Text(Cow<'a, [u8]>),
    /// A day or a moment of the filter.
    Moment(Moment),
    /// A condition.
    Truth(bool),
    /// The value of a column.
    Column(usize, Value<'a>),
}

impl Operand<'_> {
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, Self::Missing | Self::Column(_, Value::Missing))
    }

    /// The bytes of what is text by itself.
    pub(super) fn text(&self) -> Option<&[u8]> {
        match self {
            Self::Quoted(quoted) => Some(quoted.text().as_bytes()),
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Whether the comparison holds; `None`, which is unknown, if one side is missing.
pub(super) fn holds(
    comparison: Comparator,
    left: &Operand<'_>,
    right: &Operand<'_>,
) -> Result<Option<bool>, EvaluationError> {
    match comparison {
        Comparator::Equal => equal(left, right),
        Comparator::Unequal => Ok(equal(left, right)?.map(|equal| !equal)),
        _ => Ok(order(left, right)?.map(|order| comparison.holds(order))),
    }
}

/// Whether both sides are equal. Other than by order, a number or a day differs from text.
pub(super) fn equal(left: &Operand<'_>, right: &Operand<'_>) -> Result<Option<bool>, EvaluationError> {
    match (left, right) {
        (Operand::Column(column, value), Operand::Quoted(quoted))
        | (Operand::Quoted(quoted), Operand::Column(column, value)) => equals_quoted(*column, *value, quoted),
        _ => Ok(order(left, right)?.map(Ordering::is_eq)),
    }
}

/// How the left side compares with the right one; `None`, which is unknown, if one of them is missing.
///
/// A column is a number against a number, a day or moment against such, text against text and a truth value against a
/// condition. Two columns compare by what each of both values is.
pub(super) fn order(left: &Operand<'_>, right: &Operand<'_>) -> Result<Option<Ordering>, EvaluationError> {
    use Operand::{Column, Moment, Number, Quoted, Truth};
    if left.is_missing() || right.is_missing() {
        return Ok(None);
    }
    if let (Some(left), Some(right)) = (left.text(), right.text()) {
        return Ok(Some(left.cmp(right)));
    }
    match (left, right) {
        (Column(column, value), Number(right)) => with_number(*column, *value, right),
        (Column(column, value), Quoted(right)) => with_quoted(*column, *value, right).map(Some),
        (Column(column, value), Moment(right)) => Ok(Some(moment(*column, *value)?.cmp(right))),
        (Column(column, value), Truth(right)) => Ok(Some(truth(*column, *value)?.cmp(right))),
        (Column(first, left), Column(second, right)) => columns(*first, *left, *second, *right).map(Some),
        (_, Column(..)) => Ok(order(right, left)?.map(Ordering::reverse)),
        (Number(left), Number(right)) => Ok(Some(left.cmp(right))),
        (Moment(left), Moment(right)) => Ok(Some(left.cmp(right))),
        (Truth(left), Truth(right)) => Ok(Some(left.cmp(right))),
        // The parser refuses all others.
        _ => Ok(None),
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

/// Whether a value equals text in quotes.
///
/// Two numbers are equal by value: a file may hold 1.5 as `1.5` and as `1.50`. If one of them is padded, as no number
/// prints, it may be a code, and there is no answer.
#[inline]
pub(super) fn equals_quoted(
    column: usize,
    value: Value<'_>,
    quoted: &Quoted,
) -> Result<Option<bool>, EvaluationError> {
    match (value, quoted.number()) {
        (Value::Missing, _) => Ok(None),
        (Value::Text(text), None) => Ok(Some(text == quoted.text().as_bytes())),
        (_, None) => prints(column, value, |text| text == quoted.text().as_bytes()).map(Some),
        (_, Some(number)) => numbers(column, value, |value| value == number).map(Some),
    }
}

/// Whether a value equals one of several texts in quotes.
pub(super) fn among_quoted(column: usize, value: Value<'_>, texts: &Texts) -> Result<bool, EvaluationError> {
    let among = |number: &Number| texts.numbers().binary_search(number).is_ok();
    if !texts.numbers().is_empty() && numbers(column, value, among)? {
        return Ok(true);
    }
    prints(column, value, |text| texts.has(text))
}

/// Whether a value is a number for which something holds.
fn numbers(
    column: usize,
    value: Value<'_>,
    holds: impl FnOnce(&Number) -> bool,
) -> Result<bool, EvaluationError> {
    let equal = Number::of(value).is_some_and(|number| holds(&number));
    match value {
        Value::Text(text) if equal && is_padded(text) => Err(EvaluationError::Padded { column }),
        Value::Bytes(_) | Value::Strange => Err(EvaluationError::NotPrintable { column }),
        _ => Ok(equal),
    }
}

/// Whether a value has a printed form for which something holds.
fn prints(
    column: usize,
    value: Value<'_>,
    holds: impl FnOnce(&[u8]) -> bool,
) -> Result<bool, EvaluationError> {
    match value {
        Value::Text(text) => Ok(holds(text)),
        Value::Bytes(_) | Value::Strange => Err(EvaluationError::NotPrintable { column }),
        // A year of more than four digits has no printed form, and equals no text.
        _ => Ok(printed(value).is_some_and(|text| holds(&text))),
    }
}

/// How a value compares by order with text in quotes.
fn with_quoted(column: usize, value: Value<'_>, right: &Quoted) -> Result<Ordering, EvaluationError> {
    match ValueKind::of(column, value)? {
        ValueKind::Text(left) => Ok(left.as_ref().cmp(right.text().as_bytes())),
        _ => Err(EvaluationError::NotText { column }),
    }
}

/// The text that a pattern is compared with: of text, and of days, which print alike everywhere.
pub(super) fn matched(column: usize, value: Value<'_>) -> Result<Cow<'_, [u8]>, EvaluationError> {
    match (ValueKind::of(column, value)?, value) {
        (ValueKind::Text(text), _) => Ok(text),
        (ValueKind::Moment(_), Value::Text(text)) if Moment::is_date(text) => Ok(Cow::Borrowed(text)),
        (ValueKind::Moment(_), Value::Day(_)) => text(column, value),
        _ => Err(EvaluationError::NotText { column }),
    }
}

/// The number that a value is.
#[inline]
pub(super) fn number(column: usize, value: Value<'_>) -> Result<Number, EvaluationError> {
    Number::of(value).ok_or(EvaluationError::NotANumber { column })
}

/// The printed form of a value.
pub(super) fn text(column: usize, value: Value<'_>) -> Result<Cow<'_, [u8]>, EvaluationError> {
    printed(value).ok_or(EvaluationError::NotPrintable { column })
}

/// The day or moment that a value is.
fn moment(column: usize, value: Value<'_>) -> Result<Moment, EvaluationError> {
    match value {
        Value::Text(text) => Moment::parse(text),
        _ => Moment::of(value),
    }
    .ok_or(EvaluationError::NotAMoment { column })
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
    match (ValueKind::of(first, left)?, ValueKind::of(second, right)?) {
        (ValueKind::Number(left), ValueKind::Number(right)) => Ok(left.cmp(&right)),
        (ValueKind::Moment(left), ValueKind::Moment(right)) => Ok(left.cmp(&right)),
        (ValueKind::Text(left), ValueKind::Text(right)) => Ok(left.cmp(&right)),
        _ => Err(EvaluationError::Unlike { left: first, right: second }),
    }
}
