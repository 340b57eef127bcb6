//! How a question is answered: from what is on file, or by a charge, a draw and a record in one transaction.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use rusqlite::Connection;
use thiserror::Error;

use crate::balance;
use crate::charge::Charge;
use crate::entry::{Entry, Event};
use crate::error::LedgerError;
use crate::fault::Fault;
use crate::head::Head;
use crate::recall::{self, StoredRelease};
use crate::step::Step;
use crate::timestamp::Timestamp;

/// The most bytes of a document. SQLite takes a row of at most 10^9 bytes.
pub(crate) const LONGEST_DOCUMENT: usize = 900_000_000;

/// Where the document of a question comes from.
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
    /// The ledger refused or failed, and whatever was drawn is lost. Nothing was charged, except perhaps after
    /// [`LedgerError::Storage`] and [`LedgerError::Full`], after which the history shows whether it was.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The draw failed. Its charge stays, and the history says "not released": whether a draw fails may depend on the
    /// data.
    #[error("{error} (the charge in entry {entry} stays)")]
    Draw {
        /// The sequence number of the charge.
        entry: u64,
        /// What the draw said.
        error: E,
    },
    /// The document is longer than a ledger can hold. Its charge stays, because its length may depend on the data.
    #[error(
        "the document has {bytes} bytes, and a ledger holds at most {LONGEST_DOCUMENT}; ask for fewer cells \
         (the charge in entry {entry} stays)"
    )]
    TooLong {
        /// The sequence number of the charge.
        entry: u64,
        /// The length of the document.
        bytes: usize,
    },
}

/// What the transaction of a question did. The caller learns it once the transaction is committed.
pub(crate) enum Outcome<E> {
    /// Nothing: a document was on file.
    Recalled(Box<StoredRelease>),
    /// It charged, drew and recorded.
    Recorded(Box<StoredRelease>),
    /// It charged, and there is no document.
    Failed(DrawError<E>),
    /// It charged, and the draw panicked.
    Panicked(Box<dyn Any + Send>),
}

impl<E> Outcome<E> {
    /// What the caller gets. If the draw panicked, the panic continues here.
    pub(crate) fn tell(self) -> Result<Answered, DrawError<E>> {
        match self {
            Self::Recalled(release) => Ok(Answered::Recalled(*release)),
            Self::Recorded(release) => Ok(Answered::Recorded(*release)),
            Self::Failed(error) => Err(error),
            Self::Panicked(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// Answers a question within a transaction that holds the lock for writing.
pub(crate) fn answer<E>(
    connection: &Connection,
    step: &mut dyn FnMut(Step),
    account: &str,
    charge: &Charge,
    fits: impl FnMut(&StoredRelease) -> bool,
    at: &Timestamp,
    draw: impl FnOnce(Head) -> Result<String, E>,
) -> Result<Outcome<E>, Fault> {
    if let Some(release) = recall::find(connection, account, charge.question(), Some(charge), fits)? {
        return Ok(Outcome::Recalled(Box::new(release)));
    }
    let charged = append_charge(connection, step, account, charge, at)?;
    let (head, entry) = (charged.head(), charged.sequence);
    // A panic may depend on the data, as an error may. So it is charged like an error, and continues after the commit.
    let document = match std::panic::catch_unwind(AssertUnwindSafe(|| draw(head))) {
        Ok(Ok(document)) if document.len() <= LONGEST_DOCUMENT => document,
        Ok(Ok(document)) => return Ok(Outcome::Failed(DrawError::TooLong { entry, bytes: document.len() })),
        Ok(Err(error)) => return Ok(Outcome::Failed(DrawError::Draw { entry, error })),
        Err(panic) => return Ok(Outcome::Panicked(panic)),
    };
    step(Step::Drawn);
    let recorded = head.append(connection, at, account, Event::Record { charge: entry, document })?;
    step(Step::Appended);
    Ok(Outcome::Recorded(Box::new(recall::release(charged, recorded)?)))
}

/// Appends a charge if it fits.
fn append_charge(
    connection: &Connection,
    step: &mut dyn FnMut(Step),
    account: &str,
    charge: &Charge,
    at: &Timestamp,
) -> Result<Entry, Fault> {
    let head = Head::checked(connection)?;
    let standing = balance::standing(connection, account)?;
    let price = standing.price(charge)?;
    let tally = standing.after(charge, &price)?;
    step(Step::Checked);
    let event = Event::Charge {
        question: charge.question().to_owned(),
        price,
        release: Box::new(charge.promise().clone()),
        state: standing.state(charge.protects().clone(), tally),
    };
    let charged = head.append(connection, at, account, event)?;
    step(Step::Appended);
    Ok(charged)
}
