//! The geometric law.

use dashu_int::UBig;

use super::bernoulli_exp::{bernoulli_exp, bernoulli_exp_words};
use super::bits::{BitSource, SourceError, uniform_below, uniform_word};
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
    match rate.words() {
        Some((s, t)) => in_words(s, t, bits).map(UBig::from),
        None => in_long_integers(rate, bits),
    }
}

/// A draw at rate `s/t`.
fn in_words(s: u64, t: u64, bits: &mut dyn BitSource) -> Result<u128, SourceError> {
    let mut x = loop {
        let u = uniform_word(t, bits)?;
        if bernoulli_exp_words(u, t, bits)? {
            break u128::from(u);
        }
    };
    while bernoulli_exp_words(1, 1, bits)? {
        x += u128::from(t);
    }
    // A division of short numbers is much quicker.
    Ok(u64::try_from(x).map_or_else(|_| x / u128::from(s), |x| u128::from(x / s)))
}

/// The same draw from the same random bits, at any rate.
fn in_long_integers(rate: &Rate, bits: &mut dyn BitSource) -> Result<UBig, SourceError> {
    let rate = rate.rational();
    let (s, t) = (rate.numerator().clone().into_parts().1, rate.denominator());
    let u = loop {
        let u = uniform_below(t, bits)?;
        if bernoulli_exp(&u, t, bits)? {
            break u;
        }
    };
    let mut x = u;
    while bernoulli_exp(&UBig::ONE, &UBig::ONE, bits)? {
        x += t;
    }
    Ok(x / s)
}

#[cfg(test)]
mod tests {
    use dashu_ratio::RBig;

    use super::*;
    use crate::sampler::SeededBits;

    /// If this fails, the quick draw does not follow the proven algorithm.
    #[test]
    fn words_and_long_integers_draw_the_same_numbers() {
        for (s, t) in
            [(1, 1), (1, 2), (1, 10), (7, 3), (1, u64::MAX), (2, u64::MAX), (u64::MAX, 2), (3, 1_000_003)]
        {
            let rate = Rate::new(RBig::from_parts(s.into(), t.into())).expect("above zero");
            assert_eq!(rate.words(), Some((s, t)));
            let (mut one, mut other) = (SeededBits::new(8), SeededBits::new(8));
            for _ in 0..300 {
                let quick = in_words(s, t, &mut one).map(UBig::from);
                assert_eq!(quick, in_long_integers(&rate, &mut other), "rate {s}/{t}");
            }
        }
    }
}
