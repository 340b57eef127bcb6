//! Why a condition has no answer for a record.

/// Why a condition has no answer for a record. It contains no value of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EvaluationError {
    /// A value that is not a number, where one is needed.
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
    /// A value that is neither a day nor a moment, where one is needed.
    NotAMoment {
        /// The position of its column among the filter's columns.
        column: usize,
    },
    /// A number, a day or a moment, where text in quotes needs text.
    NotText {
        /// The position of its column among the filter's columns.
        column: usize,
    },
    /// A number with leading zeros or a plus that equals a number in quotes.
    Padded {
        /// The position of its column among the filter's columns.
        column: usize,
    },
    /// Values of two columns that are not of one kind.
    Unlike {
        /// The position of the one column among the filter's columns.
        left: usize,
        /// The position of the other.
        right: usize,
    },
    /// A division by zero.
    DivisionByZero,
}
