//! How far releases will be from the truth.

use super::estimate::Estimate;
use super::forecast_error::ForecastError;
use super::lattice_draws::LatticeDraws;
use super::made_up::made_up_counts;
use super::truth::Assumed;
use super::unit_points::{COPIES, UnitPoints};
use crate::accuracy::{DecodedError, Metric, decoded_law, mean_over_data};
use crate::decode::{Decoder, decode_all, project};
use crate::distance::hellinger;
use crate::mechanism::{Lattice, Mechanism, Spec};
use crate::model::{Counts, Dirichlet, Epsilon, Prior, Released, Setting};
use crate::parallelism::Parallelism;
use crate::sampler::SeededBits;

/// The expected Hellinger distance of the released from the true posterior, as a function of epsilon, for a mechanism
/// and the decoder after it.
///
/// Where releases are few, all are listed, and the expectation is exact. Elsewhere it is a mean over points of the unit
/// cube.
///
/// ```
/// use posterity_core::decode::Decoder;
/// use posterity_core::forecast::{Assumed, DistanceForecast};
/// use posterity_core::{mechanism::Lattice, model::Prior};
/// let prior = Prior::uniform(2)?;
/// let forecast = DistanceForecast::new(&Lattice.into(), Decoder::Best, &prior, 9, Assumed::Prior)?;
/// assert!(forecast.at(1.0)?.value > forecast.at(2.0)?.value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DistanceForecast {
    spec: Spec,
    decoder: Decoder,
    prior: Prior,
    n: u64,
    assumed: Assumed,
    effort: f64,
}

/// The most probabilities of releases that are listed.
const MAX_LISTED_PROBABILITIES: f64 = 3e5;

/// Outcomes that may be decoded at one data set.
const DECODED: usize = 600;

/// Possible counts that may be weighed in all decoded releases together, and the numbers of points of one copy to
/// choose from.
const WEIGHED: f64 = 2e5;
const DECODED_POINTS: [u64; 5] = [127, 61, 31, 17, 7];

/// The same for releases that are projected. A draw of the noise looks at all its values.
const WORK: f64 = 4e7;
const PROJECTED: [u64; 6] = [4_093, 2_039, 1_021, 509, 251, 127];

impl DistanceForecast {
    /// A forecast for a mechanism and a decoder, a prior and n records.
    ///
    /// # Errors
    /// [`ForecastError`].
    pub fn new(
        spec: &Spec,
        decoder: Decoder,
        prior: &Prior,
        n: u64,
        assumed: Assumed,
    ) -> Result<Self, ForecastError> {
        Setting::new(prior.clone(), n, Epsilon::from_f64(1.0)?)?;
        if let Assumed::Counts(counts) = &assumed
            && counts.len() != prior.len()
        {
            return Err(ForecastError::Categories { assumed: counts.len(), categories: prior.len() });
        }
        Ok(Self { spec: spec.clone(), decoder, prior: prior.clone(), n, assumed, effort: 1.0 })
    }

    /// The same forecast with the number of points multiplied by this factor; a tenth is quick and less precise.
    #[must_use]
    pub fn with_effort(self, effort: f64) -> Self {
        Self { effort, ..self }
    }

    /// The expected distance at this budget.
    ///
    /// # Errors
    /// [`ForecastError`], for example if the mechanism cannot be used at this size.
    pub fn at(&self, epsilon: f64) -> Result<Estimate, ForecastError> {
        let setting = Setting::new(self.prior.clone(), self.n, Epsilon::from_f64(epsilon)?)?;
        let mechanism = self.spec.fit(setting)?;
        let exact = match &self.assumed {
            Assumed::Prior => mean_over_data(&*mechanism, self.decoder, MAX_LISTED_PROBABILITIES),
            Assumed::Counts(counts) => {
                let counts = Counts::new(counts.clone())?;
                let law = decoded_law(
                    &*mechanism,
                    self.decoder,
                    &counts,
                    Metric::Hellinger,
                    MAX_LISTED_PROBABILITIES as u64,
                    DECODED,
                );
                law.map(|law| law.mean())
            }
        };
        match exact {
            Ok(mean) => Ok(Estimate::exact(mean)),
            Err(DecodedError::TooLarge(_)) => self.over_points(&*mechanism),
            Err(error) if error.is_too_many() => self.over_points(&*mechanism),
            Err(error) => Err(error.into()),
        }
    }

    /// The mean over points of the unit cube. Releases are many and quick to project to possible counts, so that the
    /// mean distance of these is taken over many points. What a decoder changes is taken over fewer points and added.
    fn over_points(&self, mechanism: &dyn Mechanism) -> Result<Estimate, ForecastError> {
        let (k, epsilon) = (self.prior.len(), mechanism.setting().epsilon().to_f64());
        let by_quantiles = self.spec == Spec::from(Lattice) && LatticeDraws::fits(k, epsilon);
        let noise = by_quantiles.then(|| LatticeDraws::new(k, epsilon));
        let window = (90.0 / epsilon).min(self.n as f64) + 50.0;
        let at_most = |choices: &[u64], work: f64| {
            let most = self.effort * work / (k as f64 * window * COPIES as f64);
            choices
                .iter()
                .copied()
                .find(|points| *points as f64 <= most)
                .or(choices.last().copied())
                .unwrap_or(7)
        };
        let draws = Draws { forecast: self, mechanism, noise };
        let projected = draws.mean(at_most(&PROJECTED, WORK), Parallelism::AllCores, |truth, released| {
            Ok(hellinger(truth, &self.quick(released)?).unwrap_or(1.0))
        })?;
        if self.decoder == Decoder::None {
            return Ok(projected);
        }
        let parallelism = Parallelism::over_releases(mechanism.setting());
        let decoded = draws.mean(at_most(&DECODED_POINTS, WEIGHED), parallelism, |truth, released| {
            self.change(mechanism, truth, released)
        })?;
        let standard_error = projected.standard_error.hypot(decoded.standard_error);
        Ok(Estimate { value: projected.value + decoded.value, standard_error })
    }

    /// By how much the decoder changes the distance of the projection. If the truth is from the prior, both are known
    /// in expectation given the release, which varies less.
    fn change(
        &self,
        mechanism: &dyn Mechanism,
        truth: &Dirichlet,
        released: &Released,
    ) -> Result<f64, ForecastError> {
        if self.assumed == Assumed::Prior {
            let all = decode_all(mechanism, released)?;
            let expected = |wanted: Decoder| {
                all.iter().find(|(decoder, _)| *decoder == wanted).and_then(|(_, one)| one.expected_distance)
            };
            if let (Some(decoded), Some(projected)) = (expected(self.decoder), expected(Decoder::Projection))
            {
                return Ok(decoded - projected);
            }
        }
        let [decoded, quick] = [self.decoder.decode(mechanism, released)?.posterior, self.quick(released)?];
        // All have k parameters.
        let [decoded, quick] = [decoded, quick].map(|one| hellinger(truth, &one).unwrap_or(1.0));
        Ok(decoded - quick)
    }

    /// A posterior that is made of a release quickly.
    fn quick(&self, released: &Released) -> Result<Dirichlet, ForecastError> {
        Ok(match self.decoder {
            Decoder::None => self.prior.posterior(released.as_slice())?,
            _ => self.prior.posterior(&project(released.as_slice(), self.n))?,
        })
    }
}

/// Made-up data with their releases, one of each for a point of the unit cube.
struct Draws<'a> {
    forecast: &'a DistanceForecast,
    mechanism: &'a dyn Mechanism,
    noise: Option<LatticeDraws>,
}

impl Draws<'_> {
    /// The mean of a function of the true posterior and the release.
    fn mean(
        &self,
        per_copy: u64,
        parallelism: Parallelism,
        function: impl Fn(&Dirichlet, &Released) -> Result<f64, ForecastError> + Sync,
    ) -> Result<Estimate, ForecastError> {
        let DistanceForecast { prior, n, assumed, .. } = self.forecast;
        let points = UnitPoints::new(2 * (prior.len() - 1), per_copy);
        let values = parallelism.map(0..points.len(), |index| {
            let (data, moved) = points.halves(index);
            let counts = match assumed {
                Assumed::Counts(counts) => counts.clone(),
                Assumed::Prior => made_up_counts(prior.parameters(), *n, &data),
            };
            let truth = prior.posterior(&counts)?;
            let released = match &self.noise {
                Some(noise) => noise.clipped(&counts, &moved, *n),
                None => self.mechanism.release(&Counts::new(counts)?, &mut SeededBits::new(index as u64))?,
            };
            function(&truth, &released)
        });
        let values = values.into_iter().collect::<Result<Vec<f64>, ForecastError>>()?;
        let mut means = [0.0; COPIES];
        for (index, value) in values.into_iter().enumerate() {
            means[points.copy(index)] += value / per_copy as f64;
        }
        Ok(Estimate::of_copies(means))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exact expectations against means over points. If this fails, one of them is over another law.
    #[test]
    fn means_over_points_agree_with_exact_ones() {
        let cases = [(&[1.0, 1.0][..], 30, 0.5), (&[1.0, 1.0, 1.0], 9, 1.0)];
        for (prior, n, epsilon) in cases {
            for assumed in [
                Assumed::Prior,
                Assumed::Counts(crate::decode::round_to_total(
                    &vec![n as f64 / prior.len() as f64; prior.len()],
                    n,
                )),
            ] {
                let prior = Prior::new(prior.to_vec()).expect("valid");
                let forecast =
                    DistanceForecast::new(&Lattice.into(), Decoder::Best, &prior, n, assumed).expect("valid");
                let exact = forecast.at(epsilon).expect("small");
                assert_eq!(exact.standard_error, 0.0);
                let setting =
                    Setting::new(prior, n, Epsilon::from_f64(epsilon).expect("positive")).expect("valid");
                let mechanism = forecast.spec.fit(setting).expect("lattice");
                let mean = forecast.over_points(&*mechanism).expect("valid");
                let gap = (exact.value - mean.value).abs();
                assert!(gap < 4.0 * mean.standard_error + 3e-3 * exact.value, "{n}: {exact:?} {mean:?}");
            }
        }
    }
}
