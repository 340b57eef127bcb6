//! The public condition on records: a subset of SQL over one record.

mod at_once;
mod compare;
#[cfg(feature = "datafusion")]
mod constant;
mod error;
mod evaluate;
mod evaluation_error;
mod expression;
mod lexer;
mod like;
mod moment;
#[cfg(test)]
mod oracle;
mod parser;
mod printed;
mod quoted;
mod record;
#[cfg(test)]
mod tests;
mod value_kind;

#[cfg(feature = "datafusion")]
pub(crate) use constant::Constant;
pub use error::FilterError;
pub(crate) use evaluation_error::EvaluationError;
pub(crate) use expression::Expression;
pub(crate) use expression::{Comparator, List};
#[cfg(feature = "datafusion")]
pub(crate) use like::Pattern;
pub(crate) use moment::Moment;
pub(crate) use printed::printed;
pub(crate) use record::Record;

/// A condition on one record.
///
/// What it says of a record depends on that record only. Numbers are exact, logic has the three values of SQL, and
/// `AND`, `OR`, `IN` and `BETWEEN` go from left to right and stop as soon as their result is decided.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Filter {
    condition: Expression,
    columns: Vec<String>,
}

impl Filter {
    /// Reads a condition.
    pub(crate) fn parse(text: &str) -> Result<Self, FilterError> {
        let (condition, columns) = parser::parse(text)?;
        Ok(Self { condition, columns })
    }

    /// The condition; its columns are positions in [`Filter::columns`].
    pub(crate) fn condition(&self) -> &Expression {
        &self.condition
    }

    /// The names of the columns, each once, in the order of their first appearance.
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether the condition is true of the record, rather than false or unknown.
    pub(crate) fn matches(&self, record: &impl Record) -> Result<bool, EvaluationError> {
        Ok(evaluate::truth(&self.condition, record)? == Some(true))
    }

    /// Says why a record has no answer. Names the column, and no value.
    pub(crate) fn explain(&self, evaluation: EvaluationError) -> FilterError {
        let name = |column: usize| self.columns.get(column).cloned().unwrap_or_default();
        match evaluation {
            EvaluationError::NotANumber { column } => FilterError::NotANumber { column: name(column) },
            EvaluationError::NotATruth { column } => FilterError::NotATruth { column: name(column) },
            EvaluationError::NotPrintable { column } => FilterError::NotPrintable { column: name(column) },
            EvaluationError::NotAMoment { column } => FilterError::NotADate { column: name(column) },
            EvaluationError::NotText { column } => FilterError::NotText { column: name(column) },
            EvaluationError::Padded { column } => FilterError::Padded { column: name(column) },
            EvaluationError::Unlike { left, right } => {
                FilterError::Unlike { left: name(left), right: name(right) }
            }
            EvaluationError::DivisionByZero => FilterError::DivisionByZero,
        }
    }
}
