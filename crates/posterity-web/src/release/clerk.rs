//! Whoever counts and draws a release, and charges it.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use posterity::data::DataError;
use posterity::document::Kind;
use posterity::paying::{LedgerAccount, Till};
use posterity::{Ask, Document, Publication, PublishError, Randomness};
use posterity_present::{answered_at_other_n, payment};

use crate::sentence::sentence;

/// Whoever counts and draws a release, and charges it. What is said is what the command says, no more.
pub(super) struct Clerk<'a> {
    till: Till,
    /// The ledger and its account.
    payer: Option<(&'a Path, &'a str)>,
    /// The rows that were read so far.
    rows: &'a AtomicU64,
}

impl<'a> Clerk<'a> {
    pub(super) fn new(payer: Option<(&'a Path, &'a str)>, rows: &'a AtomicU64) -> Result<Self, String> {
        let pays = |(ledger, account): (&Path, &str)| LedgerAccount {
            ledger: ledger.to_owned(),
            account: account.to_owned(),
            again: false,
            key: None,
        };
        let till = Till::open(None, payer.map(pays)).map_err(|error| error.to_string())?;
        Ok(Self { till, payer, rows })
    }

    /// How records are chosen.
    pub(super) fn randomness(&self) -> Randomness {
        self.till.randomness()
    }

    /// Is told how many rows were read.
    pub(super) fn tell(&self, rows: u64) -> ControlFlow<()> {
        self.rows.store(rows, Ordering::Relaxed);
        ControlFlow::Continue(())
    }

    /// Why nothing was counted.
    pub(super) fn uncounted(error: DataError) -> String {
        format!("{error}; nothing was charged or released")
    }

    /// Charges, draws and records the answer: the document, and what is said of the payment.
    pub(super) fn answer<K: Kind>(
        &mut self,
        ask: Result<Ask<'_, K>, PublishError>,
    ) -> Result<(Publication, String), String>
    where
        Publication: From<Document<K>>,
    {
        let answered = ask.and_then(|ask| self.till.answer(ask));
        let (document, paid) = answered.map_err(|error| error.to_string())?;
        let other = self.payer;
        let other =
            other.and_then(|(ledger, account)| answered_at_other_n(&paid, ledger, account, &document));
        let said = [Some(payment(&paid, false)), other].into_iter().flatten().map(sentence);
        Ok((document.into(), said.collect::<Vec<_>>().join(" ")))
    }
}
