//! The digamma function, the derivative of the logarithm of the Gamma function.

use super::entropy::x_minus_ln_1p;
use super::stirling::steps;

/// `B_2j / (2j)` for j = 1..=7.
const COEFFICIENTS: [f64; 7] =
    [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32_760.0, 1.0 / 12.0];

/// `ln x - digamma(x)` for `x > 0`: positive and decreasing, about `1/(2x)`.
///
/// For `x >= 10` by its asymptotic series (Abramowitz and Stegun 1964, 6.3.18); below by the recurrence
/// `w(x) = w(x+1) + 1/x - ln(1 + 1/x)`, of which no term is negative.
pub(crate) fn ln_minus_digamma(x: f64) -> f64 {
    let n = steps(x);
    let raised = x + f64::from(n);
    let inverse = 1.0 / raised;
    let square = inverse * inverse;
    let series = COEFFICIENTS.iter().rev().fold(0.0, |sum, coefficient| sum * square + coefficient);
    let mut sum = 0.5 * inverse + square * series;
    for i in (0..n).rev() {
        sum += x_minus_ln_1p(1.0 / (x + f64::from(i)));
    }
    sum
}

/// `digamma(x)` for `x > 0`.
pub(crate) fn digamma(x: f64) -> f64 {
    libm::log(x) - ln_minus_digamma(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Golden values by mpmath with 50 digits: `log(x) - digamma(x)`.
    #[test]
    fn golden_values() {
        let euler = 0.577_215_664_901_532_9;
        assert!((digamma(1.0) + euler).abs() < 1e-15);
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
