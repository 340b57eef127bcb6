//! The density of the Beta distribution.

use super::point::Point;
use super::shape::Shape;
use crate::special::deviance::ln_factor;

/// `ln f(x)` of the Beta(a, b) density `f(x) = x^(a-1) (1-x)^(b-1) / B(a, b)`.
///
/// It is evaluated as a deviance from the mean `p = a/n`, `n = a+b` (after Loader 2000, "Fast and accurate
/// computation of binomial probabilities"):
///
/// `a ln(x/p) + b ln((1-x)/(1-p)) = -n (x psi((p-x)/x) + (1-x) psi((x-p)/(1-x)))`,
///
/// with [`psi`](crate::special::entropy::psi). The two terms have the same sign, and `n (p-x)` is computed with one
/// rounding.
///
/// The result is minus infinity outside `[0, 1]`. At 0 and 1 it is the limit, which is plus infinity if the
/// parameter of that side is below one. It is NaN unless both parameters are positive and finite.
///
/// ```
/// use posterity_core::special::beta::ln_density;
/// assert!((ln_density(0.5, 3.0, 5.0) - (105.0 / 64f64).ln()).abs() < 1e-15);
/// // At its centre, Beta(n, n) has height sqrt(n / pi) (2 - 1/(4n) + ...).
/// let height = 0.5 * (1e12 / std::f64::consts::PI).ln() + 2f64.ln();
/// assert!((ln_density(0.5, 1e12, 1e12) - height).abs() < 1e-12);
/// ```
#[must_use]
pub fn ln_density(x: f64, a: f64, b: f64) -> f64 {
    let Some(shape) = Shape::new(a, b).filter(|_| !x.is_nan()) else { return f64::NAN };
    if !(0.0..=1.0).contains(&x) {
        return f64::NEG_INFINITY;
    }
    let at = Point::new(x);
    let slope = shape.slope(at);
    ln_factor(a, shape.p, at.x, shape.n * at.x, slope)
        + ln_factor(b, shape.q, at.y, shape.n * at.y, -slope)
        + shape.ln_height
}

#[cfg(test)]
mod tests {
    use super::super::golden::TAILS;
    use super::*;

    #[test]
    fn densities_are_golden() {
        for &(x, a, b, golden, ..) in TAILS {
            let found = ln_density(x, a, b);
            assert!(
                (found - golden).abs() < 1e-14 * golden.abs().max(1.0),
                "at {x}, {a}, {b}: {found}, not {golden}"
            );
        }
    }
}
