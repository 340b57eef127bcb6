//! The private counts.

use thiserror::Error;

/// The largest number of records for which the rounding errors of this crate are proven.
pub const MAX_TOTAL: u64 = 1_000_000_000_000;

/// How many records are in each category. These numbers are the private data.
///
/// The `Debug` form hides them, so that they cannot appear in a log by accident.
///
/// ```
/// use posterity_core::model::Counts;
/// let counts = Counts::new(vec![41, 59])?;
/// assert_eq!(counts.total(), 100);
/// assert_eq!(format!("{counts:?}"), "Counts { k: 2, .. }");
/// # Ok::<(), posterity_core::model::CountsError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Counts {
    counts: Vec<u64>,
    total: u64,
}

/// Why a list of numbers cannot be the counts. The message shows no single count, because counts are private.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountsError {
    /// Fewer than two categories.
    #[error("there are counts for {found} categories; give at least two")]
    TooFew {
        /// How many counts were given.
        found: usize,
    },
    /// All counts are zero.
    #[error("all counts are zero; there must be at least one record")]
    NoRecords,
    /// The sum is beyond [`MAX_TOTAL`].
    #[error("the counts sum to more than {MAX_TOTAL}; this version works with at most that many records")]
    TooMany,
}

impl Counts {
    /// Checks that there are at least two categories and between one and [`MAX_TOTAL`] records.
    ///
    /// # Errors
    /// [`CountsError`].
    pub fn new(counts: Vec<u64>) -> Result<Self, CountsError> {
        let counts = Self::perhaps_empty(counts)?;
        if counts.total == 0 { Err(CountsError::NoRecords) } else { Ok(counts) }
    }

    /// The same where the number of records is private: there may be none.
    ///
    /// # Errors
    /// [`CountsError`] as [`Counts::new`], but not that there are no records.
    pub fn perhaps_empty(counts: Vec<u64>) -> Result<Self, CountsError> {
        if counts.len() < 2 {
            return Err(CountsError::TooFew { found: counts.len() });
        }
        let total = counts
            .iter()
            .try_fold(0_u64, |sum, &count| sum.checked_add(count))
            .filter(|&total| total <= MAX_TOTAL)
            .ok_or(CountsError::TooMany)?;
        Ok(Self { counts, total })
    }

    /// The counts in the order of the categories.
    #[must_use]
    pub fn as_slice(&self) -> &[u64] {
        &self.counts
    }

    /// The number of records. It is public, unless whether a record is there at all is protected.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The number of categories k.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there are always at least two")]
    pub fn len(&self) -> usize {
        self.counts.len()
    }
}

impl std::fmt::Debug for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Counts").field("k", &self.counts.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects() {
        let table = [
            (vec![], CountsError::TooFew { found: 0 }),
            (vec![3], CountsError::TooFew { found: 1 }),
            (vec![0, 0], CountsError::NoRecords),
            (vec![u64::MAX, 1], CountsError::TooMany),
            (vec![MAX_TOTAL, 1], CountsError::TooMany),
        ];
        for (counts, error) in table {
            assert_eq!(Counts::new(counts), Err(error));
        }
        assert_eq!(Counts::perhaps_empty(vec![0, 0]).map(|empty| empty.total()), Ok(0));
    }

    #[test]
    fn debug_does_not_show_the_data() {
        let counts = Counts::new(vec![41, 59]).expect("valid");
        assert_eq!(format!("{counts:?}"), "Counts { k: 2, .. }");
    }
}
