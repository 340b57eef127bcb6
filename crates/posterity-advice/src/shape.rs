//! Expected proportions of categories.

use thiserror::Error;

/// The expected proportions of the categories. They need not sum to one.
///
/// ```
/// use posterity_advice::{Shape, ShapeError};
/// assert!(Shape::new(vec![60.0, 10.0, 30.0]).is_ok());
/// assert_eq!(Shape::new(vec![0.0, 0.0]), Err(ShapeError::AllZero));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Shape(Vec<f64>);

/// Why numbers are not proportions.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// A proportion is negative, infinite or not a number.
    #[error("proportion {} is {value}; give numbers of zero or more", index + 1)]
    Negative {
        /// Its index, from zero.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// All proportions are zero, or there are none.
    #[error("all proportions are zero; give at least one above zero")]
    AllZero,
}

impl Shape {
    /// Proportions of zero or more, not all zero.
    ///
    /// # Errors
    /// [`ShapeError`].
    pub fn new(parts: Vec<f64>) -> Result<Self, ShapeError> {
        let bad = parts.iter().position(|part| !(part.is_finite() && *part >= 0.0));
        if let Some(index) = bad {
            return Err(ShapeError::Negative { index, value: parts[index] });
        }
        if parts.iter().sum::<f64>() <= 0.0 {
            return Err(ShapeError::AllZero);
        }
        Ok(Self(parts))
    }

    /// One proportion for each of some categories, of which there is at least one.
    #[must_use]
    pub fn even(categories: usize) -> Self {
        Self(vec![1.0; categories.max(1)])
    }

    /// The proportions, so that they sum to one.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        let all: f64 = self.0.iter().sum();
        self.0.iter().map(|part| part / all).collect()
    }

    /// How many proportions there are, one for each category.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "there is always a proportion above zero")]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whole counts in these proportions that sum to n: the largest remainders are rounded up.
    ///
    /// ```
    /// assert_eq!(posterity_advice::Shape::new(vec![6.0, 1.0, 3.0])?.counts(90), [54, 9, 27]);
    /// # Ok::<(), posterity_advice::ShapeError>(())
    /// ```
    #[must_use]
    pub fn counts(&self, n: u64) -> Vec<u64> {
        apportion(&self.0, n)
    }
}

/// Whole counts in the given proportions that sum to n: the largest remainders are rounded up.
fn apportion(shape: &[f64], n: u64) -> Vec<u64> {
    let total: f64 = shape.iter().sum();
    let exact: Vec<f64> = shape.iter().map(|part| part / total * n as f64).collect();
    let mut counts: Vec<u64> = exact.iter().map(|share| share.floor() as u64).collect();
    let mut order: Vec<usize> = (0..shape.len()).collect();
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let missing = n.saturating_sub(counts.iter().sum());
    order.into_iter().cycle().take(missing as usize).for_each(|category| counts[category] += 1);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apportionment_keeps_the_total() {
        assert_eq!(apportion(&[1.0, 1.0], 731), [366, 365]);
        assert_eq!(apportion(&[6.0, 1.0, 3.0], 90), [54, 9, 27]);
        assert_eq!(apportion(&[1.0, 0.0], 5), [5, 0]);
        assert_eq!(apportion(&[1.0; 3], 1_000_000_000_000).iter().sum::<u64>(), 1_000_000_000_000);
    }
}
