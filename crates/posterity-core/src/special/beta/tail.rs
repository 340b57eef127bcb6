//! Both tails of the Beta distribution: the regularized incomplete beta function.

use super::legendre::LEGENDRE;
use super::point::Point;
use super::shape::Shape;
use crate::special::entropy::x_minus_ln_1p;

/// `P(X <= x)` for `X ~ Beta(a, b)`: the regularized incomplete beta function `I_x(a, b)`.
///
/// The tail beyond the mean is computed directly. With `g` of the [module](super) and `n = a+b`,
///
/// `I_x(a, b) = g(u)/a (1 + sum_{k>=1} prod_{j<k} (n+j) x / (a+1+j))` (Paris 2010, DLMF 8.17.8)
///
/// where the terms shrink geometrically. Elsewhere panels of the integral of `g` are added first, until the series
/// converges or the rest is negligible. On a panel,
/// `ln g(u-s) - ln g(u) = -(a - n x) s - n (ln(1 + x (e^-s - 1)) + x s)`.
///
/// The measured relative error of the smaller tail is below 3e-12 for parameters from 1e-3 to 1e12, unless it
/// underflows. The result is NaN unless both parameters are positive and finite.
///
/// ```
/// use posterity_core::special::beta::cdf;
/// assert!((cdf(0.25, 1.0, 2.0) - 0.4375).abs() < 1e-15); // 1 - (1-x)^2
/// assert!((cdf(1e-12, 1.0, 1e12) / 0.632_120_558_828_741_7 - 1.0).abs() < 1e-14);
/// ```
#[must_use]
pub fn cdf(x: f64, a: f64, b: f64) -> f64 {
    let Some(shape) = Shape::new(a, b).filter(|_| !x.is_nan()) else { return f64::NAN };
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    libm::exp(shape.lower(Point::new(x)).ln_mass)
}

/// `P(X > x)` for `X ~ Beta(a, b)`, by symmetry `I_{1-x}(b, a)`; see [`cdf`].
///
/// ```
/// use posterity_core::special::beta::sf;
/// let tail = sf(0.999, 1.0, 20.0); // (1-x)^20
/// assert!((tail / (1.0 - 0.999f64).powi(20) - 1.0).abs() < 1e-13);
/// ```
#[must_use]
pub fn sf(x: f64, a: f64, b: f64) -> f64 {
    let Some(shape) = Shape::new(b, a).filter(|_| !x.is_nan()) else { return f64::NAN };
    if x <= 0.0 {
        return 1.0;
    }
    if x >= 1.0 {
        return 0.0;
    }
    libm::exp(shape.lower(Point::new(x).mirrored()).ln_mass)
}

/// A lower tail in log-odds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail {
    pub(super) ln_mass: f64,
    /// Density divided by mass: the derivative of `ln_mass`.
    pub(super) rate: f64,
}

impl Shape {
    /// The logarithm of `g` falls by about this much over one panel; e^-40 is below the rounding of the rest.
    const FALL: f64 = 40.0;
    /// Panels are no wider than this, to stay clear of the singularities of `g` at distance pi from the real
    /// line.
    const WIDEST: f64 = 4.0;
    /// The series is used where its terms shrink at least by this factor, which makes 130 of them enough.
    const RATIO: f64 = 0.75;
    /// The most panels of a tail. The smallest `f64` is 745 units of log-odds from the middle, so this is enough.
    const PANELS: usize = 1000;

    /// The tail below `at`, an inner point. It is computed directly, or as one minus the other tail where that is at
    /// least as accurate.
    pub(super) fn lower(&self, at: Point) -> Tail {
        // A complement below this has lost two digits, which happens for parameters below about 0.1.
        const ACCURATE_COMPLEMENT: f64 = 1e-2;
        let slope = self.slope(at);
        let ln_density = self.ln_density(at, slope);
        let direct = || {
            let ratio = self.mass_ratio(at, slope);
            Tail { ln_mass: ln_density + libm::log(ratio), rate: 1.0 / ratio }
        };
        let complement =
            |upper: f64| Tail { ln_mass: libm::log1p(-upper), rate: libm::exp(ln_density) / (1.0 - upper) };
        let upper = || libm::exp(ln_density) * self.mirrored().mass_ratio(at.mirrored(), -slope);
        if slope >= 0.0 {
            let tail = direct();
            if tail.ln_mass < -ACCURATE_COMPLEMENT { tail } else { complement(upper()) }
        } else {
            let upper = upper();
            if upper < 1.0 - ACCURATE_COMPLEMENT { complement(upper) } else { direct() }
        }
    }

    /// The integral of `g` over everything below `at`, divided by `g` there.
    fn mass_ratio(&self, mut at: Point, mut slope: f64) -> f64 {
        let mut mass = 0.0;
        let mut density = 1.0;
        for _ in 0..Self::PANELS {
            if at.x <= Self::RATIO && self.n * at.x <= Self::RATIO * (self.a + 1.0) {
                return mass + density * self.series(at.x);
            }
            // By log-concavity the rest is at most density / slope.
            if slope > 0.0 && density <= 1e-17 * mass * slope {
                break;
            }
            let width = self.panel_width(at, slope);
            let relative = |s: f64| libm::exp(-self.fall(at, slope, s));
            let mut panel = 0.0;
            for (node, weight) in LEGENDRE {
                let (near, far) = (0.5 * width * (1.0 - node), 0.5 * width * (1.0 + node));
                panel += weight * (relative(near) + relative(far));
            }
            mass += density * 0.5 * width * panel;
            density *= relative(width);
            slope += self.n * at.x * at.y * -libm::expm1(-width) / (at.y + at.x * libm::exp(-width));
            at = at.shifted(-width);
        }
        mass
    }

    /// The whole tail below `x`, divided by `g` there, by the series of positive terms.
    fn series(&self, x: f64) -> f64 {
        let (mut term, mut total) = (1.0, 1.0);
        let mut j = 0.0;
        while term > 1e-17 * total {
            term *= (self.n + j) * x / (self.a + 1.0 + j);
            total += term;
            j += 1.0;
        }
        total / self.a
    }

    /// A width over which `ln g` changes by about [`Self::FALL`] below `at`.
    fn panel_width(&self, at: Point, slope: f64) -> f64 {
        // |slope| w + curvature w^2 / 2 = FALL
        let curvature = self.n * at.x * at.y;
        let root = libm::hypot(slope, libm::sqrt(2.0 * Self::FALL * curvature));
        // As long as n (1-x) is below the rounding of one, g is an exponential function, and the panel may be as wide
        // as that.
        let flat = if at.x > at.y { libm::log(1e-17 / (self.n * at.y)) } else { 0.0 };
        let mut width = (2.0 * Self::FALL / (slope.abs() + root)).min(flat.max(Self::WIDEST));
        // The panel may include the middle, where the curvature is largest.
        while at.x > at.y && self.fall(at, slope, width) > 1.25 * Self::FALL {
            width *= 0.9;
        }
        width
    }

    /// `ln g` at `at`, minus `ln g` at distance `s` below it.
    fn fall(&self, at: Point, slope: f64, s: f64) -> f64 {
        // With t the smaller of x and y, and the sign of s that belongs to it:
        //   ln(1 + t (e^s - 1)) - t s = t (e^s - 1 - s) - (z - ln(1+z)),  z = t (e^s - 1),
        // where the difference on the right keeps its digits because t <= 1/2.
        let (t, signed) = if at.x <= at.y { (at.x, -s) } else { (at.y, s) };
        let rest = exp_minus_1_minus_x(signed);
        slope * s + self.n * (t * rest - x_minus_ln_1p(t * (rest + signed)))
    }
}

/// `e^x - 1 - x`
fn exp_minus_1_minus_x(x: f64) -> f64 {
    if x.abs() >= 0.5 {
        return libm::expm1(x) - x;
    }
    // x^2 sum over j >= 0 of x^j / (j+2)!
    x * x * INVERSE_FACTORIALS.iter().rev().fold(0.0, |sum, inverse| sum * x + inverse)
}

/// `1/j!` for j = 2..=15.
const INVERSE_FACTORIALS: [f64; 14] = {
    let mut table = [0.0; 14];
    let (mut factorial, mut j) = (1.0, 0);
    while j < 14 {
        factorial *= (j + 2) as f64;
        table[j] = 1.0 / factorial;
        j += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::golden::{TAILS, grid};
    use super::super::{ln_density, quantile, upper_quantile};
    use super::*;

    #[test]
    fn tails_are_golden() {
        for &(x, a, b, _, lower, upper) in TAILS {
            for (name, found, golden) in [("cdf", cdf(x, a, b), lower), ("sf", sf(x, a, b), upper)] {
                // A tail above 1e-2 may be a complement. A small tail has the rounding error of its exponent.
                let tolerance = 1e-13 - 1e-15 * libm::log(golden);
                assert!(
                    (found / golden - 1.0).abs() < tolerance,
                    "{name}({x}, {a}, {b}) = {found}, not {golden}"
                );
            }
        }
    }

    #[test]
    fn cdf_increases_and_sf_decreases() {
        for (a, b) in grid() {
            let (low, high) = (quantile(1e-12, a, b), upper_quantile(1e-12, a, b));
            let xs: Vec<f64> = (0..=60).map(|step| low + (high - low) * f64::from(step) / 60.0).collect();
            // An increase below the last digit of one is not visible.
            let slack = |v: f64| v * (1.0 + 4e-15);
            assert!(xs.windows(2).all(|w| cdf(w[0], a, b) <= slack(cdf(w[1], a, b))), "{a} {b}");
            assert!(xs.windows(2).all(|w| slack(sf(w[0], a, b)) >= sf(w[1], a, b)), "{a} {b}");
        }
    }

    /// `I_x(a, b) = I_x(a+1, b) + x^a (1-x)^b / (a B(a, b))` (DLMF 8.17.20). The two tails are
    /// computed with different panels. If this fails, one of them is wrong.
    #[test]
    fn tails_obey_their_recurrence() {
        for (a, b) in grid().filter(|&(a, _)| a < 1e9) {
            for p in [1e-9, 0.025, 0.2, 0.45, 0.6, 0.975] {
                let x = quantile(p, a, b);
                if x < 1e-300 || 1.0 - x < 1e-12 {
                    continue;
                }
                let step = libm::exp(ln_density(x, a, b) + libm::log(x) + libm::log1p(-x) - libm::log(a));
                let (here, next) = (cdf(x, a, b), cdf(x, a + 1.0, b));
                assert!((next + step - here).abs() < 3e-13 * here, "at {x}, {a}, {b}: {here} {next} {step}");
            }
        }
    }

    proptest! {
        /// `I_x(a, b) = 1 - I_{1-x}(b, a)`, and the two tails sum to one.
        #[test]
        fn tails_are_symmetric(x in 0.5..1.0f64, log_a in -3.0..12.0f64, log_b in -3.0..12.0f64) {
            let (a, b) = (libm::pow(10.0, log_a), libm::pow(10.0, log_b));
            // 1 - x is exact, so the two sides are the same number.
            prop_assert_eq!(cdf(x, a, b), sf(1.0 - x, b, a));
            prop_assert!((cdf(x, a, b) + sf(x, a, b) - 1.0).abs() < 1e-14);
            let mirrored = ln_density(1.0 - x, b, a);
            prop_assert!((ln_density(x, a, b) - mirrored).abs() <= 4e-15 * mirrored.abs().max(1.0));
        }
    }
}
