//! The choice of a tilt. Given the sum of all counts, a tilt of their weights has no effect. It makes the sum n likely.

use super::logs::Logs;
use super::window::{Weight, narrowed, number_of_counts, windows};
use crate::parallelism::Parallelism;

/// The tilt to begin with: that of the peaks, or none if windows are much narrower without. Peaks jump where the tilt
/// is the rate of the noise. There one side of each law is flat, and windows are far too wide.
pub(super) fn first_tilt(weights: &[Weight<'_>], cells: &[u64], n: u64, depth: f64) -> f64 {
    let tilt = tilt_of_peaks(weights, cells, n);
    if tilt == 0.0 || depth == f64::INFINITY {
        return tilt;
    }
    let windows = |tilt: f64| windows(weights, tilt, depth, Parallelism::OneThread);
    let straight = windows(0.0);
    let narrower = number_of_counts(&straight) < 0.5 * number_of_counts(&windows(tilt));
    if narrower && narrowed(&straight, cells, n).is_some() { 0.0 } else { tilt }
}

/// The tilt at which the peaks of the categories sum to n. There are `cells` categories of each weight.
pub(super) fn tilt_of_peaks(weights: &[Weight<'_>], cells: &[u64], n: u64) -> f64 {
    let peaks = |tilt: f64| weights.iter().map(move |weight| u128::from(weight.peak(tilt)));
    let sum = |tilt: f64| peaks(tilt).zip(cells).map(|(peak, &cells)| peak * u128::from(cells)).sum::<u128>();
    let n = u128::from(n);
    if sum(0.0) == n {
        return 0.0;
    }
    // The sum falls as the tilt grows. The steps of ln f are bounded, so the search finds both ends.
    let too_many = |tilt: f64| sum(tilt) > n;
    let sign = if too_many(0.0) { 1.0 } else { -1.0 };
    let (mut near, mut far) = (0.0, sign / n as f64);
    while too_many(far) == (sign > 0.0) && far.abs() < 1e4 {
        near = far;
        far *= 4.0;
    }
    for _ in 0..40 {
        let middle = 0.5 * (near + far);
        if too_many(middle) == (sign > 0.0) {
            near = middle;
        } else {
            far = middle;
        }
    }
    0.5 * (near + far)
}

/// Counts whose means are to sum to n at a tilt that is sought.
pub(super) struct Means<'a> {
    pub(super) logs: &'a [&'a Logs],
    /// How many counts have each of these weights.
    pub(super) cells: &'a [u64],
    pub(super) n: u64,
    pub(super) parallelism: Parallelism,
}

/// The sum of the means is close enough to n if it is within this part of a standard deviation. Then the sum n is
/// likely.
const CLOSE: f64 = 0.3;

/// About how many counts are looked at, of all laws together.
const LOOKED_AT: usize = 1 << 18;

/// The fewest counts of each law that are looked at. Windows reach some 35 to 55 units of the logarithm to either side,
/// so that weights change by a factor of 1.5 at most from one to the next.
const FEWEST_LOOKED_AT: usize = 256;

/// The mean of a law of which the fewest counts are looked at is off by up to a fortieth of its deviation, always to
/// the same side. The deviation of a sum grows as the square root of the number of cells only, so that as many more are
/// looked at.
const LOOKED_AT_FOR_SQUARE_ROOT: f64 = 8.0;

impl Means<'_> {
    /// About the sum of the means minus n, and the variance of the sum, at a tilt.
    fn excess_and_variance(&self, tilt: f64) -> (f64, f64) {
        let lows =
            self.logs.iter().zip(self.cells).map(|(logs, &cells)| i128::from(logs.low) * i128::from(cells));
        let base = lows.sum::<i128>() - i128::from(self.n);
        // The sums are taken in the order of the categories, so that they do not depend on the number of cores.
        let for_cells =
            LOOKED_AT_FOR_SQUARE_ROOT * libm::sqrt(self.cells.iter().map(|&cells| cells as f64).sum());
        let looked_at = (LOOKED_AT / self.logs.len().max(1)).max(FEWEST_LOOKED_AT).max(for_cells as usize);
        let all = self.parallelism.map(self.logs, |logs| logs.rough_moments(tilt, looked_at));
        let sum = |part: fn(&(f64, f64)) -> f64| -> f64 {
            all.iter().zip(self.cells).map(|(one, &cells)| part(one) * cells as f64).sum()
        };
        (base as f64 + sum(|one| one.0), sum(|one| one.1))
    }

    /// The tilt at which the means sum to n, approximately, by Newton's method. If a law has almost all its weight at
    /// one point, its variance is not a guide; then steps of growing length find a bracket.
    pub(super) fn tilt(&self, start: f64) -> f64 {
        let (mut tilt, mut low, mut high) = (start, f64::NEG_INFINITY, f64::INFINITY);
        let mut longest = 1.0;
        for _ in 0..100 {
            let (excess, variance) = self.excess_and_variance(tilt);
            if excess.abs() <= CLOSE * libm::sqrt(variance) || excess == 0.0 {
                break;
            }
            if excess > 0.0 {
                low = tilt;
            } else {
                high = tilt;
            }
            let step = (excess / variance).clamp(-longest, longest);
            if step.abs() == longest {
                longest *= 2.0;
            }
            let newton = tilt + step;
            tilt = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        }
        tilt
    }

    /// The tilt at which the means sum to n, approximately, together with that of one more count, which has the weights
    /// `Gamma(alpha + c)/c!`. With a tilt t its mean is `alpha/(exp(t) - 1)`, so that the tilt is positive.
    ///
    /// Near a tilt s the other means are about `m - v (t - s)`, and the mean of the one is about `alpha/t`: a quadratic
    /// equation.
    pub(super) fn tilt_beside(&self, alpha: f64, start: f64) -> Option<f64> {
        let mut tilt = start.max(0.0);
        for _ in 0..30 {
            let (excess, variance) = self.excess_and_variance(tilt);
            let odds = 1.0 / libm::expm1(tilt);
            let spread = libm::sqrt(variance + alpha * odds * (odds + 1.0));
            if tilt > 0.0 && (excess + alpha * odds).abs() <= CLOSE * spread {
                return Some(tilt);
            }
            // v t^2 + d t - alpha = 0, without cancellation.
            let d = -excess - variance * tilt;
            let root = libm::sqrt(d * d + 4.0 * variance * alpha);
            tilt = if d > 0.0 { 2.0 * alpha / (d + root) } else { (root - d) / (2.0 * variance) };
            if !(tilt > 0.0 && tilt.is_finite()) {
                return None;
            }
        }
        None
    }
}
