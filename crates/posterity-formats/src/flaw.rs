//! What can be wrong with a typed file.

use crate::memory_limit::Exceeded;

/// Why a typed file cannot be read. Contains no value of a record.
#[derive(Debug)]
pub(crate) enum Flaw {
    /// It is cut, overwritten, or not of its format.
    Damaged,
    /// It uses something that is not read here, such as encryption. The text names it.
    Unsupported(&'static str),
    /// A piece that has to be held in memory is larger than allowed.
    TooLarge,
    /// Text that is not UTF-8.
    NotUtf8,
    /// The system refuses to read it.
    Io(std::io::Error),
}

impl From<std::io::Error> for Flaw {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::InvalidInput => Self::Damaged,
            _ => Self::Io(error),
        }
    }
}

impl From<Exceeded> for Flaw {
    fn from(_: Exceeded) -> Self {
        Self::TooLarge
    }
}
