//! Mechanisms and decoders side by side.

use std::fmt;
use std::sync::Arc;

use posterity_core::accuracy::{
    DecodedError, DistanceLaw, Metric, decoded_law, mean_over_data, simulate_decoded,
};
use posterity_core::calibrate::{self, CalibrationError};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{Description, Guarantee, Mechanism, Spec};
use posterity_core::model::{Counts, Setting};
use posterity_core::sampler::SeededBits;
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::document::Calibration;
use crate::terms::AUDIT_LIMIT;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The mechanisms.
    pub mechanisms: Vec<Spec>,
    /// The decoders to show each mechanism of known noise with; the one that belongs to it if not given.
    pub decoders: Option<Vec<Decoder>>,
    /// How the distances are found.
    pub measure: Measure,
    /// Whether to show the mean over all data against the least that is possible.
    pub limit: bool,
    /// Whether to keep the laws, which may have millions of points, to draw them.
    pub keep_laws: bool,
}

/// How the distances are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// What they are measured in.
    pub metric: Metric,
    /// Simulate this many releases instead of listing the outcomes.
    pub runs: Option<usize>,
    /// Seed of the simulation.
    pub seed: u64,
    /// List at most this many outcomes.
    pub max_outcomes: u64,
    /// A decoder takes milliseconds: decode at most this many outcomes, or else `decoded_runs` simulated ones.
    pub decoded: usize,
    /// Simulated releases where there are too many outcomes to decode.
    pub decoded_runs: usize,
}

/// The result. It depends on the data without protection.
#[derive(Clone, Serialize)]
pub struct Comparison {
    /// The prior's parameters.
    pub prior: Vec<f64>,
    /// The data.
    pub counts: Vec<u64>,
    /// The number of records.
    pub n: u64,
    /// The privacy budget.
    pub epsilon: f64,
    /// What is measured.
    #[serde(serialize_with = "as_text")]
    pub distance: Metric,
    /// Always false.
    pub private: bool,
    /// The least mean distance over all data of any private mechanism onto the candidates, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// The nearest first.
    pub rows: Vec<Row>,
    /// The law behind each row, if they are kept.
    #[serde(skip)]
    pub laws: Vec<DistanceLaw>,
    /// Mechanisms with too many outcomes to be listed.
    #[serde(skip)]
    pub left_out: Vec<&'static Description>,
}

/// Hides the counts.
impl fmt::Debug for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparison").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// One mechanism's distances.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The mechanism.
    pub mechanism: &'static Description,
    /// What follows it.
    pub decoder: Decoder,
    /// Whether it has a guarantee.
    pub private: bool,
    /// How its scale was set.
    pub calibration: Calibration,
    /// The mean.
    pub expected_distance: f64,
    /// The standard error of the mean, if it was simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
    /// The median.
    pub median: f64,
    /// The lower quartile.
    pub q1: f64,
    /// The upper quartile.
    pub q3: f64,
    /// How likely the true posterior is released.
    pub probability_exact: f64,
    /// Where the numbers come from.
    pub method: Method,
    /// The mean distance over all data sets, which follow the prior.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior_mean: Option<f64>,
    /// How many times the limit that is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_to_limit: Option<f64>,
    /// What is different from what was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Where the numbers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// All outcomes with their probabilities.
    Exact,
    /// Seeded releases.
    Simulated,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exact => "exact",
            Self::Simulated => "simulated",
        })
    }
}

/// Why there is no comparison.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ComparisonError {
    /// The mechanism cannot be made.
    #[error(transparent)]
    Mechanism(#[from] CalibrationError),
    /// A mechanism cannot be measured.
    #[error(transparent)]
    Decoded(#[from] DecodedError),
    /// More simulated releases than fit in memory.
    #[error("{runs} releases would be simulated; the most is {}", Measure::MAX_RUNS)]
    TooManyRuns {
        /// How many were asked for.
        runs: usize,
    },
    /// The limit is about Hellinger distances.
    #[error("the limit is known for the distance hellinger only, not for {metric}")]
    LimitMetric {
        /// The other distance.
        metric: Metric,
    },
    /// There is no limit to report.
    #[cfg(feature = "limit")]
    #[error(transparent)]
    Limit(#[from] posterity_core::accuracy::LimitError),
    /// This build cannot solve for the limit.
    #[error("this build does not know the limit; build it with the feature limit")]
    NoLimit,
    /// There is nothing left to compare.
    #[error("every mechanism has more outcomes than the {max_outcomes} that may be listed")]
    AllLeftOut {
        /// How many may be listed.
        max_outcomes: u64,
    },
}

/// Compares mechanisms at one data set. `progress` is called with the number of steps done: data sets audited, mechanisms
/// measured.
///
/// # Errors
/// [`ComparisonError`].
pub fn compare(
    setting: &Setting,
    counts: &Counts,
    contest: &Contest,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Comparison, ComparisonError> {
    let Contest { mechanisms, decoders, measure, limit, keep_laws } = contest;
    if let Some(runs) = measure.runs.filter(|&runs| runs > Measure::MAX_RUNS) {
        return Err(ComparisonError::TooManyRuns { runs });
    }
    let limit = if *limit { Some(find_limit(setting, measure.metric)?) } else { None };
    let mut found = Vec::with_capacity(mechanisms.len());
    let mut left_out = Vec::new();
    for spec in mechanisms {
        let spec = calibrate::resolve(spec, setting, AUDIT_LIMIT, progress)?;
        let mechanism: Arc<dyn Mechanism> = calibrate::fit(&spec, setting, AUDIT_LIMIT, progress)?.into();
        for decoder in decoders_for(decoders.as_deref(), &*mechanism) {
            let mechanism = Arc::clone(&mechanism);
            let contender = Contender { mechanism, calibration: Calibration::of(&spec), decoder };
            match contender.measured(counts, *measure)? {
                Some(measured) => {
                    let mut row = measured.row;
                    if let Some(limit) = limit
                        && row.note.is_none()
                    {
                        let mean = mean_over_data(&*contender.mechanism, contender.decoder, AUDIT_LIMIT)?;
                        row.prior_mean = Some(mean);
                        row.ratio_to_limit = Some(mean / limit);
                    }
                    found.push((row, keep_laws.then_some(measured.law)));
                }
                None => left_out.push(spec.description()),
            }
            progress(1);
        }
    }
    if found.is_empty() {
        return Err(ComparisonError::AllLeftOut { max_outcomes: measure.max_outcomes });
    }
    found.sort_by(|(a, _), (b, _)| a.expected_distance.total_cmp(&b.expected_distance));
    let (rows, laws): (Vec<Row>, Vec<Option<DistanceLaw>>) = found.into_iter().unzip();
    Ok(Comparison {
        prior: setting.prior().parameters().to_vec(),
        counts: counts.as_slice().to_vec(),
        n: setting.n(),
        epsilon: setting.epsilon().to_f64(),
        distance: measure.metric,
        private: false,
        limit,
        rows,
        laws: laws.into_iter().flatten().collect(),
        left_out,
    })
}

impl Measure {
    /// What `compare` decodes and simulates unless told otherwise.
    pub const DECODED: (usize, usize) = (3_000, 1_000);

    /// The most releases that are simulated.
    pub const MAX_RUNS: usize = 4_000_000;

    /// How many outcomes are listed unless told otherwise.
    pub const MAX_OUTCOMES: u64 = 4_000_000;
}

impl Default for Measure {
    fn default() -> Self {
        let (decoded, decoded_runs) = Self::DECODED;
        let max_outcomes = Self::MAX_OUTCOMES;
        Self { metric: Metric::Hellinger, runs: None, seed: 1, max_outcomes, decoded, decoded_runs }
    }
}

impl Row {
    /// What it is called in a table.
    #[must_use]
    pub fn label(&self) -> String {
        let decoder =
            if self.decoder == Decoder::None { String::new() } else { format!(" + {}", self.decoder) };
        let tight = if self.calibration == Calibration::Tight { " (tight)" } else { "" };
        format!("{}{decoder}{tight}", self.mechanism)
    }
}

/// A mechanism with what follows it.
pub(crate) struct Contender {
    pub(crate) mechanism: Arc<dyn Mechanism>,
    pub(crate) calibration: Calibration,
    pub(crate) decoder: Decoder,
}

/// The law of a contender's distance, and what is said of it.
pub(crate) struct Measured {
    pub(crate) row: Row,
    pub(crate) law: DistanceLaw,
}

impl Contender {
    /// The law of the distance at these counts; nothing if there are too many outcomes to list and no simulation is asked for.
    /// Where the noise is too wide for the decoder, the one that a release would use takes its place.
    pub(crate) fn measured(
        &self,
        counts: &Counts,
        measure: Measure,
    ) -> Result<Option<Measured>, ComparisonError> {
        let other = self.decoder.fallback();
        match self.law(self.decoder, counts, measure) {
            Err(ComparisonError::Decoded(DecodedError::Decode(error)))
                if error.is_too_wide() && other != self.decoder =>
            {
                let note = format!(
                    "the noise of {} is too wide to be modelled at this size; the decoder {other} takes the place of {}",
                    self.mechanism.name(),
                    self.decoder
                );
                let found = self.law(other, counts, measure)?;
                Ok(found.map(|(law, runs)| self.row(law, runs, other, Some(note))))
            }
            found => Ok(found?.map(|(law, runs)| self.row(law, runs, self.decoder, None))),
        }
    }

    /// The law, and the number of simulated releases if there are any.
    fn law(
        &self,
        decoder: Decoder,
        counts: &Counts,
        measure: Measure,
    ) -> Result<Option<(DistanceLaw, Option<usize>)>, ComparisonError> {
        let Measure { metric, runs, seed, max_outcomes, decoded, decoded_runs } = measure;
        let mechanism = &*self.mechanism;
        let simulated = |runs| -> Result<_, ComparisonError> {
            let bits = &mut SeededBits::new(seed);
            let law = simulate_decoded(mechanism, decoder, counts, metric, runs, bits)?;
            Ok(Some((law, Some(runs))))
        };
        if let Some(runs) = runs {
            return simulated(runs);
        }
        match decoded_law(mechanism, decoder, counts, metric, max_outcomes, decoded) {
            Ok(law) => Ok(Some((law, None))),
            Err(error) if !error.is_too_many() => Err(error.into()),
            Err(_) if decoder == Decoder::None => Ok(None),
            Err(_) => simulated(decoded_runs),
        }
    }

    fn row(&self, law: DistanceLaw, runs: Option<usize>, decoder: Decoder, note: Option<String>) -> Measured {
        // One release says nothing about how far others are from it.
        let error = |runs: usize| law.deviation() / (runs.max(2) as f64 - 1.0).sqrt();
        let row = Row {
            mechanism: self.mechanism.description(),
            decoder,
            private: matches!(self.mechanism.guarantee(), Guarantee::Pure { .. }),
            calibration: self.calibration,
            expected_distance: law.mean(),
            standard_error: runs.map(error),
            median: law.quantile(0.5),
            q1: law.quantile(0.25),
            q3: law.quantile(0.75),
            probability_exact: law.probability_exact(),
            method: if runs.is_some() { Method::Simulated } else { Method::Exact },
            prior_mean: None,
            ratio_to_limit: None,
            note,
        };
        Measured { row, law }
    }
}

/// The decoders to show a mechanism with: those that were chosen, if its releases can be decoded.
fn decoders_for(chosen: Option<&[Decoder]>, mechanism: &dyn Mechanism) -> Vec<Decoder> {
    match chosen {
        Some(chosen) if mechanism.likelihood().is_some() => chosen.to_vec(),
        Some(_) => vec![Decoder::None],
        None => vec![Decoder::default_for(mechanism.description())],
    }
}

#[cfg(feature = "limit")]
fn find_limit(setting: &Setting, metric: Metric) -> Result<f64, ComparisonError> {
    use posterity_core::accuracy::{MAX_VARIABLES, limit};
    if metric != Metric::Hellinger {
        return Err(ComparisonError::LimitMetric { metric });
    }
    Ok(limit(setting, MAX_VARIABLES)?.value)
}

#[cfg(not(feature = "limit"))]
fn find_limit(_: &Setting, _: Metric) -> Result<f64, ComparisonError> {
    Err(ComparisonError::NoLimit)
}

fn as_text<S: Serializer>(metric: &Metric, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(metric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use posterity_core::model::Prior;

    fn setting(counts: &Counts, prior: Prior, epsilon: &str) -> Setting {
        Setting::new(prior, counts.total(), epsilon.parse().expect("positive")).expect("valid")
    }

    fn contest(mechanism: &str, decoders: Option<Vec<Decoder>>, runs: Option<usize>) -> Contest {
        let measure = Measure { runs, ..Measure::default() };
        Contest {
            mechanisms: vec![mechanism.parse().expect("a mechanism")],
            decoders,
            measure,
            limit: false,
            keep_laws: false,
        }
    }

    /// The noise of a small budget spreads over too many counts to be weighed: that row, and no other, is decoded as a
    /// release would be.
    #[test]
    fn wide_noise_is_projected_and_said_so() {
        let counts = Counts::new(vec![300_000_000_000; 3]).expect("valid");
        let setting = setting(&counts, Prior::uniform(3).expect("valid"), "0.000001");
        let decoders = Some(vec![Decoder::Best, Decoder::Projection]);
        let found = compare(&setting, &counts, &contest("lattice", decoders, Some(5)), &|_| ())
            .expect("a comparison");
        let noted: Vec<bool> = found.rows.iter().map(|row| row.note.is_some()).collect();
        assert!(found.rows.iter().all(|row| row.decoder == Decoder::Projection));
        assert_eq!(noted.iter().filter(|noted| **noted).count(), 1, "{noted:?}");
        assert_eq!(found.rows[0].expected_distance, found.rows[1].expected_distance);
    }

    /// The error of the mean shrinks with the root of the number of releases.
    #[test]
    fn simulated_means_have_an_error() {
        let counts = Counts::new(vec![30, 40, 50]).expect("valid");
        let setting = setting(&counts, Prior::uniform(3).expect("valid"), "1");
        let row = |runs| {
            let contest = contest("lshist", None, Some(runs));
            compare(&setting, &counts, &contest, &|_| ()).expect("a comparison").rows.remove(0)
        };
        let (few, many) = (row(400), row(40_000));
        let errors = [&few, &many].map(|row| row.standard_error.expect("simulated"));
        assert!((errors[0] / errors[1] / 10.0 - 1.0).abs() < 0.2, "{errors:?}");
        assert!((few.expected_distance - many.expected_distance).abs() < 5.0 * errors[0]);
    }

    #[test]
    fn rejects() {
        let counts = Counts::new(vec![5_000_000, 5_000_000]).expect("valid");
        let setting = setting(&counts, Prior::uniform(2).expect("valid"), "1");
        let large = contest("ehd", None, None);
        let found = compare(&setting, &counts, &large, &|_| ());
        assert_eq!(found.err(), Some(ComparisonError::AllLeftOut { max_outcomes: 4_000_000 }));
        let endless = contest("lshist", None, Some(usize::MAX));
        let found = compare(&setting, &counts, &endless, &|_| ());
        assert_eq!(found.err(), Some(ComparisonError::TooManyRuns { runs: usize::MAX }));
    }

    #[cfg(feature = "limit")]
    #[test]
    fn the_limit_is_of_hellinger_distances() {
        let counts = Counts::new(vec![3, 4]).expect("valid");
        let setting = setting(&counts, Prior::uniform(2).expect("valid"), "1");
        let mut wanted = contest("geometric", None, None);
        wanted.limit = true;
        wanted.measure.metric = Metric::L1;
        let found = compare(&setting, &counts, &wanted, &|_| ());
        assert_eq!(found.err(), Some(ComparisonError::LimitMetric { metric: Metric::L1 }));
        wanted.measure.metric = Metric::Hellinger;
        let found = compare(&setting, &counts, &wanted, &|_| ()).expect("a comparison");
        assert!(found.rows[0].ratio_to_limit.expect("asked for") >= 1.0 - 1e-6);
    }
}
