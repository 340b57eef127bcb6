//! The public inputs of one release.

use thiserror::Error;

use super::{Counts, Epsilon, MAX_TOTAL, Prior};

/// The prior, the number of records and the budget. A mechanism may depend on them freely, because they are public.
///
/// ```
/// use posterity_core::model::{Counts, Prior, Setting};
/// let setting = Setting::new(Prior::uniform(2)?, 100, "0.5".parse()?)?;
/// assert!(setting.check(&Counts::new(vec![41, 59])?).is_ok());
/// assert!(setting.check(&Counts::new(vec![41, 60])?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    prior: Prior,
    n: u64,
    epsilon: Epsilon,
}

/// Why the public inputs are not valid, or why data does not fit them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
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

    /// Checks that the data has as many categories and records as this setting.
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
