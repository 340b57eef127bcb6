//! The release document.

use posterity_core::mechanism::{Basis, Guarantee, Name};
use posterity_core::model::{Categories, Dirichlet, Prior};
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
    /// The released posterior.
    pub posterior: Posterior,
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
    /// The equal-tailed interval of each category under the released posterior.
    pub intervals: Vec<[f64; 2]>,
    /// The probability that each interval holds.
    pub level: f64,
}

impl GuaranteeStatement {
    /// The statement of what a mechanism promises to each record.
    pub(crate) fn new(mechanism: Name, guarantee: &Guarantee) -> Self {
        let unit = "record".to_owned();
        match guarantee {
            Guarantee::Pure { epsilon, basis } => Self {
                kind: Promise::Pure,
                epsilon: Some(epsilon.to_f64()),
                delta: Some(0.0),
                unit,
                statement: format!(
                    "{epsilon}-differential privacy per record: replacing any one record by any other changes the \
                     probability of every possible release by a factor of at most exp({epsilon}). The number of \
                     records, the categories and the prior are public and not protected.{}",
                    match basis {
                        Basis::Proof => "",
                        Basis::Audit =>
                            " Known by an exact audit of all data sets of this size under this prior.",
                    }
                ),
            },
            Guarantee::None { reason } => Self {
                kind: Promise::None,
                epsilon: None,
                delta: None,
                unit,
                statement: format!(
                    "No privacy is promised: {mechanism} has no proven guarantee, because {reason}."
                ),
            },
        }
    }
}
