//! The score of a candidate, rounded to a fixed grid.
//!
//! An exponential mechanism can be sampled exactly only if its score is an exactly known number. The score here is the
//! Hellinger distance, computed in floating point by a fixed sequence of operations and rounded to a multiple of 2^-44.
//! It differs from the true distance by less than [`SCORE_ERROR`], and every mechanism adds twice that to its
//! sensitivity (docs/proofs/exponential.md).

use crate::distance::from_cost;
use crate::special::Sum;

/// A bound on the difference between the score and the true Hellinger distance, 2^-40. Rounding accounts for 2^-45
/// of it and floating point for less than 2^-42 (docs/proofs/ln-bc.md).
pub const SCORE_ERROR: f64 = 1.0 / (1_u64 << 40) as f64;

/// A Hellinger distance in units of 2^-44.
///
/// ```
/// use posterity_core::sampler::RoundedScore;
/// let score = RoundedScore::from_costs([2f64.ln(), 0.0].into_iter());
/// assert!((score.distance() - 0.5f64.sqrt()).abs() < 1e-13);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoundedScore(u64);

impl RoundedScore {
    /// Binary digits after the point.
    pub const BITS: u32 = 44;

    /// The score of a candidate whose categories cost `-ln_bc` each.
    #[must_use]
    pub fn from_costs(costs: impl Iterator<Item = f64>) -> Self {
        Self::from_share(from_cost(costs.collect::<Sum>().value()))
    }

    /// The score that is this part of its unit, from 0 to 1. The unit of the Hellinger distance is one.
    pub(crate) fn from_share(share: f64) -> Self {
        debug_assert!(share.is_finite(), "costs are finite and not negative");
        // 0 <= share <= 1, so the product is at most 2^44 and the conversion exact after rounding.
        Self(libm::rint(share * (1_u64 << Self::BITS) as f64) as u64)
    }

    /// The score as a multiple of 2^-44.
    #[must_use]
    pub fn units(self) -> u64 {
        self.0
    }

    /// The distance that the score stands for, without rounding.
    #[must_use]
    pub fn distance(self) -> f64 {
        self.0 as f64 / (1_u64 << Self::BITS) as f64
    }
}
