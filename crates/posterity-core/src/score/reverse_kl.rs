//! The Kullback-Leibler divergence of the true posterior from the released one.

use std::sync::Arc;

use super::kl_sensitivity::{KlSensitivity, Under};
use super::{Definition, Facts, FittedScore, ScoreError, ScoringError};
use crate::model::Prior;

pub(super) const FACTS: Facts = Facts {
    name: "reverse-kl",
    example: "reverse-kl",
    summary: "Kullback-Leibler divergence KL(released, true); not a metric",
    metric: false,
};

/// The score `reverse-kl`, `KL(released, true)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReverseKl;

impl ReverseKl {
    pub(super) fn read(parameter: Option<&str>) -> Result<Option<Self>, ScoringError> {
        Ok(parameter.is_none().then_some(Self))
    }
}

impl Definition for ReverseKl {
    fn fit(&self, prior: &Prior, n: u64) -> Result<Arc<dyn FittedScore>, ScoreError> {
        Ok(Arc::new(KlSensitivity::new(FACTS.name, prior, n, Under::Released)?))
    }
}
