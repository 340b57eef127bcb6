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
        let sum = counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        let counts = Self::perhaps_empty(counts)?;
        match sum {
            Some(0) => Err(CountsError::NoRecords),
            Some(1..=MAX_TOTAL) => Ok(counts),
            _ => Err(CountsError::TooMany),
        }
    }

    /// Counts where the number of records is private, so that one record more or fewer must not be an error: there may
    /// be none, and a count beyond [`MAX_TOTAL`] is cut to it. What is added to one count changes the cut counts by at
    /// most as much, so noise protects them as it would protect the counts (docs/proofs/private-n.md).
    ///
    /// # Errors
    /// [`CountsError::TooFew`].
    pub fn perhaps_empty(mut counts: Vec<u64>) -> Result<Self, CountsError> {
        if counts.len() < 2 {
            return Err(CountsError::TooFew { found: counts.len() });
        }
        counts.iter_mut().for_each(|count| *count = (*count).min(MAX_TOTAL));
        let total = counts.iter().fold(0_u64, |sum, &count| sum.saturating_add(count));
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
        assert_eq!(Counts::perhaps_empty(vec![3]), Err(CountsError::TooFew { found: 1 }));
    }

    /// If this fails, one record more has counts refused whose number is private, or changes them by more than one.
    #[test]
    fn one_record_more_changes_at_most_one_count_of_a_private_number() {
        let large = [0, 1, MAX_TOTAL - 1, MAX_TOTAL, MAX_TOTAL + 1, u64::MAX - 1];
        let all = large.into_iter().flat_map(|a| large.map(|b| [a, b]));
        for counts in all {
            for place in 0..2 {
                let mut more = counts;
                more[place] += 1;
                let [less, more] =
                    [counts, more].map(|counts| Counts::perhaps_empty(counts.to_vec()).expect("two"));
                let pairs = less.as_slice().iter().zip(more.as_slice());
                let change: u64 = pairs.map(|(less, more)| more - less).sum();
                assert!(change <= 1 && more.as_slice().iter().all(|&count| count <= MAX_TOTAL), "{counts:?}");
                assert_eq!(less.total(), less.as_slice().iter().sum::<u64>());
            }
            let within = counts.iter().all(|&count| count <= MAX_TOTAL);
            assert_eq!(Counts::perhaps_empty(counts.to_vec()).expect("two").as_slice() == counts, within);
        }
    }

    #[test]
    fn debug_does_not_show_the_data() {
        let counts = Counts::new(vec![41, 59]).expect("valid");
        assert_eq!(format!("{counts:?}"), "Counts { k: 2, .. }");
    }
}
