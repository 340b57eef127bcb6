//! Scores that are a growing function of `-ln BC`.

use std::sync::Arc;

use super::fitted::error_of_cost;
use super::{Decay, FittedScore};
use crate::distance::cost_of_category;
use crate::model::{Counts, Prior, PriorError};
use crate::sampler::Ruler;
use crate::sensitivity::{beta_smooth_of, gamma_smooth_of, global_cost, local_cost};
use crate::special::Enclosed;

/// A metric that is a growing function of `-ln BC`, so that its local sensitivity is that function of the cost of the
/// furthest adjacent data set. The end-point theorem must hold for it (docs/proofs/scores.md). It must be at least the
/// Hellinger distance.
#[derive(Debug)]
pub(super) struct ScoreOfCost {
    pub(super) prior: Prior,
    pub(super) n: u64,
    pub(super) of_cost: fn(f64) -> f64,
    pub(super) largest: f64,
    pub(super) unit: f64,
    /// Makes the ruler, given the prior parameters.
    pub(super) ruler: fn(&[f64]) -> Arc<dyn Ruler>,
}

impl FittedScore for ScoreOfCost {
    fn largest(&self) -> f64 {
        self.largest
    }

    fn most_inverse(&self) -> f64 {
        // docs/proofs/exponential.md
        libm::sqrt(8.0 * total(&self.prior, self.n) + 2.0)
    }

    fn local(&self, counts: &Counts) -> Result<f64, PriorError> {
        Ok((self.of_cost)(local_cost(&self.prior, counts)?))
    }

    fn global(&self) -> f64 {
        (self.of_cost)(global_cost(&self.prior, self.n))
    }

    fn smooth(&self, counts: &Counts, decay: Decay) -> Result<f64, PriorError> {
        match decay {
            Decay::Gamma(gamma) => gamma_smooth_of(&self.prior, counts, gamma, self.of_cost),
            Decay::Beta(beta) => beta_smooth_of(&self.prior, counts, beta, self.of_cost),
        }
    }

    /// The relative error of the cost of a category; a growing function of it has no larger one (docs/proofs/ln-bc.md).
    fn error(&self, category: usize, c: u64, r: u64) -> f64 {
        let low = Enclosed::from(self.prior.parameters()[category]) + c.min(r) as f64;
        error_of_cost(cost_of_category(low, Enclosed::from(0.5 * c.abs_diff(r) as f64)))
    }

    fn ruler(&self) -> Arc<dyn Ruler> {
        (self.ruler)(self.prior.parameters())
    }

    fn unit(&self) -> f64 {
        self.unit
    }
}

/// The sum of the prior parameters and n.
pub(super) fn total(prior: &Prior, n: u64) -> f64 {
    prior.parameters().iter().copied().collect::<crate::special::Sum>().value() + n as f64
}
