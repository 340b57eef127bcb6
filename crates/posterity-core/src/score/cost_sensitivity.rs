//! Sensitivities of metrics that are a growing function of `-ln BC`.

use super::decay::Decay;
use super::fitted::error_of_cost;
use crate::distance::cost_of_category;
use crate::model::{Counts, Prior, PriorError};
use crate::sensitivity::{beta_smooth_of, gamma_smooth_of, global_cost, local_cost};
use crate::special::Enclosed;

/// A metric that is a growing function of `-ln BC`, so that its local sensitivity is that function of the cost of the furthest
/// adjacent data set. The end-point theorem must hold for it (docs/proofs/scores.md).
#[derive(Debug)]
pub(super) struct CostSensitivity {
    prior: Prior,
    n: u64,
    of_cost: fn(f64) -> f64,
}

impl CostSensitivity {
    pub(super) fn new(prior: &Prior, n: u64, of_cost: fn(f64) -> f64) -> Self {
        Self { prior: prior.clone(), n, of_cost }
    }

    pub(super) fn alpha(&self) -> &[f64] {
        self.prior.parameters()
    }

    /// The sum of the prior parameters and n.
    pub(super) fn total(&self) -> f64 {
        total(&self.prior, self.n)
    }

    pub(super) fn local(&self, counts: &Counts) -> Result<f64, PriorError> {
        Ok((self.of_cost)(local_cost(&self.prior, counts)?))
    }

    pub(super) fn global(&self) -> f64 {
        (self.of_cost)(global_cost(&self.prior, self.n))
    }

    /// The relative error of the cost of a category; a growing function of it has no larger one (docs/proofs/ln-bc.md).
    pub(super) fn error(&self, category: usize, c: u64, r: u64) -> f64 {
        let low = Enclosed::from(self.alpha()[category]) + c.min(r) as f64;
        error_of_cost(cost_of_category(low, Enclosed::from(0.5 * c.abs_diff(r) as f64)))
    }

    pub(super) fn smooth(&self, counts: &Counts, decay: Decay) -> Result<f64, PriorError> {
        match decay {
            Decay::Gamma(gamma) => gamma_smooth_of(&self.prior, counts, gamma, self.of_cost),
            Decay::Beta(beta) => beta_smooth_of(&self.prior, counts, beta, self.of_cost),
        }
    }
}

/// The sum of the prior parameters and n.
pub(super) fn total(prior: &Prior, n: u64) -> f64 {
    prior.parameters().iter().copied().collect::<crate::special::Sum>().value() + n as f64
}
