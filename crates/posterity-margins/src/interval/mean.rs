//! The mean of numbers over the records of a condition.

use posterity_core::confidence::MeanNoise;

use super::tail::Tail;

/// The noise of `group - mean * condition`, as if it were normal, and as wide as its tail may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormalNoise {
    /// The variance of the noise of the sum of the numbers, that of the condition, and their covariance.
    moments: [f64; 3],
    wider: f64,
}

impl NormalNoise {
    /// The noise of two estimates, for tests of this size.
    pub(crate) fn new(moments: [f64; 3], tail: Tail, size: f64) -> Self {
        let normal = Tail::new(1.0, f64::INFINITY).deviations(size);
        let wider = tail.deviations(size) / normal;
        Self { moments, wider: wider * wider }
    }
}

impl MeanNoise for NormalNoise {
    fn wave(&self, mean: f64, t: f64) -> [f64; 2] {
        [libm::exp(-0.5 * t * t * self.variance(mean)), 0.0]
    }

    fn variance(&self, mean: f64) -> f64 {
        let [group, condition, both] = self.moments;
        self.wider * (group + mean * (mean * condition - 2.0 * both)).max(0.0)
    }
}
