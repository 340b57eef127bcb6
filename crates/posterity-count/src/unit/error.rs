//! Why units cannot be counted.

use std::io;

use thiserror::Error;

/// Why units cannot be counted. Contains no value of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnitError {
    /// The system refuses a temporary file.
    #[error(
        "a temporary file cannot be used: {kind}; set TMPDIR to a folder that exists, may be written and has room, or \
         allow more memory"
    )]
    Temporary {
        /// What the system says.
        kind: io::ErrorKind,
    },
    /// A row with a cell that was not declared.
    #[error("a row has a cell beyond the declared categories; look its category up before it is counted")]
    Cell,
    /// Rows of the wrong kind.
    #[error(
        "the rule latest takes rows with an order, and every other rule takes rows without; hand those over"
    )]
    Rows,
    /// A value of the ordered column that is too long.
    #[error("a value of the ordered column is longer than 64 KiB; order by a date, a time or a number")]
    Order,
}

impl From<io::Error> for UnitError {
    fn from(error: io::Error) -> Self {
        Self::Temporary { kind: error.kind() }
    }
}
