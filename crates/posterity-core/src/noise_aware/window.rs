//! The range of counts of one category that carry weight.

use super::logs::Logs;
use super::unit::Unit;
use crate::noise::Factor;
use crate::parallelism::Parallelism;
use crate::pulse::beat;
use crate::special::{Sum, ln_gamma_over_factorial};

/// The weight of the counts of one category, before the condition that all counts sum to n:
/// `f(c) = Gamma(alpha + c)/c! L(c) exp(-tilt c)`, with the likelihood L of the release.
///
/// Given that sum, the tilt has no effect. It is chosen so that the sum n is likely.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weight<'a> {
    pub(crate) alpha: f64,
    pub(crate) factor: &'a Factor,
    pub(crate) n: u64,
}

/// A range of counts, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

impl Window {
    pub(crate) fn len(self) -> u64 {
        self.high - self.low + 1
    }

    /// How many counts of another window this one does not have.
    pub(crate) fn left_out_of(self, other: Self) -> u64 {
        let shared = (self.high.min(other.high) + 1).saturating_sub(self.low.max(other.low));
        other.len() - shared
    }
}

impl Weight<'_> {
    /// `ln f(c)` without the tilt.
    pub(crate) fn ln(&self, count: u64) -> f64 {
        self.factor.ln(count) + ln_gamma_over_factorial(self.alpha, count as f64)
    }

    /// `ln f(c + 1) - ln f(c)` without the tilt: `(alpha + c)/(c + 1)` and the factor's step.
    fn step(&self, count: u64) -> f64 {
        self.prior_step(count) + self.factor.step(count)
    }

    fn prior_step(&self, count: u64) -> f64 {
        let next = count as f64 + 1.0;
        let share = (self.alpha - 1.0) / next;
        // If the ratio is near zero, log1p of `ratio - 1` would lose digits, so the logarithm of the ratio is taken.
        if share < -0.5 { libm::log((self.alpha + count as f64) / next) } else { libm::log1p(share) }
    }

    /// `ln f` within a window, relative to a count at or near the largest.
    pub(crate) fn logs(&self, window: Window, tilt: f64) -> Logs {
        let anchor = self.peak(tilt).clamp(window.low, window.high);
        let mut values = Vec::with_capacity(window.len() as usize);
        let mut sum = Sum::default();
        for count in (window.low..anchor).rev() {
            sum.add(tilt - self.step(count));
            values.push(sum.value());
        }
        values.reverse();
        values.push(0.0);
        sum = Sum::default();
        for count in anchor..window.high {
            sum.add(self.step(count) - tilt);
            values.push(sum.value());
        }
        // The error of each step is a few of its own last digits. With a small alpha the first step is by far the
        // largest. The others are largest at the ends.
        let size = |count: u64| self.prior_step(count).abs() + self.factor.step(count).abs() + tilt.abs();
        let inner = window.low.max(1).min(window.high);
        let step_error = 2.0 * f64::EPSILON * size(inner).max(size(window.high)).max(size(anchor));
        let first_error = if window.low == 0 { 2.0 * f64::EPSILON * size(0) } else { 0.0 };
        Logs { low: window.low, anchor, tilt, values, step_error, first_error }
    }

    /// A concave function that `ln f` exceeds by at most [`Weight::excess`]. The prior's part of `ln f` is concave for
    /// `alpha >= 1`. Otherwise it decreases, and its first value bounds it.
    fn concave(&self, count: u64, tilt: f64) -> f64 {
        let prior = if self.alpha >= 1.0 { ln_gamma_over_factorial(self.alpha, count as f64) } else { 0.0 };
        self.factor.ln(count) + prior - tilt * count as f64
    }

    /// The step of the concave function from a count to the next.
    fn concave_step(&self, count: u64, tilt: f64) -> f64 {
        let prior = if self.alpha >= 1.0 { self.prior_step(count) } else { 0.0 };
        self.factor.step(count) + prior - tilt
    }

    /// The most by which `ln f` exceeds the concave bound, from a count on.
    fn excess(&self, from: u64) -> f64 {
        if self.alpha >= 1.0 { 0.0 } else { ln_gamma_over_factorial(self.alpha, from as f64) }
    }

    /// The count at which the concave bound is largest.
    pub(crate) fn peak(&self, tilt: f64) -> u64 {
        beat();
        // The first count from which the next step does not increase the bound.
        first(0, self.n, |count| self.concave_step(count, tilt) <= 0.0)
    }

    /// Every count whose weight is at least `exp(-depth)` of the largest; a few more if `alpha < 1`.
    pub(crate) fn window(&self, tilt: f64, depth: f64) -> Window {
        let peak = self.peak(tilt);
        let value = |count: u64| self.ln(count) - tilt * count as f64;
        let largest = value(0).max(value(peak)).max(value(self.n));
        let inside = |count: u64| self.concave(count, tilt) + self.excess(0) >= largest - depth;
        let low = first(0, peak, inside);
        let high = self.n - first(0, self.n - peak, |below| inside(self.n - below));
        Window { low, high }
    }

    /// A bound on the largest `f(c)` in a unit, given the largest within a window.
    pub(crate) fn largest_up(&self, window: Window, inside: f64, tilt: f64, unit: Unit) -> f64 {
        let mut largest = f64::NEG_INFINITY;
        let peak = self.peak(tilt);
        if window.low > 0 {
            largest = largest.max(self.concave_up(peak.min(window.low - 1), 0, tilt, unit));
        }
        if window.high < self.n {
            let next = window.high + 1;
            largest = largest.max(self.concave_up(peak.max(next), next, tilt, unit));
        }
        inside.max(libm::exp(largest))
    }

    /// The concave bound at a count, from another one on, in a unit; rounded up.
    fn concave_up(&self, count: u64, from: u64, tilt: f64, unit: Unit) -> f64 {
        let prior = |count: u64| ln_gamma_over_factorial(self.alpha, count as f64);
        // Subtract terms of similar size first.
        let steps = count as f64 - unit.anchor as f64;
        let parts = [
            (prior(if self.alpha >= 1.0 { count } else { from }), prior(unit.anchor)),
            (self.factor.ln(count), self.factor.ln(unit.anchor)),
            (-tilt * steps, unit.ln),
        ];
        let size: f64 = parts.iter().map(|(more, less)| more.abs() + less.abs()).sum();
        parts.iter().map(|(more, less)| more - less).sum::<f64>() + 16.0 * f64::EPSILON * size
    }

    /// A bound on `sum f(c)` over the counts outside a window, in a unit; infinite if the window is too small to say.
    pub(crate) fn outside(&self, window: Window, tilt: f64, unit: Unit) -> f64 {
        // Beyond an end the concave bound falls at least as fast as at the end, so a geometric series bounds the sum.
        let tail = |next: u64, slope: f64, from: u64| {
            let first = libm::exp(self.concave_up(next, from, tilt, unit));
            if slope < 0.0 { first / -libm::expm1(slope) } else { f64::INFINITY }
        };
        let mut sum = 0.0;
        if window.low > 0 {
            let next = window.low - 1;
            sum += tail(next, -self.concave_step(next, tilt), 0);
        }
        if window.high < self.n {
            let next = window.high + 1;
            sum += tail(next, self.concave_step(window.high, tilt), next);
        }
        sum
    }
}

/// The windows of several weights.
pub(super) fn windows(
    weights: &[Weight<'_>],
    tilt: f64,
    depth: f64,
    parallelism: Parallelism,
) -> Vec<Window> {
    parallelism.map(weights, |weight| weight.window(tilt, depth))
}

/// How many counts there are in all windows.
pub(super) fn number_of_counts(windows: &[Window]) -> f64 {
    windows.iter().map(|window| window.len() as f64).sum()
}

/// The windows without counts that the other windows cannot complete to the sum n; none if no counts within them sum
/// to n.
pub(super) fn narrowed(windows: &[Window], cells: &[u64], n: u64) -> Option<Vec<Window>> {
    let sum = |end: fn(&Window) -> u64| {
        windows
            .iter()
            .zip(cells)
            .map(|(window, &cells)| u128::from(end(window)) * u128::from(cells))
            .sum::<u128>()
    };
    let (lows, highs) = (sum(|window| window.low), sum(|window| window.high));
    if lows > u128::from(n) || highs < u128::from(n) {
        return None;
    }
    let narrowed = windows.iter().map(|window| {
        let least = u128::from(n).saturating_sub(highs - u128::from(window.high));
        let most = u128::from(n).saturating_sub(lows - u128::from(window.low));
        // Both are between 0 and n, so the casts are exact.
        Window { low: window.low.max(least as u64), high: window.high.min(most as u64) }
    });
    Some(narrowed.collect())
}

/// The first number of `low..=high` for which `holds` is true, if it is true from some number on. It is assumed to be
/// true at `high`.
fn first(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks at every count. If this fails, a window leaves out a count of large weight, or the bound on the rest is
    /// too small.
    #[test]
    fn windows_hold_what_matters_and_tails_bound_the_rest() {
        let n = 300;
        let rate = crate::sampler::Rate::new(dashu_ratio::RBig::ONE).expect("positive");
        let noise: std::sync::Arc<dyn crate::noise::Noise> =
            std::sync::Arc::new(crate::noise::FlooredLaplace::new(rate));
        let factors = [
            Factor::Flat,
            Factor::TwoSided { rate: 0.5, at: 100 },
            Factor::TwoSided { rate: 3.0, at: 0 },
            Factor::Floored { rate: 1.0, at: 300 },
            Factor::AtMost { noise: noise.clone(), most: 0 },
            Factor::AtLeast { noise, least: 120 },
        ];
        for factor in &factors {
            for alpha in [1e-3, 0.5, 1.0, 4.0, 90.0] {
                for tilt in [-0.4, 0.0, 0.02, 1.0] {
                    let weight = Weight { alpha, factor, n };
                    let value = |count: u64| weight.ln(count) - tilt * count as f64;
                    let largest = (0..=n).map(value).fold(f64::NEG_INFINITY, f64::max);
                    let depth = 20.0;
                    let window = weight.window(tilt, depth);
                    let (mut outside, mut inside) = (0.0, 0.0);
                    for count in 0..=n {
                        if (window.low..=window.high).contains(&count) {
                            inside += (value(count) - largest).exp();
                        } else {
                            assert!(value(count) < largest - depth, "{factor:?} {alpha} {tilt} {count}");
                            outside += (value(count) - largest).exp();
                        }
                    }
                    assert!(inside >= 1.0 - 1e-12);
                    let anchor = weight.peak(tilt);
                    let unit = Unit { anchor, ln: largest - value(anchor) };
                    let bound = weight.outside(window, tilt, unit);
                    assert!(bound >= outside * (1.0 - 1e-12), "{factor:?} {alpha} {tilt}: {bound} {outside}");
                }
            }
        }
    }
}
