//! The Chernoff distance of an order between zero and one.

use std::sync::Arc;

use super::chernoff_sensitivity::ChernoffSensitivity;
use super::{Definition, Facts, FittedScore, ScoreError, ScoringError};
use crate::model::Prior;

pub(super) const FACTS: Facts = Facts {
    name: "chernoff",
    example: "chernoff:0.25",
    summary: "1 - integral of p^L q^(1-L), with p the true and q the released density and 0 < L < 1; not a metric",
    metric: false,
};

/// The score `chernoff:L`, `1 - integral p^L q^(1-L)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chernoff {
    order: f64,
}

impl Chernoff {
    /// The score of an order from 0.001 to 0.999.
    ///
    /// # Errors
    /// [`ScoringError::Order`] if it is outside.
    pub fn new(order: f64) -> Result<Self, ScoringError> {
        if !(0.001..=0.999).contains(&order) {
            return Err(ScoringError::Order { text: order.to_string() });
        }
        Ok(Self { order })
    }

    pub(super) fn read(parameter: Option<&str>) -> Result<Option<Self>, ScoringError> {
        let text = parameter.unwrap_or("missing");
        let wrong = || ScoringError::Order { text: text.to_owned() };
        text.parse().map_err(|_| wrong()).and_then(Self::new).map(Some)
    }

    /// The order L.
    #[must_use]
    pub fn order(self) -> f64 {
        self.order
    }
}

impl Definition for Chernoff {
    fn parameter(&self) -> Option<String> {
        Some(self.order.to_string())
    }

    fn fit(&self, prior: &Prior, n: u64) -> Result<Arc<dyn FittedScore>, ScoreError> {
        Ok(Arc::new(ChernoffSensitivity::new(FACTS.name, prior, n, self.order)?))
    }
}
