//! Failures inside a transaction.

use crate::error::{Breach, LedgerError};

/// A failure inside a transaction. It becomes a [`LedgerError`] when the path of the file is added.
pub(crate) enum Fault {
    /// The storage failed.
    Storage(rusqlite::Error),
    /// The chain does not hold.
    Broken {
        /// The entry.
        entry: u64,
        /// What is wrong with it.
        breach: Breach,
    },
    /// The ledger refuses.
    Refused(LedgerError),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Storage(error)
    }
}

impl From<LedgerError> for Fault {
    fn from(error: LedgerError) -> Self {
        Self::Refused(error)
    }
}
