//! The distance of the data sets themselves: how many records differ.

use std::sync::Arc;

use super::fitted::power_of_two_above;
use super::linear::LinearRuler;
use super::{Decay, Definition, Facts, FittedScore, ScoreError, ScoringError};
use crate::model::{Counts, Prior, PriorError};
use crate::sampler::Ruler;

pub(super) const FACTS: Facts = Facts {
    name: "counts",
    example: "counts",
    summary: "number of records that differ, sum |c_i - r_i| / 2; the prior does not matter",
    metric: true,
};

/// The score `counts`, `sum abs(c_i - r_i) / 2`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distance;

impl Distance {
    pub(super) fn read(parameter: Option<&str>) -> Result<Option<Self>, ScoringError> {
        Ok(parameter.is_none().then_some(Self))
    }
}

impl Definition for Distance {
    fn fit(&self, prior: &Prior, n: u64) -> Result<Arc<dyn FittedScore>, ScoreError> {
        Ok(Arc::new(Fitted { alpha: prior.parameters().to_vec(), n }))
    }
}

/// Adjacent data sets are at distance one, so every sensitivity is one.
#[derive(Debug)]
struct Fitted {
    alpha: Vec<f64>,
    n: u64,
}

impl FittedScore for Fitted {
    fn largest(&self) -> f64 {
        self.n as f64
    }

    fn most_inverse(&self) -> f64 {
        1.0
    }

    fn local(&self, _counts: &Counts) -> Result<f64, PriorError> {
        Ok(1.0)
    }

    fn global(&self) -> f64 {
        1.0
    }

    fn smooth(&self, _counts: &Counts, _decay: Decay) -> Result<f64, PriorError> {
        Ok(1.0)
    }

    fn error(&self, _category: usize, _c: u64, _r: u64) -> f64 {
        0.0
    }

    fn ruler(&self) -> Arc<dyn Ruler> {
        let cost = |_: f64, c: u64, r: u64| 0.5 * c.abs_diff(r) as f64;
        // A whole number over a power of two that is at most 2^44 lies on the grid.
        let exact = self.unit() <= (1_u64 << 44) as f64;
        Arc::new(LinearRuler::new(&self.alpha, cost, self.unit(), self.largest(), exact))
    }

    fn unit(&self) -> f64 {
        power_of_two_above(self.n as f64)
    }
}
