//! The Chernoff coefficient of two Dirichlet distributions with equal totals, one category at a time.

use super::gamma_gap::gamma_gap;
use super::gamma_shortfall::gamma_shortfall;
use crate::special::Number;
use crate::special::gamma::ln_1p_inverse;

/// What one category adds to `-ln integral p^l q^(1-l)`, for posteriors p of count c and q of count r: with
/// `a = alpha + c`, `b = alpha + r` and `m = l a + (1-l) b`, `l ln Gamma(a) + (1-l) ln Gamma(b) - ln Gamma(m)`.
///
/// The tangents of `ln Gamma` at m cancel, so this is `l K(m, a) + (1-l) K(m, b)` with the gaps of [`gamma_gap`], both
/// of them not negative.
pub(crate) fn chernoff_cost<T: Number>(alpha: T, l: f64, c: u64, r: u64) -> T {
    if c == r {
        return T::from(0.0);
    }
    let step = T::from(r as f64 - c as f64);
    let (a, b) = (alpha + c as f64, alpha + r as f64);
    let (m, away) = (between(alpha, l, c, r), T::from(1.0) - l);
    gamma_gap(m, a, -away * step) * l + away * gamma_gap(m, b, step * l)
}

/// How much [`chernoff_cost`] grows from c to c+1: `l ln(a/m) + sigma(m)`, with the [`gamma_shortfall`] of the order l.
/// It falls with r, and is negative for `r > c`, where the logarithm is at least twice the other part
/// (docs/proofs/scores.md).
pub(crate) fn chernoff_rise<T: Number>(alpha: T, l: f64, c: u64, r: u64) -> T {
    let (m, away) = (between(alpha, l, c, r), T::from(1.0) - l);
    let ln_ratio = if c >= r {
        (away * (c - r) as f64 / m).ln_1p()
    } else {
        -ln_1p_inverse((alpha + c as f64) / (away * (r - c) as f64))
    };
    ln_ratio * l + gamma_shortfall(m, l)
}

/// `m = alpha + l c + (1-l) r`
fn between<T: Number>(alpha: T, l: f64, c: u64, r: u64) -> T {
    alpha + T::from(l) * c as f64 + (T::from(1.0) - l) * r as f64
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

    /// Golden values by mpmath with 400 digits, from `loggamma`: the cost at c, and how much it grows to c+1.
    #[test]
    fn golden_values() {
        for (alpha, l, c, r, cost, rise) in GOLDEN {
            let (found, risen) = (chernoff_cost(alpha, l, c, r), chernoff_rise(alpha, l, c, r));
            assert!((found / cost - 1.0).abs() < 2e-14, "cost {alpha} {l} {c} {r}: {found}, not {cost}");
            assert!((risen / rise - 1.0).abs() < 2e-14, "rise {alpha} {l} {c} {r}: {risen}, not {rise}");
        }
    }

    const GOLDEN: [(f64, f64, u64, u64, f64, f64); 12] = [
        (1e-300, 0.001, 0, 1, 0.6901974893653223, -0.6901974893653223),
        (1e-300, 0.5, 3, 0, 345.8551197770221, 0.42852390669880963),
        (1e-20, 0.001, 1, 0, 39.09847127263718, 0.6937219316244937),
        (5.568e-17, 0.3, 0, 1, 10.96720595082833, -10.96720595082833),
        (3.16e-246, 0.001, 5, 6, 9.658908905438329e-05, -9.658908905438329e-05),
        (1e-09, 0.999, 0, 1000000, 6930.986688502075, -27.603389595396703),
        (0.7, 0.3, 1000000000000, 999999000000, 0.10500005950001733, 2.1000017849996079e-07),
        (1e-14, 0.5, 500000000000, 500000000001, 2.5e-13, -2.5e-13),
        (2.5, 0.999, 999999999999, 0, 999499833.1950561, 0.000999499833247951),
        (1e+30, 0.25, 1000000000000, 0, 9.375e-08, 1.8750000000009376e-19),
        (1e+150, 0.001, 7, 3, 7.992e-153, 4.4955e-153),
        (0.5, 0.001, 0, 1000000000000, 999499833.2496034, -0.028323167796154913),
    ];
}
