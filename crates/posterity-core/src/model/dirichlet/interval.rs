//! Intervals that hold the probability of a category.

use super::super::level::LevelError;
use super::Dirichlet;
use crate::model::Beta;
use crate::pulse::beat;

/// Why there is no interval for a category.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IntervalError {
    /// The category does not exist.
    #[error("there is no category {index}; give an index below {categories}, counted from zero")]
    NoSuchCategory {
        /// The index given.
        index: usize,
        /// How many categories there are.
        categories: usize,
    },
    /// The level is not strictly between 0 and 1.
    #[error(transparent)]
    Level(#[from] LevelError),
}

impl Dirichlet {
    /// The interval that holds one category's probability with probability `level`, with equal probability on
    /// either side of it.
    ///
    /// ```
    /// use posterity_core::model::Dirichlet;
    /// let uniform = Dirichlet::new(vec![1.0, 1.0])?;
    /// let (low, high) = uniform.interval(0, 0.9)?;
    /// assert!((low - 0.05).abs() < 1e-15 && (high - 0.95).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such category, or `level` is not strictly between 0 and 1.
    pub fn interval(&self, category: usize, level: f64) -> Result<(f64, f64), IntervalError> {
        let missing = IntervalError::NoSuchCategory { index: category, categories: self.len() };
        Ok(self.marginal(category).ok_or(missing)?.interval(level)?)
    }

    /// The equal-tailed interval of every category; see [`Self::interval`].
    ///
    /// ```
    /// use posterity_core::model::Dirichlet;
    /// let uniform = Dirichlet::new(vec![1.0, 1.0])?;
    /// let [low, high] = uniform.intervals(0.5)?[0];
    /// assert!((low - 0.25).abs() < 1e-15 && (high - 0.75).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If `level` is not strictly between 0 and 1.
    pub fn intervals(&self, level: f64) -> Result<Vec<[f64; 2]>, LevelError> {
        let interval = |marginal: Beta| {
            beat();
            marginal.interval(level).map(|(low, high)| [low, high])
        };
        self.marginals().map(interval).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{Outcome, parameters};
    use super::*;
    use crate::special::beta;

    #[test]
    fn rejects_levels() -> Outcome {
        let dirichlet = Dirichlet::new(vec![1.0, 2.0])?;
        for value in [0.0, 1.0, -0.5, 95.0, f64::INFINITY] {
            assert_eq!(dirichlet.intervals(value), Err(LevelError { value }));
            assert_eq!(dirichlet.interval(0, value), Err(IntervalError::Level(LevelError { value })));
        }
        assert!(dirichlet.intervals(f64::NAN).is_err());
        let missing = IntervalError::NoSuchCategory { index: 2, categories: 2 };
        assert_eq!(dirichlet.interval(2, 0.9), Err(missing));
        assert_eq!(dirichlet.marginal(2), None);
        Ok(())
    }

    proptest! {
        /// The interval has probability `level`, and the two tails are equal, up to the change that the last digit of
        /// an end makes.
        #[test]
        fn intervals_cover_their_level(parameters in parameters(), level in 0.01..0.999f64) {
            let dirichlet = Dirichlet::new(parameters)?;
            for (category, [low, high]) in dirichlet.intervals(level)?.into_iter().enumerate() {
                prop_assert_eq!(dirichlet.interval(category, level), Ok((low, high)));
                let Some(marginal) = dirichlet.marginal(category) else { continue };
                let (a, b) = (marginal.a(), marginal.b());
                // An end that is rounded to zero or to one has no tail to compare.
                for (x, found) in [(low, beta::cdf(low, a, b)), (high, beta::sf(high, a, b))] {
                    if x > f64::MIN_POSITIVE && x < 1.0 {
                        let digit = f64::EPSILON * x * libm::exp(beta::ln_density(x, a, b));
                        let tail = 0.5 * (1.0 - level);
                        prop_assert!((found - tail).abs() < 1e-13 + digit, "{}: {} {}", x, found, tail);
                    }
                }
            }
        }
    }
}
