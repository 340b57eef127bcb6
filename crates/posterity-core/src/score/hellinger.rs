//! The Hellinger distance, the score of the research.

use std::sync::Arc;

use super::cost_sensitivity::ScoreOfCost;
use super::{Definition, Facts, FittedScore, ScoreError, ScoringError};
use crate::distance::from_cost;
use crate::model::Prior;
use crate::sampler::HellingerRuler;

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

/// `G'(l)` for `G(l) = sqrt(1 - exp(-l^2))`, where `G(l)` is this distance: `(1 - D^2) sqrt(-ln(1 - D^2))/D`.
pub(super) fn slope(distance: f64) -> f64 {
    if distance == 0.0 {
        return 1.0;
    }
    let square = distance * distance;
    (1.0 - square) * libm::sqrt(-libm::log1p(-square)) / distance
}

/// The Hellinger distance under a prior for n records, which always exists.
pub(crate) fn hellinger(prior: &Prior, n: u64) -> Arc<dyn FittedScore> {
    Arc::new(ScoreOfCost {
        prior: prior.clone(),
        n,
        of_cost: from_cost,
        slope,
        largest: 1.0,
        unit: 1.0,
        ruler: |alpha| Arc::new(HellingerRuler::new(alpha)),
    })
}
