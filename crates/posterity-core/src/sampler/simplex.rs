//! The candidate simplex: all vectors of k whole numbers that sum to n.

use std::collections::BTreeSet;

use dashu_int::UBig;

use super::bits::{BitSource, SourceError, uniform_below, uniform_u128};
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

/// Draws a candidate uniformly.
///
/// ```
/// use posterity_core::sampler::{SeededBits, uniform_candidate};
/// let counts = uniform_candidate(3, 10, &mut SeededBits::new(1))?;
/// assert_eq!((counts.len(), counts.iter().sum::<u64>()), (3, 10));
/// # Ok::<(), posterity_core::sampler::SourceError>(())
/// ```
///
/// # Guarantee
/// Exact: the candidates correspond to the choices of k-1 bars among n+k-1 places, and Floyd's algorithm (Bentley and
/// Floyd 1987) draws each choice with the same probability.
///
/// # Errors
/// [`SourceError`] from the source.
pub fn uniform_candidate(k: usize, n: u64, bits: &mut dyn BitSource) -> Result<Vec<u64>, SourceError> {
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
    let mut chosen = BTreeSet::new();
    for bar in 0..parts.saturating_sub(1) as u64 {
        let last = total + UBig::from(bar);
        let place = uniform_below(&(&last + UBig::ONE), bits)?;
        if !chosen.insert(place) {
            chosen.insert(last);
        }
    }
    let mut counts = Vec::with_capacity(parts);
    let mut next = UBig::ZERO;
    for bar in chosen {
        counts.push(&bar - &next);
        next = bar + UBig::ONE;
    }
    counts.push(total + UBig::from(parts as u64 - 1) - next);
    Ok(counts)
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

    #[test]
    fn uniform_candidates_sum_to_n() {
        let mut bits = SeededBits::new(5);
        for _ in 0..100 {
            let counts = uniform_candidate(4, 9, &mut bits).expect("seeded");
            assert_eq!((counts.len(), counts.iter().sum::<u64>()), (4, 9));
        }
    }
}
