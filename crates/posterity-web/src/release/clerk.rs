//! Whoever counts and draws a release, and charges it.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use posterity::batch::{Batch, BatchData, BatchError};
use posterity::paying::{LedgerAccount, Till};
use posterity::signing::SecretKey;
use posterity::{Publication, Randomness};
use posterity_present::{answer_at_other_n, payment};

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
    /// `key` signs what is charged.
    pub(super) fn new(
        payer: Option<(&'a Path, &'a str)>,
        key: Option<SecretKey>,
        rows: &'a AtomicU64,
    ) -> Result<Self, String> {
        let pays = |(ledger, account): (&Path, &str)| LedgerAccount {
            ledger: ledger.to_owned(),
            account: account.to_owned(),
            again: false,
            key,
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

    /// Why there is no answer, in words. The only question needs no number.
    pub(super) fn refused(error: BatchError) -> String {
        match error {
            BatchError::Data(error) => format!("{error}; nothing was charged or released"),
            BatchError::Question { error, .. } => error.to_string(),
            other => other.to_string(),
        }
    }

    /// Charges, draws and records the answer to the only question of a batch: the document, and what is said of the payment.
    pub(super) fn answer(
        &mut self,
        batch: Batch<'_>,
        data: &BatchData,
    ) -> Result<(Publication, String), String> {
        let answers = self.till.answer_all(batch, data).map_err(Self::refused)?;
        let (document, paid) = answers.into_iter().next().ok_or("there is no question")?;
        let answer = (document.provenance(), document.n());
        let other =
            self.payer.and_then(|(ledger, account)| answer_at_other_n(&paid, ledger, account, answer));
        let said = [Some(payment(&paid, false)), other].into_iter().flatten().map(sentence);
        let said = said.collect::<Vec<_>>().join(" ");
        Ok((document, said))
    }
}
