//! Parts of a condition that are the same for every record.

use posterity_formats::{Number, Value};

use super::compare::Operand;
use super::evaluate::operand;
use super::evaluation_error::EvaluationError;
use super::expression::{Expression, List};
use super::quoted::Quoted;
use crate::filter::Record;

/// The value of a part without columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    /// Missing, or unknown.
    Missing,
    /// A number.
    Number(Number),
    /// Text.
    Text(Quoted),
    /// A day or a moment; which one is not needed.
    Moment,
    /// True or false.
    Truth(bool),
}

impl Constant {
    /// The value of a part; nothing if it has a column.
    pub(crate) fn of(part: &Expression) -> Option<Result<Self, EvaluationError>> {
        if has_column(part) {
            return None;
        }
        Some(operand(part, &NoRecord).map(|value| match value {
            Operand::Missing | Operand::Column(..) | Operand::Text(_) => Self::Missing,
            Operand::Number(number) => Self::Number(number.into_owned()),
            Operand::Quoted(text) => Self::Text(text.clone()),
            Operand::Moment(_) => Self::Moment,
            Operand::Truth(truth) => Self::Truth(truth),
        }))
    }
}

/// A record without columns.
struct NoRecord;

impl Record for NoRecord {
    fn value(&self, _column: usize) -> Value<'_> {
        Value::Missing
    }
}

fn has_column(part: &Expression) -> bool {
    match part {
        Expression::Column(_) | Expression::TextOf(_) => true,
        Expression::Number(_)
        | Expression::Text(_)
        | Expression::Moment(_)
        | Expression::Truth(_)
        | Expression::Null => false,
        Expression::Sign { operand, .. }
        | Expression::Like { operand, .. }
        | Expression::IsNull { operand, .. }
        | Expression::IsTruth { operand, .. }
        | Expression::Not(operand) => has_column(operand),
        Expression::Chain { first, rest } => {
            has_column(first) || rest.iter().any(|(_, part)| has_column(part))
        }
        Expression::Comparison { left, right, .. } => has_column(left) || has_column(right),
        Expression::Between { operand, low, high, .. } => {
            [operand, low, high].into_iter().any(|part| has_column(part))
        }
        Expression::In { operand, list, .. } => {
            has_column(operand) || matches!(list, List::Mixed(items) if items.iter().any(has_column))
        }
        Expression::And(parts) | Expression::Or(parts) => parts.iter().any(has_column),
    }
}
