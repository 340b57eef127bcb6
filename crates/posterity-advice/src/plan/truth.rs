//! The made-up data that a plan assumes.

use posterity_core::forecast::made_up_counts;
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::{BitSource, SourceError};

use super::plan_error::PlanError;
use crate::advice::Shape;

/// The most records for which made-up data are drawn from the prior.
pub const MOST_RECORDS: u64 = posterity_core::model::MAX_TOTAL;

/// Up to so many records are drawn one by one.
const ONE_BY_ONE: u64 = 100_000;

/// What a plan assumes of the data, which nobody has seen.
///
/// ```
/// use posterity_advice::Shape;
/// use posterity_advice::plan::Truth;
/// // Three categories that are expected in the proportions 6 : 1 : 3.
/// let truth = Truth::Shape(Shape::new(vec![6.0, 1.0, 3.0])?);
/// # Ok::<(), posterity_advice::ShapeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Truth {
    /// All categories have the same number of records, to within one.
    #[default]
    Even,
    /// The categories have these proportions.
    Shape(Shape),
    /// The data are drawn from the prior, anew for each release.
    Prior,
}

impl Truth {
    /// The one data set that is assumed; none if it is drawn for each release.
    ///
    /// # Errors
    /// [`PlanError`] if the shape is for another number of categories.
    pub fn counts(&self, setting: &Setting) -> Result<Option<Counts>, PlanError> {
        let even = || Shape::new(vec![1.0; setting.k()]);
        let shape = match self {
            Self::Even => even().ok(),
            Self::Shape(shape) if shape.len() != setting.k() => {
                return Err(PlanError::Shape { shape: shape.len(), categories: setting.k() });
            }
            Self::Shape(shape) => Some(shape.clone()),
            Self::Prior if setting.n() > MOST_RECORDS => {
                return Err(PlanError::ManyRecords { n: setting.n(), most: MOST_RECORDS });
            }
            Self::Prior => None,
        };
        Ok(shape.map(|shape| Counts::new(shape.counts(setting.n()))).transpose()?)
    }
}

/// Counts of n records when theta is drawn from the prior and the records from theta, by Polya's urn: the next record
/// is in category i with probability `(alpha_i + c_i)/(A + c_1 + .. + c_k)`. Many records are drawn at once, by the
/// quantiles of [`made_up_counts`]. Floating point decides, so this is for analysis.
pub(super) fn drawn_from_prior(
    prior: &Prior,
    n: u64,
    bits: &mut dyn BitSource,
) -> Result<Vec<u64>, SourceError> {
    let alpha = prior.parameters();
    if n > ONE_BY_ONE {
        let units = (1..alpha.len()).map(|_| Ok((bits.next_u64()? >> 11) as f64 / 9_007_199_254_740_992.0));
        return Ok(made_up_counts(alpha, n, &units.collect::<Result<Vec<f64>, SourceError>>()?));
    }
    let mut weights = alpha.to_vec();
    let mut total: f64 = alpha.iter().sum();
    let mut counts = vec![0_u64; alpha.len()];
    for _ in 0..n {
        let unit = (bits.next_u64()? >> 11) as f64 / 9_007_199_254_740_992.0;
        let mut left = unit * total;
        let chosen = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        let chosen = chosen.unwrap_or(alpha.len() - 1);
        counts[chosen] += 1;
        weights[chosen] += 1.0;
        total += 1.0;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use posterity_core::accuracy::prior_predictive;
    use posterity_core::sampler::SeededBits;

    use super::*;

    /// If this fails, averages over the prior are over another law. Every number of successes is compared with its
    /// probability; 20,000 draws, five standard errors, so that a false alarm has a probability below 1e-5.
    #[test]
    fn the_urn_draws_from_the_prior_predictive_law() {
        let prior = Prior::new(vec![0.5, 2.0]).expect("valid");
        let (n, draws, bits) = (6, 20_000, &mut SeededBits::new(11));
        let mut seen = [0_u32; 7];
        for _ in 0..draws {
            seen[drawn_from_prior(&prior, n, bits).expect("bits")[0] as usize] += 1;
        }
        for (count, &times) in (0..).zip(&seen) {
            let p = prior_predictive(&prior, &[count, n - count]);
            let error = (p * (1.0 - p) / f64::from(draws)).sqrt();
            let found = f64::from(times) / f64::from(draws);
            assert!((found - p).abs() < 5.0 * error, "{count}: {found} for {p}");
        }
    }
}
