//! The released distribution and what is usually asked of it.

use std::sync::Arc;

use posterity_core::model::{Categories, Dirichlet, LevelError, interval_level};
use posterity_core::noise_aware::NoiseAware;
use serde::Serialize;

use crate::lazy::Lazy;
use crate::number::percent;

/// A released Dirichlet distribution with what is usually asked of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Posterior {
    /// The names of the categories.
    pub categories: Categories,
    /// The Dirichlet parameters.
    pub parameters: Dirichlet,
    /// The mean of each category.
    pub mean: Vec<f64>,
    /// The equal-tailed interval of each category under the released posterior, which knows nothing of the noise.
    pub intervals: Lazy<Vec<[f64; 2]>>,
    /// The probability that each interval holds.
    pub level: f64,
}

/// The posterior of each category given the release, taking the privacy noise into account.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NoiseAwareSummary {
    /// The mean of each category.
    pub mean: Vec<f64>,
    /// The standard deviation of each category.
    pub deviation: Vec<f64>,
    /// The equal-tailed interval of each category. On average over data drawn from the prior, such intervals hold the
    /// truth as often as their level says.
    pub intervals: Lazy<Vec<[f64; 2]>>,
    /// The probability that each interval holds.
    pub level: f64,
}

impl NoiseAwareSummary {
    pub(crate) fn new(aware: &Arc<NoiseAware>, level: Level) -> Self {
        let deviation = aware.variance().into_iter().map(f64::sqrt).collect();
        let source = Arc::clone(aware);
        let intervals = Lazy::new(move || source.intervals(level.0).unwrap_or_default());
        Self { mean: aware.mean(), deviation, intervals, level: level.0 }
    }
}

/// The level of intervals, strictly between 0 and 1, so that every interval exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level(f64);

impl Level {
    pub(crate) fn new(level: f64) -> Result<Self, LevelError> {
        interval_level(level).map(Self)
    }
}

impl Posterior {
    pub(crate) fn new(categories: Categories, parameters: Dirichlet, level: Level) -> Self {
        let source = parameters.clone();
        let intervals = Lazy::new(move || source.intervals(level.0).unwrap_or_default());
        Self { categories, mean: parameters.mean(), intervals, level: level.0, parameters }
    }

    /// The level of the intervals in percent.
    #[must_use]
    pub fn percent(&self) -> f64 {
        percent(self.level)
    }
}
