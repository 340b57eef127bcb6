//! The local sensitivity: the largest change that one record can make to the posterior of one data set.

use super::step_cost;
use crate::distance::from_cost;
use crate::model::{Counts, Prior, PriorError};

/// `LS(c)`, the largest Hellinger distance from `DirP(c)` to the posterior of an adjacent data set, in O(k).
///
/// ```
/// use posterity_core::{model::{Counts, Prior}, sensitivity::local};
/// // At these counts a difference of log-gammas would have no correct digit.
/// let ls = local(&Prior::uniform(2)?, &Counts::new(vec![500_000_000, 500_000_000])?)?;
/// assert!((ls / 2.236_067_976_102_247e-5 - 1.0).abs() < 1e-11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`PriorError::WrongLength`] if there are not as many counts as prior parameters.
pub fn local(prior: &Prior, counts: &Counts) -> Result<f64, PriorError> {
    Ok(from_cost(local_cost(prior, counts)?))
}

/// `-ln BC` of the posterior and the adjacent one that is furthest from it.
pub(crate) fn local_cost(prior: &Prior, counts: &Counts) -> Result<f64, PriorError> {
    if counts.len() != prior.len() {
        return Err(PriorError::WrongLength { found: prior.len(), expected: counts.len() });
    }
    let categories = || prior.parameters().iter().zip(counts.as_slice()).enumerate();
    let sources = Largest::among(
        categories().filter(|&(_, (_, &c))| c > 0).map(|(i, (&a, &c))| (i, step_cost(a, c - 1))),
    );
    let targets = Largest::among(categories().map(|(j, (&a, &c))| (j, step_cost(a, c))));
    Ok(sources.plus_another(&targets))
}

/// The largest cost with its category, and the largest cost of the other categories.
#[derive(Default)]
struct Largest {
    first: Option<(usize, f64)>,
    second: Option<f64>,
}

impl Largest {
    fn among(costs: impl Iterator<Item = (usize, f64)>) -> Self {
        let mut largest = Self::default();
        for (index, cost) in costs {
            match largest.first {
                Some((_, first)) if cost <= first => {
                    if largest.second.is_none_or(|second| cost > second) {
                        largest.second = Some(cost);
                    }
                }
                first => {
                    largest.second = first.map(|(_, cost)| cost);
                    largest.first = Some((index, cost));
                }
            }
        }
        largest
    }

    /// The largest sum of two costs of different categories; zero if there is no such pair.
    fn plus_another(&self, other: &Self) -> f64 {
        let (Some((i, a)), Some((j, b))) = (self.first, other.first) else { return 0.0 };
        if i != j {
            return a + b;
        }
        let left = self.second.map_or(0.0, |second| second + b);
        let right = other.second.map_or(0.0, |second| a + second);
        left.max(right)
    }
}
