//! The square of the Hellinger distance.

use std::sync::Arc;

use super::chernoff_sensitivity::ChernoffSensitivity;
use super::{Definition, Facts, FittedScore, ScoreError, ScoringError};
use crate::model::Prior;

pub(super) const FACTS: Facts = Facts {
    name: "squared-hellinger",
    example: "squared-hellinger",
    summary: "square of the Hellinger distance, 1 - BC; not a metric",
    metric: false,
};

/// The score `squared-hellinger`, `1 - BC`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquaredHellinger;

impl SquaredHellinger {
    pub(super) fn read(parameter: Option<&str>) -> Result<Option<Self>, ScoringError> {
        Ok(parameter.is_none().then_some(Self))
    }
}

/// The Bhattacharyya coefficient is the Chernoff coefficient of order one half.
impl Definition for SquaredHellinger {
    fn fit(&self, prior: &Prior, n: u64) -> Result<Arc<dyn FittedScore>, ScoreError> {
        Ok(Arc::new(ChernoffSensitivity::new(FACTS.name, prior, n, 0.5)?))
    }
}
