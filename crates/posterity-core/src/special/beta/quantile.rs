//! Quantiles of the Beta distribution: the inverse of the incomplete beta function.

use super::function::ln_beta;
use super::point::Point;
use super::shape::Shape;

/// The `x` with `P(X <= x) = p`, `X ~ Beta(a, b)`, for `0 <= p <= 1`; NaN for any other `p`.
///
/// Newton's method solves `ln I_x(a, b) = ln p` in log-odds. A log-concave density has a log-concave distribution
/// function (Prekopa 1973), so from the first step on the iterates rise to the solution and cannot pass it.
/// A solution nearer to 0 or to 1 than any `f64` is returned as 0 or 1.
///
/// ```
/// use posterity_core::special::beta::quantile;
/// assert!((quantile(0.4375, 1.0, 2.0) - 0.25).abs() < 1e-16);
/// assert_eq!(quantile(0.5, 1e12, 1e12), 0.5);
/// assert_eq!(quantile(0.025, 0.001, 1.0), 0.0); // 0.025^1000
/// ```
#[must_use]
pub fn quantile(p: f64, a: f64, b: f64) -> f64 {
    // The equation is solved for the tail with at most half of the mass; 1 - p is exact where it is used.
    if p <= 0.5 { solve_lower(p, a, b).x } else { solve_lower(1.0 - p, b, a).y }
}

/// The `x` with `P(X > x) = p`, `X ~ Beta(a, b)`: [`quantile`] at `1 - p`, without rounding `1 - p`.
///
/// ```
/// use posterity_core::special::beta::upper_quantile;
/// let x = upper_quantile(1e-30, 1.0, 3.0); // (1-x)^3 = 1e-30
/// assert!((x - (1.0 - 1e-10)).abs() < 1e-16);
/// ```
#[must_use]
pub fn upper_quantile(p: f64, a: f64, b: f64) -> f64 {
    if p <= 0.5 { solve_lower(p, b, a).y } else { solve_lower(1.0 - p, a, b).x }
}

/// A point near [`quantile`], by a formula: a good place to begin a search where one look costs as much.
pub(crate) fn rough_quantile(p: f64, a: f64, b: f64) -> f64 {
    if p <= 0.5 { rough_lower(p, a, b).x } else { rough_lower(1.0 - p, b, a).y }
}

/// A point near [`upper_quantile`].
pub(crate) fn rough_upper_quantile(p: f64, a: f64, b: f64) -> f64 {
    if p <= 0.5 { rough_lower(p, b, a).y } else { rough_lower(1.0 - p, a, b).x }
}

/// A point with about mass `p <= 1/2` below it.
fn rough_lower(p: f64, a: f64, b: f64) -> Point {
    // Where the density has no peak inside, the formula may be far off.
    if !(a >= 1.0 && b >= 1.0 && p > 0.0) {
        return solve_lower(p, a, b);
    }
    Shape::new(a, b).map_or(Point::NAN, |shape| shape.guess(p))
}

impl Shape {
    /// A first guess at the point with `p <= 1/2` below it. A bad guess costs time, not accuracy.
    fn guess(&self, p: f64) -> Point {
        let mode = Point { x: self.p, y: self.q };
        if self.a < 1.0 {
            // ln I_x(a, b) is below its tangent at minus infinity, a ln x - ln(a B(a, b)).
            let ln_x = (libm::log(p) + libm::log(self.a) + ln_beta(self.a, self.b)) / self.a;
            return Point::new(0.5).shifted(ln_x);
        }
        // Abramowitz and Stegun 1964: 26.2.22 for the normal quantile, 26.5.22 for its image.
        let t = libm::sqrt(-2.0 * libm::log(p));
        let z = t - (2.307_53 + 0.270_61 * t) / (1.0 + t * (0.992_29 + 0.044_81 * t));
        let (u, v) = (1.0 / (2.0 * self.b.max(1.0) - 1.0), 1.0 / (2.0 * self.a - 1.0));
        let h = 2.0 / (u + v);
        let l = (z * z - 3.0) / 6.0;
        let w = z * libm::sqrt(h + l) / h - (u - v) * (l + 5.0 / 6.0 - 2.0 / (3.0 * h));
        if w.is_finite() { mode.shifted(-2.0 * w) } else { mode }
    }
}

/// The point with mass `p <= 1/2` below it.
fn solve_lower(p: f64, a: f64, b: f64) -> Point {
    /// The most steps: far more than Newton's method takes from any start.
    const STEPS: usize = 100;
    /// If ln p is this close, one step of third order gives the last digit.
    const CLOSE: f64 = 3e-6;
    // With such different parameters all but 1e-90 of the mass lies within 1e-200 of an end (Markov's inequality).
    let proper = a > 0.0 && b > 0.0 && p > 0.0 && a.is_finite() && b.is_finite();
    if proper && a < b * 1e-290 {
        return Point::ZERO;
    }
    if proper && b < a * 1e-290 {
        return Point::ZERO.mirrored();
    }
    let Some(shape) = Shape::new(a, b).filter(|_| p >= 0.0) else { return Point::NAN };
    if p == 0.0 {
        return Point::ZERO;
    }
    let ln_p = libm::log(p);
    let guess = shape.guess(p);
    if a < 1.0 && guess.x < f64::MIN_POSITIVE {
        // So close to zero the tail is a pure power of x, and the guess is the solution. Mostly it is zero.
        return guess;
    }
    let mut at = inside(guess);
    for _ in 0..STEPS {
        let tail = shape.lower(at);
        let gap = tail.ln_mass - ln_p;
        if gap.abs() <= CLOSE {
            // Halley's step; the second derivative of ln_mass is rate (slope - rate).
            let bend = 0.5 * gap * (shape.slope(at) / tail.rate - 1.0);
            return at.shifted(-gap / tail.rate / (1.0 - bend));
        }
        if gap.is_nan() {
            return Point::NAN;
        }
        let next = at.shifted(-gap / tail.rate);
        // Beyond the smallest positive number no tail can be evaluated. This step leads to zero or to one.
        if (gap > 0.0 && at.x <= f64::MIN_POSITIVE) || (gap < 0.0 && at.y <= f64::MIN_POSITIVE) {
            return next;
        }
        at = inside(next);
    }
    at
}

/// The nearest point at which a tail can be evaluated.
fn inside(at: Point) -> Point {
    if at.x < f64::MIN_POSITIVE {
        Point::new(f64::MIN_POSITIVE)
    } else if at.y < f64::MIN_POSITIVE {
        Point::new(f64::MIN_POSITIVE).mirrored()
    } else {
        at
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::golden::{PROBABILITIES, QUANTILES, grid};
    use super::super::{cdf, ln_density, sf};
    use super::*;

    #[test]
    fn quantiles_are_golden() {
        for &(p, a, b, golden) in QUANTILES {
            let found = quantile(p, a, b);
            // Allows for the last digit of x, and for the rounding of ln p divided by d ln p / d ln x, which is about
            // a.
            let tolerance = 5e-16 + (3e-15 - 2e-16 * libm::log(p)) / a;
            assert!((found / golden - 1.0).abs() < tolerance, "at {p}, {a}, {b}: {found}, not {golden}");
        }
    }

    /// Beta(0.001, 1) has the quantile p^1000. If this fails, quantiles below the smallest positive number are not
    /// zero, or the search does not end.
    #[test]
    fn quantiles_that_underflow() {
        assert_eq!(quantile(0.025, 1e-3, 1.0), 0.0);
        assert_eq!(quantile(0.975, 1.0, 1e-3), 1.0);
        assert_eq!(quantile(0.3, 1e-6, 1e-6), 0.0);
        assert_eq!(quantile(0.7, 1e-6, 1e-6), 1.0);
        let subnormal = quantile(0.49, 1e-3, 1.0);
        assert!((subnormal / libm::pow(0.49, 1e3) - 1.0).abs() < 1e-3, "{subnormal}");
    }

    /// `cdf(quantile(p)) = p`, up to the change that the last digit of x makes.
    #[test]
    fn quantile_inverts_the_tails() {
        for (a, b) in grid() {
            for p in PROBABILITIES {
                let x = quantile(p, a, b);
                if x < 1e-300 || x == 1.0 {
                    continue;
                }
                let (found, wanted) = if p <= 0.5 { (cdf(x, a, b), p) } else { (sf(x, a, b), 1.0 - p) };
                let digit = f64::EPSILON * x * libm::exp(ln_density(x, a, b)) / wanted;
                let tolerance = 1e-13 + digit;
                assert!((found / wanted - 1.0).abs() < tolerance, "at {p}, {a}, {b}: x = {x}, {found}");
            }
        }
    }

    #[test]
    fn quantile_increases() {
        for (a, b) in grid() {
            let xs = PROBABILITIES.map(|p| quantile(p, a, b));
            assert!(xs.is_sorted(), "{a} {b}: {xs:?}");
        }
    }

    proptest! {
        /// `P(X > x) = p` and `P(X <= x) = 1 - p` have the same solution.
        #[test]
        fn quantiles_are_symmetric(p in 0.5..1.0f64, log_a in -3.0..12.0f64, log_b in -3.0..12.0f64) {
            let (a, b) = (libm::pow(10.0, log_a), libm::pow(10.0, log_b));
            prop_assert_eq!(quantile(p, a, b), upper_quantile(1.0 - p, a, b));
        }
    }
}
