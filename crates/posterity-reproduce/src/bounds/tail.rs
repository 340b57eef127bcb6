//! Bounds on the probability of a large distance.

use posterity_core::mechanism::{Exponential, Mechanism};
use posterity_core::model::Counts;

use super::error::BoundsError;
use super::event::{below, probability};

/// Three values for `P(H >= c)` under an exponential mechanism, each cheaper and larger than the one before
/// (002_d2a24f2ea53ee1f7.txt, section 6.2, with the scale as the mechanism defines it).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TailBounds {
    /// The exact probability.
    pub tight: f64,
    /// `card(R) exp(-s c) / NL`, where s is the scale at the data and NL the normaliser.
    pub loose: f64,
    /// `card(R) exp(-s c)`: the normaliser is at least one, the weight of the truth.
    pub loosest: f64,
}

impl TailBounds {
    /// The bounds at given counts; `limit` as in [`Mechanism::law`]. The order holds but for the rounding of the score.
    ///
    /// # Errors
    /// [`BoundsError::Law`] if the law cannot be listed.
    pub fn new(mechanism: &Exponential, counts: &Counts, c: f64, limit: u64) -> Result<Self, BoundsError> {
        let law = mechanism.law(counts, limit)?;
        let loosest = law.len() as f64 * libm::exp(-mechanism.scale_down(counts)? * c);
        // The truth has weight one, so its probability is 1/NL.
        let loose = loosest * law.probability_exact();
        Ok(Self { tight: probability(&law, |distance| !below(distance, c)), loose, loosest })
    }
}
