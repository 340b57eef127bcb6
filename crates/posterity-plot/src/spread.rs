//! The quartiles of a sample, as a notched box shows them.

use posterity_core::accuracy::DistanceLaw;

/// The spread of one sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The least value.
    pub least: f64,
    /// A quarter of the values is at most this.
    pub q1: f64,
    /// Half of them.
    pub median: f64,
    /// Three quarters.
    pub q3: f64,
    /// The largest value.
    pub most: f64,
    /// `1.57 (q3 - q1)/sqrt(runs)`: medians whose notches do not overlap differ, at about 95 % (McGill, Tukey and
    /// Larsen 1978).
    pub notch: f64,
}

impl Spread {
    /// The spread of this many simulated distances.
    #[must_use]
    pub fn new(law: &DistanceLaw, runs: usize) -> Self {
        let [least, q1, median, q3, most] = [0.0, 0.25, 0.5, 0.75, 1.0].map(|p| law.quantile(p));
        Self { least, q1, median, q3, most, notch: 1.57 * (q3 - q1) / (runs as f64).sqrt() }
    }

    /// The highest value or end of the notch.
    #[must_use]
    pub fn top(&self) -> f64 {
        self.most.max(self.median + self.notch)
    }

    /// The outline of the box: how far to the right, and at which value. The waist is at the median.
    pub(crate) fn outline(&self, half: f64, waist: f64) -> [(f64, f64); 10] {
        let (low, high) = (self.median - self.notch, self.median + self.notch);
        let right = [(half, self.q1), (half, low), (waist, self.median), (half, high), (half, self.q3)];
        std::array::from_fn(|index| match right.get(index) {
            Some(&point) => point,
            None => (-right[9 - index].0, right[9 - index].1),
        })
    }
}
