//! Quotients of Gamma functions.

use super::beta::{ln_beta, ln_gamma, remainder};

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

/// `ln Gamma(alpha + c) - ln c!`: how the weight of a count c under a Dirichlet prior depends on c.
///
/// Subtracting log-gammas would lose all digits for large c; with `b = c + 1` and `d = alpha - 1`, Stirling's formula gives
/// `d ln b + (b + d - 1/2) ln(1 + d/b) - d + mu(b+d) - mu(b)`.
///
/// ```
/// use posterity_core::special::ln_gamma_over_factorial;
/// // Gamma(1/2 + c)/c! ~ c^(-1/2) (1 - 1/(8c))
/// let c = 1e12;
/// assert!((ln_gamma_over_factorial(0.5, c) + 0.5 * c.ln()).abs() < 1e-12);
/// ```
#[must_use]
pub fn ln_gamma_over_factorial(alpha: f64, c: f64) -> f64 {
    let b = c + 1.0;
    if c < 16.0 {
        return ln_gamma(alpha + c) - ln_gamma(b);
    }
    let d = alpha - 1.0;
    let a = alpha + c;
    d * libm::log(b) + (a - 0.5) * libm::log1p(d / b) - d + remainder(a) - remainder(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both branches against the recurrence `Gamma(alpha + c + 1)/(c + 1)! = (alpha + c)/(c + 1) Gamma(alpha + c)/c!`.
    #[test]
    fn obeys_its_recurrence() {
        for alpha in [1e-300, 1e-3, 0.5, 1.0, 7.25, 1e4] {
            for c in [0.0, 3.0, 14.0, 15.0, 16.0, 1e3, 1e7] {
                let step = ln_gamma_over_factorial(alpha, c + 1.0) - ln_gamma_over_factorial(alpha, c);
                let expected = libm::log(alpha + c) - libm::log(c + 1.0);
                assert!(
                    (step - expected).abs() < 1e-15 * alpha.max(1.0) * 40.0 + 1e-14,
                    "alpha {alpha} c {c}: {step} {expected}"
                );
            }
        }
    }
}
