//! The release document.

use posterity_core::decode::Decoder;
use posterity_core::mechanism::{Basis, Guarantee, Name};
use posterity_core::model::{Categories, Dirichlet, LevelError, Prior};
use posterity_core::noise_aware::NoiseAware;
use serde::{Deserialize, Serialize};

use crate::publisher::Calibration;

/// What is published: everything in it may be seen by everyone, if it says that it is private.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Release {
    /// The mechanism that drew it.
    pub mechanism: String,
    /// The public prior.
    pub prior: Prior,
    /// The number of records, which is public.
    pub n: u64,
    /// The budget that the mechanism was given.
    pub epsilon: f64,
    /// The failure probability: zero for pure differential privacy; for `mh` its parameter, which promises nothing.
    pub delta: f64,
    /// The smoothing parameter, for `ehds`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub gamma: Option<f64>,
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
    pub released_counts: Vec<u64>,
    /// How they became the posterior.
    pub decoder: Decoder,
    /// The released posterior: the one distribution to use where one is needed.
    pub posterior: Posterior,
    /// What follows about the categories when the noise is taken into account; missing for exponential mechanisms.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub noise_aware: Option<NoiseAwareSummary>,
    /// The expected Hellinger distance between the released and the true posterior, given the release and the prior.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected_distance: Option<f64>,
    /// Whether it may be published as private: the guarantee is proven, and the randomness was the system's.
    pub private: bool,
    /// The seed of an experiment.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// How to read it.
    pub notes: Vec<String>,
    /// The version that made it.
    pub version: String,
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
}

/// The kinds of promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Promise {
    /// Pure differential privacy.
    Pure,
    /// Nothing.
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
    pub intervals: Vec<[f64; 2]>,
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
    /// The equal-tailed interval of each category. Over draws from the prior it holds the truth as often as its level says.
    pub intervals: Vec<[f64; 2]>,
    /// The probability that each interval holds.
    pub level: f64,
}

impl NoiseAwareSummary {
    pub(crate) fn new(aware: &NoiseAware, level: f64) -> Result<Self, LevelError> {
        let deviation = aware.variance().into_iter().map(f64::sqrt).collect();
        Ok(Self { mean: aware.mean(), deviation, intervals: aware.intervals(level)?, level })
    }
}

impl Release {
    /// The mean and the interval of each category to tell a reader: noise-aware where they are.
    #[must_use]
    pub fn best_summary(&self) -> (&[f64], &[[f64; 2]]) {
        match &self.noise_aware {
            Some(aware) => (&aware.mean, &aware.intervals),
            None => (&self.posterior.mean, &self.posterior.intervals),
        }
    }
}

impl Posterior {
    /// The level of the intervals in percent.
    #[must_use]
    pub fn percent(&self) -> f64 {
        percent(self.level)
    }
}

/// Without the last digits of a product: 55 %, never 55.00000000000001 %.
pub(crate) fn percent(level: f64) -> f64 {
    (1e12 * level).round() / 1e10
}

impl GuaranteeStatement {
    /// The statement of what a mechanism promises to each record, or to each unit if the data was reduced to one record for
    /// each value of a column.
    pub(crate) fn new(mechanism: Name, guarantee: &Guarantee, unit: Option<&str>) -> Self {
        let (protected, replacing, number) = match unit {
            None => ("record".to_owned(), "any one record by any other".to_owned(), "records"),
            Some(column) => {
                (column.to_owned(), format!("all records of any one {column} by any others"), "units")
            }
        };
        match guarantee {
            Guarantee::Pure { epsilon, basis } => Self {
                kind: Promise::Pure,
                epsilon: Some(epsilon.to_f64()),
                delta: Some(0.0),
                statement: format!(
                    "{epsilon}-differential privacy per {protected}: replacing {replacing} changes the probability of every \
                     possible release by a factor of at most exp({epsilon}). The number of {number}, the categories and the \
                     prior are public and not protected.{}",
                    match basis {
                        Basis::Proof => "",
                        Basis::Audit =>
                            " Known by an exact audit of all data sets of this size under this prior.",
                    }
                ),
                unit: protected,
            },
            Guarantee::None { reason } => Self {
                kind: Promise::None,
                epsilon: None,
                delta: None,
                unit: protected,
                statement: format!(
                    "No privacy is promised: {mechanism} has no proven guarantee, because {reason}."
                ),
            },
        }
    }
}
