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

    /// The rate, to the nearest floating-point number.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.rate.to_f64().value()
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
        libm::exp(self.ln_probability(z))
    }

    /// `P(Z >= z)`.
    #[must_use]
    pub fn at_least(&self, z: i64) -> f64 {
        libm::exp(self.ln_at_least(z))
    }

    /// `P(Z <= z)`.
    #[must_use]
    pub fn at_most(&self, z: i64) -> f64 {
        self.at_least(-z)
    }

    /// `ln P(Z = z)`, which does not underflow.
    #[must_use]
    pub fn ln_probability(&self, z: i64) -> f64 {
        let rate = self.rate();
        libm::log(-libm::expm1(-rate)) - libm::log1p(libm::exp(-rate)) - rate * z.unsigned_abs() as f64
    }

    /// `ln P(Z >= z)`.
    #[must_use]
    pub fn ln_at_least(&self, z: i64) -> f64 {
        let rate = self.rate();
        // P(Z >= z) = p^z/(1+p) for z > 0, and 1 - P(Z >= 1-z) otherwise.
        let ln_tail = |z: i64| -rate * z as f64 - libm::log1p(libm::exp(-rate));
        if z > 0 { ln_tail(z) } else { libm::log1p(-libm::exp(ln_tail(1 - z))) }
    }

    /// `ln P(Z <= z)`.
    #[must_use]
    pub fn ln_at_most(&self, z: i64) -> f64 {
        self.ln_at_least(-z)
    }
}
