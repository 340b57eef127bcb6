//! What a reading gives: rows of means and intervals.

use serde::{Deserialize, Serialize};

use super::labels::Labels;
use super::reading::Reading;

/// The rows of a reading, with how they were computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadingTable {
    /// The reading as text.
    pub reading: Reading,
    /// The columns whose values are the cells.
    pub of: Vec<String>,
    /// The columns of the condition.
    pub given: Vec<String>,
    /// What the numbers are.
    pub statistic: Statistic,
    /// How they were computed.
    pub method: ReadingMethod,
    /// For exact rows, a bound on the total variation distance between the computed and the exact posterior of a row.
    /// For drawn rows, the largest standard error of an end of an interval.
    pub error: f64,
    /// How many draws there were, if there were any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub draws: Option<u64>,
    /// The seed of the draws.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// The probability that each interval holds.
    pub level: f64,
    /// One row for each condition and each cell.
    pub rows: Vec<ReadingRow>,
}

/// One row of a reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadingRow {
    /// The values of the condition.
    pub given: Labels,
    /// The values whose share it is; none for a mean.
    pub cell: Labels,
    /// The posterior mean.
    pub mean: f64,
    /// The equal-tailed interval.
    pub interval: [f64; 2],
}

/// What the numbers of a reading are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Statistic {
    /// Shares of records, between 0 and 1.
    Share,
    /// Means of a column of numbers.
    Mean,
}

impl Statistic {
    /// Its name, as in documents.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Mean => "mean",
        }
    }
}

/// How a reading was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReadingMethod {
    /// From the posterior given the release, taking the noise into account, up to the error that is stated.
    Exact,
    /// From independent draws of that posterior. The means of shares are exact.
    Draws,
    /// From the released posterior, because the noise is not modelled. Such intervals cover the truth less often than
    /// their level says.
    WithoutNoise,
}

impl ReadingMethod {
    /// Its name, as in documents.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Draws => "draws",
            Self::WithoutNoise => "without-noise",
        }
    }
}
