//! The Beta distribution of one category's probability.

use super::level::{LevelError, interval_level};
use crate::special::beta;

/// The Beta distribution of one category's probability; see [`Dirichlet::marginal`](super::Dirichlet::marginal).
///
/// ```
/// use posterity_core::model::Dirichlet;
/// let posterior = Dirichlet::new(vec![1.0, 1.0, 1.0])?;
/// let share = posterior.marginal(0).ok_or("no such category")?; // Beta(1, 2)
/// assert!((share.cdf(0.25) - 0.4375).abs() < 1e-15);
/// assert!((share.quantile(0.4375) - 0.25).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    a: f64,
    b: f64,
}

impl Beta {
    /// The distribution with these parameters, which the caller knows to be positive.
    pub(crate) fn new(a: f64, b: f64) -> Self {
        Self { a, b }
    }

    /// The parameter of the category.
    #[must_use]
    pub fn a(&self) -> f64 {
        self.a
    }

    /// The sum of the parameters of the other categories.
    #[must_use]
    pub fn b(&self) -> f64 {
        self.b
    }

    /// The density at `x`.
    #[must_use]
    pub fn density(&self, x: f64) -> f64 {
        libm::exp(self.ln_density(x))
    }

    /// The logarithm of the density at `x`; see [`beta::ln_density`].
    #[must_use]
    pub fn ln_density(&self, x: f64) -> f64 {
        beta::ln_density(x, self.a, self.b)
    }

    /// The probability of at most `x`; see [`beta::cdf`].
    #[must_use]
    pub fn cdf(&self, x: f64) -> f64 {
        beta::cdf(x, self.a, self.b)
    }

    /// The value with probability `p` below it; see [`beta::quantile`].
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        beta::quantile(p, self.a, self.b)
    }

    /// The interval that has probability `level`, with equal probability on either side of it.
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn interval(&self, level: f64) -> Result<(f64, f64), LevelError> {
        let tail = 0.5 * (1.0 - interval_level(level)?);
        Ok((beta::quantile(tail, self.a, self.b), beta::upper_quantile(tail, self.a, self.b)))
    }
}
