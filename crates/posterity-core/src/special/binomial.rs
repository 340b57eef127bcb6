//! The logarithm of the binomial coefficient.

use super::beta::ln_beta;

/// `ln C(n, j)` for `j <= n`.
///
/// ```
/// use posterity_core::special::ln_binomial;
/// assert!((ln_binomial(10, 3) - 120f64.ln()).abs() < 1e-14);
/// assert!((ln_binomial(1_000_000_000_000, 1) - 1e12f64.ln()).abs() < 1e-13);
/// ```
#[must_use]
pub fn ln_binomial(n: u64, j: u64) -> f64 {
    if j == 0 || j == n {
        return 0.0;
    }
    -libm::log(n as f64 + 1.0) - ln_beta((n - j) as f64 + 1.0, j as f64 + 1.0)
}
