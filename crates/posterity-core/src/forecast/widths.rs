//! How wide intervals will be.

use std::collections::BTreeMap;

use super::coarse::Coarse;
use super::estimate::Estimate;
use super::forecast_error::ForecastError;
use super::lattice_draws::LatticeDraws;
use super::made_up::made_up_counts;
use super::smoothed::Smoothed;
use super::truth::Assumed;
use super::unit_points::{COPIES, UnitPoints};
use crate::accuracy::prior_predictive;
use crate::decode::noise_aware;
use crate::mechanism::{Lattice, LawError, Mechanism, Space, Spec};
use crate::model::{Counts, Epsilon, Prior, Released, Setting, interval_level};
use crate::parallelism::Parallelism;
use crate::pulse::beat;
use crate::sampler::SeededBits;
use crate::special::{Sum, beta};

/// The expected half-width of the noise-aware interval of each category, in units of its share, as a function of
/// epsilon.
///
/// Where releases are few, all are listed, and the expectation is exact. Elsewhere it is a mean over points of the unit
/// cube. The mean is taken over what the noise adds to the width without noise, and the expectation of the latter is
/// added, so that the result is precise where the noise matters little, too.
///
/// ```
/// use posterity_core::forecast::{Assumed, WidthForecast};
/// use posterity_core::{mechanism::Lattice, model::Prior};
/// let forecast = WidthForecast::new(&Lattice.into(), &Prior::uniform(2)?, 90, 0.95, Assumed::Counts(vec![45, 45]))?;
/// let width = forecast.at(1.0)?[0].value;
/// assert!((width - 0.1054).abs() < 1e-4 && width > forecast.without()[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WidthForecast {
    spec: Spec,
    prior: Prior,
    n: u64,
    level: f64,
    assumed: Assumed,
    without: Vec<f64>,
    effort: f64,
}

/// The most probabilities of releases that are listed.
const MAX_LISTED_PROBABILITIES: f64 = 2e6;

/// Possible counts that may be weighed in all releases together.
const WEIGHED: f64 = 6e5;

/// The numbers of points of one copy to choose from.
const POINTS: [u64; 5] = [251, 127, 61, 31, 17];

impl WidthForecast {
    /// A forecast for a mechanism, a prior, n records and intervals of this level.
    ///
    /// # Errors
    /// [`ForecastError`].
    pub fn new(
        spec: &Spec,
        prior: &Prior,
        n: u64,
        level: f64,
        assumed: Assumed,
    ) -> Result<Self, ForecastError> {
        let level = interval_level(level)?;
        Setting::new(prior.clone(), n, Epsilon::from_f64(1.0)?)?;
        if let Assumed::Counts(counts) = &assumed
            && counts.len() != prior.len()
        {
            return Err(ForecastError::Categories { assumed: counts.len(), categories: prior.len() });
        }
        let without = without_noise(prior, n, level, &assumed);
        Ok(Self { spec: spec.clone(), prior: prior.clone(), n, level, assumed, without, effort: 1.0 })
    }

    /// The same forecast with the number of points multiplied by this factor; a tenth is quick and less precise.
    #[must_use]
    pub fn with_effort(self, effort: f64) -> Self {
        Self { effort, ..self }
    }

    /// The expected half-width of each category without any noise.
    #[must_use]
    pub fn without(&self) -> &[f64] {
        &self.without
    }

    /// The half-width of each category under the prior alone: what is known before any release.
    #[must_use]
    pub fn before(&self) -> Vec<f64> {
        let total: f64 = self.prior.parameters().iter().sum();
        self.prior.parameters().iter().map(|&alpha| half_width(alpha, total - alpha, self.level)).collect()
    }

    /// The expected half-width of each category at this budget.
    ///
    /// # Errors
    /// [`ForecastError`], for example if the mechanism cannot be used at this size.
    pub fn at(&self, epsilon: f64) -> Result<Vec<Estimate>, ForecastError> {
        match self.listed(epsilon)? {
            Some(exact) => Ok(exact),
            None => self.over_points(epsilon),
        }
    }

    /// The same for the category whose interval is expected to be widest.
    ///
    /// # Errors
    /// As [`WidthForecast::at`].
    pub fn widest(&self, epsilon: f64) -> Result<Estimate, ForecastError> {
        let all = self.at(epsilon)?.into_iter();
        Ok(all.max_by(|a, b| a.value.total_cmp(&b.value)).unwrap_or(Estimate::exact(0.0)))
    }

    fn fit(&self, n: u64, epsilon: f64) -> Result<Box<dyn Mechanism>, ForecastError> {
        let setting = Setting::new(self.prior.clone(), n, Epsilon::from_f64(epsilon)?)?;
        Ok(self.spec.fit(setting)?)
    }

    /// Whether all categories have the same expected half-width.
    fn is_symmetric(&self) -> bool {
        let alpha = self.prior.parameters();
        let even = match &self.assumed {
            Assumed::Prior => true,
            Assumed::Counts(counts) => counts.iter().all(|count| *count == counts[0]),
        };
        even && self.spec.description().exchangeable && alpha.iter().all(|one| *one == alpha[0])
    }

    /// The exact expectations, if releases are few.
    fn listed(&self, epsilon: f64) -> Result<Option<Vec<Estimate>>, ForecastError> {
        let k = self.prior.len();
        let mechanism = self.fit(self.n, epsilon)?;
        let outcomes = mechanism.space().size(k, self.n);
        let data = match &self.assumed {
            Assumed::Prior => Space::Candidates.size(k, self.n),
            Assumed::Counts(_) => 1.0,
        };
        if outcomes * data > self.effort.min(1.0) * MAX_LISTED_PROBABILITIES {
            return Ok(None);
        }
        let mut probabilities = vec![0.0; outcomes as usize];
        let mut add = |weight: f64, counts: &[u64]| -> Result<(), ForecastError> {
            let law = mechanism.ln_probabilities(&Counts::new(counts.to_vec())?);
            let law = law.map_err(|error| crate::accuracy::DecodedError::Law(LawError::Setting(error)))?;
            probabilities.iter_mut().zip(law).for_each(|(sum, ln)| *sum += weight * libm::exp(ln));
            Ok(())
        };
        match &self.assumed {
            Assumed::Counts(counts) => add(1.0, counts)?,
            Assumed::Prior => {
                for counts in Space::Candidates.list(k, self.n) {
                    beat();
                    add(prior_predictive(&self.prior, &counts), &counts)?;
                }
            }
        }
        // Releases that differ by an exchange of categories are looked at once.
        let symmetric = self.is_symmetric();
        let mut classes: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
        let mut index = 0;
        mechanism.space().for_each(k, self.n, |released| {
            let mut released = released.to_vec();
            if symmetric {
                released.sort_unstable();
            }
            *classes.entry(released).or_default() += probabilities[index];
            index += 1;
        });
        classes.retain(|_, probability| *probability > LEFT_OUT_PROBABILITY / outcomes);
        let window = (90.0 / epsilon).min(self.n as f64);
        if classes.len() as f64 * k as f64 * window > LISTED_EFFORT * WEIGHED {
            return Ok(None);
        }
        let exact = Coarse { n: self.n, records: 1.0, epsilon };
        let classes: Vec<(Released, f64)> = classes
            .into_iter()
            .map(|(released, probability)| (Released::new(released), probability))
            .collect();
        let widths = Parallelism::AllCores.try_map(&classes, |(released, probability)| {
            let mut widths = self.half_widths(&*mechanism, &exact, released)?;
            widths.iter_mut().for_each(|width| *width *= probability);
            Ok::<Vec<f64>, ForecastError>(widths)
        })?;
        let known = classes.iter().map(|class| class.1).collect::<Sum>().value();
        let mean = |i: usize| widths.iter().map(|one| one[i]).collect::<Sum>().value() / known;
        Ok(Some((0..k).map(|i| Estimate::exact(mean(i))).collect()))
    }

    /// The half-width of each category after a release; of categories that are alike, their mean.
    fn half_widths(
        &self,
        mechanism: &dyn Mechanism,
        coarse: &Coarse,
        released: &Released,
    ) -> Result<Vec<f64>, ForecastError> {
        let aware = noise_aware(mechanism, released)?;
        let alpha = self.prior.parameters();
        let total: f64 = alpha.iter().sum();
        let mut widths = Vec::with_capacity(alpha.len());
        for (marginal, &alpha) in aware.marginals().iter().zip(alpha) {
            let (low, high) = if coarse.is_exact() {
                marginal.interval(self.level)?
            } else {
                Smoothed::new(coarse, alpha, total, marginal.counts()).interval(self.level)
            };
            widths.push(0.5 * (high - low));
        }
        self.share(&mut widths);
        Ok(widths)
    }

    /// Puts the mean in place of each, if all categories are alike.
    fn share(&self, widths: &mut [f64]) {
        if self.is_symmetric() {
            let mean = widths.iter().sum::<f64>() / widths.len() as f64;
            widths.fill(mean);
        }
    }

    /// Means over points of the unit cube.
    fn over_points(&self, epsilon: f64) -> Result<Vec<Estimate>, ForecastError> {
        let total: f64 = self.prior.parameters().iter().sum();
        self.over_points_in(Coarse::new(self.n, epsilon, total))
    }

    /// The same in these units.
    fn over_points_in(&self, coarse: Coarse) -> Result<Vec<Estimate>, ForecastError> {
        let k = self.prior.len();
        let alpha = self.prior.parameters();
        let total: f64 = alpha.iter().sum();
        let mechanism = self.fit(coarse.n, coarse.epsilon)?;
        let window = (90.0 / coarse.epsilon).min(coarse.n as f64) + 50.0;
        let most = self.effort * WEIGHED / (k as f64 * window * COPIES as f64);
        let per_copy = POINTS.into_iter().find(|points| *points as f64 <= most).unwrap_or(17);
        let points = UnitPoints::new(2 * (k - 1), per_copy);
        let by_quantiles = self.spec == Spec::from(Lattice) && LatticeDraws::fits(k, coarse.epsilon);
        let noise = by_quantiles.then(|| LatticeDraws::new(k, coarse.epsilon));
        let fixed = match &self.assumed {
            Assumed::Prior => None,
            Assumed::Counts(counts) => Some(in_units(counts, &coarse)),
        };
        let added = Parallelism::over_releases(mechanism.setting())
            .map(0..points.len(), |index| {
                let (data, moved) = points.halves(index);
                let counts = match &fixed {
                    Some(counts) => counts.clone(),
                    None => made_up_counts(alpha, coarse.n, &data),
                };
                let released = match &noise {
                    Some(noise) => noise.clipped(&counts, &moved, coarse.n),
                    None => {
                        let bits = &mut SeededBits::new(index as u64);
                        mechanism.release(&Counts::new(counts.clone())?, bits)?
                    }
                };
                let mut widths = self.half_widths(&*mechanism, &coarse, &released)?;
                let mut without: Vec<f64> = (counts.iter().zip(alpha))
                    .map(|(&count, &alpha)| {
                        let count = count as f64 * coarse.records;
                        half_width(alpha + count, total - alpha + (self.n as f64 - count), self.level)
                    })
                    .collect();
                self.share(&mut without);
                widths.iter_mut().zip(without).for_each(|(width, without)| *width -= without);
                Ok(widths)
            })
            .into_iter()
            .collect::<Result<Vec<Vec<f64>>, ForecastError>>()?;
        let mut means = vec![[0.0; COPIES]; k];
        for (index, widths) in added.iter().enumerate() {
            for (mean, width) in means.iter_mut().zip(widths) {
                mean[points.copy(index)] += width / per_copy as f64;
            }
        }
        Ok(means
            .into_iter()
            .zip(&self.without)
            .map(|(mean, &without)| Estimate::of_copies(mean).plus(without))
            .collect())
    }
}

/// Releases are left out of a list if all of them together are less likely than this.
const LEFT_OUT_PROBABILITY: f64 = 1e-9;

/// How many times the effort of points a list may take, because it is exact.
const LISTED_EFFORT: f64 = 6.0;

/// Whole units in the proportions of the counts, which sum to all units.
fn in_units(counts: &[u64], coarse: &Coarse) -> Vec<u64> {
    let mut sum = 0;
    let mut before = 0;
    let ends = counts.iter().map(|count| {
        sum += count;
        libm::round(sum as f64 / coarse.records) as u64
    });
    let parts =
        ends.map(|end| end.min(coarse.n).saturating_sub(std::mem::replace(&mut before, end.min(coarse.n))));
    parts.collect()
}

/// Half of the interval of Beta(a, b) with this probability.
fn half_width(a: f64, b: f64, level: f64) -> f64 {
    let tail = 0.5 * (1.0 - level);
    0.5 * (beta::upper_quantile(tail, a, b) - beta::quantile(tail, a, b))
}

/// Parts of equal probability into which the law of a count is cut.
const PARTS: u32 = 600;

/// The expected half-width of each category without noise.
fn without_noise(prior: &Prior, n: u64, level: f64, assumed: &Assumed) -> Vec<f64> {
    let alpha = prior.parameters();
    let total: f64 = alpha.iter().sum();
    let mut known: BTreeMap<u64, f64> = BTreeMap::new();
    let mut one = |i: usize| {
        let own = alpha[i];
        let at = |count: u64| half_width(own + count as f64, total - own + (n - count.min(n)) as f64, level);
        match assumed {
            Assumed::Counts(counts) => at(counts[i]),
            // Categories with the same parameter have the same expectation.
            Assumed::Prior => *known.entry(own.to_bits()).or_insert_with(|| {
                if n <= u64::from(PARTS) {
                    let both = Prior::new(vec![own, total - own]);
                    let weigh = |count: u64| {
                        both.as_ref().map_or(0.0, |both| prior_predictive(both, &[count, n - count]))
                    };
                    return (0..=n).map(|count| weigh(count) * at(count)).collect::<Sum>().value();
                }
                let middle = |part: u32| (f64::from(part) + 0.5) / f64::from(PARTS);
                let parts =
                    (0..PARTS).map(|part| at(made_up_counts(&[own, total - own], n, &[middle(part)])[0]));
                parts.collect::<Sum>().value() / f64::from(PARTS)
            }),
        }
    };
    (0..alpha.len()).map(&mut one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecast(prior: &[f64], n: u64, assumed: Assumed) -> WidthForecast {
        let prior = Prior::new(prior.to_vec()).expect("valid");
        WidthForecast::new(&Lattice.into(), &prior, n, 0.95, assumed).expect("valid")
    }

    /// Listed releases against means over points. If this fails, one of them is over another law.
    #[test]
    fn means_over_points_agree_with_lists() {
        for (prior, n, epsilon) in
            [(&[1.0, 1.0][..], 40, 0.5), (&[1.0, 1.0, 1.0], 12, 1.0), (&[0.5, 2.0], 60, 0.2)]
        {
            for shape in [None, Some(n / 3)] {
                let assumed = shape.map_or(Assumed::Prior, |first| {
                    let mut counts = vec![0; prior.len()];
                    (counts[0], counts[1]) = (first, n - first);
                    Assumed::Counts(counts)
                });
                let forecast = forecast(prior, n, assumed);
                let listed = forecast.listed(epsilon).expect("valid").expect("few");
                for (exact, mean) in listed.iter().zip(forecast.over_points(epsilon).expect("valid")) {
                    let gap = (exact.value - mean.value).abs();
                    assert!(
                        gap < 4.0 * mean.standard_error + 2e-3 * exact.value,
                        "{prior:?} {n}: {exact:?} {mean:?}"
                    );
                }
            }
        }
    }

    /// Larger units against records, with many points for both. The error of units is far below 1 %.
    #[test]
    fn larger_units_change_little() {
        for (prior, n, epsilon) in
            [(&[1.0, 1.0][..], 3_000, 0.02), (&[1.0, 1.0], 4_000, 0.004), (&[0.5, 1.0], 4_000, 0.01)]
        {
            let forecast = forecast(prior, n, Assumed::Prior).with_effort(40.0);
            let coarse = Coarse::new(n, epsilon, prior.iter().sum());
            assert!(!coarse.is_exact());
            let units = forecast.over_points_in(coarse).expect("valid");
            let records = forecast.over_points_in(Coarse { n, records: 1.0, epsilon }).expect("valid");
            for (units, records) in units.iter().zip(records) {
                let gap = (units.value / records.value - 1.0).abs();
                assert!(gap < 3e-3, "{prior:?} {n} {epsilon}: {units:?} {records:?}");
            }
        }
    }

    /// Without noise: the sum over all counts against parts of equal probability.
    #[test]
    fn widths_without_noise_are_precise() {
        let prior = Prior::new(vec![1.0, 3.0]).expect("valid");
        let n = 3_000;
        let parts = without_noise(&prior, n, 0.95, &Assumed::Prior)[0];
        let all = (0..=n).map(|count| {
            let width = half_width(1.0 + count as f64, 3.0 + (n - count) as f64, 0.95);
            prior_predictive(&prior, &[count, n - count]) * width
        });
        let all = all.collect::<Sum>().value();
        assert!((parts / all - 1.0).abs() < 3e-4, "{parts} {all}");
    }

    #[test]
    fn counts_in_units_sum_to_all_units() {
        let coarse = Coarse { n: 7, records: 3.0, epsilon: 0.1 };
        assert_eq!(in_units(&[10, 0, 11], &coarse), [3, 0, 4]);
        assert_eq!(in_units(&[21, 0, 0], &coarse), [7, 0, 0]);
    }

    #[test]
    fn rejects() {
        let prior = Prior::uniform(2).expect("valid");
        let new =
            |n, level, assumed| WidthForecast::new(&Lattice.into(), &prior, n, level, assumed).map(|_| ());
        assert!(matches!(new(0, 0.95, Assumed::Prior), Err(ForecastError::Setting(_))));
        assert!(matches!(new(9, 1.0, Assumed::Prior), Err(ForecastError::Level(_))));
        let refused = new(3, 0.95, Assumed::Counts(vec![1; 3]));
        assert_eq!(refused, Err(ForecastError::Categories { assumed: 3, categories: 2 }));
        assert!(matches!(forecast(&[1.0, 1.0], 9, Assumed::Prior).at(-1.0), Err(ForecastError::Epsilon(_))));
    }
}
