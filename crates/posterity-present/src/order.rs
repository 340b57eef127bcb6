//! The sequence of a release: what can be refused is refused before the data is read, and all of it before anything is
//! charged.

use std::path::PathBuf;

use posterity::{
    Certificate, Contrast, Data, Document, Ledger, LedgerError, MarginsData, MarginsDocument, Payment,
    PublishError, Publisher, Randomness, Reading, SecretKey, Terms,
};
use thiserror::Error;

use crate::known_name::{KnownName, OtherData};
use crate::worker::Watch;

/// What is to be released, and who pays.
///
/// ```
/// use posterity::{Data, Terms};
/// use posterity_present::Order;
/// let order = Order { seed: Some(1), ..Order::new(Terms::new("1".parse()?)) };
/// let open = order.open()?;
/// // Here the data is counted, by open.randomness().
/// let data = Data::counts([("yes", 48), ("no", 42)])?;
/// let (document, _) = open.publish(&data, &|_| ())?;
/// assert_eq!(document.seed(), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Order {
    /// The public terms.
    pub terms: Terms,
    /// What is read from the release.
    pub readings: Vec<Reading>,
    /// What is compared in it.
    pub comparisons: Vec<Contrast>,
    /// The audit that is cited for a mechanism without a proof.
    pub certificate: Option<Certificate>,
    /// Whether a mechanism without a guarantee may be used, for an experiment.
    pub not_private: bool,
    /// The seed of an experiment; a private release has none.
    pub seed: Option<u64>,
    /// Who pays; nobody counts a release without a payer.
    pub payer: Option<Payer>,
}

/// Who pays for a release.
#[derive(Debug)]
pub struct Payer {
    /// The file of the ledger.
    pub ledger: PathBuf,
    /// The account.
    pub account: String,
    /// Whether to draw and pay anew if the ledger holds the answer.
    pub again: bool,
    /// Signs the release.
    pub key: Option<SecretKey>,
}

/// Why an order cannot be carried out.
#[derive(Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum OrderError {
    /// There is a seed and a payer.
    #[error("a release from a seed is not private and cannot be charged; leave out the seed, or the ledger")]
    SeedAndLedger,
    /// The ledger or its account cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
}

/// Why data in memory is not released.
#[derive(Debug, PartialEq, Error)]
pub enum KnownOrderError {
    /// Its name stood for other data.
    #[error(transparent)]
    Name(#[from] OtherData),
    /// The release is refused.
    #[error(transparent)]
    Publish(#[from] PublishError),
}

/// An order whose ledger is open and has the account.
#[derive(Debug)]
pub struct OpenOrder {
    order: Order,
    till: Till,
}

/// Where the randomness of a release comes from, and who pays for it. The ledger is open and has the account.
#[derive(Debug)]
pub struct Till {
    seed: Option<u64>,
    payer: Option<(Ledger, Payer)>,
}

/// How a release is to be drawn.
#[derive(Debug)]
pub enum Draw<'l> {
    /// From a seed: an experiment, which nobody pays for.
    Seed(u64),
    /// From the system's randomness, charged to an account.
    Charged(Box<posterity::Payer<'l>>),
    /// From the system's randomness, and nobody counts it.
    Uncounted,
}

impl Till {
    /// Opens the ledger of whoever pays.
    ///
    /// # Errors
    /// [`OrderError`] if there is a seed and a payer, or the ledger or its account cannot be used.
    pub fn open(seed: Option<u64>, payer: Option<Payer>) -> Result<Self, OrderError> {
        if seed.is_some() && payer.is_some() {
            return Err(OrderError::SeedAndLedger);
        }
        let open = |payer: Payer| {
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

    /// How the release is to be drawn.
    pub fn draw(&mut self) -> Draw<'_> {
        match (self.seed, &mut self.payer) {
            (Some(seed), _) => Draw::Seed(seed),
            (None, Some((ledger, Payer { account, again, key, .. }))) => {
                let payer = posterity::Payer::new(ledger, account);
                Draw::Charged(Box::new(posterity::Payer { again: *again, key: key.take(), ..payer }))
            }
            (None, None) => Draw::Uncounted,
        }
    }
}

impl Draw<'_> {
    /// Charges, draws and records tables of many columns, or draws them from the seed.
    ///
    /// # Errors
    /// [`PublishError`]. Nothing was released then.
    pub fn margins(self, data: MarginsData) -> Result<(MarginsDocument, Payment), PublishError> {
        match self {
            Self::Seed(seed) => Ok((data.experiment(seed)?, Payment::Nothing)),
            Self::Charged(payer) => data.charge(*payer),
            Self::Uncounted => Ok((data.publish()?, Payment::Nothing)),
        }
    }
}

impl Order {
    /// A private release on these terms that nobody pays for.
    #[must_use]
    pub fn new(terms: Terms) -> Self {
        Self {
            terms,
            readings: Vec::new(),
            comparisons: Vec::new(),
            certificate: None,
            not_private: false,
            seed: None,
            payer: None,
        }
    }

    /// Everything to warn of before the data is read: a budget that protects hardly anybody.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        self.publisher().warnings()
    }

    fn publisher(&self) -> Publisher<'static> {
        let (readings, comparisons) = (self.readings.clone(), self.comparisons.clone());
        let mut publisher = Publisher::with_terms(self.terms.clone()).read(readings, comparisons);
        if self.not_private {
            publisher = publisher.allow_unproven();
        }
        match &self.certificate {
            Some(certificate) => publisher.certificate(certificate.clone()),
            None => publisher,
        }
    }

    /// Refuses what can be refused before the data is read.
    ///
    /// # Errors
    /// [`OrderError`].
    pub fn open(mut self) -> Result<OpenOrder, OrderError> {
        let till = Till::open(self.seed, self.payer.take())?;
        Ok(OpenOrder { order: self, till })
    }
}

impl OpenOrder {
    /// How records are chosen while the data is counted.
    #[must_use]
    pub fn randomness(&self) -> Randomness {
        self.till.randomness()
    }

    /// The ledger that is charged.
    pub fn ledger(&mut self) -> Option<&mut Ledger> {
        self.till.ledger()
    }

    /// Charges, draws and records, or draws from the seed. `progress` is called with the number of data sets audited.
    ///
    /// # Errors
    /// [`PublishError`]. Nothing is charged then.
    pub fn publish(
        mut self,
        data: &Data,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Document, Payment), PublishError> {
        let publisher = self.order.publisher().progress(progress);
        let release = match self.till.draw() {
            Draw::Seed(seed) => {
                return Ok((publisher.experiment(data, seed)?.document().clone(), Payment::Nothing));
            }
            Draw::Charged(payer) => {
                let posterity::Payer { ledger, account, again, key, .. } = *payer;
                let mut charged = publisher.charge(ledger, account).again(again);
                if let Some(key) = key {
                    charged = charged.sign(key);
                }
                charged.publish(data)?
            }
            Draw::Uncounted => publisher.publish(data)?,
        };
        Ok((release.document().clone(), release.payment().clone()))
    }

    /// The same for a program that may give it up until it is charged. `counts` are those of data in memory: a ledger would
    /// answer the same name with the same release, so a name must stand for the same counts.
    ///
    /// # Errors
    /// [`KnownOrderError`]. Nothing is charged then.
    pub fn publish_known(
        mut self,
        data: &Data,
        edition: Option<&str>,
        counts: Option<Vec<u64>>,
        watch: &Watch,
    ) -> Result<(Document, Payment), KnownOrderError> {
        let again = self.till.payer.as_ref().map(|(_, payer)| payer.again);
        let counts = counts.filter(|_| again.is_some());
        let name = KnownName::check(data, edition, counts, again.unwrap_or(false))?;
        if let Some(ledger) = self.ledger() {
            watch.commit_with(ledger);
        }
        let published = self.publish(data, &|_| watch.tick())?;
        name.note();
        Ok(published)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(ledger: PathBuf) -> Order {
        let payer = Payer { ledger, account: "study".to_owned(), again: false, key: None };
        Order { payer: Some(payer), ..Order::new(Terms::new("1".parse().expect("positive"))) }
    }

    /// If this fails, data is read although the release must be refused.
    #[test]
    fn what_can_be_refused_is_refused_before_the_data_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.ledger");
        assert!(matches!(order(path.clone()).open(), Err(OrderError::Ledger(LedgerError::Missing { .. }))));
        let seeded = Order { seed: Some(1), ..order(path.clone()) };
        assert_eq!(seeded.open().err(), Some(OrderError::SeedAndLedger));
        Ledger::create(&path).expect("created");
        let unknown = order(path).open();
        assert!(matches!(unknown, Err(OrderError::Ledger(LedgerError::UnknownAccount { .. }))));
    }
}
