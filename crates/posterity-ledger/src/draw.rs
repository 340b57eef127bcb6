//! A charge, a draw and a record in one transaction: what comes of it, and why it fails.

use thiserror::Error;

use crate::error::LedgerError;
use crate::recall::StoredRelease;

/// How a question came by its document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "either a charge was made or a document was found"]
pub enum Answered {
    /// The identical question was answered before at the same price: nothing was drawn and nothing was charged.
    Recalled(StoredRelease),
    /// The question was charged, and its answer drawn and recorded. Publish it.
    Recorded(StoredRelease),
}

impl Answered {
    /// The document with its charge, however it came.
    #[must_use]
    pub fn release(&self) -> &StoredRelease {
        match self {
            Self::Recalled(release) | Self::Recorded(release) => release,
        }
    }
}

/// Why there is no document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DrawError<E> {
    /// The ledger refused or failed, and whatever was drawn is lost. Nothing was charged, save perhaps for
    /// [`LedgerError::Storage`] and [`LedgerError::Full`], after which the history shows whether it was.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The draw failed. Its charge stays, and the history says "not released": whether a draw fails may depend on the data.
    #[error("{error} (the charge in entry {entry} stays)")]
    Draw {
        /// The sequence number of the charge.
        entry: u64,
        /// What the draw said.
        error: E,
    },
}
