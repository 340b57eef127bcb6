//! The Kullback-Leibler divergence of the released posterior from the true one.

use std::sync::Arc;

use super::kl_sensitivity::{KlSensitivity, Under};
use super::{Definition, Facts, FittedScore, ScoreError, ScoringError};
use crate::model::Prior;

pub(super) const FACTS: Facts = Facts {
    name: "kl",
    example: "kl",
    summary: "Kullback-Leibler divergence KL(true, released); not a metric",
    metric: false,
};

/// The score `kl`, `KL(true, released)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kl;

impl Kl {
    pub(super) fn read(parameter: Option<&str>) -> Result<Option<Self>, ScoringError> {
        Ok(parameter.is_none().then_some(Self))
    }
}

impl Definition for Kl {
    fn fit(&self, prior: &Prior, n: u64) -> Result<Arc<dyn FittedScore>, ScoreError> {
        Ok(Arc::new(KlSensitivity::new(FACTS.name, prior, n, Under::Truth)?))
    }
}
