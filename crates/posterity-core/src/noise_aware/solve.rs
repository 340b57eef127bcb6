//! Quantiles of distributions on the unit interval, from their tails and densities.

use crate::special::beta::{rough_quantile, rough_upper_quantile};

/// The largest number below one.
const ALMOST_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// A side of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tail {
    Lower,
    Upper,
}

/// A tail of a distribution at a point, in log-odds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Look {
    pub(crate) mass: f64,
    pub(crate) density: f64,
    /// The derivative of the density.
    pub(crate) slope: f64,
}

/// The point whose tail has mass `p`.
///
/// Halley's method solves `ln(mass) = ln p` in log-odds, from a guess. A step is taken if it stays between the bounds
/// found so far and the gap shrinks to less than half; otherwise the interval is halved. From a small gap, one step gives
/// the last digit.
pub(crate) fn solve(p: f64, tail: Tail, guess: f64, look: impl Fn(f64) -> Look) -> f64 {
    /// If ln p is this close, one step gives the last digit.
    const CLOSE: f64 = 1e-6;
    /// But not if that step is longer, in log-odds.
    const FARTHEST: f64 = 1.0;
    /// If the function bends more than this, Newton's step is safer.
    const MOST_BEND: f64 = 0.5;
    let (mut low, mut high) = (f64::MIN_POSITIVE, 1.0);
    let ln_p = libm::log(p);
    let mut x = guess.clamp(low, ALMOST_ONE);
    let mut last = f64::INFINITY;
    for _ in 0..400 {
        let seen = look(x);
        // Positive above the root.
        let sign = if tail == Tail::Lower { 1.0 } else { -1.0 };
        let gap = sign * (libm::log(seen.mass) - ln_p);
        if gap < 0.0 {
            low = x;
        } else {
            high = x;
        }
        // A root below the smallest positive number is zero.
        if x <= f64::MIN_POSITIVE && gap >= 0.0 {
            return 0.0;
        }
        let rate = seen.density / seen.mass;
        let newton = -gap / rate;
        // Halley's step; the second derivative of ln(mass) is rate (slope/density - rate).
        let bend = 0.5 * gap * (seen.slope / seen.density / rate - sign);
        let step = if bend.abs() <= MOST_BEND { newton / (1.0 - bend) } else { newton };
        // Where almost nothing weighs, even such a gap is far away.
        if gap.abs() <= CLOSE && newton.abs() < FARTHEST {
            return shifted(x, step);
        }
        if high - low <= 2.0 * f64::EPSILON * high {
            // Near one the spacing of floating-point numbers is too coarse; return the nearest number not below the
            // root.
            return high;
        }
        let next = shifted(x, step);
        x = if next > low && next < high && gap.abs() <= 0.5 * last {
            next
        } else if high > 16.0 * low {
            // The geometric mean, because the root may be many powers of ten below the upper end.
            libm::sqrt(low) * libm::sqrt(high)
        } else {
            0.5 * (low + high)
        };
        last = gap.abs();
    }
    x
}

/// The shortest interval of this probability, by golden-section search over the part of the rest that lies below it. The
/// density has one peak, so the length has one least value.
pub(crate) fn shortest(
    level: f64,
    quantile: impl Fn(f64) -> f64,
    upper_quantile: impl Fn(f64) -> f64,
) -> [f64; 2] {
    /// The ratio of the golden section.
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let rest = 1.0 - level;
    let ends = |below: f64| {
        let low = if below <= 0.0 { 0.0 } else { quantile(below) };
        let high = if below >= rest { 1.0 } else { upper_quantile(rest - below) };
        [low, high]
    };
    let length = |below: f64| ends(below)[1] - ends(below)[0];
    let (mut from, mut to) = (0.0, rest);
    let (mut left, mut right) = (to - GOLDEN * (to - from), from + GOLDEN * (to - from));
    let (mut of_left, mut of_right) = (length(left), length(right));
    while to - from > 1e-4 * rest {
        if of_left <= of_right {
            (to, right, of_right) = (right, left, of_left);
            left = to - GOLDEN * (to - from);
            of_left = length(left);
        } else {
            (from, left, of_left) = (left, right, of_right);
            right = from + GOLDEN * (to - from);
            of_right = length(right);
        }
    }
    // A density that falls or rises all the way has its shortest interval at an end.
    let inner = 0.5 * (from + to);
    let best = [0.0, inner, rest].into_iter().min_by(|a, b| length(*a).total_cmp(&length(*b)));
    ends(best.unwrap_or(inner))
}

/// About the quantile of the Beta distribution with this mean and variance.
pub(crate) fn guess(p: f64, tail: Tail, mean: f64, variance: f64) -> f64 {
    let total = mean * (1.0 - mean) / variance - 1.0;
    let (a, b) = (mean * total, (1.0 - mean) * total);
    let guess = match tail {
        Tail::Lower => rough_quantile(p, a, b),
        Tail::Upper => rough_upper_quantile(p, a, b),
    };
    if guess.is_nan() { mean } else { guess }
}

/// The point moved by a step in log-odds.
fn shifted(x: f64, step: f64) -> f64 {
    let factor = libm::expm1(step);
    if factor.is_finite() { x + factor * x * (1.0 - x) / (1.0 + x * factor) } else { 1.0 }
}
