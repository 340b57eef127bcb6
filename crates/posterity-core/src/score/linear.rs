//! Scores that are a sum over the categories themselves.

use crate::sampler::{Ruler, SCORE_ERROR};

/// The score `cost/unit` of a cost that is a sum over the categories.
pub(super) struct LinearRuler<F> {
    alpha: Vec<f64>,
    /// The cost of a category: its prior parameter, the true and the released count.
    cost: F,
    unit: f64,
    largest: f64,
    exact: bool,
}

impl<F: Fn(f64, u64, u64) -> f64 + Send + Sync> LinearRuler<F> {
    /// No score is above `largest`, nor is that above the unit. An `exact` score is a multiple of 2^-44 of its unit,
    /// without a rounding error.
    pub(super) fn new(alpha: &[f64], cost: F, unit: f64, largest: f64, exact: bool) -> Self {
        Self { alpha: alpha.to_vec(), cost, unit, largest, exact }
    }
}

impl<F> std::fmt::Debug for LinearRuler<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinearRuler").field("alpha", &self.alpha).finish_non_exhaustive()
    }
}

impl<F: Fn(f64, u64, u64) -> f64 + Send + Sync> Ruler for LinearRuler<F> {
    fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    fn cost(&self, category: usize, c: u64, r: u64) -> f64 {
        (self.cost)(self.alpha[category], c, r)
    }

    fn share(&self, cost: f64) -> f64 {
        (cost / self.unit).min(1.0)
    }

    fn cost_of(&self, share: f64) -> f64 {
        share * self.unit
    }

    fn furthest(&self, scale: f64, ln_candidates: f64) -> f64 {
        // Beyond this cost all candidates together weigh less than exp(-20) of the truth.
        self.largest.min((ln_candidates + 20.0) / scale * self.unit)
    }

    fn strength(&self, dimension: f64) -> f64 {
        if self.exact { dimension } else { dimension / 2.0 }
    }

    fn error(&self) -> f64 {
        if self.exact { 0.0 } else { SCORE_ERROR }
    }
}
