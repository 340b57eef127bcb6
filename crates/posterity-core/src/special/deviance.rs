//! How far one category's share lies from its mean, as a part of the logarithm of a Dirichlet density.

use super::entropy::psi;

/// `ln((x/p)^a e^excess / x)`: the share of one category in the logarithm of a Dirichlet density whose
/// parameters total `n`. Here `p = a/n`, `expected = n x` and `excess = a - n x`, which the caller has
/// without rounding.
pub(crate) fn ln_factor(a: f64, p: f64, x: f64, expected: f64, excess: f64) -> f64 {
    if x == 0.0 {
        return if a == 1.0 { excess - libm::log(p) } else { (1.0 - a) * f64::INFINITY };
    }
    if a < 2.0 && excess > expected {
        // Far below the mean and with a near one, the powers of x cancel unless they are joined.
        return (a - 1.0) * libm::log(x) - a * libm::log(p) + excess;
    }
    -deviance(a, p, x, expected, excess) - libm::log(x)
}

/// `a ln(p/x) - excess`, never negative; the arguments are those of [`ln_factor`].
pub(crate) fn deviance(a: f64, p: f64, x: f64, expected: f64, excess: f64) -> f64 {
    if excess <= expected {
        return expected * psi(excess / expected);
    }
    // One logarithm, not two, for a multiplies its error; a subnormal x may be too small for that.
    let ratio = p / x;
    let ln_ratio = if ratio.is_finite() { libm::log(ratio) } else { libm::log(p) - libm::log(x) };
    a * ln_ratio - excess
}
