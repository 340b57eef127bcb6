//! All that is public about one release.

use thiserror::Error;

use super::{Counts, Epsilon, MAX_TOTAL, Prior};

/// Prior, number of records and budget: everything that a mechanism may be tuned by without touching the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    prior: Prior,
    n: u64,
    epsilon: Epsilon,
}

/// Why public inputs do not go together, or the data does not fit them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingError {
    /// No records.
    #[error("n is 0; there must be at least one record")]
    NoRecords,
    /// More than [`MAX_TOTAL`] records.
    #[error("n is {n}; this version works with at most {MAX_TOTAL} records")]
    TooMany {
        /// The number of records.
        n: u64,
    },
    /// The counts have another number of categories than the prior.
    #[error(
        "the prior has {prior} parameters and the data {counts} categories; give one parameter per category"
    )]
    Categories {
        /// Parameters of the prior.
        prior: usize,
        /// Categories of the data.
        counts: usize,
    },
    /// The counts sum to another number than the setting was made for.
    #[error(
        "the mechanism was made for {expected} records and is given {found}; make one for this data size"
    )]
    Total {
        /// Records that the setting is for.
        expected: u64,
        /// Records in the data.
        found: u64,
    },
}

impl Setting {
    /// Public inputs for data of size `n`.
    ///
    /// # Errors
    /// [`SettingError`] if `n` is zero or beyond [`MAX_TOTAL`].
    pub fn new(prior: Prior, n: u64, epsilon: Epsilon) -> Result<Self, SettingError> {
        match n {
            0 => Err(SettingError::NoRecords),
            1..=MAX_TOTAL => Ok(Self { prior, n, epsilon }),
            _ => Err(SettingError::TooMany { n }),
        }
    }

    /// The prior.
    #[must_use]
    pub fn prior(&self) -> &Prior {
        &self.prior
    }

    /// The number of records.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The budget.
    #[must_use]
    pub fn epsilon(&self) -> &Epsilon {
        &self.epsilon
    }

    /// The number of categories.
    #[must_use]
    pub fn k(&self) -> usize {
        self.prior.len()
    }

    /// Whether data has the number of categories and records that this setting is for.
    ///
    /// # Errors
    /// [`SettingError`] says which of the two differs.
    pub fn check(&self, counts: &Counts) -> Result<(), SettingError> {
        if counts.len() != self.k() {
            return Err(SettingError::Categories { prior: self.k(), counts: counts.len() });
        }
        if counts.total() != self.n {
            return Err(SettingError::Total { expected: self.n, found: counts.total() });
        }
        Ok(())
    }
}
