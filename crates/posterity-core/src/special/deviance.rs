//! The part that one category contributes to the logarithm of a Dirichlet density.

use super::entropy::psi;

/// `ln((x/p)^a e^excess / x)`: what one category contributes to the logarithm of a Dirichlet density whose
/// parameters sum to `n`. Here `p = a/n`, `expected = n x` and `excess = a - n x`; the caller computes the excess
/// with one rounding.
pub(crate) fn ln_factor(a: f64, p: f64, x: f64, expected: f64, excess: f64) -> f64 {
    if x == 0.0 {
        return if a == 1.0 { excess - libm::log(p) } else { (1.0 - a) * f64::INFINITY };
    }
    if a < 2.0 && excess > expected {
        // Far below the mean and with a near one, the powers of x would cancel, so they are combined first.
        return (a - 1.0) * libm::log(x) - a * libm::log(p) + excess;
    }
    -deviance(a, p, x, expected, excess) - libm::log(x)
}

/// `a ln(p/x) - excess`, never negative; the arguments are those of [`ln_factor`].
pub(crate) fn deviance(a: f64, p: f64, x: f64, expected: f64, excess: f64) -> f64 {
    if excess <= expected {
        return expected * psi(excess / expected);
    }
    // The error of the logarithm is multiplied by a, so one logarithm is better than two. For a subnormal x the ratio
    // may overflow, and then two are needed.
    let ratio = p / x;
    let ln_ratio = if ratio.is_finite() { libm::log(ratio) } else { libm::log(p) - libm::log(x) };
    a * ln_ratio - excess
}
