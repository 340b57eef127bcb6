//! The angle between the square roots of the two densities.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use super::cost_sensitivity::ScoreOfCost;
use super::fitted::rounded_up;
use super::{Definition, Facts, FittedScore, ScoreError, ScoringError};
use crate::distance::{Pair, ln_bc};
use crate::model::Prior;
use crate::sampler::{CostKind, Ruler};

pub(super) const FACTS: Facts = Facts {
    name: "angle",
    example: "angle",
    summary: "angle arccos(BC) between the square roots of the densities",
    metric: true,
};

/// The score `angle`, `arccos(BC)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Angle;

impl Angle {
    pub(super) fn read(parameter: Option<&str>) -> Result<Option<Self>, ScoringError> {
        Ok(parameter.is_none().then_some(Self))
    }
}

impl Definition for Angle {
    fn fit(&self, prior: &Prior, n: u64) -> Result<Arc<dyn FittedScore>, ScoreError> {
        Ok(Arc::new(ScoreOfCost {
            prior: prior.clone(),
            n,
            of_cost: angle_of_cost,
            slope,
            largest: rounded_up(FRAC_PI_2),
            unit: UNIT,
            ruler: |alpha| Arc::new(AngleRuler { alpha: alpha.to_vec() }),
        }))
    }
}

/// `arccos(exp(-cost))`, as `2 arcsin(sqrt((1 - BC)/2))`, which has all digits for small costs too.
fn angle_of_cost(cost: f64) -> f64 {
    2.0 * libm::asin(libm::sqrt(-0.5 * libm::expm1(-cost) + 0.0))
}

/// The slope of `arccos(exp(-l^2))` in l, as a part of the `sqrt(2)` at zero, where it is this angle:
/// `cos sqrt(-2 ln cos)/sin`.
pub(super) fn slope(angle: f64) -> f64 {
    if angle == 0.0 {
        return 1.0;
    }
    libm::cos(angle) * libm::sqrt(2.0 * cost_of_angle(angle)) / libm::sin(angle)
}

/// `-ln cos(x) = -ln(1 - 2 sin(x/2)^2)`.
fn cost_of_angle(angle: f64) -> f64 {
    let sine = libm::sin(0.5 * angle);
    -libm::log1p(-2.0 * sine * sine)
}

/// The unit of the angle.
const UNIT: f64 = 2.0;

/// The angle as a part of its unit.
#[derive(Debug)]
struct AngleRuler {
    alpha: Vec<f64>,
}

impl Ruler for AngleRuler {
    fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    fn cost(&self, category: usize, c: u64, r: u64) -> f64 {
        -ln_bc(Pair::of_counts(self.alpha[category], c, r))
    }

    fn share(&self, cost: f64) -> f64 {
        angle_of_cost(cost) / UNIT
    }

    fn cost_of(&self, share: f64) -> f64 {
        let angle = UNIT * share;
        if angle >= FRAC_PI_2 {
            return f64::INFINITY;
        }
        cost_of_angle(angle)
    }

    fn furthest(&self, scale: f64, _ln_candidates: f64) -> f64 {
        // The angle differs from its largest value by less than (pi/2) BC, and the score by half of that.
        libm::log(8.0 * scale.max(0.25))
    }

    fn kind(&self) -> CostKind {
        CostKind::Overlap
    }
}
