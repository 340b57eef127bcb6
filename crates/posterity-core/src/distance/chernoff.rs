//! The Chernoff coefficient of two Dirichlet distributions with equal totals, one category at a time.

use super::gamma_gap::gamma_gap;
use crate::special::entropy::x_minus_ln_1p;
use crate::special::stirling::{mu, steps};

/// What one category adds to `-ln integral p^l q^(1-l)`, for posteriors p of count c and q of count r: with `a = alpha + c`,
/// `b = alpha + r` and `m = l a + (1-l) b`, `l ln Gamma(a) + (1-l) ln Gamma(b) - ln Gamma(m)`.
///
/// The tangents of `ln Gamma` at m cancel, so this is `l K(m, a) + (1-l) K(m, b)` with the gaps of [`gamma_gap`], both of them
/// not negative.
pub(crate) fn chernoff_cost(alpha: f64, l: f64, c: u64, r: u64) -> f64 {
    let step = r as f64 - c as f64;
    let (a, b) = (alpha + c as f64, alpha + r as f64);
    let m = alpha + l * c as f64 + (1.0 - l) * r as f64;
    l * gamma_gap(m, a, -(1.0 - l) * step) + (1.0 - l) * gamma_gap(m, b, l * step)
}

/// How much [`chernoff_cost`] grows from c to c+1: `l ln(a/m) - rho(m)`. It falls with r.
pub(crate) fn chernoff_rise(alpha: f64, l: f64, c: u64, r: u64) -> f64 {
    let a = alpha + c as f64;
    let m = alpha + l * c as f64 + (1.0 - l) * r as f64;
    let ln_ratio = if c >= r {
        libm::log1p((1.0 - l) * (c - r) as f64 / m)
    } else {
        -libm::log1p((1.0 - l) * (r - c) as f64 / a)
    };
    l * ln_ratio - gamma_excess(m, l)
}

/// `rho(z) = ln Gamma(z + l) - ln Gamma(z) - l ln z` for `0 < l < 1`: never positive, and growing to zero.
pub(crate) fn gamma_excess(z: f64, l: f64) -> f64 {
    let n = steps(z);
    let raised = z + f64::from(n);
    let x = l / raised;
    let mut sum = (l - 0.5) * libm::log1p(x) - raised * x_minus_ln_1p(x) + (mu(raised + l) - mu(raised));
    for i in (0..n).rev() {
        let at = z + f64::from(i);
        sum -= l * x_minus_ln_1p(1.0 / at) - x_minus_ln_1p(l / at);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance::{Pair, ln_bc};

    /// At one half it is the Bhattacharyya coefficient.
    #[test]
    fn one_half_is_hellinger() {
        for (alpha, c, r) in [(1.0, 50, 51), (0.5, 0, 100), (3.25, 1_000_000, 999_000), (1e-3, 0, 7)] {
            let bc = -ln_bc(Pair::of_counts(alpha, c, r));
            assert!((chernoff_cost(alpha, 0.5, c, r) / bc - 1.0).abs() < 3e-14, "{alpha} {c} {r}");
        }
    }

    /// The rise is the difference of two costs where that has digits, and at r = c the cost of one step.
    #[test]
    fn rises_are_differences() {
        for (alpha, l, c, r) in [
            (1.0, 0.25, 10, 3),
            (0.5, 0.9, 0, 40),
            (3.25, 0.001, 200, 17),
            (1e-3, 0.5, 5, 0),
            (2.0, 0.3, 4, 4),
        ] {
            let rise = chernoff_cost(alpha, l, c + 1, r) - chernoff_cost(alpha, l, c, r);
            let found = chernoff_rise(alpha, l, c, r);
            assert!((found - rise).abs() < 1e-12 * (1.0 + rise.abs()), "{alpha} {l} {c} {r}: {found} {rise}");
        }
        let (alpha, l, c) = (1.0, 0.25, 500_000_000);
        let one = chernoff_cost(alpha, l, c + 1, c);
        assert!((chernoff_rise(alpha, l, c, c) / one - 1.0).abs() < 1e-13);
    }
}
