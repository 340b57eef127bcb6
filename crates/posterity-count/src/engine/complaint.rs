//! How an expression of the query says that a value is not what the filter needs.
//!
//! The engine has no expression that fails on purpose. So a fixed text is cast to a number, which fails, and the error
//! quotes that text: it names a column, and no value. A cluster returns only the text of an error, which is enough.

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::{Expr, Operator, binary_expr, cast, lit};

use crate::filter::EvaluationError;

/// What is wrong with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Complaint {
    /// The filter needs a number, or a truth value, and it is none.
    Filter(EvaluationError),
    /// A number that is not read here, in the filter's column of this position.
    FilterNumber(usize),
    /// A number that is not read here, in the dimension of this position.
    DimensionNumber(usize),
}

const START: &str = "posterity complaint ";
const END: char = ';';

impl Complaint {
    /// An integer that is missing where the text is, and an error where the text is there.
    pub(crate) fn raised_by(self, text: Expr) -> Expr {
        // Were it a constant, the engine might cast it where there is no record at all.
        let there = cast(text.eq(lit("")), DataType::Utf8);
        let words = lit(format!("{START}{}{END}", self.words()));
        cast(binary_expr(words, Operator::StringConcat, there), DataType::Int64)
    }

    /// The complaint in the text of an error.
    pub(crate) fn in_text(text: &str) -> Option<Self> {
        let (_, rest) = text.split_once(START)?;
        let (words, _) = rest.split_once(END)?;
        let (what, column) = words.split_once(' ')?;
        let column = column.parse().ok()?;
        match what {
            "number" => Some(Self::Filter(EvaluationError::NotANumber { column })),
            "truth" => Some(Self::Filter(EvaluationError::NotATruth { column })),
            "filter" => Some(Self::FilterNumber(column)),
            "axis" => Some(Self::DimensionNumber(column)),
            _ => None,
        }
    }

    fn words(self) -> String {
        match self {
            Self::Filter(EvaluationError::NotANumber { column }) => format!("number {column}"),
            Self::Filter(EvaluationError::NotATruth { column }) => format!("truth {column}"),
            // The query asks for nothing of which the other complaints could be made.
            Self::Filter(
                EvaluationError::NotPrintable { .. }
                | EvaluationError::NotAMoment { .. }
                | EvaluationError::NotText { .. }
                | EvaluationError::Padded { .. }
                | EvaluationError::Unlike { .. }
                | EvaluationError::DivisionByZero,
            ) => "other 0".into(),
            Self::FilterNumber(column) => format!("filter {column}"),
            Self::DimensionNumber(column) => format!("axis {column}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_found_in_errors() {
        for complaint in [
            Complaint::Filter(EvaluationError::NotANumber { column: 12 }),
            Complaint::Filter(EvaluationError::NotATruth { column: 0 }),
            Complaint::FilterNumber(3),
            Complaint::DimensionNumber(4),
        ] {
            let words = complaint.words();
            let text = format!("Cannot cast string '{START}{words}{END}' to value of Int64 type");
            assert_eq!(Complaint::in_text(&text), Some(complaint));
        }
        for text in ["", START, "Cannot cast string 'Mallory'", "posterity complaint number x;"] {
            assert_eq!(Complaint::in_text(text), None);
        }
    }
}
