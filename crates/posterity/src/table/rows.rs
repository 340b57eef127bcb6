//! What a reading gives: rows of means and intervals.

use serde::{Deserialize, Serialize};

use super::labels::Labels;
use super::reading::Reading;
use super::statistic::Statistic;
use super::ways::{IntervalKind, Subject};
use crate::about::Words;

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
    /// For drawn intervals, the largest standard error of an end. Otherwise a bound on the total variation distance between
    /// the computed and the exact posterior, which means and credible intervals have; confidence intervals are rounded
    /// outwards, so that no error is left.
    pub error: f64,
    /// How many draws there were, if there were any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub draws: Option<u64>,
    /// The seed of the draws.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// The level of each interval, or of all at once.
    pub level: f64,
    /// Which interval each row shows.
    pub interval: IntervalKind,
    /// What the numbers are about.
    pub about: Subject,
    /// Whether all intervals hold at once.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub simultaneous: bool,
    /// How large the part of the records is whose value is unknown, so that they are not among those that the shares are
    /// of; nothing if no category of missing or other values is left out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unknown: Option<Unknown>,
    /// What readers see beside the values of columns: from columns to values to words. In a document it stands with the
    /// columns, and not with each reading.
    #[serde(skip)]
    pub words: Words,
    /// One row for each condition and each cell.
    pub rows: Vec<ReadingRow>,
}

/// The part of the records, of those for which the condition holds, whose value is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unknown {
    /// Its share, as shares are shown.
    pub share: f64,
    /// The interval of its share, of the kind of the reading.
    pub interval: [f64; 2],
}

impl From<&ReadingRow> for Unknown {
    fn from(row: &ReadingRow) -> Self {
        Self { share: row.shown(), interval: row.interval }
    }
}

/// One row of a reading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReadingRow {
    /// The values of the condition.
    pub given: Labels,
    /// The values whose share it is; none for a mean or a count.
    pub cell: Labels,
    /// The share of the noisy counts without the mean of the noise: no prior is in it. It may be below 0 or above 1. Of
    /// a count, the noisy count.
    /// Absent where the noise is not one that adds up, or no records are left of the condition.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub estimate: Option<f64>,
    /// The posterior mean.
    pub mean: f64,
    /// The interval that holds as often as the level says, whatever the truth is; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub confidence: Option<[f64; 2]>,
    /// The interval that has the probability of the level given the release and the prior. It is not a number, and absent
    /// in JSON, where several records of a unit count: they depend on each other.
    #[serde(skip_serializing_if = "is_no_interval", default = "no_interval")]
    pub credible: [f64; 2],
    /// The interval that was asked for.
    pub interval: [f64; 2],
    /// Whether the posterior owes more to the prior than to the data: the standard error of the estimate is larger than
    /// the standard deviation of the prior.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub mostly_prior: bool,
    /// Whether no record may satisfy the condition.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub may_be_empty: bool,
}

/// What stands where there is no interval.
pub(crate) const NO_INTERVAL: [f64; 2] = [f64::NAN; 2];

pub(super) fn is_no_interval(ends: &[f64; 2]) -> bool {
    ends[0].is_nan()
}

pub(super) fn no_interval() -> [f64; 2] {
    NO_INTERVAL
}

impl ReadingTable {
    /// What readers see beside a value of a column.
    #[must_use]
    pub fn label(&self, column: &str, value: &str) -> Option<&str> {
        self.words.get(column)?.get(value).map(String::as_str)
    }

    /// Puts the largest numbers first.
    #[must_use]
    pub fn largest_first(mut self) -> Self {
        self.rows.sort_by(|one, other| other.mean.total_cmp(&one.mean));
        self
    }
}

impl ReadingRow {
    /// The number to show beside the interval: the estimate, cut to the interval's range, beside a confidence interval,
    /// and the posterior mean beside any other.
    #[must_use]
    pub fn shown(&self) -> f64 {
        match (self.estimate, self.confidence) {
            (Some(estimate), Some(confidence)) if confidence == self.interval => {
                estimate.clamp(confidence[0], confidence[1])
            }
            _ => self.mean,
        }
    }

    /// The number to show, where it means something: of a group that may be empty, there is no share to show.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        (!self.may_be_empty).then(|| self.shown())
    }
}

/// What is known of the intervals that a reading shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReadingMethod {
    /// Confidence intervals that are proven to hold as often as their level says, whatever the truth is.
    Proven,
    /// Confidence intervals that held as often as their level says at all truths at which that was measured. It is not
    /// proven.
    Measured,
    /// From the posterior given the release, taking the noise into account, up to the error that is stated.
    Exact,
    /// From draws of that posterior. The means of shares are exact.
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
            Self::Proven => "proven",
            Self::Measured => "measured",
            Self::Exact => "exact",
            Self::Draws => "draws",
            Self::WithoutNoise => "without-noise",
        }
    }

    /// What is known of the intervals, in a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Proven => {
                "That these intervals hold as often as their level says is proven (docs/proofs/intervals.md)."
            }
            Self::Measured => {
                "That these intervals hold as often as their level says has been measured at many truths, not proven \
                 (docs/benchmarks.md, \"Confidence intervals on real tables\")."
            }
            Self::Exact => "These intervals are computed from the law of the privacy noise, not from draws.",
            Self::Draws => "These intervals come from draws of the posterior with the privacy noise in it.",
            Self::WithoutNoise => {
                "The noise of this mechanism is not modelled, so these intervals leave it out and are too narrow."
            }
        }
    }
}
