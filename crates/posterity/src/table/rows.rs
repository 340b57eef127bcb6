//! What a reading gives: rows of means and intervals.

use serde::{Deserialize, Serialize};

use super::labels::Labels;
use super::reading::Reading;
use super::statistic::Statistic;
use super::ways::{IntervalKind, Subject};
use super::words::Words;

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
    #[serde(rename = "interval_kind")]
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
    /// The labels of the values. In a document they stand with the columns, and not with each reading.
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
#[serde(from = "Written", into = "Written")]
pub struct ReadingRow {
    /// The values of the condition.
    pub given: Labels,
    /// The values whose share it is, or of several quantiles which one it is; none for other numbers.
    pub cell: Labels,
    /// The share of the noisy counts without the mean of the noise: no prior is in it. It may be below 0 or above 1. Of
    /// a count, the noisy count.
    /// Absent where the noise is not one that adds up, or no records are left of the condition. Of a quantile of bins it is
    /// in `bin`.
    pub estimate: Option<f64>,
    /// The edges of the bin in which the estimate of a quantile lies. In JSON that is its `estimate`.
    pub bin: Option<[f64; 2]>,
    /// The posterior mean. Of a quantile, the middle of what is known of it.
    pub mean: f64,
    /// The interval that holds as often as the level says, whatever the truth is; absent where there is none.
    pub confidence: Option<[f64; 2]>,
    /// The interval that has the probability of the level given the release and the prior. It is not a number, and absent
    /// in JSON, where several records of a unit count: they depend on each other.
    pub credible: [f64; 2],
    /// The interval that was asked for.
    pub interval: [f64; 2],
    /// Of a mean or a sum of bins, the part of the interval's width that comes from not knowing where in its bin a number
    /// lies. In JSON it is `bins`.
    pub of_bins: Option<f64>,
    /// Whether the posterior owes more to the prior than to the data: the standard error of the estimate is larger than
    /// the standard deviation of the prior.
    pub mostly_prior: bool,
    /// Whether no record may satisfy the condition.
    pub may_be_empty: bool,
}

/// A row as JSON has it.
#[derive(Clone, Serialize, Deserialize)]
struct Written {
    given: Labels,
    cell: Labels,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    estimate: Option<Estimate>,
    mean: f64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    confidence: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "is_no_interval", default = "no_interval")]
    credible: [f64; 2],
    interval: [f64; 2],
    #[serde(rename = "bins", skip_serializing_if = "Option::is_none", default)]
    of_bins: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    mostly_prior: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    may_be_empty: bool,
}

/// A number, or the edges of the bin in which it lies.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(untagged)]
enum Estimate {
    Number(f64),
    Bin([f64; 2]),
}

impl From<Written> for ReadingRow {
    fn from(written: Written) -> Self {
        let Written { given, cell, estimate, mean, confidence, credible, interval, of_bins, .. } = written;
        let Written { mostly_prior, may_be_empty, .. } = written;
        let (estimate, bin) = match estimate {
            Some(Estimate::Number(number)) => (Some(number), None),
            Some(Estimate::Bin(bin)) => (None, Some(bin)),
            None => (None, None),
        };
        Self {
            given,
            cell,
            estimate,
            bin,
            mean,
            confidence,
            credible,
            interval,
            of_bins,
            mostly_prior,
            may_be_empty,
        }
    }
}

impl From<ReadingRow> for Written {
    fn from(row: ReadingRow) -> Self {
        let ReadingRow { given, cell, estimate, bin, mean, confidence, credible, interval, of_bins, .. } =
            row;
        let ReadingRow { mostly_prior, may_be_empty, .. } = row;
        let estimate = estimate.map(Estimate::Number).or(bin.map(Estimate::Bin));
        Self {
            given,
            cell,
            estimate,
            mean,
            confidence,
            credible,
            interval,
            of_bins,
            mostly_prior,
            may_be_empty,
        }
    }
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
    /// Puts the largest numbers first.
    #[must_use]
    pub fn largest_first(mut self) -> Self {
        self.rows.sort_by(|one, other| other.mean.total_cmp(&one.mean));
        self
    }
}

impl ReadingRow {
    /// A number with its confidence interval, and nothing else.
    pub(crate) fn confident(given: Labels, estimate: Option<f64>, ends: [f64; 2]) -> Self {
        let shown = estimate.unwrap_or(0.5 * (ends[0] + ends[1]));
        Self {
            given,
            cell: Labels::default(),
            estimate,
            bin: None,
            mean: shown.clamp(ends[0], ends[1]),
            confidence: Some(ends),
            credible: NO_INTERVAL,
            interval: ends,
            of_bins: None,
            mostly_prior: false,
            may_be_empty: false,
        }
    }

    /// A number of bins, from that of their lower and that of their upper edges: it lies between both, so its interval
    /// begins with the lower one's and ends with the upper one's.
    pub(crate) fn spanning(self, upper: Self) -> Self {
        let span = |low: [f64; 2], high: [f64; 2]| [low[0], high[1]];
        let middle = |low: f64, high: f64| 0.5 * (low + high);
        let width = match (self.estimate, upper.estimate) {
            (Some(low), Some(high)) => high - low,
            _ => upper.mean - self.mean,
        };
        Self {
            estimate: self.estimate.zip(upper.estimate).map(|(low, high)| middle(low, high)),
            mean: middle(self.mean, upper.mean),
            confidence: self.confidence.zip(upper.confidence).map(|(low, high)| span(low, high)),
            credible: span(self.credible, upper.credible),
            interval: span(self.interval, upper.interval),
            of_bins: Some(width),
            ..self
        }
    }

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
