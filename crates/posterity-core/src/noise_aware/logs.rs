//! Logarithms of weights, relative to one of the weights.

use super::mass::Mass;
use super::unit::Unit;
use crate::special::Sum;

/// `ln f(c) - tilt c` for the counts from `low` on, minus its value at the anchor. The values are summed step by step
/// from the anchor outwards, so that large priors and large counts cost no digits.
#[derive(Clone, Debug)]
pub(crate) struct Logs {
    pub(crate) low: u64,
    pub(crate) anchor: u64,
    pub(crate) tilt: f64,
    pub(crate) values: Vec<f64>,
    /// A bound on the error of each step.
    pub(crate) step_error: f64,
    /// A bound on the error of the step from zero to one.
    pub(crate) first_error: f64,
}

impl Logs {
    /// The values for another tilt.
    fn at(&self, tilt: f64) -> impl Iterator<Item = f64> {
        let (more, before) = (tilt - self.tilt, (self.anchor - self.low) as f64);
        self.values.iter().enumerate().map(move |(index, ln)| ln - more * (index as f64 - before))
    }

    /// Mean and variance of `c - low` under the weights for a tilt.
    pub(crate) fn moments(&self, tilt: f64) -> (f64, f64) {
        let largest = self.at(tilt).fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = self.at(tilt).map(|ln| libm::exp(ln - largest)).collect();
        let (mut mass, mut first) = (0.0, 0.0);
        for (index, weight) in weights.iter().enumerate() {
            mass += weight;
            first += weight * index as f64;
        }
        let mean = first / mass;
        let square = |(index, weight): (usize, &f64)| weight * (index as f64 - mean) * (index as f64 - mean);
        (mean, weights.iter().enumerate().map(square).sum::<f64>() / mass)
    }

    /// The weights for a tilt, divided by their sum, and the unit that they were divided by.
    pub(crate) fn weights(&self, tilt: f64) -> (Mass, Unit) {
        let largest = self.at(tilt).fold(f64::NEG_INFINITY, f64::max);
        let mut weights: Vec<f64> = self.at(tilt).map(|ln| libm::exp(ln - largest)).collect();
        let sum = weights.iter().copied().collect::<Sum>().value();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        (Mass::new(self.low, weights), Unit { anchor: self.anchor, ln: largest + libm::log(sum) })
    }

    /// A bound on the sum over c of `share(c)` times the error of `ln f(c)`, where the shares are those of the
    /// posterior.
    pub(crate) fn error_up(&self, tilt: f64, shares: &Mass) -> f64 {
        let turn = 2.0 * f64::EPSILON * (tilt - self.tilt).abs();
        let error = |count: u64, ln: f64| {
            let steps = count.abs_diff(self.anchor) as f64;
            let first = if (count == 0) != (self.anchor == 0) { self.first_error } else { 0.0 };
            steps * (self.step_error + turn) + first + 8.0 * f64::EPSILON * (1.0 + ln.abs())
        };
        let all = (self.low..).zip(&self.values).map(|(count, &ln)| (shares.at(count), count, ln));
        // Terms of weight zero cannot affect the bound.
        all.filter(|(share, ..)| *share > 0.0).map(|(share, count, ln)| share * error(count, ln)).sum()
    }
}
