//! What a comparison gives.

use serde::{Deserialize, Serialize};

use super::contrast::{Contrast, ContrastKind};
use super::labels::Labels;
use super::rows::ReadingMethod;

/// A comparison of two shares, or of two columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contrasted {
    /// The comparison as text.
    pub comparison: Contrast,
    /// What kind it is.
    pub kind: ContrastKind,
    /// The columns that are asked for.
    pub of: Vec<String>,
    /// The columns of the condition.
    pub given: Vec<String>,
    /// The two shares that are compared; none for independence.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub first: Option<Operand>,
    /// The second of them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub second: Option<Operand>,
    /// What was computed.
    pub measures: Vec<Measured>,
    /// The probability that the first share is larger than the second.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub probability_larger: Option<f64>,
    /// Whether the noise is in it.
    pub method: ReadingMethod,
    /// The largest standard error of a number above, from the draws.
    pub error: f64,
    /// How many draws there were.
    pub draws: u64,
    /// The seed of the draws.
    pub seed: u64,
    /// The probability that each interval holds.
    pub level: f64,
}

/// One of two shares that are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operand {
    /// The values of the condition.
    pub given: Labels,
    /// The values whose share it is.
    pub cell: Labels,
    /// The posterior mean.
    pub mean: f64,
    /// The equal-tailed interval.
    pub interval: [f64; 2],
}

/// A number that was computed from the draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// What it is.
    pub measure: Measurement,
    /// The posterior mean. Ratios have none, because their mean may be infinite.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mean: Option<f64>,
    /// The posterior median.
    pub median: f64,
    /// The equal-tailed interval.
    pub interval: [f64; 2],
    /// The largest standard error of these numbers.
    pub error: f64,
}

/// What a number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measurement {
    /// The first share minus the second.
    Difference,
    /// The first share divided by the second.
    Ratio,
    /// The odds of the first share divided by those of the second.
    OddsRatio,
    /// The mutual information of two columns, in nats: zero if they are independent.
    MutualInformation,
    /// Cramer's V of two columns, from 0 (independent) to 1 (one determines the other).
    CramersV,
}

impl Measurement {
    /// What it says, in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Difference => "difference",
            Self::Ratio => "ratio",
            Self::OddsRatio => "odds ratio",
            Self::MutualInformation => "mutual information",
            Self::CramersV => "Cramer's V",
        }
    }

    /// The same with the unit, where there is one.
    #[must_use]
    pub fn with_unit(self) -> &'static str {
        match self {
            Self::MutualInformation => "mutual information (nats)",
            other => other.words(),
        }
    }
}
