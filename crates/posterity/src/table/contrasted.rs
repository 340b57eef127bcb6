//! What a comparison gives.

use serde::{Deserialize, Serialize};

use super::contrast::{Contrast, ContrastKind};
use super::labels::Labels;
use super::rows::{ReadingMethod, Unknown, is_no_interval, no_interval};
use super::ways::{IntervalKind, Subject};
use super::words::Words;

/// A comparison of two shares, or of two columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
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
    /// Of independence, the part of the records that is left out because one of both values is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unknown: Option<Unknown>,
    /// What was computed.
    pub measures: Vec<Measured>,
    /// The probability that the first share is larger than the second.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub probability_larger: Option<f64>,
    /// Whether the noise is in it.
    pub method: ReadingMethod,
    /// The largest standard error of a number above, from the draws.
    pub error: f64,
    /// How many draws there were, if there were any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub draws: Option<u64>,
    /// The seed of the draws.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// The level of each interval.
    pub level: f64,
    /// Which interval is shown.
    #[serde(rename = "interval_kind")]
    pub interval: IntervalKind,
    /// What the numbers are about.
    pub about: Subject,
    /// The labels of the values, as in a reading.
    #[serde(skip)]
    pub words: Words,
}

/// One of two shares that are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Operand {
    /// The values of the condition.
    pub given: Labels,
    /// The values whose share it is.
    pub cell: Labels,
    /// The share of the noisy counts without the mean of the noise, as in a reading.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub estimate: Option<f64>,
    /// The posterior mean.
    pub mean: f64,
    /// The interval that holds as often as the level says, whatever the truth is; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub confidence: Option<[f64; 2]>,
    /// The interval that has the probability of the level given the release and the prior.
    #[serde(skip_serializing_if = "is_no_interval", default = "no_interval")]
    pub credible: [f64; 2],
    /// The interval that was asked for.
    pub interval: [f64; 2],
    /// Whether no record may satisfy the condition.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub may_be_empty: bool,
    /// How large the part of the condition's records is whose value is unknown, if it is left out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unknown: Option<Unknown>,
}

impl Contrasted {
    /// What one of both sides is, as readers see it.
    #[must_use]
    pub fn name(&self, side: &Operand) -> String {
        self.words.row(&side.given, &side.cell)
    }
}

impl Operand {
    /// The number to show beside the interval.
    #[must_use]
    pub fn shown(&self) -> f64 {
        shown(self.estimate, self.confidence, self.interval).unwrap_or(self.mean)
    }
}

impl Measured {
    /// The number to show beside the interval: the estimate beside a confidence interval, and the posterior median
    /// beside any other.
    #[must_use]
    pub fn shown(&self) -> f64 {
        shown(self.estimate, self.confidence, self.interval).unwrap_or(self.median)
    }
}

/// The estimate, if the interval is the confidence interval.
fn shown(estimate: Option<f64>, confidence: Option<[f64; 2]>, interval: [f64; 2]) -> Option<f64> {
    let [low, high] = confidence.filter(|confidence| *confidence == interval)?;
    estimate.map(|estimate| estimate.clamp(low, high))
}

/// A number that was computed from the draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Measured {
    /// What it is.
    pub measure: Measurement,
    /// The posterior mean. Ratios have none, because their mean may be infinite.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mean: Option<f64>,
    /// The comparison of both estimates.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub estimate: Option<f64>,
    /// The posterior median.
    pub median: f64,
    /// The interval whose coverage was measured for many truths and is not proven; absent where there is none. The upper
    /// end of a ratio is null if it is infinite.
    #[serde(skip_serializing_if = "Option::is_none", default, with = "ends")]
    pub confidence: Option<[f64; 2]>,
    /// The interval that has the probability of the level given the release and the prior.
    #[serde(skip_serializing_if = "is_no_interval", default = "no_interval")]
    pub credible: [f64; 2],
    /// The interval that was asked for.
    #[serde(with = "one_interval")]
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
    /// The first mean or quantile minus the second.
    NumberDifference,
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
            Self::Difference | Self::NumberDifference => "difference",
            Self::Ratio => "ratio",
            Self::OddsRatio => "odds ratio",
            Self::MutualInformation => "mutual information",
            Self::CramersV => "Cramer's V",
        }
    }

    /// What it says, in words, with the unit where there is one.
    #[must_use]
    pub fn with_unit(self) -> &'static str {
        match self {
            Self::MutualInformation => "mutual information (nats)",
            other => other.words(),
        }
    }
}

/// An interval whose upper end may be infinite, which JSON writes as null.
mod one_interval {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(ends: &[f64; 2], serializer: S) -> Result<S::Ok, S::Error> {
        ends.map(|end| end.is_finite().then_some(end)).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f64; 2], D::Error> {
        let [low, high] = <[Option<f64>; 2]>::deserialize(deserializer)?;
        Ok([low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)])
    }
}

/// Such an interval where there may be none.
mod ends {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::one_interval;

    pub(super) fn serialize<S: Serializer>(
        ends: &Option<[f64; 2]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match ends {
            Some(ends) => one_interval::serialize(ends, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<[f64; 2]>, D::Error> {
        let ends = Option::<[Option<f64>; 2]>::deserialize(deserializer)?;
        Ok(ends.map(|[low, high]| [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)]))
    }
}
