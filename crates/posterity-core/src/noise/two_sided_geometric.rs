//! Two-sided geometric noise.

use dashu_int::IBig;

use super::{Factor, FoldedNoise, Noise, Wave};
use crate::sampler::{BitSource, Rate, SourceError, coin, geometric};

/// `P(z) = (1-p)/(1+p) p^abs(z)` with `p = exp(-rate)`. Also called discrete Laplace noise; optimal for counting
/// (Ghosh, Roughgarden and Sundararajan 2009).
///
/// ```
/// use posterity_core::noise::{Noise, TwoSidedGeometric};
/// use posterity_core::sampler::Rate;
/// let noise = TwoSidedGeometric::new(Rate::new(1u8.into())?);
/// let total: f64 = (-60..=60).map(|z| noise.probability(z)).sum();
/// assert!((total - 1.0).abs() < 1e-15);
/// # Ok::<(), posterity_core::sampler::RateError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TwoSidedGeometric {
    rate: Rate,
}

impl TwoSidedGeometric {
    /// Noise of this rate.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self { rate }
    }
}

impl Noise for TwoSidedGeometric {
    /// # Guarantee
    /// Exact: a sign and a geometric magnitude, where minus zero is drawn again.
    fn sample(&self, bits: &mut dyn BitSource) -> Result<IBig, SourceError> {
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

    fn ln_probability(&self, z: i64) -> f64 {
        let rate = self.rate.to_f64();
        libm::log(-libm::expm1(-rate)) - libm::log1p(libm::exp(-rate)) - rate * z.unsigned_abs() as f64
    }

    fn ln_at_least(&self, z: i64) -> f64 {
        let rate = self.rate.to_f64();
        // P(Z >= z) = p^z/(1+p) for z > 0, and 1 - P(Z >= 1-z) otherwise.
        let ln_tail = |z: i64| -rate * z as f64 - libm::log1p(libm::exp(-rate));
        if z > 0 { ln_tail(z) } else { libm::log1p(-libm::exp(ln_tail(1 - z))) }
    }

    fn ln_at_most(&self, z: i64) -> f64 {
        self.ln_at_least(-z)
    }

    fn wave(&self) -> Wave {
        Wave::two_sided(self.rate.to_f64())
    }

    fn folded(&self, cells: u64) -> Option<FoldedNoise> {
        FoldedNoise::two_sided(self.rate.to_f64(), cells)
    }

    /// Beyond either end the law falls at the same rate as before it, so clipping does not change the likelihood.
    fn closed_factor(&self, at: i64, n: u64) -> Option<Factor> {
        Some(Factor::TwoSided { rate: self.rate.to_f64(), at: at.clamp(0, n as i64) as u64 })
    }

    fn survives_clipping(&self) -> bool {
        true
    }
}
