//! The Kullback-Leibler divergence between Dirichlet distributions.
//!
//! `KL(Dir(a) || Dir(b)) = sum_i K(a_i, b_i) - K(a_0, b_0)` over the categories and the totals, with the Bregman
//! gap of the log-gamma function, `K(a, b) = ln Gamma(b) - ln Gamma(a) - (b-a) digamma(a)`. With `d = (b-a)/a`
//! and both raised by N steps to at least 10,
//!
//! `K = sum_{i<N} (d_i - ln1p(d_i)) + a psi(d) + (d - ln1p(d))/2 + mu(b) - mu(a) - (b-a) mu'(a)`,
//! `d_i = (b-a)/(a+i)`, `psi(d) = (1+d) ln(1+d) - d`.
//!
//! The leading parts of the categories and of the total would cancel, so they are combined first:
//! `sum a_i psi(d_i) - a_0 psi(d_0) = sum a_i (1+d_0) psi((d_i-d_0)/(1+d_0))`.

use super::{LengthError, Pair};
use crate::model::Dirichlet;
use crate::special::entropy::{psi, x_minus_ln_1p};
use crate::special::stirling::mu_bregman;
use crate::special::{Double, Sum};

/// `KL(a || b)`, the expected log ratio of the densities under a. For the other direction swap the arguments.
///
/// ```
/// use posterity_core::{distance::kl_divergence, model::Dirichlet};
/// // KL(Beta(1,1) || Beta(2,1)) = -E ln(2 theta) = 1 - ln 2
/// let kl = kl_divergence(&Dirichlet::new(vec![1.0, 1.0])?, &Dirichlet::new(vec![2.0, 1.0])?)?;
/// assert!((kl - (1.0 - 2f64.ln())).abs() < 1e-14);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LengthError`] if the two have different numbers of parameters.
pub fn kl_divergence(a: &Dirichlet, b: &Dirichlet) -> Result<f64, LengthError> {
    let (a, b) = (a.parameters(), b.parameters());
    if a.len() != b.len() {
        return Err(LengthError { left: a.len(), right: b.len() });
    }
    let pairs = || a.iter().zip(b).map(|(&a, &b)| Pair::new(a, b));
    let total = Pair::total(pairs());
    let shift: u32 = pairs().map(Pair::steps).sum();
    let total_first = total.first().plus(Double::from(f64::from(shift)));
    let total_step = total.signed_half().times_exactly(2.0);
    let d_0 = total_step.value() / total_first.value();
    let mut sum = Sum::default();
    for pair in pairs() {
        let n = pair.steps();
        let first = pair.first().plus(Double::from(f64::from(n)));
        let step = pair.signed_half().times_exactly(2.0);
        let cross = step.times(total_first).minus(total_step.times(first));
        let gap = cross.value() / total_first.value() / first.value();
        sum.add(first.value() * (1.0 + d_0) * psi(gap / (1.0 + d_0)));
        sum.add(rest(pair.first().value(), step.value(), n));
    }
    sum.add(-rest(total.first().value(), total_step.value(), shift));
    // If a part overflows, so does the divergence.
    Ok(if sum.value().is_finite() { sum.value().max(0.0) } else { f64::INFINITY })
}

/// `K` without its leading part.
fn rest(a: f64, step: f64, n: u32) -> f64 {
    let raised = a + f64::from(n);
    let d = step / raised;
    let recurrence: f64 = (0..n).map(|i| x_minus_ln_1p(step / (a + f64::from(i)))).sum();
    recurrence + 0.5 * x_minus_ln_1p(d) + mu_bregman(raised, d)
}
