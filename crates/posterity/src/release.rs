//! What a publisher gives back: a release, or an experiment.

use std::fmt;

use posterity_ledger::{Account, Amount, Charge, LedgerError, Parts, Price, Timestamp};

use crate::kind::table::Table;
use crate::paper::Document;

/// A release: the document to publish, and what it cost.
///
/// ```
/// use posterity::{Data, Publisher};
/// let data = Data::counts([("yes", 48), ("no", 42)])?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// assert!(release.document().is_private());
/// println!("{release}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Release {
    document: Document<Table>,
    payment: Payment,
}

/// The result of a seeded draw; see [`Publisher::experiment`](crate::Publisher::experiment). Anyone can repeat it, so
/// it is never private and never charged.
#[derive(Clone, Debug)]
pub struct Experiment {
    document: Document<Table>,
}

/// What a release cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payment {
    /// No ledger was used.
    Nothing,
    /// The ledger had the answer, and nothing was charged.
    Recalled {
        /// When it was drawn. The data may have changed since.
        drawn: Timestamp,
    },
    /// The account was charged.
    Charged {
        /// The epsilon that was charged.
        epsilon: Amount,
        /// The delta that was charged.
        delta: Amount,
        /// What the account has left.
        remaining: Amount,
    },
    /// The account was charged in rho: zero-concentrated differential privacy has no epsilon of its own.
    ChargedRho {
        /// The rho that was charged.
        rho: Amount,
        /// The epsilon of releases without delta that the same charge paid for, if there are any.
        epsilon: Option<Amount>,
        /// The epsilon that the account has left for another release.
        remaining: Amount,
    },
}

impl Payment {
    /// What an account paid for a charge. It may count in another adjacency than the release, and pays more then.
    pub(crate) fn charged(account: &Account, charge: &Charge) -> Result<Self, LedgerError> {
        let remaining = account.remaining_epsilon.clone();
        match account.price_of(charge)? {
            Price::Epsilon { epsilon, delta, .. } => Ok(Self::Charged { epsilon, delta, remaining }),
            Price::Rho { rho, parts } => {
                Ok(Self::ChargedRho { rho, epsilon: parts.as_ref().map(Parts::sum), remaining })
            }
        }
    }
}

impl Release {
    pub(crate) fn new(document: Document<Table>, payment: Payment) -> Self {
        Self { document, payment }
    }

    /// The document: all that is published.
    #[must_use]
    pub fn document(&self) -> &Document<Table> {
        &self.document
    }

    /// What was paid.
    #[must_use]
    pub fn payment(&self) -> &Payment {
        &self.payment
    }
}

impl Experiment {
    pub(crate) fn new(document: Document<Table>) -> Self {
        Self { document }
    }

    /// The document, which says that it is not private.
    #[must_use]
    pub fn document(&self) -> &Document<Table> {
        &self.document
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.document.fmt(f)
    }
}

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.document.fmt(f)
    }
}
