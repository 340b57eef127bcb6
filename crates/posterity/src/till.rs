//! Where the randomness of a release comes from, and who pays for it.

use std::path::PathBuf;

use posterity_ledger::{Ledger, LedgerError};
use thiserror::Error;

use crate::ask::Ask;
#[cfg(feature = "data")]
use crate::batch::{Batch, BatchData, BatchError};
use crate::charging::Payer;
#[cfg(feature = "data")]
use crate::kind::Publication;
use crate::paper::{Document, Kind};
use crate::publish_error::PublishError;
use crate::randomness::Randomness;
use crate::release::Payment;
use crate::signature::SecretKey;

/// Where the randomness of a release comes from, and who pays for it. The ledger is open and has the account, which is found
/// out before any data is read.
///
/// ```
/// use posterity::paying::Till;
/// use posterity::{Data, Publisher};
/// let mut till = Till::open(Some(1), None)?;
/// // Here the data is counted, by till.randomness().
/// let data = Data::counts([("yes", 48), ("no", 42)])?;
/// let (document, _) = till.answer(Publisher::new("1".parse()?).ask(&data)?)?;
/// assert_eq!(document.seed(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Till {
    seed: Option<u64>,
    payer: Option<(Ledger, LedgerAccount)>,
}

/// An account in the file of a ledger, and how it pays.
#[derive(Debug)]
pub struct LedgerAccount {
    /// The file of the ledger.
    pub ledger: PathBuf,
    /// The account.
    pub account: String,
    /// Whether to draw and pay anew if the ledger holds the answer.
    pub again: bool,
    /// Signs the release.
    pub key: Option<SecretKey>,
}

/// Why nothing can be released in this way.
#[derive(Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TillError {
    /// There is a seed and a payer.
    #[error("a release from a seed is not private and cannot be charged; leave out the seed, or the ledger")]
    SeedAndLedger,
    /// The ledger or its account cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

impl Till {
    /// Opens the ledger of whoever pays.
    ///
    /// # Errors
    /// [`TillError`] if there is a seed and a payer, or the ledger or its account cannot be used.
    pub fn open(seed: Option<u64>, payer: Option<LedgerAccount>) -> Result<Self, TillError> {
        if seed.is_some() && payer.is_some() {
            return Err(TillError::SeedAndLedger);
        }
        let open = |payer: LedgerAccount| {
            let ledger = Ledger::open(&payer.ledger)?;
            ledger.account(&payer.account)?;
            Ok::<_, LedgerError>((ledger, payer))
        };
        Ok(Self { seed, payer: payer.map(open).transpose()? })
    }

    /// How records are chosen while the data is counted.
    #[must_use]
    pub fn randomness(&self) -> Randomness {
        self.seed.map_or(Randomness::System, Randomness::Seed)
    }

    /// The ledger that is charged.
    pub fn ledger(&mut self) -> Option<&mut Ledger> {
        self.payer.as_mut().map(|(ledger, _)| ledger)
    }

    /// Whether an account pays.
    #[must_use]
    pub fn is_charged(&self) -> bool {
        self.payer.is_some()
    }

    /// Charges, draws and records the answer; or draws it from the seed; or draws it, and nobody counts it.
    ///
    /// # Errors
    /// [`PublishError`]. Nothing is charged then, unless the draw failed.
    pub fn answer<K: Kind>(&mut self, ask: Ask<'_, K>) -> Result<(Document<K>, Payment), PublishError> {
        match (self.seed, &mut self.payer) {
            (Some(seed), _) => Ok((ask.experiment(seed)?, Payment::Nothing)),
            (None, Some((ledger, LedgerAccount { account, again, key, .. }))) => {
                let payer = Payer::new(ledger, account);
                ask.charge(Payer { again: *again, key: key.clone(), ..payer })
            }
            (None, None) => Ok((ask.publish()?, Payment::Nothing)),
        }
    }
}

#[cfg(feature = "data")]
impl Till {
    /// Answers all questions of a batch, of whatever kinds, which are charged once.
    ///
    /// # Errors
    /// [`BatchError`]. Nothing is charged then, unless a draw failed.
    pub fn answer_all(
        &mut self,
        batch: Batch<'_>,
        data: &BatchData,
    ) -> Result<Vec<(Publication, Payment)>, BatchError> {
        let release = match (self.seed, &mut self.payer) {
            (Some(seed), _) => {
                let drawn = batch.experiment(data, seed)?;
                return Ok(drawn.into_iter().map(|document| (document, Payment::Nothing)).collect());
            }
            (None, Some((ledger, LedgerAccount { account, again, key, .. }))) => {
                let batch = key.clone().into_iter().fold(batch, Batch::sign);
                batch.charge(data, ledger, account, *again, None)?
            }
            (None, None) => batch.publish(data)?,
        };
        Ok(release.answers().to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(ledger: PathBuf) -> LedgerAccount {
        LedgerAccount { ledger, account: "study".to_owned(), again: false, key: None }
    }

    /// If this fails, data is read although the release must be refused.
    #[test]
    fn what_can_be_refused_is_refused_before_the_data_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.ledger");
        let open = |seed| Till::open(seed, Some(account(path.clone()))).err();
        assert!(matches!(open(None), Some(TillError::Ledger(LedgerError::Missing { .. }))));
        assert_eq!(open(Some(1)), Some(TillError::SeedAndLedger));
        Ledger::create(&path).expect("created");
        assert!(matches!(open(None), Some(TillError::Ledger(LedgerError::UnknownAccount { .. }))));
    }
}
