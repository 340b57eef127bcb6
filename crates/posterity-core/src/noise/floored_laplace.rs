//! The floor of Laplace noise.

use std::f64::consts::LN_2;

use dashu_int::IBig;

use super::{Factor, FoldedNoise, Noise, Wave};
use crate::sampler::{BitSource, Rate, SourceError, coin, geometric};

/// `floor(Lap(b))` with `b = 1/rate`: `P(z) = (exp(-rate z) - exp(-rate (z+1)))/2` for `z >= 0`, and the mirror image
/// about -1/2 below.
///
/// ```
/// use posterity_core::noise::{FlooredLaplace, Noise};
/// use posterity_core::sampler::Rate;
/// // The research prints these for Lap(1) at 0, 1, 2 steps.
/// let noise = FlooredLaplace::new(Rate::new(1u8.into())?);
/// for (z, printed) in [(0, 0.31606027941), (1, 0.11627207896), (2, 0.04277410743)] {
///     assert!((noise.probability(z) - printed).abs() < 1e-11);
/// }
/// # Ok::<(), posterity_core::sampler::RateError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FlooredLaplace {
    rate: Rate,
}

impl FlooredLaplace {
    /// Noise of this rate, that is of scale `1/rate`.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self { rate }
    }
}

impl Noise for FlooredLaplace {
    /// # Guarantee
    /// Exact. A Laplace variable is a sign and an exponential magnitude E; the floor of E is geometric of the same
    /// rate, and the floor of -E is -1 minus that, except on a set of probability zero.
    fn sample(&self, bits: &mut dyn BitSource) -> Result<IBig, SourceError> {
        let negative = coin(bits)?;
        let floor = IBig::from(geometric(&self.rate, bits)?);
        Ok(if negative { -floor - IBig::ONE } else { floor })
    }

    fn ln_probability(&self, z: i64) -> f64 {
        let rate = self.rate.to_f64();
        let steps = if z < 0 { -1 - z } else { z };
        libm::log(-0.5 * libm::expm1(-rate)) - rate * steps as f64
    }

    fn ln_at_least(&self, z: i64) -> f64 {
        let exponent = -self.rate.to_f64() * z.unsigned_abs() as f64;
        if z >= 0 { exponent - LN_2 } else { libm::log1p(-0.5 * libm::exp(exponent)) }
    }

    fn ln_at_most(&self, z: i64) -> f64 {
        self.ln_at_least(-1 - z)
    }

    fn wave(&self) -> Wave {
        Wave::floored(self.rate.to_f64())
    }

    fn folded(&self, cells: u64) -> Option<FoldedNoise> {
        FoldedNoise::floored(self.rate.to_f64(), cells)
    }

    /// The law falls by the same factor with every step, but for the step between -1 and 0. So all numbers below 0 say the
    /// same about a count, and so do all from n on.
    fn closed_factor(&self, at: i64, n: u64) -> Option<Factor> {
        Some(Factor::Floored { rate: self.rate.to_f64(), at: at.clamp(-1, n as i64) })
    }
}
