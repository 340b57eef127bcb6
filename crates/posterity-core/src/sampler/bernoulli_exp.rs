//! A coin that falls on heads with probability `exp(-q)`.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::bits::{BitSource, SourceError, uniform_below};

/// True with probability `exp(-q)`, for a rational `q >= 0`; always true for negative `q`.
///
/// ```
/// use dashu_ratio::RBig;
/// use posterity_core::sampler::{SeededBits, bernoulli_exp};
/// assert!(bernoulli_exp(&RBig::ZERO, &mut SeededBits::new(1))?);
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
pub fn bernoulli_exp(q: &RBig, bits: &mut dyn BitSource) -> Result<bool, SourceError> {
    let numerator = match UBig::try_from(q.numerator().clone()) {
        Ok(numerator) => numerator,
        Err(_) => return Ok(true),
    };
    bernoulli_exp_ratio(&numerator, q.denominator(), bits)
}

/// [`bernoulli_exp`] of `numerator / denominator`, which need not be reduced.
pub(crate) fn bernoulli_exp_ratio(
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
    let mut bound = denominator.clone();
    let mut odd = true;
    while uniform_below(&bound, bits)? < *numerator {
        bound += denominator;
        odd = !odd;
    }
    Ok(odd)
}
