//! Why a condition has no answer for a record.

/// Why a condition has no answer for a record. It contains no value of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvaluationError {
    /// A value that is no number, where one is needed.
    NotANumber {
        /// The position of its column among the filter's columns.
        column: usize,
    },
    /// A value that is neither true nor false, where one of both is needed.
    NotATruth {
        /// The position of its column among the filter's columns.
        column: usize,
    },
    /// A value without printed form, where it is compared as text.
    NotPrintable {
        /// The position of its column among the filter's columns.
        column: usize,
    },
    /// A division by zero.
    DivisionByZero,
}
