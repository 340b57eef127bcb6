//! Mechanisms and decoders side by side.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use posterity::number::bound;
use posterity::{AUDIT_LIMIT, Terms};
use posterity_core::accuracy::{
    DecodedError, DistanceLaw, Metric, decoded_law, mean_over_data, simulate_decoded,
};
use posterity_core::calibrate::{self, CalibrationError};
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{Decoding, Description, FitError, Guarantee, Mechanism, Space, Spec};
use posterity_core::model::{Counts, MAX_TOTAL, Setting};
use posterity_core::sampler::SeededBits;
use serde::{Serialize, Serializer};
use thiserror::Error;

use crate::calibration::Calibration;
use crate::width::expected_width;

/// The mechanisms to compare, and how.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The mechanisms.
    pub mechanisms: Vec<Spec>,
    /// The decoders to show each mechanism of known noise with; if not given, the one that a release would use, and the
    /// best decoder of `ehds` where there are few candidates.
    pub decoders: Option<Vec<Decoder>>,
    /// How the distances are found.
    pub measure: Measure,
    /// Whether to show the mean over all data against the least that is possible.
    pub limit: bool,
    /// Which row is first.
    pub ranking: Ranking,
    /// Whether to keep the laws, which may have millions of points, to draw them.
    pub keep_laws: bool,
}

/// Which of several mechanisms is first.
///
/// ```
/// use posterity_advice::Ranking;
/// assert_eq!("width".parse(), Ok(Ranking::Width));
/// assert_eq!(Ranking::default().to_string(), "distance");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ranking {
    /// That with the least expected distance from the truth.
    #[default]
    Distance,
    /// That with the narrowest interval of a share. Those without an interval that has the noise in it come last.
    Width,
}

impl Ranking {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Distance, Self::Width];

    fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Width => "width",
        }
    }

    /// Puts rows in their order.
    fn order(self, a: &Row, b: &Row) -> Ordering {
        let width = |row: &Row| row.width.unwrap_or(f64::INFINITY);
        let by_distance = a.expected_distance.total_cmp(&b.expected_distance);
        match self {
            Self::Distance => by_distance,
            Self::Width => width(a).total_cmp(&width(b)).then(by_distance),
        }
    }
}

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is no ranking.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown ranking {name:?}; known are: distance, width")]
pub struct UnknownRanking {
    /// The text.
    pub name: String,
}

impl FromStr for Ranking {
    type Err = UnknownRanking;

    fn from_str(text: &str) -> Result<Self, UnknownRanking> {
        let found = Self::ALL.into_iter().find(|one| one.name() == text);
        found.ok_or_else(|| UnknownRanking { name: text.to_owned() })
    }
}

/// How the distances are found: by listing all outcomes, or by simulation.
///
/// ```
/// use posterity_advice::Measure;
/// let simulated = Measure { runs: Some(1_000), seed: 7, ..Measure::default() };
/// assert_eq!(simulated.max_outcomes, Measure::MAX_OUTCOMES);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The distance between posteriors.
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

/// The distances of all mechanisms at one data set. They depend on that data without protection, so they are not
/// private.
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
    /// The distance between posteriors.
    #[serde(serialize_with = "as_text")]
    pub distance: Metric,
    /// What the rows are ranked by.
    pub ranking: Ranking,
    /// The probability of the intervals whose width is expected.
    pub level: f64,
    /// Always false: a comparison shows the data.
    pub private: bool,
    /// The least mean distance over all data of any private mechanism onto the candidates, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// The best first.
    pub rows: Vec<Row>,
    /// The law behind each row, if they are kept.
    #[serde(skip)]
    pub laws: Vec<DistanceLaw>,
    /// Mechanisms with too many outcomes to be listed.
    #[serde(skip)]
    pub left_out: Vec<&'static Description>,
    /// Mechanisms that cannot be fitted to this size or budget.
    #[serde(skip)]
    pub refused: Vec<Refused>,
}

/// A mechanism that cannot be fitted to this size or budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The mechanism.
    pub mechanism: &'static Description,
    /// Why.
    pub error: FitError,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is left out: {}", self.mechanism, self.error)
    }
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
    /// The mechanism with its parameters, as it is written everywhere.
    pub specification: Spec,
    /// The decoder that follows it.
    pub decoder: Decoder,
    /// Whether it has a guarantee.
    pub private: bool,
    /// The epsilon that it promises, which can be more than the one that it was given. None if it promises nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promised: Option<f64>,
    /// How its scale was set.
    pub calibration: Calibration,
    /// The mean.
    pub expected_distance: f64,
    /// A lower bound on the mean, where the distance is known through bounds only and the other numbers are upper
    /// bounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_least: Option<f64>,
    /// The standard error of the mean, if it was simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard_error: Option<f64>,
    /// The median.
    pub median: f64,
    /// The lower quartile.
    pub q1: f64,
    /// The upper quartile.
    pub q3: f64,
    /// The expected width of the interval of a share, of the category whose interval is widest: 1 says nothing. None if
    /// the mechanism's documents have no interval with the noise in it, or if it takes too long to compute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// How likely the true posterior is released.
    pub probability_exact: f64,
    /// How the numbers were found.
    pub method: Method,
    /// The mean distance over all data sets, which follow the prior.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior_mean: Option<f64>,
    /// That mean, divided by the limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_to_limit: Option<f64>,
    /// What is different from what was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// How the numbers of a row were found.
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
    #[error("{runs} releases would be simulated; the most for {categories} categories is {most}")]
    TooManyRuns {
        /// How many were asked for.
        runs: usize,
        /// How many categories there are.
        categories: usize,
        /// How many may be simulated.
        most: usize,
    },
    /// The limit is known for Hellinger distances only.
    #[error("the limit is known for the distance hellinger only, not for {metric}")]
    LimitMetric {
        /// The other distance.
        metric: Metric,
    },
    /// The limit cannot be found.
    #[cfg(feature = "limit")]
    #[error(transparent)]
    Limit(#[from] posterity_core::accuracy::LimitError),
    /// This build cannot solve for the limit.
    #[error("this build does not know the limit; build it with the feature limit")]
    NoLimit,
    /// Every mechanism has too many outcomes.
    #[error("every mechanism has more outcomes than the {max_outcomes} that may be listed")]
    AllLeftOut {
        /// How many may be listed.
        max_outcomes: u64,
    },
}

/// Compares mechanisms at one data set. `progress` is called with the number of steps done: data sets audited,
/// mechanisms measured.
///
/// ```
/// use posterity::{Counts, Terms};
/// use posterity_advice::{Contest, Measure, Ranking, compare};
/// let counts = Counts::new(vec![12, 8])?;
/// let contest = Contest {
///     mechanisms: vec!["lattice".parse()?, "ehds(gamma=0.5)".parse()?],
///     decoders: None,
///     measure: Measure::default(),
///     limit: false,
///     ranking: Ranking::Distance,
///     keep_laws: false,
/// };
/// let setting = Terms::new("1".parse()?).setting(2, counts.total())?;
/// let comparison = compare(&setting, &counts, &contest, &|_| ())?;
/// assert_eq!(comparison.rows[0].label(), "lattice + best");
/// assert!(comparison.rows[0].expected_distance <= comparison.rows[1].expected_distance);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ComparisonError`].
pub fn compare(
    setting: &Setting,
    counts: &Counts,
    contest: &Contest,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Comparison, ComparisonError> {
    let Contest { mechanisms, decoders, measure, limit, ranking, keep_laws } = contest;
    let (categories, most) = (setting.k(), Measure::most_runs(setting.k()));
    if let Some(runs) = measure.runs.filter(|&runs| runs > most) {
        return Err(ComparisonError::TooManyRuns { runs, categories, most });
    }
    let limit = if *limit { Some(find_limit(setting, measure.metric)?) } else { None };
    let mut found = Vec::with_capacity(mechanisms.len());
    let (mut left_out, mut refused) = (Vec::new(), Vec::new());
    for spec in mechanisms {
        let spec = calibrate::resolve(spec, setting, AUDIT_LIMIT, progress)?;
        let mechanism: Arc<dyn Mechanism> = match calibrate::fit(&spec, setting, AUDIT_LIMIT, progress) {
            Err(CalibrationError::Fit(error)) if error.refuses_setting() => {
                refused.push(Refused { mechanism: spec.description(), error });
                continue;
            }
            made => made?.into(),
        };
        // A decoder changes no interval: documents read them from what was drawn.
        let width = expected_width(&*mechanism, counts, Terms::LEVEL);
        for decoder in decoders_for(decoders.as_deref(), &*mechanism) {
            let mechanism = Arc::clone(&mechanism);
            let entrant = Entrant { mechanism, spec: spec.clone(), decoder };
            match entrant.measured(counts, *measure)? {
                Some(measured) => {
                    let mut row = Row { width, ..measured.row };
                    if measure.metric == Metric::Tv && setting.k() > 2 {
                        row.at_least = Some(lower_mean(&measured.law));
                    }
                    if let Some(limit) = limit
                        && row.note.is_none()
                    {
                        let mean = mean_over_data(&*entrant.mechanism, entrant.decoder, AUDIT_LIMIT)?;
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
        if let (true, Some(Refused { error, .. })) = (left_out.is_empty(), refused.pop()) {
            return Err(CalibrationError::Fit(error).into());
        }
        return Err(ComparisonError::AllLeftOut { max_outcomes: measure.max_outcomes });
    }
    found.sort_by(|(a, _), (b, _)| ranking.order(a, b));
    let (rows, laws): (Vec<Row>, Vec<Option<DistanceLaw>>) = found.into_iter().unzip();
    Ok(Comparison {
        prior: setting.prior().parameters().to_vec(),
        counts: counts.as_slice().to_vec(),
        n: setting.n(),
        epsilon: setting.epsilon().to_f64(),
        distance: measure.metric,
        ranking: *ranking,
        level: Terms::LEVEL,
        private: false,
        limit,
        rows,
        laws: laws.into_iter().flatten().collect(),
        left_out,
        refused,
    })
}

impl Measure {
    /// The usual numbers of outcomes that are decoded, and of releases that are simulated instead.
    pub const DECODED: (usize, usize) = (3_000, 1_000);

    /// The most releases that are simulated.
    pub const MAX_RUNS: usize = 4_000_000;

    /// The most counts of all simulated releases together. They take 320 MB.
    const MAX_COUNTS: usize = 40_000_000;

    /// The most releases of this many categories that are simulated.
    fn most_runs(categories: usize) -> usize {
        Self::MAX_RUNS.min(Self::MAX_COUNTS / categories)
    }

    /// The usual number of outcomes that may be listed.
    pub const MAX_OUTCOMES: u64 = 4_000_000;

    /// The most that may be asked for: outcomes that are listed, and releases that are simulated.
    pub const MOST: u64 = 100_000_000;

    /// Up to how many records the outcomes of these counts are listed where n is private; larger ones are listed as one.
    #[must_use]
    pub fn listed(counts: &Counts) -> u64 {
        (2 * counts.total()).clamp(10, MAX_TOTAL)
    }
}

impl Default for Measure {
    fn default() -> Self {
        let (decoded, decoded_runs) = Self::DECODED;
        let max_outcomes = Self::MAX_OUTCOMES;
        Self { metric: Metric::Hellinger, runs: None, seed: 1, max_outcomes, decoded, decoded_runs }
    }
}

impl Row {
    /// The mechanism with its decoder and calibration, for a table.
    #[must_use]
    pub fn label(&self) -> String {
        let decoder =
            if self.decoder == Decoder::None { String::new() } else { format!(" + {}", self.decoder) };
        format!("{}{decoder}", self.specification)
    }

    /// Why the mechanism cannot be compared with the others at this epsilon, in two words; nothing if it can be. It may
    /// promise more than it was given, or nothing.
    #[must_use]
    pub fn unlike(&self, epsilon: f64) -> Option<String> {
        match self.promised {
            Some(promised) if promised > epsilon => Some(format!("epsilon {}", bound(promised))),
            Some(_) => None,
            None => Some("not private".to_owned()),
        }
    }
}

/// A mechanism with what follows it.
pub(crate) struct Entrant {
    pub(crate) mechanism: Arc<dyn Mechanism>,
    pub(crate) spec: Spec,
    pub(crate) decoder: Decoder,
}

/// The law of the distance of what an entrant publishes, and the row that shows it.
pub(crate) struct MeasuredRow {
    pub(crate) row: Row,
    pub(crate) law: DistanceLaw,
}

impl Entrant {
    /// The law of the distance at these counts; nothing if there are too many outcomes to list and no simulation is
    /// asked for. Where the noise is too wide for the decoder, the one that a release would use takes its place.
    pub(crate) fn measured(
        &self,
        counts: &Counts,
        measure: Measure,
    ) -> Result<Option<MeasuredRow>, ComparisonError> {
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

    fn row(
        &self,
        law: DistanceLaw,
        runs: Option<usize>,
        decoder: Decoder,
        note: Option<String>,
    ) -> MeasuredRow {
        // One release says nothing about how far others are from it.
        let error = |runs: usize| law.deviation() / (runs.max(2) as f64 - 1.0).sqrt();
        let promised = match self.mechanism.guarantee() {
            Guarantee::Pure { epsilon, .. } => Some(epsilon.to_f64_shown()),
            Guarantee::None { .. } => None,
        };
        let row = Row {
            mechanism: self.mechanism.description(),
            specification: self.spec.clone(),
            decoder,
            private: promised.is_some(),
            promised,
            calibration: Calibration::of(&self.spec),
            expected_distance: law.mean(),
            at_least: None,
            standard_error: runs.map(error),
            median: law.quantile(0.5),
            q1: law.quantile(0.25),
            q3: law.quantile(0.75),
            width: None,
            probability_exact: law.probability_exact(),
            method: if runs.is_some() { Method::Simulated } else { Method::Exact },
            prior_mean: None,
            ratio_to_limit: None,
            note,
        };
        MeasuredRow { row, law }
    }
}

/// The mean of the lower bound `H^2` on the total variation distance, from the law of the upper bound `H sqrt(2 -
/// H^2)`.
fn lower_mean(law: &DistanceLaw) -> f64 {
    law.points().map(|(most, probability)| (1.0 - (1.0 - most * most).max(0.0).sqrt()) * probability).sum()
}

/// Where the likelihood is not a product over the categories, decoding one release takes time for every candidate. With
/// more candidates than this, comparisons take such releases as they are.
const MAX_DECODED_CANDIDATES: f64 = 20_000.0;

/// With more candidates than this they are decoded only if somebody asks.
const MAX_SHOWN_CANDIDATES: f64 = 1_000.0;

/// The decoders to show a mechanism with: those that were chosen, if its releases can be decoded.
fn decoders_for(chosen: Option<&[Decoder]>, mechanism: &dyn Mechanism) -> Vec<Decoder> {
    let (description, setting) = (mechanism.description(), mechanism.setting());
    let at_most = |limit: f64| {
        mechanism.likelihood().is_some() || Space::Candidates.size(setting.k(), setting.n()) <= limit
    };
    match chosen {
        Some(chosen) if mechanism.has_likelihood() && at_most(MAX_DECODED_CANDIDATES) => chosen.to_vec(),
        Some(_) => vec![Decoder::None],
        None if description.decoding == Decoding::ComparisonShows
            && mechanism.has_likelihood()
            && at_most(MAX_SHOWN_CANDIDATES) =>
        {
            vec![Decoder::default_for(description), Decoder::Best]
        }
        None => vec![Decoder::default_for(description)],
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
    use posterity_testkit::fixture::{counts, spec, uniform};

    use super::*;

    fn contest(mechanism: &str, decoders: Option<Vec<Decoder>>, runs: Option<usize>) -> Contest {
        let measure = Measure { runs, ..Measure::default() };
        let ranking = Ranking::default();
        Contest {
            mechanisms: vec![spec(mechanism)],
            decoders,
            measure,
            limit: false,
            ranking,
            keep_laws: false,
        }
    }

    /// The noise of a small budget spreads over too many counts to be weighed: that row, and no other, is decoded as a
    /// release would be.
    #[test]
    fn wide_noise_is_projected_and_said_so() {
        let counts = counts(&[300_000_000_000; 3]);
        let setting = uniform(3, counts.total(), "0.000001");
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
        let counts = counts(&[30, 40, 50]);
        let setting = uniform(3, counts.total(), "1");
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
        let counts = counts(&[5_000_000, 5_000_000]);
        let setting = uniform(2, counts.total(), "1");
        let large = contest("ehd", None, None);
        let found = compare(&setting, &counts, &large, &|_| ());
        assert_eq!(found.err(), Some(ComparisonError::AllLeftOut { max_outcomes: 4_000_000 }));
        let endless = contest("lshist", None, Some(usize::MAX));
        let found = compare(&setting, &counts, &endless, &|_| ());
        let (runs, categories, most) = (usize::MAX, 2, Measure::most_runs(2));
        assert_eq!(found.err(), Some(ComparisonError::TooManyRuns { runs, categories, most }));
    }

    /// If this fails, one mechanism that refuses a size keeps all others from being compared.
    #[cfg(feature = "limit")]
    #[test]
    fn a_mechanism_that_refuses_the_size_is_left_out() {
        let counts = Counts::new(vec![300, 300]).expect("valid");
        let setting = uniform(2, counts.total(), "1");
        let mut wanted = contest("optimal", None, None);
        let found = compare(&setting, &counts, &wanted, &|_| ());
        assert!(matches!(
            found.err(),
            Some(ComparisonError::Mechanism(CalibrationError::Fit(FitError::TooLarge { .. })))
        ));
        wanted.mechanisms.push("geometric".parse().expect("a mechanism"));
        let found = compare(&setting, &counts, &wanted, &|_| ()).expect("a comparison");
        assert_eq!(found.rows.len(), 1);
        let text = found.refused[0].to_string();
        assert!(text.starts_with("optimal is left out: ") && text.contains("take fewer records"), "{text}");
    }

    #[cfg(feature = "limit")]
    #[test]
    fn the_limit_is_of_hellinger_distances() {
        let counts = counts(&[3, 4]);
        let setting = uniform(2, counts.total(), "1");
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
