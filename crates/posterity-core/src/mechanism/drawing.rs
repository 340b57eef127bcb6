//! From a draw to the counts that are released.

use thiserror::Error;

use crate::model::{Drawn, Released};

/// What the draws of a mechanism have in common, and how the counts that it releases follow from a draw. It needs
/// nothing that is private, and no fitted mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Drawing {
    /// Counts that are possible: none is negative, and they sum to n. They are released as they are.
    Candidate,
    /// Counts with noise that sums to zero. Each is clipped to `0..=n`.
    Lattice,
    /// Counts with independent noise, each clipped to `0..=n`. Unless it is noised too, the last one drawn is what the
    /// others leave of n, so that they sum to n, and the last one released is what the clipped others leave.
    Noisy(Last),
}

/// What becomes of the last count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// It is noised like the others.
    Noised,
    /// It is what the others leave of n, or zero: the counts may sum to more than n.
    Remainder,
    /// As [`Last::Remainder`], but each of the others is first cut to what those before it leave of n, so that the
    /// counts always sum to n.
    Consistent,
}

/// Why a mechanism cannot have drawn something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DrawingError {
    /// A possible count is not negative.
    #[error("the drawn count {value} (the {}. one) is negative, which this mechanism does not draw", .index + 1)]
    Negative {
        /// Its position, from 0.
        index: usize,
        /// The count.
        value: i64,
    },
    /// The sum of what it draws is the number of records.
    #[error(
        "the drawn counts sum to {sum}, and what this mechanism draws sums to the number of records, {n}"
    )]
    Sum {
        /// The sum of the counts.
        sum: i128,
        /// The number of records.
        n: u64,
    },
}

impl Drawing {
    /// The counts that are released of a draw, for n records.
    ///
    /// ```
    /// use posterity_core::mechanism::{Drawing, Last};
    /// use posterity_core::model::Drawn;
    /// let drawn = Drawn::new(vec![-2, 8, 7, -3]);
    /// let released = |rule: Drawing| rule.released(&drawn, 10).as_slice().to_vec();
    /// assert_eq!(released(Drawing::Lattice), [0, 8, 7, 0]);
    /// assert_eq!(released(Drawing::Noisy(Last::Remainder)), [0, 8, 7, 0]);
    /// assert_eq!(released(Drawing::Noisy(Last::Consistent)), [0, 8, 2, 0]);
    /// ```
    #[must_use]
    pub fn released(self, drawn: &Drawn, n: u64) -> Released {
        let counts = drawn.as_slice();
        Released::new(match self {
            // Only something that nobody drew has a negative count here.
            Self::Candidate => counts.iter().map(|&count| u64::try_from(count).unwrap_or(0)).collect(),
            Self::Lattice | Self::Noisy(Last::Noised) => counts.iter().map(|&one| clip(one, n)).collect(),
            Self::Noisy(last) => with_remainder(counts, n, last == Last::Consistent),
        })
    }

    /// Checks that a mechanism with such draws can have drawn this, for n records.
    ///
    /// # Errors
    /// [`DrawingError`] says why it cannot.
    pub fn check(self, drawn: &Drawn, n: u64) -> Result<(), DrawingError> {
        if self == Self::Candidate
            && let Some(index) = drawn.as_slice().iter().position(|&count| count < 0)
        {
            return Err(DrawingError::Negative { index, value: drawn.as_slice()[index] });
        }
        match drawn.sum() {
            Some(sum) if self != Self::Noisy(Last::Noised) && sum != i128::from(n) => {
                Err(DrawingError::Sum { sum, n })
            }
            _ => Ok(()),
        }
    }
}

/// The nearest number in `0..=n`.
fn clip(count: i64, n: u64) -> u64 {
    u64::try_from(count).unwrap_or(0).min(n)
}

/// All counts but the last, clipped and perhaps cut to what those before leave of n, and what they leave.
fn with_remainder(counts: &[i64], n: u64, cut: bool) -> Vec<u64> {
    let Some((_, noised)) = counts.split_last() else { return Vec::new() };
    let mut left = n;
    let mut released = Vec::with_capacity(counts.len());
    for &count in noised {
        let clipped = clip(count, n);
        let kept = if cut { clipped.min(left) } else { clipped };
        left = left.saturating_sub(kept);
        released.push(kept);
    }
    released.push(left);
    released
}

#[cfg(test)]
mod tests {
    use super::*;

    const REMAINDER: Drawing = Drawing::Noisy(Last::Remainder);
    const CONSISTENT: Drawing = Drawing::Noisy(Last::Consistent);
    const NOISED: Drawing = Drawing::Noisy(Last::Noised);

    #[test]
    fn released_counts_follow_from_a_draw() {
        let table: [(Drawing, &[i64], &[u64]); 8] = [
            (Drawing::Candidate, &[3, 7], &[3, 7]),
            (Drawing::Candidate, &[-3, 13], &[0, 13]),
            (Drawing::Lattice, &[-3, 13], &[0, 10]),
            (Drawing::Lattice, &[6, 6, -2], &[6, 6, 0]),
            (REMAINDER, &[6, 6, -2], &[6, 6, 0]),
            (CONSISTENT, &[6, 6, -2], &[6, 4, 0]),
            (CONSISTENT, &[-5, 12, 3], &[0, 10, 0]),
            (NOISED, &[-Drawn::MOST, 4, Drawn::MOST], &[0, 4, 10]),
        ];
        for (rule, drawn, released) in table {
            assert_eq!(
                rule.released(&Drawn::new(drawn.to_vec()), 10).as_slice(),
                released,
                "{rule:?} {drawn:?}"
            );
        }
    }

    #[test]
    fn rejects_what_cannot_have_been_drawn() {
        let check = |rule: Drawing, drawn: &[i64]| rule.check(&Drawn::new(drawn.to_vec()), 10);
        let negative = DrawingError::Negative { index: 0, value: -3 };
        assert_eq!(check(Drawing::Candidate, &[-3, 13]), Err(negative));
        for rule in [Drawing::Candidate, Drawing::Lattice, REMAINDER, CONSISTENT] {
            assert_eq!(check(rule, &[3, 8]), Err(DrawingError::Sum { sum: 11, n: 10 }), "{rule:?}");
            assert_eq!(check(rule, &[3, 7]), Ok(()), "{rule:?}");
        }
        for rule in [Drawing::Lattice, REMAINDER, CONSISTENT, NOISED] {
            assert_eq!(check(rule, &[-3, 13]), Ok(()), "{rule:?}");
            // The sum is not known where a number was cut.
            assert_eq!(check(rule, &[i64::MIN, 3]), Ok(()), "{rule:?}");
        }
        assert_eq!(check(NOISED, &[3, 8]), Ok(()));
    }
}
