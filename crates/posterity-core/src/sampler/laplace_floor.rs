//! The floor of Laplace noise.

use std::f64::consts::LN_2;

use dashu_int::IBig;
use dashu_ratio::RBig;

use super::bits::{BitSource, SourceError, coin};
use super::geometric::geometric;

/// `floor(Lap(b))` with `b = 1/rate`: `P(z) = (exp(-rate z) - exp(-rate (z+1)))/2` for `z >= 0`, and the mirror image
/// about -1/2 below.
#[derive(Clone, Debug, PartialEq)]
pub struct FlooredLaplace {
    rate: RBig,
}

impl FlooredLaplace {
    /// Noise of a positive rate, that is of scale `1/rate`.
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
    /// Exact. A Laplace variable is a sign and an exponential magnitude E; the floor of E is geometric of the same
    /// rate, and the floor of -E is -1 minus that, except on a set of probability zero.
    ///
    /// # Errors
    /// [`SourceError`] from the source.
    pub fn sample(&self, bits: &mut dyn BitSource) -> Result<IBig, SourceError> {
        let negative = coin(bits)?;
        let floor = IBig::from(geometric(&self.rate, bits)?);
        Ok(if negative { -floor - IBig::ONE } else { floor })
    }

    /// `P(Z = z)`.
    ///
    /// ```
    /// use posterity_core::sampler::FlooredLaplace;
    /// // The research prints these for Lap(1) at 0, 1, 2 steps.
    /// let noise = FlooredLaplace::new(1u8.into());
    /// for (z, printed) in [(0, 0.31606027941), (1, 0.11627207896), (2, 0.04277410743)] {
    ///     assert!((noise.probability(z) - printed).abs() < 1e-11);
    /// }
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
        self.at_least(-1 - z)
    }

    /// `ln P(Z = z)`, which does not underflow.
    #[must_use]
    pub fn ln_probability(&self, z: i64) -> f64 {
        let rate = self.rate();
        let steps = if z < 0 { -1 - z } else { z };
        libm::log(-0.5 * libm::expm1(-rate)) - rate * steps as f64
    }

    /// `ln P(Z >= z)`.
    #[must_use]
    pub fn ln_at_least(&self, z: i64) -> f64 {
        let exponent = -self.rate() * z.unsigned_abs() as f64;
        if z >= 0 { exponent - LN_2 } else { libm::log1p(-0.5 * libm::exp(exponent)) }
    }

    /// `ln P(Z <= z)`.
    #[must_use]
    pub fn ln_at_most(&self, z: i64) -> f64 {
        self.ln_at_least(-1 - z)
    }
}
