//! The candidate simplex: all vectors of k whole numbers that sum to n.

use std::collections::BTreeSet;

use dashu_int::UBig;
use thiserror::Error;

use super::bits::{BitSource, SourceError, uniform_below, uniform_u128, uniform_word};
use crate::special::Sum;

/// `ln C(n+k-1, k-1)`, the logarithm of the number of candidates.
///
/// ```
/// use posterity_core::sampler::ln_candidates;
/// assert!((ln_candidates(3, 2) - 6f64.ln()).abs() < 1e-15); // (2,0,0), (1,1,0), ..
/// ```
#[must_use]
pub fn ln_candidates(k: usize, n: u64) -> f64 {
    // A difference of log-gammas would lose digits at large n.
    (1..k).map(|i| libm::log1p(n as f64 / i as f64)).collect::<Sum>().value()
}

/// `C(n+k-1, k-1)`.
pub(crate) fn candidates(k: usize, n: u64) -> UBig {
    let mut count = UBig::ONE;
    for i in 1..k as u64 {
        // Every division is exact, because the product of i consecutive numbers is divisible by i!.
        count = count * UBig::from(n + i) / UBig::from(i);
    }
    count
}

/// Why no candidate was drawn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CandidateError {
    /// There are fewer than two categories.
    #[error("a candidate has two or more categories, not {found}; give a k of at least 2")]
    TooFew {
        /// The number of categories.
        found: usize,
    },
    /// The number of places for records and bars is beyond 64 bits.
    #[error(
        "a candidate of {k} categories cannot hold {n} records: n + k - 1 is beyond 64 bits; give a smaller n"
    )]
    TooLarge {
        /// The number of categories.
        k: usize,
        /// The number of records.
        n: u64,
    },
    /// There are no random bits.
    #[error(transparent)]
    Source(#[from] SourceError),
}

/// Draws a candidate uniformly.
///
/// ```
/// use posterity_core::sampler::{SeededBits, uniform_candidate};
/// let counts = uniform_candidate(3, 10, &mut SeededBits::new(1))?;
/// assert_eq!((counts.len(), counts.iter().sum::<u64>()), (3, 10));
/// # Ok::<(), posterity_core::sampler::CandidateError>(())
/// ```
///
/// # Guarantee
/// Exact: the candidates correspond to the choices of k-1 bars among n+k-1 places, and Floyd's algorithm (Bentley and
/// Floyd 1987) draws each choice with the same probability.
///
/// # Errors
/// [`CandidateError`] for fewer than two categories, or if n + k - 1 is beyond 64 bits, or from the source.
pub fn uniform_candidate(k: usize, n: u64, bits: &mut dyn BitSource) -> Result<Vec<u64>, CandidateError> {
    if k < 2 {
        return Err(CandidateError::TooFew { found: k });
    }
    if n.checked_add(k as u64 - 1).is_none() {
        return Err(CandidateError::TooLarge { k, n });
    }
    Ok(unchecked_candidate(k, n, bits)?)
}

/// [`uniform_candidate`] for values that were checked before.
pub(crate) fn unchecked_candidate(
    k: usize,
    n: u64,
    bits: &mut dyn BitSource,
) -> Result<Vec<u64>, SourceError> {
    let bars = k as u64 - 1;
    let mut chosen = BTreeSet::new();
    for last in n..n + bars {
        let place = uniform_u128(u128::from(last) + 1, bits)? as u64;
        if !chosen.insert(place) {
            chosen.insert(last);
        }
    }
    let mut counts = Vec::with_capacity(k);
    let mut next = 0;
    for bar in chosen {
        counts.push(bar - next);
        next = bar + 1;
    }
    counts.push(n + bars - next);
    Ok(counts)
}

/// Draws a uniform vector of `parts` whole numbers that sum to `total`, as [`uniform_candidate`] does. The total may be
/// of any size.
pub(crate) fn uniform_parts(
    parts: usize,
    total: &UBig,
    bits: &mut dyn BitSource,
) -> Result<Vec<UBig>, SourceError> {
    let bars = parts.saturating_sub(1) as u64;
    match u64::try_from(total).ok().and_then(|total| total.checked_add(bars)) {
        Some(places) => Ok(parts_in_words(bars, places, bits)?.into_iter().map(UBig::from).collect()),
        None => parts_in_long_integers(bars, total, bits),
    }
}

/// The numbers of places between `bars` bars on that many places.
fn parts_in_words(bars: u64, places: u64, bits: &mut dyn BitSource) -> Result<Vec<u64>, SourceError> {
    let mut chosen = Places::new(bars, places);
    for last in places - bars..places {
        // Below 2^64, because the last place is.
        let place = uniform_word(last + 1, bits)?;
        if !chosen.insert(place) {
            chosen.insert(last);
        }
    }
    let mut counts = Vec::with_capacity(bars as usize + 1);
    let mut next = 0;
    chosen.for_each(|bar| {
        counts.push(bar - next);
        next = bar + 1;
    });
    counts.push(places - next);
    Ok(counts)
}

/// The same from the same random bits, for a total of any size.
fn parts_in_long_integers(
    bars: u64,
    total: &UBig,
    bits: &mut dyn BitSource,
) -> Result<Vec<UBig>, SourceError> {
    let mut chosen = BTreeSet::new();
    for bar in 0..bars {
        let last = total + UBig::from(bar);
        let place = uniform_below(&(&last + UBig::ONE), bits)?;
        if !chosen.insert(place) {
            chosen.insert(last);
        }
    }
    let mut counts = Vec::with_capacity(bars as usize + 1);
    let mut next = UBig::ZERO;
    for bar in chosen {
        counts.push(&bar - &next);
        next = bar + UBig::ONE;
    }
    counts.push(total + UBig::from(bars) - next);
    Ok(counts)
}

/// A set of places: one bit for each if there are not many more places than bars.
enum Places {
    Bits(Vec<u64>),
    Few(BTreeSet<u64>),
}

impl Places {
    fn new(bars: u64, places: u64) -> Self {
        if places / 64 <= bars {
            Self::Bits(vec![0; places as usize / 64 + 1])
        } else {
            Self::Few(BTreeSet::new())
        }
    }

    /// Adds a place; false if it was there.
    fn insert(&mut self, place: u64) -> bool {
        match self {
            Self::Few(places) => places.insert(place),
            Self::Bits(words) => {
                let (word, bit) = (&mut words[(place / 64) as usize], 1 << (place % 64));
                let is_new = *word & bit == 0;
                *word |= bit;
                is_new
            }
        }
    }

    /// Visits the places in order.
    fn for_each(&self, mut visit: impl FnMut(u64)) {
        match self {
            Self::Few(places) => places.iter().copied().for_each(visit),
            Self::Bits(words) => {
                for (index, &word) in words.iter().enumerate() {
                    let mut rest = word;
                    while rest != 0 {
                        visit(index as u64 * 64 + u64::from(rest.trailing_zeros()));
                        rest &= rest - 1;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::SeededBits;

    #[test]
    fn numbers_of_candidates() {
        assert_eq!(candidates(3, 2), UBig::from(6_u8));
        assert_eq!(candidates(2, 1_000_000), UBig::from(1_000_001_u32));
        assert_eq!(candidates(5, 500), UBig::from(2_656_615_626_u64));
        assert!((ln_candidates(5, 500) - 2_656_615_626_f64.ln()).abs() < 1e-12);
    }

    /// If this fails, the quick way to place the bars differs from the proven one.
    #[test]
    fn words_and_long_integers_place_the_same_bars() {
        for (bars, total) in [(0, 0), (0, 9), (3, 0), (999, 1_000), (20, 1 << 40), (5, u64::MAX - 5)] {
            let (mut one, mut other) = (SeededBits::new(4), SeededBits::new(4));
            for _ in 0..20 {
                let words = parts_in_words(bars, total + bars, &mut one).expect("seeded");
                let words: Vec<UBig> = words.into_iter().map(UBig::from).collect();
                assert_eq!(parts_in_long_integers(bars, &UBig::from(total), &mut other), Ok(words));
            }
        }
    }

    #[test]
    fn rejects() {
        let draw = |k, n| uniform_candidate(k, n, &mut SeededBits::new(1));
        assert_eq!(draw(0, 5), Err(CandidateError::TooFew { found: 0 }));
        assert_eq!(draw(1, 5), Err(CandidateError::TooFew { found: 1 }));
        assert_eq!(draw(2, u64::MAX), Err(CandidateError::TooLarge { k: 2, n: u64::MAX }));
        assert_eq!(draw(3, u64::MAX - 1), Err(CandidateError::TooLarge { k: 3, n: u64::MAX - 1 }));
    }

    /// The largest sum for which there are places.
    #[test]
    fn accepts_the_largest_n() {
        let found = uniform_candidate(2, u64::MAX - 1, &mut SeededBits::new(1)).expect("64 bits suffice");
        assert_eq!(found.iter().sum::<u64>(), u64::MAX - 1);
        assert_eq!(uniform_candidate(3, 0, &mut SeededBits::new(1)), Ok(vec![0; 3]));
    }

    #[test]
    fn uniform_candidates_sum_to_n() {
        let mut bits = SeededBits::new(5);
        for _ in 0..100 {
            let counts = uniform_candidate(4, 9, &mut bits).expect("seeded");
            assert_eq!((counts.len(), counts.iter().sum::<u64>()), (4, 9));
        }
    }
}
