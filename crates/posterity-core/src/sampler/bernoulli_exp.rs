//! A coin that falls on heads with probability `exp(-q)`.

use dashu_int::UBig;

use super::bits::{BitSource, SourceError, uniform_below, uniform_word};

/// True with probability `exp(-q)`, where `q = numerator / denominator` need not be reduced.
///
/// ```
/// use dashu_int::UBig;
/// use posterity_core::sampler::{SeededBits, bernoulli_exp};
/// assert!(bernoulli_exp(&UBig::ZERO, &UBig::ONE, &mut SeededBits::new(1))?);
/// # Ok::<(), posterity_core::sampler::SourceError>(())
/// ```
///
/// # Guarantee
/// Exact: Canonne, Kamath and Steinke (2020), algorithm 1. For `q <= 1` coins of probability `q/1`,
/// `q/2`, .. are tossed until one shows tails. The number of tosses is odd with probability
/// `1 - q + q^2/2! - .. = exp(-q)`. A larger q is split into ones and a rest. Only uniform integers are drawn.
///
/// # Errors
/// [`SourceError`] from the source.
pub fn bernoulli_exp(
    numerator: &UBig,
    denominator: &UBig,
    bits: &mut dyn BitSource,
) -> Result<bool, SourceError> {
    let mut rest = numerator.clone();
    while rest > *denominator {
        if !at_most_one(&UBig::ONE, &UBig::ONE, bits)? {
            return Ok(false);
        }
        rest -= denominator;
    }
    at_most_one(&rest, denominator, bits)
}

fn at_most_one(numerator: &UBig, denominator: &UBig, bits: &mut dyn BitSource) -> Result<bool, SourceError> {
    tosses_from(denominator.clone(), numerator, denominator, bits)
}

/// Whether the number of coins tossed is odd, where the first falls on heads with probability `numerator/bound` and the
/// bound grows by the denominator with each.
fn tosses_from(
    mut bound: UBig,
    numerator: &UBig,
    denominator: &UBig,
    bits: &mut dyn BitSource,
) -> Result<bool, SourceError> {
    let mut odd = true;
    while uniform_below(&bound, bits)? < *numerator {
        bound += denominator;
        odd = !odd;
    }
    Ok(odd)
}

/// [`bernoulli_exp`] in machine words, from the same random bits, for `numerator <= denominator`.
pub(crate) fn bernoulli_exp_words(
    numerator: u64,
    denominator: u64,
    bits: &mut dyn BitSource,
) -> Result<bool, SourceError> {
    let mut bound = denominator;
    let mut odd = true;
    while uniform_word(bound, bits)? < numerator {
        odd = !odd;
        let Some(next) = bound.checked_add(denominator) else {
            let [numerator, denominator, bound] = [numerator, denominator, bound].map(UBig::from);
            let rest_is_odd = tosses_from(bound + &denominator, &numerator, &denominator, bits)?;
            return Ok(odd == rest_is_odd);
        };
        bound = next;
    }
    Ok(odd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::SeededBits;

    /// If this fails, a coin tossed in machine words differs from the same coin tossed in long integers.
    #[test]
    fn words_toss_the_same_coins_as_long_integers() {
        let large = u64::MAX / 2 + 7;
        for (numerator, denominator) in
            [(0, 1), (1, 1), (1, 2), (9, 10), (large, large), (large - 1, large), (u64::MAX, u64::MAX)]
        {
            let (mut one, mut other) = (SeededBits::new(5), SeededBits::new(5));
            for _ in 0..200 {
                let words = bernoulli_exp_words(numerator, denominator, &mut one);
                let long = bernoulli_exp(&numerator.into(), &denominator.into(), &mut other);
                assert_eq!(words, long, "exp(-{numerator}/{denominator})");
            }
        }
    }
}
