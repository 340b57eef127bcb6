//! How far the digamma function, the derivative of the logarithm of the Gamma function, is below the logarithm.

use super::Number;
use super::entropy::{horner, x_minus_ln_1p};
use super::stirling::steps;

/// `B_2j / (2j)` for j = 1..=7.
const COEFFICIENTS: [f64; 7] =
    [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32_760.0, 1.0 / 12.0];

/// `ln x - digamma(x)` for `x > 0`: positive and decreasing, about `1/(2x)`.
///
/// For `x >= 10` by its asymptotic series (Abramowitz and Stegun 1964, 6.3.18); below by the recurrence
/// `w(x) = w(x+1) + 1/x - ln(1 + 1/x)`, of which no term is negative.
pub(crate) fn ln_minus_digamma<T: Number>(x: T) -> T {
    let n = steps(x.value());
    let inverse = T::from(1.0) / (x + f64::from(n));
    let square = inverse * inverse;
    let last = inverse * 0.5 + square * horner(&COEFFICIENTS, square);
    (0..n).rev().fold(last, |sum, i| sum + x_minus_ln_1p(T::from(1.0) / (x + f64::from(i))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values by mpmath with 50 digits: `log(x) - digamma(x)`.
    #[test]
    fn golden_values() {
        let euler = 0.577_215_664_901_532_9;
        for (x, exact) in [
            (1e-3, 993.667_816_652_828_1),
            (0.5, 1.270_362_845_461_478_2),
            (1.0, euler),
            (2.5, 0.213_134_091_228_911_9),
            (9.75, 0.052_157_749_965_179_8),
            (10.0, 0.050_832_503_927_324_58),
            (51.0, 0.009_835_959_296_433_575),
            (1e9, 5.000_000_000_833_333e-10),
        ] {
            let found = ln_minus_digamma(x);
            assert!((found / exact - 1.0).abs() < 4e-15, "{x}: {found} {exact}");
        }
    }
}
