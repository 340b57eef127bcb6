//! How far the logarithm of the Gamma function lies above its tangents.

use crate::special::Number;
use crate::special::entropy::{psi_over_x, x_minus_ln_1p};
use crate::special::stirling::{mu_bregman, steps};

/// `K(a, b) = ln Gamma(b) - ln Gamma(a) - (b - a) digamma(a)` for positive a and b; never negative. The `step` is
/// `b - a`, which the caller knows without rounding.
///
/// With `d = (b-a)/a` and both raised by N steps of the recurrence to at least 10 it is a sum of terms that are not
/// negative, `sum_{i<N} (d_i - ln(1+d_i)) + a psi(d) + (d - ln(1+d))/2 + mu(b) - mu(a) - (b-a) mu'(a)`, each of them
/// with a relative error of a few units in the last place (docs/proofs/scores.md).
pub(crate) fn gamma_gap<T: Number>(a: T, b: T, step: T) -> T {
    if step.value() == 0.0 {
        return T::from(0.0);
    }
    let n = steps(a.value().min(b.value()));
    let sum = (0..n).map(f64::from).fold(T::from(0.0), |sum, i| sum + d_minus_ln(a + i, b + i, step));
    let (a, b) = (a + f64::from(n), b + f64::from(n));
    let d = step / a;
    // Far below a, the ratio b/a has more digits than 1 + d. Elsewhere a psi(d) is step psi(d)/d, which does not
    // underflow.
    let leading = if d.value() < -0.5 { a * (b / a * (b / a).ln() - d) } else { step * psi_over_x(d) };
    sum + leading + d_minus_ln(a, b, step) * 0.5 + mu_bregman(a, d)
}

/// `d - ln(1 + d)` with `d = step/a = b/a - 1`.
fn d_minus_ln<T: Number>(a: T, b: T, step: T) -> T {
    let d = step / a;
    if d.value() >= -0.5 {
        // An infinite d is much larger than its logarithm.
        return if d.value().is_finite() { x_minus_ln_1p(d) } else { d };
    }
    let ratio = b / a;
    // A ratio below the normal range has few digits.
    d - if ratio.value() < f64::MIN_POSITIVE { b.ln() - a.ln() } else { ratio.ln() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values by mpmath with 60 digits: `loggamma(b) - loggamma(a) - (b - a) * digamma(a)`.
    #[test]
    fn golden_values() {
        for (a, b, exact) in GOLDEN {
            let found = gamma_gap(a, b, b - a);
            assert!((found / exact - 1.0).abs() < 2e-14, "K({a}, {b}) = {found}, not {exact}");
        }
        assert_eq!(gamma_gap(3.0, 3.0, 0.0), 0.0);
    }

    const GOLDEN: [(f64, f64, f64); 17] = [
        (1.0, 2.0, 0.5772156649015329),
        (2.0, 1.0, 0.42278433509846713),
        (0.5, 100.5, 557.2141781269953),
        (100.5, 0.5, 99.6542597333316),
        (0.001, 1000.001, 1006473.8920833898),
        (1000.001, 0.001, 1008.9360445689849),
        (51.0, 50.0, 0.009966667999746139),
        (50.0, 51.0, 0.010033332000253862),
        (1000000000.0, 1000000001.0, 5.000000000833333e-10),
        (1000000001.0, 1000000000.0, 4.999999999166667e-10),
        (1000000000.0, 3.0, 999999947.4660441),
        (3.0, 1000000000.0, 18800481494.480457),
        (12345.25, 12000.25, 4.86642337359913),
        (1e-09, 7.0, 6999999988.896495),
        (7.0, 1e-09, 27.25350496817558),
        (0.25, 3.25, 12.330140006539445),
        (1000000000000.0, 999999995904.0, 8.38860801145744e-06),
    ];
}
