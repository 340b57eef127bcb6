//! The l1 norm of Laplace noise.

/// `P(||Y||_1 >= x)` for m independent Laplace variables of scale one: their absolute values are exponential, so the
/// sum has a Gamma(m, 1) law, with the tail `exp(-x) sum_(j<m) x^j/j!`.
///
/// ```
/// use posterity_reproduce::bounds::l1_tail;
/// assert!((l1_tail(1, 2.0) - (-2.0_f64).exp()).abs() < 1e-15);
/// assert!((l1_tail(2, 2.0) - 3.0 * (-2.0_f64).exp()).abs() < 1e-15);
/// ```
#[must_use]
pub fn l1_tail(m: u32, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 0.0);
    for j in 0..m {
        sum += term;
        term *= x / f64::from(j + 1);
    }
    libm::exp(-x) * sum
}
