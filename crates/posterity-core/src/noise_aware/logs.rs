//! Logarithms of weights, relative to one of the weights.

use super::mass::Mass;
use super::unit::Unit;
use crate::special::lanes::{long_sum, sum, sum_by_place, sum_of_pairs};

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

    /// About the mean and the variance of `c - low` under the weights for a tilt. Of many counts only about `looked_at`
    /// are used, each in the middle of those that it stands for; those near zero, where weights may change fast, one by
    /// one; and the anchor always, which may have the only weight.
    pub(crate) fn rough_moments(&self, tilt: f64, looked_at: usize) -> (f64, f64) {
        /// From this count on, weights change slowly.
        const NEAR_ZERO: usize = 64;
        let distance = (self.values.len() / looked_at).max(1);
        let near = if self.low == 0 && distance > 1 { NEAR_ZERO } else { 0 };
        let anchor = (self.anchor - self.low) as usize;
        let (more, before) = (tilt - self.tilt, anchor as f64);
        let at = |index: usize| self.values[index] - more * (index as f64 - before);
        // The anchor is in the middle of as many as the others stand for, or it stands for the first, fewer ones.
        let away = anchor.saturating_sub(near);
        let fewer = if anchor < near { 0 } else { (away + distance - distance / 2) % distance };
        let first = (fewer > 0).then_some((near + if away < fewer { away } else { fewer / 2 }, fewer as f64));
        let distant = (near + fewer + distance / 2..self.values.len()).step_by(distance);
        let places = (0..near).map(|index| (index, 1.0)).chain(first);
        let places = places.chain(distant.map(|index| (index, distance as f64)));
        let looked_at: Vec<(f64, f64, f64)> =
            places.map(|(index, counts)| (index as f64, counts, at(index))).collect();
        let largest = looked_at.iter().fold(f64::NEG_INFINITY, |largest, one| largest.max(one.2));
        let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
        for (index, counts, ln) in looked_at {
            let weight = counts * libm::exp(ln - largest);
            let away = index - before;
            mass += weight;
            first += weight * away;
            second += weight * away * away;
        }
        let mean = first / mass;
        (before + mean, (second / mass - mean * mean).max(0.0))
    }

    /// The weights for a tilt, divided by their sum, and the unit that they were divided by.
    pub(crate) fn weights(&self, tilt: f64) -> (Mass, Unit) {
        let largest = self.at(tilt).fold(f64::NEG_INFINITY, f64::max);
        let mut weights: Vec<f64> = self.at(tilt).map(|ln| libm::exp(ln - largest)).collect();
        let sum = long_sum(&weights);
        weights.iter_mut().for_each(|weight| *weight /= sum);
        (Mass::new(self.low, weights), Unit { anchor: self.anchor, ln: largest + libm::log(sum) })
    }

    /// A bound on the sum over c of `share(c)` times the error of `ln f(c)`, where the shares are those of the
    /// posterior.
    pub(crate) fn error_up(&self, tilt: f64, shares: &Mass) -> f64 {
        let turn = 2.0 * f64::EPSILON * (tilt - self.tilt).abs();
        // Both lists from the first count on that they have in common.
        let logs = &self.values[(shares.start.saturating_sub(self.low) as usize).min(self.values.len())..];
        let low = self.low.max(shares.start);
        let shares = &shares.values[((low - shares.start) as usize).min(shares.values.len())..];
        let shares = &shares[..logs.len().min(shares.len())];
        let before = self.anchor as f64 - low as f64;
        let steps =
            (self.step_error + turn) * sum_by_place(-before, shares, |away, share| away.abs() * share);
        // The step from zero to one lies between the anchor and zero, or between the anchor, which is zero, and all others.
        let (at_zero, others) = shares.split_at(usize::from(low == 0).min(shares.len()));
        let first = self.first_error * if self.anchor == 0 { sum(others) } else { sum(at_zero) };
        // A weight of zero has the logarithm minus infinity, and cannot affect the bound.
        let size = |share: f64, ln: f64| if share > 0.0 { share * (1.0 + ln.abs()) } else { 0.0 };
        first + steps + 8.0 * f64::EPSILON * sum_of_pairs(shares, logs, size)
    }
}

#[cfg(test)]
mod tests {
    use super::super::window::{Weight, Window};
    use crate::noise::Factor;

    /// If this fails, a tilt is found that makes the sum of all counts unlikely.
    #[test]
    fn some_counts_say_about_the_same_as_all() {
        for (alpha, at, rate) in [
            (1.0, 60_000, 0.005),
            (1.0, 200, 0.02),
            (1.0, 40, 0.005),
            (1.0, 65, 0.005),
            (4.0, 900, 0.01),
            (0.5, 0, 0.002),
            (1e-3, 0, 0.002),
        ] {
            let factor = Factor::TwoSided { rate, at };
            let weight = Weight { alpha, factor: &factor, n: 1_000_000 };
            for tilt in [0.0, 0.3 * rate, -0.6 * rate] {
                let logs = weight.logs(weight.window(tilt, 53.0), tilt);
                assert!(logs.values.len() > 2_000);
                for shifted in [tilt, tilt + 0.05 * rate] {
                    let (mean, variance) = logs.rough_moments(shifted, usize::MAX);
                    for (looked_at, most) in [(256, 0.03), (2_048, 0.004)] {
                        let (about, spread) = logs.rough_moments(shifted, looked_at);
                        let (off, ratio) = ((about - mean).abs() / variance.sqrt(), spread / variance);
                        assert!(off <= most, "{alpha} {at} {tilt} {looked_at}: {about} {mean} {off}");
                        assert!((ratio - 1.0).abs() <= 0.1, "{alpha} {at} {tilt} {looked_at}: {ratio}");
                    }
                }
            }
        }
    }

    /// If this fails, a law with almost all its weight at its anchor has a variance or none at all.
    #[test]
    fn the_anchor_is_always_looked_at() {
        let factor = Factor::TwoSided { rate: 50.0, at: 5_000 };
        for (low, high) in
            [(0, 9_000), (0, 9_001), (3_000, 8_200), (4_990, 12_345), (5_000, 7_777), (1, 5_000)]
        {
            let weight = Weight { alpha: 1.0, factor: &factor, n: 1_000_000 };
            let logs = weight.logs(Window { low, high }, 0.0);
            for looked_at in [64, 100, 256, 1_000, usize::MAX] {
                let (mean, variance) = logs.rough_moments(0.0, looked_at);
                assert!((mean - (5_000 - low) as f64).abs() < 1e-9, "{low} {high} {looked_at}: {mean}");
                assert!(variance < 1e-9, "{low} {high} {looked_at}: {variance}");
            }
        }
    }
}
