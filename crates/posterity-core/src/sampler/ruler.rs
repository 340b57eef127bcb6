//! What the sampler of an exponential mechanism must know of its score.
//!
//! Every score here is a growing function of a *cost*, and the cost of a candidate is a sum over the categories. The
//! cost of a category is zero where the released count is the true one, and grows with the distance from it.

use std::fmt::Debug;

use super::rounded_score::{RoundedScore, SCORE_ERROR};
use crate::distance::{Pair, from_cost, ln_bc};
use crate::special::{Sum, kernel};

/// What the scores of candidates follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CostKind {
    /// The cost is `-ln BC`, a sum over the categories. Far from the truth the score is its largest.
    Overlap,
    /// The cost is another sum over the categories.
    Sum,
    /// The cost is a bound. The score follows from something else.
    Bound,
}

/// A score under a prior, measured in a *unit*: a power of two that no score exceeds.
///
/// The sampler is exact for every implementation of [`Ruler::score`]. The other functions are bounds that the envelope
/// needs (docs/proofs/envelope.md).
pub(crate) trait Ruler: Debug + Send + Sync {
    /// The parameters of the prior.
    fn alpha(&self) -> &[f64];

    /// What a category with true count c adds to the cost if its released count is r. It is zero for r = c and grows
    /// with the distance of r from c.
    fn cost(&self, category: usize, c: u64, r: u64) -> f64;

    /// A lower bound on the cost of every candidate with count r in a category other than the pivot, as one factor of a
    /// product over these categories. It grows with the distance of r from c.
    fn axis_cost(&self, category: usize, c: u64, r: u64) -> f64 {
        self.cost(category, c, r)
    }

    /// The score of a cost as a part of the unit, from 0 to 1. It grows with the cost.
    fn share(&self, cost: f64) -> f64;

    /// A cost that every candidate with a smaller share than this does not exceed, up to rounding. Infinite if there is
    /// none.
    fn cost_of(&self, share: f64) -> f64;

    /// A cost beyond which candidates need no layers of their own: their weights are almost the same, or negligible
    /// together.
    fn furthest(&self, scale: f64, ln_candidates: f64) -> f64;

    /// How strongly proposals prefer counts near the truth, in this number of dimensions; see `Tilt`.
    fn strength(&self, dimension: f64) -> f64 {
        dimension / 2.0
    }

    /// What the scores follow from.
    fn kind(&self) -> CostKind {
        CostKind::Sum
    }

    /// Replaces costs by `scale` times their shares, with relative errors below 2^-48.
    fn exponents(&self, costs: &mut [f64], scale: f64) {
        for cost in costs {
            *cost = scale * self.share(*cost);
        }
    }

    /// A bound on the difference between a score as computed and the true one, as a part of the unit.
    fn error(&self) -> f64 {
        SCORE_ERROR
    }

    /// The score of a candidate.
    fn score(&self, counts: &[u64], candidate: &[u64]) -> RoundedScore {
        let pairs = counts.iter().zip(candidate).enumerate();
        self.score_of_costs(&mut pairs.map(|(category, (&c, &r))| self.cost(category, c, r)))
    }

    /// The score of a candidate whose categories cost this much.
    fn score_of_costs(&self, costs: &mut dyn Iterator<Item = f64>) -> RoundedScore {
        RoundedScore::from_share(self.share(costs.collect::<Sum>().value()))
    }
}

/// The Hellinger distance `sqrt(1 - exp(-cost))`, with `cost = -ln BC`.
#[derive(Clone, Debug)]
pub(crate) struct HellingerRuler {
    alpha: Vec<f64>,
}

impl HellingerRuler {
    pub(crate) fn new(alpha: &[f64]) -> Self {
        Self { alpha: alpha.to_vec() }
    }
}

impl Ruler for HellingerRuler {
    fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    fn cost(&self, category: usize, c: u64, r: u64) -> f64 {
        -ln_bc(Pair::of_counts(self.alpha[category], c, r))
    }

    fn share(&self, cost: f64) -> f64 {
        from_cost(cost)
    }

    fn cost_of(&self, share: f64) -> f64 {
        if share >= 1.0 { f64::INFINITY } else { -libm::log1p(-share * share) }
    }

    fn furthest(&self, scale: f64, _ln_candidates: f64) -> f64 {
        // From here on the weights are within a factor exp(1/8) of each other.
        libm::log(4.0 * scale.max(0.25))
    }

    fn kind(&self) -> CostKind {
        CostKind::Overlap
    }

    fn exponents(&self, costs: &mut [f64], scale: f64) {
        kernel::exponents(costs, scale);
    }
}
