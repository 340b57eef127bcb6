//! The Hellinger distance between Dirichlet distributions.

use super::{LengthError, Pair, cost};
use crate::model::{Dirichlet, Prior};

/// The Hellinger distance `H = sqrt(1 - B((a+b)/2) / sqrt(B(a) B(b)))`, between 0 and 1. Its relative error is below
/// 1e-12 for parameters from 1e-3 to 1e12 (docs/proofs/ln-bc.md).
///
/// ```
/// use posterity_core::{distance::hellinger, model::Dirichlet};
/// let h = hellinger(&Dirichlet::new(vec![1.0, 2.0])?, &Dirichlet::new(vec![2.0, 1.0])?)?;
/// assert!((h - (1.0 - std::f64::consts::FRAC_PI_4).sqrt()).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LengthError`] if the two have different numbers of parameters.
pub fn hellinger(a: &Dirichlet, b: &Dirichlet) -> Result<f64, LengthError> {
    let (a, b) = (a.parameters(), b.parameters());
    if a.len() != b.len() {
        return Err(LengthError { left: a.len(), right: b.len() });
    }
    Ok(from_cost(cost(a.iter().zip(b).map(|(&a, &b)| Pair::new(a, b)))))
}

/// The Hellinger distance between the posteriors of two vectors of counts under one prior. The counts may have
/// different sums.
///
/// ```
/// use posterity_core::{distance::hellinger_of_counts, model::Prior};
/// let h = hellinger_of_counts(&Prior::uniform(2)?, &[0, 1], &[1, 0])?;
/// assert!((h - (1.0 - std::f64::consts::FRAC_PI_4).sqrt()).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LengthError`] if either has another number of categories than the prior.
pub fn hellinger_of_counts(prior: &Prior, c: &[u64], r: &[u64]) -> Result<f64, LengthError> {
    for counts in [c, r] {
        if counts.len() != prior.len() {
            return Err(LengthError { left: prior.len(), right: counts.len() });
        }
    }
    let pairs = prior.parameters().iter().zip(c.iter().zip(r));
    Ok(from_cost(cost(pairs.map(|(&alpha, (&c, &r))| Pair::of_counts(alpha, c, r)))))
}

/// The Hellinger distance `sqrt(1 - exp(-cost))` for `cost = -ln BC`; see [`cost`].
///
/// ```
/// use posterity_core::distance::from_cost;
/// assert_eq!(from_cost(0.0), 0.0);
/// assert!((from_cost(2f64.ln()) - 0.5f64.sqrt()).abs() < 1e-15);
/// ```
#[must_use]
pub fn from_cost(cost: f64) -> f64 {
    // Adding zero turns a negative zero into a positive one.
    libm::sqrt(-libm::expm1(-cost) + 0.0)
}
