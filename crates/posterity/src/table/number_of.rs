//! Which number of a column is asked for.

use std::fmt;

use super::names::name_text;

/// Which number of a column of numbers, of bins or of ordered values is asked for.
///
/// | text | number |
/// |---|---|
/// | `mean(age)` | the mean; of bins it lies between the means of their lower and of their upper edges |
/// | `sum(age)` | the sum over the records |
/// | `median(age)` | the value with at most half of the records below it, and at most half above |
/// | `quantile(age, 0.9)` | the same with another part than half |
/// | `quartiles(age)` | the quantiles of 0.25, 0.5 and 0.75 |
/// | `cumulative(age)` | the share below each edge |
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberOf {
    /// The mean.
    Mean,
    /// The sum over the records.
    Sum,
    /// A quantile.
    Quantile(Part),
    /// The three quartiles.
    Quartiles,
    /// The share below each edge.
    Cumulative,
}

/// A part of the records, above 0 and below 1, as the shortest text of its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part(String);

impl Part {
    /// The number.
    #[must_use]
    pub fn value(&self) -> f64 {
        // It was made of a number.
        self.0.parse().unwrap_or(0.5)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl NumberOf {
    /// The words that begin such a reading.
    pub(super) const WORDS: [&'static str; 6] =
        ["mean", "sum", "median", "quantile", "quartiles", "cumulative"];

    /// The quantile of a part between 0 and 1. Nothing for any other number.
    ///
    /// ```
    /// use posterity::Reading;
    /// use posterity::table::NumberOf;
    /// let ninth = NumberOf::quantile(0.9).ok_or("between 0 and 1")?;
    /// assert_eq!(Reading::number(ninth, "age", vec![]).to_string(), "quantile(age, 0.9)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn quantile(part: f64) -> Option<Self> {
        (part > 0.0 && part < 1.0).then(|| Self::Quantile(Part(part.to_string())))
    }

    /// The median.
    #[must_use]
    pub fn median() -> Self {
        Self::Quantile(Part("0.5".to_owned()))
    }

    /// What a word asks for, with its part of a quantile.
    pub(super) fn named(word: &str, part: &str) -> Result<Self, String> {
        Ok(match word {
            "mean" => Self::Mean,
            "sum" => Self::Sum,
            "median" => Self::median(),
            "quartiles" => Self::Quartiles,
            "cumulative" => Self::Cumulative,
            _ => part
                .parse()
                .ok()
                .and_then(Self::quantile)
                .ok_or_else(|| format!("{part:?} is no number above 0 and below 1, such as 0.9"))?,
        })
    }

    /// The parts of which quantiles are asked for; none of other numbers.
    #[must_use]
    pub fn parts(&self) -> Vec<f64> {
        match self {
            Self::Quantile(part) => vec![part.value()],
            Self::Quartiles => vec![0.25, 0.5, 0.75],
            Self::Mean | Self::Sum | Self::Cumulative => Vec::new(),
        }
    }

    /// The number of a column in words, such as `median of age`.
    #[must_use]
    pub fn in_words(&self, column: &str) -> String {
        match self {
            Self::Mean => format!("mean of {column}"),
            Self::Sum => format!("sum of {column}"),
            Self::Quantile(part) if part.0 == "0.5" => format!("median of {column}"),
            Self::Quantile(part) => format!("quantile {part} of {column}"),
            Self::Quartiles => format!("quartiles of {column}"),
            Self::Cumulative => format!("share below each edge of {column}"),
        }
    }

    /// The number of a column, as it is written.
    pub(super) fn of(&self, column: &str) -> String {
        let column = name_text(column);
        match self {
            Self::Mean => format!("mean({column})"),
            Self::Sum => format!("sum({column})"),
            Self::Quantile(part) if part.0 == "0.5" => format!("median({column})"),
            Self::Quantile(part) => format!("quantile({column}, {part})"),
            Self::Quartiles => format!("quartiles({column})"),
            Self::Cumulative => format!("cumulative({column})"),
        }
    }
}
