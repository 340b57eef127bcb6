//! Scores `1 - exp(-cost)`: one minus an integral of two densities.

use crate::sampler::{CostKind, Ruler};
use crate::special::kernel::bounded_exponents;

/// The score `1 - exp(-cost)` of a cost that is a sum over the categories. Its unit is one.
pub(super) struct BoundedRuler<F> {
    alpha: Vec<f64>,
    /// The cost of a category: its prior parameter, the true and the released count.
    cost: F,
    kind: CostKind,
}

impl<F: Fn(f64, u64, u64) -> f64 + Send + Sync> BoundedRuler<F> {
    pub(super) fn new(alpha: &[f64], cost: F, kind: CostKind) -> Self {
        Self { alpha: alpha.to_vec(), cost, kind }
    }
}

impl<F> std::fmt::Debug for BoundedRuler<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoundedRuler").field("alpha", &self.alpha).finish_non_exhaustive()
    }
}

impl<F: Fn(f64, u64, u64) -> f64 + Send + Sync> Ruler for BoundedRuler<F> {
    fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    fn cost(&self, category: usize, c: u64, r: u64) -> f64 {
        (self.cost)(self.alpha[category], c, r)
    }

    fn share(&self, cost: f64) -> f64 {
        share_of(cost)
    }

    fn cost_of(&self, share: f64) -> f64 {
        cost_of(share)
    }

    fn furthest(&self, scale: f64, _ln_candidates: f64) -> f64 {
        furthest(scale)
    }

    fn kind(&self) -> CostKind {
        self.kind
    }

    fn exponents(&self, costs: &mut [f64], scale: f64) {
        bounded_exponents(costs, scale);
    }
}

/// `1 - exp(-cost)`.
pub(super) fn share_of(cost: f64) -> f64 {
    -libm::expm1(-cost) + 0.0
}

/// The cost of a share.
pub(super) fn cost_of(share: f64) -> f64 {
    if share >= 1.0 { f64::INFINITY } else { -libm::log1p(-share) }
}

/// From this cost on the weights are within a factor exp(1/8) of each other.
pub(super) fn furthest(scale: f64) -> f64 {
    libm::log(8.0 * scale.max(0.25))
}
