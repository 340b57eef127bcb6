//! Geometric noise, one-sided and two-sided.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::bernoulli_exp::bernoulli_exp_ratio;
use super::bits::{BitSource, SourceError, coin, uniform_below};

/// A whole number `g >= 0` with probability `(1 - exp(-rate)) exp(-rate g)`, for a rational `rate > 0`.
///
/// # Guarantee
/// Exact: Canonne, Kamath and Steinke (2020), algorithm 2. With `rate = s/t` in lowest terms, X = U + t V is
/// geometric of rate 1/t, where U in 0..t is kept with probability `exp(-U/t)` and V counts the heads of a coin of
/// probability `exp(-1)`; the floor of X/s then is geometric of rate s/t. The expected number of draws is bounded
/// whatever the rate.
///
/// # Errors
/// [`SourceError`] from the source.
pub fn geometric(rate: &RBig, bits: &mut dyn BitSource) -> Result<UBig, SourceError> {
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

/// Two-sided geometric noise: `P(z) = (1-p)/(1+p) p^abs(z)` with `p = exp(-rate)`. Also called discrete Laplace
/// noise; optimal for counting (Ghosh, Roughgarden and Sundararajan 2009).
#[derive(Clone, Debug, PartialEq)]
pub struct TwoSidedGeometric {
    rate: RBig,
}

impl TwoSidedGeometric {
    /// Noise of a positive rate.
    #[must_use]
    pub fn new(rate: RBig) -> Self {
        Self { rate }
    }

    /// One draw.
    ///
    /// # Guarantee
    /// Exact: a sign and a geometric magnitude, where minus zero is drawn again.
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    pub fn sample(&self, bits: &mut dyn BitSource) -> Result<IBig, SourceError> {
        loop {
            let negative = coin(bits)?;
            let magnitude = IBig::from(geometric(&self.rate, bits)?);
            if !negative {
                return Ok(magnitude);
            }
            if magnitude != IBig::ZERO {
                return Ok(-magnitude);
            }
        }
    }

    /// `P(Z = z)`.
    ///
    /// ```
    /// use posterity_core::sampler::TwoSidedGeometric;
    /// let noise = TwoSidedGeometric::new(1u8.into());
    /// let total: f64 = (-60..=60).map(|z| noise.probability(z)).sum();
    /// assert!((total - 1.0).abs() < 1e-15);
    /// ```
    #[must_use]
    pub fn probability(&self, z: i64) -> f64 {
        let rate = self.rate.to_f64().value();
        -libm::expm1(-rate) / (1.0 + libm::exp(-rate)) * libm::exp(-rate * z.unsigned_abs() as f64)
    }

    /// `P(Z >= z)`.
    #[must_use]
    pub fn at_least(&self, z: i64) -> f64 {
        let rate = self.rate.to_f64().value();
        let tail = |steps: i64| libm::exp(-rate * steps as f64) / (1.0 + libm::exp(-rate));
        if z > 0 { tail(z) } else { 1.0 - tail(1 - z) }
    }

    /// `P(Z <= z)`.
    #[must_use]
    pub fn at_most(&self, z: i64) -> f64 {
        self.at_least(-z)
    }
}
