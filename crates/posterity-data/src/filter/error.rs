//! What is wrong with a filter.

use thiserror::Error;

use crate::column_hint::ColumnHint;
use crate::number::{MAX_DIGITS, MAX_EXPONENT};

/// What is wrong with a filter. Each message continues the sentence "the filter … ". None has a value of a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FilterError {
    /// It does not parse.
    #[error("is no condition over the columns: {message}; write an SQL condition such as age > 30")]
    Invalid {
        /// What is wrong; it quotes the filter only.
        message: String,
    },
    /// A column that does not exist.
    #[error("names {column:?}, which is no column; {hint}; text goes in single quotes")]
    UnknownColumn {
        /// The name.
        column: String,
        /// What may be said of the columns there are.
        hint: ColumnHint,
    },
    /// Something that SQL has and a filter has not.
    #[error("contains {what}; {remedy}")]
    Forbidden {
        /// What it contains.
        what: String,
        /// What to do instead.
        remedy: &'static str,
    },
    /// A number or text where a condition belongs.
    #[error("uses {kind} as a condition; write one that is true or false, such as age > 30")]
    NotBoolean {
        /// What it is.
        kind: &'static str,
    },
    /// Text or a condition where a number belongs.
    #[error("computes with {kind}; + - * / take numbers, and numbers stand without quotes")]
    NotNumeric {
        /// What it is.
        kind: &'static str,
    },
    /// Things that cannot be equal.
    #[error("compares {left} with {right}; numbers stand without quotes, and text in single quotes")]
    Mismatch {
        /// What stands on the left.
        left: &'static str,
        /// What stands on the right.
        right: &'static str,
    },
    /// A value that is no number, where the filter needs one.
    #[error(
        "needs a number in column {column:?}, and some record has there none of at most {MAX_DIGITS} digits and an \
         exponent of at most {MAX_EXPONENT}; compare the column with text in single quotes, or exclude such records \
         by a condition before it: kind = 'n' AND x > 3"
    )]
    NotANumber {
        /// The column.
        column: String,
    },
    /// A value that is neither true nor false, where the filter needs one.
    #[error(
        "needs true or false in column {column:?}, and some record has something else there; compare the column \
         with a number, or with text in single quotes"
    )]
    NotATruth {
        /// The column.
        column: String,
    },
    /// A value that cannot be compared.
    #[error(
        "compares column {column:?}, and some record has a value there that has no printed form: bytes, a list, an \
         object, a time of day, or a year before 0 or after 9999; store the column as text, or exclude such records \
         by a condition before it"
    )]
    NotPrintable {
        /// The column.
        column: String,
    },
    /// A division by zero.
    #[error(
        "divides by zero for some record; exclude such records by a condition before it: n <> 0 AND x / n > 3"
    )]
    DivisionByZero,
}

impl FilterError {
    /// Whether some record is at fault, rather than the filter.
    #[must_use]
    pub fn is_about_a_record(&self) -> bool {
        matches!(
            self,
            Self::NotANumber { .. }
                | Self::NotATruth { .. }
                | Self::NotPrintable { .. }
                | Self::DivisionByZero
        )
    }
}
