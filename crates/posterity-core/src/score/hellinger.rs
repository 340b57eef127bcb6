//! The Hellinger distance, the score of the research.

use std::sync::Arc;

use super::cost_sensitivity::CostSensitivity;
use super::{Decay, Definition, Facts, FittedScore, ScoreError, ScoringError};
use crate::distance::from_cost;
use crate::model::{Counts, Prior, PriorError};
use crate::sampler::{HellingerRuler, Ruler};

pub(super) const FACTS: Facts = Facts {
    name: "hellinger",
    example: "hellinger",
    summary: "Hellinger distance sqrt(1 - BC), where BC is the Bhattacharyya coefficient",
    metric: true,
};

/// The score `hellinger`, `sqrt(1 - BC)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hellinger;

impl Hellinger {
    pub(super) fn read(parameter: Option<&str>) -> Result<Option<Self>, ScoringError> {
        Ok(parameter.is_none().then_some(Self))
    }
}

impl Definition for Hellinger {
    fn fit(&self, prior: &Prior, n: u64) -> Result<Arc<dyn FittedScore>, ScoreError> {
        Ok(hellinger(prior, n))
    }
}

/// The Hellinger distance under a prior for n records, which always exists.
pub(crate) fn hellinger(prior: &Prior, n: u64) -> Arc<dyn FittedScore> {
    Arc::new(Fitted(CostSensitivity::new(prior, n, from_cost)))
}

#[derive(Debug)]
struct Fitted(CostSensitivity);

impl FittedScore for Fitted {
    fn largest(&self) -> f64 {
        1.0
    }

    fn most_inverse(&self) -> f64 {
        // docs/proofs/exponential.md
        libm::sqrt(8.0 * self.0.total() + 2.0)
    }

    fn local(&self, counts: &Counts) -> Result<f64, PriorError> {
        self.0.local(counts)
    }

    fn global(&self) -> f64 {
        self.0.global()
    }

    fn smooth(&self, counts: &Counts, decay: Decay) -> Result<f64, PriorError> {
        self.0.smooth(counts, decay)
    }

    fn error(&self, category: usize, c: u64, r: u64) -> f64 {
        self.0.error(category, c, r)
    }

    fn ruler(&self) -> Arc<dyn Ruler> {
        Arc::new(HellingerRuler::new(self.0.alpha()))
    }

    fn unit(&self) -> f64 {
        1.0
    }
}
