//! The release document.

use std::fmt;
use std::sync::Arc;

use posterity_core::decode::Decoder;
use posterity_core::mechanism::{Basis, Guarantee, Spec, Value};
use posterity_core::model::{Categories, Dirichlet, Epsilon, LevelError, Prior, Released, interval_level};
use posterity_core::noise_aware::NoiseAware;
use serde::{Deserialize, Serialize};

use crate::about::About;
use crate::lazy::Lazy;
use crate::meaning;
use crate::number::percent;
use crate::provenance::Provenance;
use crate::table::{Contrasted, ReadingTable};

/// All that is published of a release. Everyone may see it, if it says that it is private.
///
/// It is read and written as JSON; `docs/release.schema.json` describes the form.
///
/// ```
/// use posterity::{Data, Document, Publisher};
/// let data = Data::counts([("yes", 48), ("no", 42)])?;
/// let release = Publisher::new("1".parse()?).publish(&data)?;
/// let text = serde_json::to_string(release.document())?;
///
/// let document: Document = serde_json::from_str(&text)?;
/// assert!(document.private && document.guarantee.epsilon == Some(1.0));
/// let (mean, intervals) = document.best_summary();
/// assert!(intervals[0][0] <= mean[0] && mean[0] <= intervals[0][1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Intervals and what the noise implies take longer to compute than a release takes to draw. They are computed when they are
/// first read, for example when the document is serialised.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// The version of this form: [`Document::FORMAT`].
    #[serde(default = "first_format")]
    pub format: u32,
    /// What the data is and what was asked of it.
    #[serde(default)]
    pub about: About,
    /// The mechanism that drew it.
    pub mechanism: String,
    /// The mechanism with its parameters, such as `lsdim(consistent)`, where that is more than its name.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub specification: Option<String>,
    /// The public prior.
    pub prior: Prior,
    /// The number of records or units, which is published exactly.
    pub n: u64,
    /// The epsilon that is promised, as in the guarantee; where nothing is promised, the parameter of the mechanism.
    pub epsilon: f64,
    /// The parameter epsilon of the mechanism, where that is another number than what is promised.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub epsilon_parameter: Option<f64>,
    /// The failure probability: zero for pure differential privacy; for `mh` its parameter, which promises nothing.
    pub delta: f64,
    /// The smoothing parameter, for `ehds`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gamma: Option<f64>,
    /// What an exponential mechanism scored candidates by, if it was not the Hellinger distance.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub score: Option<String>,
    /// How the scale of an exponential mechanism was set.
    pub calibration: Calibration,
    /// The hash of the certificate that the guarantee rests on.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub certificate: Option<String>,
    /// The promise.
    pub guarantee: GuaranteeStatement,
    /// By which of its records each unit counts, in words; absent where records are counted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub per_unit: Option<String>,
    /// What the mechanism drew: counts with noise, from which all that follows was computed.
    pub released_counts: Released,
    /// How they became the posterior.
    pub decoder: Decoder,
    /// The released posterior: the one distribution to use where one is needed.
    pub posterior: Posterior,
    /// What follows about the categories when the noise is taken into account; missing for exponential mechanisms.
    #[serde(skip_serializing_if = "is_none", default = "none")]
    pub noise_aware: Lazy<Option<NoiseAwareSummary>>,
    /// Readings: shares and means of columns, perhaps within values of others. Unless others are asked for, a release of several
    /// columns has the joint cells (at most 10,000) and the marginals of single columns.
    #[serde(skip_serializing_if = "is_empty", default = "empty")]
    pub readings: Lazy<Vec<ReadingTable>>,
    /// Comparisons that were asked for.
    #[serde(skip_serializing_if = "is_empty", default = "empty")]
    pub comparisons: Lazy<Vec<Contrasted>>,
    /// The expected Hellinger distance between the released and the true posterior, given the release and the prior.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected_distance: Option<f64>,
    /// Whether it may be published as private: the guarantee is proven, and the randomness was the system's.
    pub private: bool,
    /// When it was drawn, if it was recalled from a ledger.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub recalled: Option<Recalled>,
    /// The seed of an experiment.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// What a reader should know.
    pub notes: Lazy<Vec<String>>,
    /// Where it comes from: its digest, and its place in a ledger; absent if it was not charged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub provenance: Option<Provenance>,
    /// The version of posterity that made it.
    pub version: String,
}

/// How the scale of an exponential mechanism is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Calibration {
    /// By the proof.
    #[default]
    Proven,
    /// By an exact audit of all data sets of this size, to use the budget up.
    Tight,
}

impl Calibration {
    /// How a specification sets the scale.
    ///
    /// ```
    /// use posterity::Calibration;
    /// assert_eq!(Calibration::of(&"tight(ehds)".parse()?), Calibration::Tight);
    /// assert_eq!(Calibration::of(&"ehds".parse()?), Calibration::Proven);
    /// # Ok::<(), posterity::SpecError>(())
    /// ```
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        if spec.is_tight() { Self::Tight } else { Self::Proven }
    }
}

/// What an exponential mechanism scores candidates by, if it is not the Hellinger distance.
pub(crate) fn score_of(spec: &Spec) -> Option<String> {
    spec.arguments().into_iter().find_map(|(name, value)| match value {
        Value::Text(score) if name == "score" => Some(score),
        _ => None,
    })
}

/// The format of documents that do not state one.
fn first_format() -> u32 {
    1
}

fn none<T>() -> Lazy<Option<T>> {
    None.into()
}

fn is_none<T>(value: &Lazy<Option<T>>) -> bool {
    value.is_none()
}

fn empty<T>() -> Lazy<Vec<T>> {
    Vec::new().into()
}

fn is_empty<T>(value: &Lazy<Vec<T>>) -> bool {
    value.is_empty()
}

/// Says that a release was drawn before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recalled {
    /// When it was drawn. The data may have changed since.
    pub drawn: String,
}

/// A promise, for programs and in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuaranteeStatement {
    /// What kind of promise.
    pub kind: Promise,
    /// The bound epsilon, if anything is promised.
    pub epsilon: Option<f64>,
    /// The bound delta, if anything is promised.
    pub delta: Option<f64>,
    /// What is protected.
    pub unit: String,
    /// The promise in words.
    pub statement: String,
    /// What the promise means for one record or unit, and what is not promised; empty if nothing is promised.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub meaning: String,
}

/// The kinds of promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Promise {
    /// Pure differential privacy.
    Pure,
    /// Nothing is promised.
    None,
}

/// A released Dirichlet distribution with what is usually asked of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Posterior {
    /// The names of the categories.
    pub categories: Categories,
    /// The Dirichlet parameters.
    pub parameters: Dirichlet,
    /// The mean of each category.
    pub mean: Vec<f64>,
    /// The equal-tailed interval of each category under the released posterior, which knows nothing of the noise.
    pub intervals: Lazy<Vec<[f64; 2]>>,
    /// The probability that each interval holds.
    pub level: f64,
}

/// The posterior of each category given the release, with the privacy noise in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoiseAwareSummary {
    /// The mean of each category.
    pub mean: Vec<f64>,
    /// The standard deviation of each category.
    pub deviation: Vec<f64>,
    /// The equal-tailed interval of each category. On average over data drawn from the prior, such intervals hold the truth as
    /// often as their level says.
    pub intervals: Lazy<Vec<[f64; 2]>>,
    /// The probability that each interval holds.
    pub level: f64,
}

impl NoiseAwareSummary {
    pub(crate) fn new(aware: &Arc<NoiseAware>, level: Level) -> Self {
        let deviation = aware.variance().into_iter().map(f64::sqrt).collect();
        let source = Arc::clone(aware);
        let intervals = Lazy::new(move || source.intervals(level.0).unwrap_or_default());
        Self { mean: aware.mean(), deviation, intervals, level: level.0 }
    }
}

/// The level of intervals, strictly between 0 and 1, so that every interval exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level(f64);

impl Level {
    pub(crate) fn new(level: f64) -> Result<Self, LevelError> {
        interval_level(level).map(Self)
    }
}

impl Document {
    /// The version of the form of the document, as `docs/release.schema.json` describes it.
    pub const FORMAT: u32 = 2;

    /// The mean and the interval of each category to show a reader: the noise-aware ones if the document has them.
    #[must_use]
    pub fn best_summary(&self) -> (&[f64], &[[f64; 2]]) {
        match &*self.noise_aware {
            Some(aware) => (&aware.mean, &aware.intervals),
            None => (&self.posterior.mean, &self.posterior.intervals),
        }
    }

    /// Whether everything in it is computed, so that reading takes no time.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let aware = self.noise_aware.is_computed()
            && self.noise_aware.as_ref().is_none_or(|aware| aware.intervals.is_computed());
        let tables = self.readings.is_computed() && self.comparisons.is_computed();
        aware && tables && self.notes.is_computed() && self.posterior.intervals.is_computed()
    }

    /// Computes everything in it.
    pub fn complete(&self) {
        let _ = (&*self.posterior.intervals, &*self.notes, &*self.readings, &*self.comparisons);
        if let Some(aware) = &*self.noise_aware {
            let _ = &*aware.intervals;
        }
    }
}

/// The mean and the interval of each category, and the promise.
impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mean, intervals) = self.best_summary();
        let names = self.posterior.categories.names();
        let percent = self.posterior.percent();
        for ((name, mean), [low, high]) in names.iter().zip(mean).zip(intervals) {
            writeln!(f, "{name}: {mean:.4} ({percent} % interval {low:.4} to {high:.4})")?;
        }
        write!(f, "{}", self.guarantee.statement)
    }
}

impl Posterior {
    pub(crate) fn new(categories: Categories, parameters: Dirichlet, level: Level) -> Self {
        let source = parameters.clone();
        let intervals = Lazy::new(move || source.intervals(level.0).unwrap_or_default());
        Self { categories, mean: parameters.mean(), intervals, level: level.0, parameters }
    }

    /// The level of the intervals in percent.
    #[must_use]
    pub fn percent(&self) -> f64 {
        percent(self.level)
    }
}

impl GuaranteeStatement {
    /// The statement of what a mechanism promises to each record, or to each unit, of what the release is about. A draw from
    /// a seed promises nothing.
    pub(crate) fn new(
        mechanism: &str,
        guarantee: &Guarantee,
        about: &About,
        n: u64,
        seed: Option<u64>,
    ) -> Self {
        let unit = about.unit.clone().unwrap_or_else(|| "record".to_owned());
        let none = |statement| Self {
            kind: Promise::None,
            epsilon: None,
            delta: None,
            unit: unit.clone(),
            statement,
            meaning: String::new(),
        };
        let (epsilon, basis) = match guarantee {
            Guarantee::Pure { epsilon, basis } => (epsilon, basis),
            Guarantee::None { reason } => {
                return none(format!(
                    "No privacy is promised: {mechanism} has no proven guarantee, because {reason}."
                ));
            }
        };
        let statement = promise(epsilon, *basis, about, n);
        match seed {
            Some(seed) => none(format!(
                "No privacy is promised: the draw is that of seed {seed}, which anyone can repeat. Without a seed it would be: \
                 {statement}"
            )),
            None => Self {
                kind: Promise::Pure,
                epsilon: Some(epsilon.to_f64_shown()),
                delta: Some(0.0),
                meaning: format!(
                    "{} {}",
                    meaning::for_one(epsilon.to_f64_shown(), 0.0, &unit),
                    meaning::not_promised_in_short(&unit)
                ),
                unit,
                statement,
            },
        }
    }
}

/// The promise of pure differential privacy, with what it assumes.
fn promise(epsilon: &Epsilon, basis: Basis, about: &About, n: u64) -> String {
    let unit = about.unit.as_deref().unwrap_or("record");
    let replacing = match (&about.unit, &about.filter) {
        (None, None) => "any one record by any other".to_owned(),
        (None, Some(_)) => "any one counted record by any other that passes the filter".to_owned(),
        (Some(unit), None) => format!("all records of any one {unit} by any others"),
        (Some(unit), Some(_)) => {
            format!(
                "all records of any one counted {unit} by any others, of which at least one passes the filter,"
            )
        }
    };
    let audited = match basis {
        Basis::Proof => "",
        Basis::Audit => " Known by an exact audit of all data sets of this size under this prior.",
    };
    let outside = if about.within.is_some() {
        format!(" Whether a {unit} is within the private filter is protected like everything else about it.")
    } else {
        String::new()
    };
    format!(
        "{epsilon}-differential privacy per {unit}: replacing {replacing} changes the probability of every possible release by \
         a factor of at most exp({epsilon}). Not protected, but assumed to be public: n = {n}, which is {}; the categories; the \
         prior.{outside}{audited}",
        about.n_in_words()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(about: &About, seed: Option<u64>) -> GuaranteeStatement {
        let epsilon = "0.5".parse().expect("positive");
        let pure = Guarantee::Pure { epsilon, basis: Basis::Proof };
        GuaranteeStatement::new("lattice", &pure, about, 17, seed)
    }

    /// The filter is named, and what it makes of n and of those who are protected.
    #[test]
    fn a_filter_is_part_of_the_promise() {
        let about = About { filter: Some("hiv = 'pos'".into()), ..About::default() };
        let said = statement(&about, None).statement;
        assert!(
            said.contains("n = 17, which is the number of records for which hiv = 'pos', published exactly"),
            "{said}"
        );
        assert!(said.contains("that passes the filter"), "{said}");
        let unit = About { unit: Some("patient".into()), ..about };
        let said = statement(&unit, None);
        assert!(said.statement.contains("of which at least one passes the filter"), "{said:?}");
        assert_eq!(said.unit, "patient");
    }

    #[test]
    fn the_meaning_is_said_where_something_is_promised() {
        let unit = About { unit: Some("patient".into()), ..About::default() };
        let said = statement(&unit, None).meaning;
        assert!(said.contains("one patient, can be at most 62.3 % sure"), "{said}");
        assert_eq!(statement(&unit, Some(7)).meaning, "");
    }

    #[test]
    fn a_seed_promises_nothing() {
        let said = statement(&About::default(), Some(7));
        assert_eq!((said.kind, said.epsilon, said.delta), (Promise::None, None, None));
        assert!(said.statement.starts_with("No privacy is promised: the draw is that of seed 7"), "{said:?}");
    }
}
