//! A score for one prior and one number of records.

use std::fmt::Debug;
use std::sync::Arc;

use super::decay::Decay;
use crate::model::{Counts, PriorError};
use crate::sampler::Ruler;
use crate::special::{Enclosed, Number};

/// What an exponential mechanism must know of its score.
///
/// Sensitivities are those of the true score, with a relative error of at most 2^-41 (docs/proofs/scores.md). They fail
/// only if there are not as many counts as prior parameters.
pub(crate) trait FittedScore: Debug + Send + Sync {
    /// `Dmax`: a bound on the score of all data sets and candidates, also as it is rounded for the sampler.
    fn largest(&self) -> f64;

    /// A bound on `(D(y, r) - D(x, r))/LS(y) + gamma D(x, r)` over all adjacent data sets x, y and all candidates r, if
    /// there is a better one than `1 + gamma Dmax` (docs/proofs/scores.md).
    fn rise_up(&self, _gamma: f64) -> Option<f64> {
        None
    }

    /// A bound on one over the local sensitivity of every data set.
    fn most_inverse(&self) -> f64;

    /// `LS`: the largest change of the score of any candidate when one record changes.
    fn local(&self, counts: &Counts) -> Result<f64, PriorError>;

    /// `GS`: the largest local sensitivity.
    fn global(&self) -> f64;

    /// The largest discounted local sensitivity of all data sets.
    fn smooth(&self, counts: &Counts, decay: Decay) -> Result<f64, PriorError>;

    /// A bound on the relative error of every sensitivity, as far as a category with the count c in the data and r in a
    /// candidate has a part in it, up to the rounding of the bound. It is found by evaluating the formulas with their
    /// errors.
    fn error(&self, category: usize, c: u64, r: u64) -> f64;

    /// How the sampler sees the score.
    fn ruler(&self) -> Arc<dyn Ruler>;

    /// The unit in which the sampler measures the score: a power of two, and no score is above it.
    fn unit(&self) -> f64;
}

/// The least power of two that is not below a number.
pub(super) fn power_of_two_above(number: f64) -> f64 {
    let power = libm::exp2(libm::ceil(libm::log2(number)));
    if power < number { 2.0 * power } else { power }
}

/// From this cost on a score that is a growing function of `exp(-cost)` is at its largest, up to less than 2^-92.
const SATURATED: f64 = 64.0;

/// The relative error of a cost, of which it is enough that it is large where `exp(-cost)` is nothing.
pub(super) fn error_of_cost(cost: Enclosed) -> f64 {
    if cost.value().abs() > SATURATED { 0.0 } else { cost.relative() }
}

/// A bound on a score rounded up so that scores as computed do not exceed it either.
pub(super) fn rounded_up(largest: f64) -> f64 {
    largest * (1.0 + 1.0 / (1_u64 << 38) as f64)
}
