//! What is wrong with a filter.

use posterity_formats::{ColumnHint, MAX_DIGITS, MAX_EXPONENT};
use thiserror::Error;

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
    #[error(
        "compares {left} with {right}; numbers stand without quotes, text in single quotes, and dates as DATE '2020-01-31'"
    )]
    Mismatch {
        /// What stands on the left.
        left: &'static str,
        /// What stands on the right.
        right: &'static str,
    },
    /// A value that is not a number, where the filter needs one.
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
    /// A value that is not a date, where the filter needs one.
    #[error(
        "compares column {column:?} with a DATE or a TIMESTAMP, and some record has neither there; a day is written as \
         2020-01-31, and a moment as 2020-01-31 08:00:00 or 2020-01-31T08:00:00Z; exclude other records by a condition \
         before it, or compare TEXT({column:?}) with text in single quotes"
    )]
    NotADate {
        /// The column.
        column: String,
    },
    /// A number or a date, where the filter has text in quotes.
    #[error(
        "compares column {column:?} with text in single quotes by order or LIKE, and some record has a number or a date \
         there; write numbers without quotes and dates as DATE '2020-01-31' or TIMESTAMP '2020-01-31 08:00:00', or compare \
         TEXT({column:?}) to compare what is written there"
    )]
    NotText {
        /// The column.
        column: String,
    },
    /// A number that may be a code.
    #[error(
        "compares column {column:?} with a number in single quotes, and some record has this number there with leading \
         zeros or a plus; write the number without quotes to compare numbers, or TEXT({column:?}) to compare codes"
    )]
    Padded {
        /// The column.
        column: String,
    },
    /// Values of two columns that do not compare.
    #[error(
        "compares columns {left:?} and {right:?}, and some record has a number or a date in one of them and something else \
         in the other, or a number beyond {MAX_DIGITS} digits or an exponent of {MAX_EXPONENT}; compare TEXT({left:?}) with \
         TEXT({right:?}) to compare what is written there, as for codes such as 01234, or exclude such records by a \
         condition before it"
    )]
    Unlike {
        /// What stands on the left.
        left: String,
        /// What stands on the right.
        right: String,
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
                | Self::NotADate { .. }
                | Self::NotText { .. }
                | Self::Padded { .. }
                | Self::Unlike { .. }
                | Self::DivisionByZero
        )
    }
}
