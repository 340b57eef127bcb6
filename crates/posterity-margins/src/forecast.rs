//! How wide intervals will be, before there is any data.

use posterity_core::confidence::Subject;
use posterity_core::model::LevelError;

use crate::components::Components;
use crate::interval::{Tail, Within};
use crate::plan::Plan;

/// Numbers that stand for a standard normal one, with their weights: polynomials of degree up to 13 have the right mean
/// (the Gauss-Hermite rule of seven points; Abramowitz and Stegun 1964, table 25.10).
const TYPICAL: [(f64, f64); 7] = [
    (-3.750_439_717_725_742, 5.482_688_559_722_18e-4),
    (-2.366_759_410_734_541, 3.075_712_396_758_65e-2),
    (-1.154_405_394_739_968, 0.240_123_178_605_012_6),
    (0.0, 0.457_142_857_142_857_1),
    (1.154_405_394_739_968, 0.240_123_178_605_012_6),
    (2.366_759_410_734_541, 3.075_712_396_758_65e-2),
    (3.750_439_717_725_742, 5.482_688_559_722_18e-4),
];

/// An estimate that is this many deviations from 0 and from all records has an interval that is cut nowhere, and that is
/// as wide as the mean: its width hardly depends on the draw.
const FAR: f64 = 8.0;

impl Plan {
    /// The half-width to expect of the confidence interval of the share of one cell, if it holds this share of n
    /// records. It is the mean over a few numbers that stand for the noise and, about a population, for the error of
    /// sampling.
    ///
    /// # Errors
    /// [`LevelError`].
    ///
    /// ```
    /// use posterity_core::confidence::Subject;
    /// use posterity_core::model::Adjacency;
    /// use posterity_margins::{Plan, Shape, Workload};
    /// let workload = Workload::all(Shape::new(vec![2; 3])?, 2)?;
    /// let plan = Plan::new(workload, Adjacency::Replace, "1/100".parse()?)?;
    /// // The first pair of columns; 1.96 deviations of its noise to each side, and a little for the steps of the noise.
    /// let width = plan.expected_half_width(4, 0.25, 10_000.0, Subject::Records, 0.95)?;
    /// let normal = 1.96 * plan.cell_variance(4).sqrt() / 10_000.0;
    /// assert!((1.0..1.1).contains(&(width / normal)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn expected_half_width(
        &self,
        index: usize,
        share: f64,
        n: f64,
        about: Subject,
        level: f64,
    ) -> Result<f64, LevelError> {
        let expected = self.expected_cell(index, share, n);
        let sampling = if about == Subject::Population { n * share * (1.0 - share) } else { 0.0 };
        let variance = expected.group_variance + sampling;
        let deviation = libm::sqrt(variance);
        let half = |z: f64| {
            // The noise of the condition goes with that of the group.
            let away = if variance > 0.0 { expected.covariance / variance } else { 0.0 };
            let group = expected.group + z * deviation;
            let condition = expected.condition + away * z * deviation;
            let [low, high] = Within { group, condition, ..expected }.interval(about, level)?.ends;
            Ok(0.5 * (high - low))
        };
        if FAR * deviation < n * share.min(1.0 - share) {
            return half(0.0);
        }
        TYPICAL.iter().try_fold(0.0, |sum, &(z, weight)| Ok(sum + weight * half(z)?))
    }

    /// The estimates of a cell and of all records as they are without their noise, with what is known of it.
    fn expected_cell(&self, index: usize, share: f64, n: f64) -> Within {
        let components = Components::new(self, index);
        let all = vec![1.0; self.workload().cells(index) as usize];
        let [condition_variance, covariance] = if self.adjacency().is_replace() {
            [0.0, 0.0]
        } else {
            [components.covariance(&all, &all), components.covariance(&[1.0], &all)]
        };
        Within {
            group: n * share,
            condition: n,
            group_variance: self.cell_variance(index),
            condition_variance,
            covariance,
            tail: Tail::new(components.terms(), components.least_parameter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, a mean over the numbers is not the mean of a normal number.
    #[test]
    fn the_numbers_stand_for_a_normal_one() {
        let moment = |power: i32| TYPICAL.iter().map(|(z, weight)| weight * z.powi(power)).sum::<f64>();
        for (power, expected) in [(0, 1.0), (1, 0.0), (2, 1.0), (4, 3.0), (6, 15.0), (12, 10_395.0)] {
            assert!(
                (moment(power) - expected).abs() <= 1e-9 * expected.max(1.0),
                "{power}: {}",
                moment(power)
            );
        }
    }
}
