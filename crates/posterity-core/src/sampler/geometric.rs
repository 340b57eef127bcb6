//! The geometric law.

use dashu_int::UBig;

use super::bernoulli_exp::bernoulli_exp_ratio;
use super::bits::{BitSource, SourceError, uniform_below};
use super::rate::Rate;

/// A whole number `g >= 0` with probability `(1 - exp(-rate)) exp(-rate g)`.
///
/// # Guarantee
/// Exact: Canonne, Kamath and Steinke (2020), algorithm 2. With `rate = s/t` in lowest terms, X = U + t V is
/// geometric of rate 1/t, where U in 0..t is kept with probability `exp(-U/t)` and V counts the heads of a coin of
/// probability `exp(-1)`; the floor of X/s then is geometric of rate s/t. The expected number of draws is bounded
/// whatever the rate.
///
/// # Errors
/// [`SourceError`] from the source.
pub fn geometric(rate: &Rate, bits: &mut dyn BitSource) -> Result<UBig, SourceError> {
    let rate = rate.rational();
    let (s, t) = (rate.numerator().clone().into_parts().1, rate.denominator());
    let u = loop {
        let u = uniform_below(t, bits)?;
        if bernoulli_exp_ratio(&u, t, bits)? {
            break u;
        }
    };
    let mut x = u;
    while bernoulli_exp_ratio(&UBig::ONE, &UBig::ONE, bits)? {
        x += t;
    }
    Ok(x / s)
}
