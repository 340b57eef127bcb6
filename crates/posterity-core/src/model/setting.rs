//! The public inputs of one release.

use std::num::NonZeroU64;

use thiserror::Error;

use super::{Adjacency, Counts, Epsilon, MAX_TOTAL, Prior};

/// The prior, the number of records and the budget. A mechanism may depend on them freely, because they are public.
///
/// Where the number of records is private, a public bound takes its place: see [`Setting::of_private_n`].
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
    adjacency: Adjacency,
    records_per_unit: NonZeroU64,
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
            1..=MAX_TOTAL => Ok(Self {
                prior,
                n,
                adjacency: Adjacency::Replace,
                records_per_unit: NonZeroU64::MIN,
                epsilon,
            }),
            _ => Err(SettingError::TooMany { n }),
        }
    }

    /// Public inputs for data whose size is private. Readings of a release assume that there are at most `most` records;
    /// what is drawn does not depend on it, and neither does the promise.
    ///
    /// # Errors
    /// [`SettingError`] if `most` is zero or beyond [`MAX_TOTAL`].
    pub fn of_private_n(prior: Prior, most: u64, epsilon: Epsilon) -> Result<Self, SettingError> {
        Ok(Self { adjacency: Adjacency::AddRemove, ..Self::new(prior, most, epsilon)? })
    }

    /// The setting where each unit has at most this many records. The number is one unless n is private.
    #[must_use]
    pub fn with_records_per_unit(self, records: NonZeroU64) -> Self {
        let records_per_unit = if self.n_is_private() { records } else { NonZeroU64::MIN };
        Self { records_per_unit, ..self }
    }

    /// The prior.
    #[must_use]
    pub fn prior(&self) -> &Prior {
        &self.prior
    }

    /// Which data sets must look alike.
    #[must_use]
    pub fn adjacency(&self) -> Adjacency {
        self.adjacency
    }

    /// Whether the number of records is private.
    #[must_use]
    pub fn n_is_private(&self) -> bool {
        self.adjacency == Adjacency::AddRemove
    }

    /// The most records that one unit adds to the counts.
    #[must_use]
    pub fn records_per_unit(&self) -> NonZeroU64 {
        self.records_per_unit
    }

    /// The number of records; where it is private, the most that readings assume.
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

    /// Checks that the data has as many categories as this setting and, where the number of records is public, as many
    /// records.
    ///
    /// # Errors
    /// [`SettingError`] says which of the two differs.
    pub fn check(&self, counts: &Counts) -> Result<(), SettingError> {
        if counts.len() != self.k() {
            return Err(SettingError::Categories { prior: self.k(), counts: counts.len() });
        }
        if !self.n_is_private() && counts.total() != self.n {
            return Err(SettingError::Total { expected: self.n, found: counts.total() });
        }
        Ok(())
    }
}
