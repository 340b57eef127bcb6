//! The interval of a share whose count is known in units of many records.

use super::coarse::Coarse;
use crate::noise_aware::{Tail, guess};

/// A mixture of normal distributions, one for each possible count.
pub(super) struct Smoothed {
    means: Vec<f64>,
    /// The squares of the deviations.
    variances: Vec<f64>,
    weights: Vec<f64>,
    /// The sums of the weights before each place.
    before: Vec<f64>,
}

/// Beyond so many deviations a component is all on one side.
const FAR: f64 = 6.5;

impl Smoothed {
    /// The share of a category with this prior parameter, where the parameters sum to `total`, from the probabilities
    /// of its counts in units. The count is spread evenly over its unit, and the sampling error around it is that of
    /// the Beta distribution, as a normal one.
    pub(super) fn new(
        coarse: &Coarse,
        alpha: f64,
        total: f64,
        counts: impl Iterator<Item = (u64, f64)>,
    ) -> Self {
        let all = total + coarse.n as f64 * coarse.records;
        let spread = coarse.records / all;
        let spread = spread * spread / 12.0;
        let mut mixture =
            Self { means: Vec::new(), variances: Vec::new(), weights: Vec::new(), before: vec![0.0] };
        let mut sum = 0.0;
        for (count, weight) in counts {
            let mean = (alpha + count as f64 * coarse.records) / all;
            mixture.means.push(mean);
            mixture.variances.push(mean * (1.0 - mean) / (all + 1.0) + spread);
            mixture.weights.push(weight);
            sum += weight;
            mixture.before.push(sum);
        }
        mixture
    }

    /// The equal-tailed interval.
    pub(super) fn interval(&self, level: f64) -> (f64, f64) {
        let tail = 0.5 * (1.0 - level);
        (self.quantile(tail, Tail::Lower), self.quantile(tail, Tail::Upper))
    }

    /// The point with probability `p` beyond it: from the Beta distribution of the same mean and variance by the
    /// Illinois method, to 1e-7 of the width of the mixture or 1e-9 of its weight.
    fn quantile(&self, p: f64, tail: Tail) -> f64 {
        let (Some(first), Some(last)) = (self.means.first(), self.means.last()) else { return 0.0 };
        let most = FAR * libm::sqrt(self.variances.iter().copied().fold(0.0, f64::max));
        let all = self.before[self.weights.len()];
        let wanted = all * if tail == Tail::Lower { p } else { 1.0 - p };
        let (mut low, mut high) = (first - most, last + most);
        let (mut at_low, mut at_high) = (-wanted, all - wanted);
        let precise = 1e-7 * (high - low);
        let mean = self.means.iter().zip(&self.weights).map(|(at, weight)| at * weight).sum::<f64>() / all;
        let spread = self.means.iter().zip(&self.variances).zip(&self.weights);
        let variance = spread.map(|((at, own), w)| w * (own + (at - mean) * (at - mean))).sum::<f64>() / all;
        let mut next = Some(guess(p, tail, mean, variance));
        // Around the guess, steps of growing length until the point is between two of them.
        let mut step = 0.02 * libm::sqrt(variance);
        let (mut bounded, mut side) = ((false, false), 0);
        for _ in 0..200 {
            if high - low <= precise {
                break;
            }
            let mut middle = next.take().unwrap_or((low * at_high - high * at_low) / (at_high - at_low));
            if !(middle > low && middle < high) {
                middle = 0.5 * (low + high);
            }
            let value = self.cdf(middle) - wanted;
            if value.abs() < 1e-9 {
                return middle.clamp(0.0, 1.0);
            }
            if value < 0.0 {
                (low, at_low, bounded.0) = (middle, value, true);
                at_high *= if side == -1 { 0.5 } else { 1.0 };
                side = -1;
            } else {
                (high, at_high, bounded.1) = (middle, value, true);
                at_low *= if side == 1 { 0.5 } else { 1.0 };
                side = 1;
            }
            if bounded != (true, true) {
                next = Some(if side < 0 { middle + step } else { middle - step });
                step *= 4.0;
                side = 0;
            }
        }
        (0.5 * (low + high)).clamp(0.0, 1.0)
    }

    /// The probability of at most x, up to the sum of the weights.
    fn cdf(&self, x: f64) -> f64 {
        // Deviations change little among the components near x.
        let here = self.means.partition_point(|mean| *mean < x).min(self.means.len() - 1);
        let reach = 1.5 * FAR * libm::sqrt(self.variances[here]);
        let low = self.means.partition_point(|mean| *mean < x - reach);
        let high = self.means.partition_point(|mean| *mean <= x + reach);
        let near = (low..high).map(|i| {
            let z = (x - self.means[i]) / libm::sqrt(2.0 * self.variances[i]);
            self.weights[i] * 0.5 * libm::erfc(-z)
        });
        self.before[low] + near.sum::<f64>()
    }
}
