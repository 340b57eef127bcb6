//! The released distribution and what is usually asked of it.

use std::sync::Arc;

use posterity_core::decode::Decoder;
use posterity_core::model::{Categories, Dirichlet, LevelError, interval_level};
use posterity_core::noise_aware::NoiseAware;
use serde::Serialize;

use crate::lazy::Lazy;

/// A released Dirichlet distribution. It has no intervals: they would be too narrow, because the noise is not in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Posterior {
    /// The names of the categories.
    pub categories: Categories,
    /// The Dirichlet parameters.
    pub parameters: Dirichlet,
    /// The mean of each category.
    pub mean: Vec<f64>,
    /// What it leaves out, in words.
    pub note: &'static str,
}

/// The Dirichlet distribution that stands for the posterior with the noise in it: it has the same means and the same sum
/// of variances (docs/proofs/noise-aware.md, theorem 4). It is for whoever goes on with one distribution, for example as
/// the prior of a later study.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Effective {
    /// The Dirichlet parameters.
    pub parameters: Dirichlet,
}

/// What is said of a released posterior wherever it is shown.
pub(crate) fn left_out(decoder: Decoder) -> &'static str {
    match decoder {
        Decoder::Moments => {
            "The posterior has the means and the total variance of the noise-aware one, but not its shape: take intervals from \
             the readings."
        }
        Decoder::None | Decoder::Projection | Decoder::Mean | Decoder::Best => {
            "The posterior leaves the privacy noise out, so intervals of it would be too narrow: take intervals from the \
             readings, and parameters to go on with from `effective`, where it is given."
        }
    }
}

/// The posterior of each category given the release, taking the privacy noise into account.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
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

    pub(crate) fn value(self) -> f64 {
        self.0
    }
}

impl Posterior {
    pub(crate) fn new(categories: Categories, parameters: Dirichlet, decoder: Decoder) -> Self {
        Self { categories, mean: parameters.mean(), parameters, note: left_out(decoder) }
    }
}
