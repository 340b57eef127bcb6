//! What is read: shares, means, sums, quantiles or counts.

use serde::{Deserialize, Serialize};

/// What the numbers of a reading are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Statistic {
    /// Shares of records, between 0 and 1.
    Share,
    /// Means of a column of numbers.
    Mean,
    /// Sums of a column of numbers.
    Sum,
    /// Quantiles of a column of numbers, bins or ordered values.
    Quantile,
    /// Numbers of records.
    Count,
}

impl Statistic {
    /// Its name, as in documents.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Mean => "mean",
            Self::Sum => "sum",
            Self::Quantile => "quantile",
            Self::Count => "count",
        }
    }
}
