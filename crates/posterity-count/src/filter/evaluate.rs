//! Evaluating a condition for a record.

use std::borrow::Cow;

use posterity_formats::{Number, Value};

use super::compare::{self, Operand};
use super::evaluation_error::EvaluationError;
use super::expression::{Arithmetic, Comparator, Expression, List};
use super::like::Pattern;
use crate::filter::Record;

/// True, false or unknown.
type Truth = Result<Option<bool>, EvaluationError>;

/// What the condition says of the record. It is walked down by recursion, as deep as the parser allows.
pub(super) fn truth<R: Record>(condition: &Expression, record: &R) -> Truth {
    match condition {
        Expression::Comparison { comparison, left, right } => compare(*comparison, left, right, record),
        Expression::And(parts) => all(parts, record),
        Expression::Or(parts) => any(parts, record),
        Expression::Not(part) => Ok(truth(part, record)?.map(|truth| !truth)),
        Expression::Between { operand, low, high, negated } => {
            Ok(between(operand, low, high, record)?.map(|truth| truth != *negated))
        }
        Expression::In { operand, list, negated } => {
            Ok(listed(operand, list, record)?.map(|truth| truth != *negated))
        }
        Expression::Like { operand, pattern, negated } => {
            Ok(like(operand, pattern, record)?.map(|truth| truth != *negated))
        }
        Expression::IsNull { operand, negated } => Ok(Some(missing(operand, record)? != *negated)),
        Expression::IsTruth { operand, truth: expected, negated } => {
            Ok(Some((truth(operand, record)? == Some(*expected)) != *negated))
        }
        Expression::Column(column) => match record.value(*column) {
            Value::Missing => Ok(None),
            value => compare::truth(*column, value).map(Some),
        },
        Expression::Truth(truth) => Ok(Some(*truth)),
        // The parser lets no number or text stand for a condition.
        Expression::Null
        | Expression::Number(_)
        | Expression::Text(_)
        | Expression::TextOf(_)
        | Expression::Moment(_)
        | Expression::Sign { .. }
        | Expression::Chain { .. } => Ok(None),
    }
}

fn compare<R: Record>(comparison: Comparator, left: &Expression, right: &Expression, record: &R) -> Truth {
    match (comparison, left, right) {
        // The usual comparisons take the shortest way.
        (_, Expression::Column(column), Expression::Number(number)) => {
            let order = compare::with_number(*column, record.value(*column), number)?;
            Ok(order.map(|order| comparison.holds(order)))
        }
        (Comparator::Equal, Expression::Column(column), Expression::Text(text)) => {
            compare::equals_quoted(*column, record.value(*column), text)
        }
        _ => compare::holds(comparison, &operand(left, record)?, &operand(right, record)?),
    }
}

/// False as soon as a part is false.
fn all<R: Record>(parts: &[Expression], record: &R) -> Truth {
    let mut result = Some(true);
    for part in parts {
        match truth(part, record)? {
            Some(true) => {}
            Some(false) => return Ok(Some(false)),
            None => result = None,
        }
    }
    Ok(result)
}

/// True as soon as a part is true.
fn any<R: Record>(parts: &[Expression], record: &R) -> Truth {
    let mut result = Some(false);
    for part in parts {
        match truth(part, record)? {
            Some(false) => {}
            Some(true) => return Ok(Some(true)),
            None => result = None,
        }
    }
    Ok(result)
}

fn between<R: Record>(value: &Expression, low: &Expression, high: &Expression, record: &R) -> Truth {
    let value = operand(value, record)?;
    let above = compare::order(&value, &operand(low, record)?)?.map(|order| order.is_ge());
    if above == Some(false) {
        return Ok(above);
    }
    let below = compare::order(&value, &operand(high, record)?)?.map(|order| order.is_le());
    Ok(if below == Some(false) { below } else { above.and(below) })
}

fn listed<R: Record>(value: &Expression, list: &List, record: &R) -> Truth {
    let value = operand(value, record)?;
    match (list, &value) {
        (_, value) if value.is_missing() => Ok(None),
        (List::Texts(texts), Operand::Column(column, value)) => {
            compare::among_quoted(*column, *value, texts).map(Some)
        }
        (List::Texts(texts), value) => Ok(value.text().map(|text| texts.has(text))),
        (List::Numbers(numbers), Operand::Column(column, value)) => {
            Ok(Some(numbers.binary_search(&compare::number(*column, *value)?).is_ok()))
        }
        (List::Numbers(numbers), value) => {
            any_equal(value, numbers.iter().map(|number| Ok(Operand::Number(Cow::Borrowed(number)))))
        }
        (List::Mixed(items), value) => any_equal(value, items.iter().map(|item| operand(item, record))),
    }
}

/// True as soon as an item is equal.
fn any_equal<'a>(
    value: &Operand<'_>,
    items: impl Iterator<Item = Result<Operand<'a>, EvaluationError>>,
) -> Truth {
    let mut result = Some(false);
    for item in items {
        match compare::equal(value, &item?)? {
            Some(true) => return Ok(Some(true)),
            Some(false) => {}
            None => result = None,
        }
    }
    Ok(result)
}

fn like<R: Record>(value: &Expression, pattern: &Pattern, record: &R) -> Truth {
    let value = operand(value, record)?;
    Ok(match value {
        Operand::Column(column, value) if value != Value::Missing => {
            Some(pattern.matches(&compare::matched(column, value)?))
        }
        // The parser lets nothing stand here but columns, text and missing values.
        value => value.text().map(|text| pattern.matches(text)),
    })
}

fn missing<R: Record>(value: &Expression, record: &R) -> Result<bool, EvaluationError> {
    Ok(operand(value, record)?.is_missing())
}

/// One side of a comparison.
#[inline]
pub(super) fn operand<'a, R: Record>(
    side: &'a Expression,
    record: &'a R,
) -> Result<Operand<'a>, EvaluationError> {
    match side {
        Expression::Column(column) => Ok(Operand::Column(*column, record.value(*column))),
        Expression::Number(number) => Ok(Operand::Number(Cow::Borrowed(number))),
        Expression::Text(text) => Ok(Operand::Quoted(text)),
        Expression::Moment(moment) => Ok(Operand::Moment(*moment)),
        Expression::TextOf(column) => match record.value(*column) {
            Value::Missing => Ok(Operand::Missing),
            value => compare::text(*column, value).map(Operand::Text),
        },
        Expression::Null => Ok(Operand::Missing),
        _ => computed(side, record),
    }
}

fn computed<'a, R: Record>(side: &Expression, record: &R) -> Result<Operand<'a>, EvaluationError> {
    let operand = match side {
        Expression::Sign { .. } | Expression::Chain { .. } => {
            number(side, record)?.map(|number| Operand::Number(Cow::Owned(number)))
        }
        _ => truth(side, record)?.map(Operand::Truth),
    };
    Ok(operand.unwrap_or(Operand::Missing))
}

/// The number that a part of an arithmetic expression gives; `None` if a value in it is missing.
fn number<R: Record>(part: &Expression, record: &R) -> Result<Option<Number>, EvaluationError> {
    match part {
        Expression::Number(number) => Ok(Some(number.clone())),
        Expression::Column(column) => match record.value(*column) {
            Value::Missing => Ok(None),
            value => compare::number(*column, value).map(Some),
        },
        Expression::Sign { minus, operand } => {
            Ok(number(operand, record)?.map(|number| if *minus { -&number } else { number }))
        }
        Expression::Chain { first, rest } => chain(first, rest, record),
        // The parser lets neither text nor conditions stand here.
        _ => Ok(None),
    }
}

/// Looks at every operand, also after a missing one.
fn chain<R: Record>(
    first: &Expression,
    rest: &[(Arithmetic, Expression)],
    record: &R,
) -> Result<Option<Number>, EvaluationError> {
    let mut result = number(first, record)?;
    for (operator, right) in rest {
        let right = number(right, record)?;
        result = match (result, right) {
            (Some(left), Some(right)) => Some(apply(*operator, &left, &right)?),
            _ => None,
        };
    }
    Ok(result)
}

fn apply(operator: Arithmetic, left: &Number, right: &Number) -> Result<Number, EvaluationError> {
    match operator {
        Arithmetic::Plus => Ok(left + right),
        Arithmetic::Minus => Ok(left - right),
        Arithmetic::Times => Ok(left * right),
        Arithmetic::Over => left.checked_div(right).ok_or(EvaluationError::DivisionByZero),
    }
}
