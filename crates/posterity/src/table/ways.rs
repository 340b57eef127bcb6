//! Which intervals a reading has, and of what.

use std::fmt;
use std::str::FromStr;

pub use posterity_core::confidence::Subject;
use posterity_core::model::{LevelError, interval_level};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::error::ReadingError;
use super::statistic::Statistic;
use crate::number::percent;

/// How a release is read: which intervals, of what, and at which level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ways {
    /// The level of the intervals.
    pub level: f64,
    /// Which interval is shown.
    pub interval: IntervalKind,
    /// What the intervals are about.
    pub about: Subject,
    /// Whether all intervals of a reading hold at once.
    pub simultaneous: bool,
}

/// The kinds of interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IntervalKind {
    /// Holds as often as its level says, whatever the truth is.
    #[default]
    Confidence,
    /// Has the probability of its level given the release and the prior, with the same probability on either side.
    Credible,
    /// The shortest interval with that probability.
    Shortest,
}

/// There is no such kind of interval.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} is not one of confidence, credible and shortest")]
#[non_exhaustive]
pub struct WaysError {
    /// What was asked for.
    pub text: String,
}

impl Ways {
    /// Confidence intervals about the population.
    ///
    /// # Errors
    /// [`LevelError`] if the level is not strictly between 0 and 1.
    pub fn new(level: f64) -> Result<Self, LevelError> {
        interval_level(level)?;
        Ok(Self { level, interval: IntervalKind::default(), about: Subject::default(), simultaneous: false })
    }

    /// Refuses intervals that do not exist.
    ///
    /// # Errors
    /// [`ReadingError::Level`] if the level is not strictly between 0 and 1; [`ReadingError::CredibleRecords`] if credible
    /// intervals are about the records.
    pub fn check(&self) -> Result<(), ReadingError> {
        interval_level(self.level)?;
        if self.about == Subject::Records && self.interval != IntervalKind::Confidence {
            return Err(ReadingError::CredibleRecords);
        }
        Ok(())
    }

    /// What confidence intervals promise.
    ///
    /// ```
    /// let ways = posterity::table::Ways::new(0.95)?;
    /// assert_eq!(
    ///     ways.promise(),
    ///     "Each interval by itself: if the records were drawn and released anew, at least 95 of 100 such intervals would hold \
    ///      the true share, whatever it is."
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn promise(&self) -> String {
        self.promise_of(Statistic::Share)
    }

    /// What confidence intervals of shares, means or counts promise.
    ///
    /// ```
    /// use posterity::table::{Statistic, Subject, Ways};
    /// let ways = Ways { about: Subject::Records, ..Ways::new(0.9)? };
    /// assert!(ways.promise_of(Statistic::Count).ends_with("would hold the count of these records, whatever it is."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn promise_of(&self, statistic: Statistic) -> String {
        self.promise_of_all(&[statistic])
    }

    /// The promise of confidence intervals of several kinds of numbers, in one sentence.
    ///
    /// ```
    /// use posterity::table::{Statistic, Ways};
    /// let said = Ways::new(0.9)?.promise_of_all(&[Statistic::Count, Statistic::Share]);
    /// assert!(said.ends_with("would hold the true count or share, whatever it is."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn promise_of_all(&self, statistics: &[Statistic]) -> String {
        let word = statistics.iter().map(|one| one.word()).collect::<Vec<_>>().join(" or ");
        let (anew, truth) = match self.about {
            Subject::Population => ("the records were drawn and released anew", format!("the true {word}")),
            Subject::Records => ("the records were released anew", format!("the {word} of these records")),
        };
        let percent = percent(self.level);
        if self.simultaneous {
            format!(
                "All intervals of a reading at once: if {anew}, in at least {percent} of 100 cases all of them would hold {truth}, \
                 whatever it is."
            )
        } else {
            format!(
                "Each interval by itself: if {anew}, at least {percent} of 100 such intervals would hold {truth}, whatever it is."
            )
        }
    }

    /// What intervals of a kind are about: credible ones are always about the population.
    pub(super) fn about_of(&self, shown: IntervalKind) -> Subject {
        if shown == IntervalKind::Confidence { self.about } else { Subject::Population }
    }

    /// The level of each of this many intervals.
    pub(crate) fn level_of_each(&self, rows: usize) -> f64 {
        if self.simultaneous { 1.0 - (1.0 - self.level) / rows.max(1) as f64 } else { self.level }
    }
}

impl IntervalKind {
    /// Its name, as in documents.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Confidence => "confidence",
            Self::Credible => "credible",
            Self::Shortest => "shortest",
        }
    }

    /// What it promises, for whoever chooses one.
    #[must_use]
    pub fn promise(self) -> &'static str {
        match self {
            Self::Confidence => "holds in at least 95 of 100 releases (at level 0.95), whatever the truth is",
            Self::Credible => "holds with a probability of 95 %, given the release and the prior",
            Self::Shortest => "the shortest credible interval",
        }
    }

    /// The kind of a table whose rows have no confidence intervals.
    pub(super) fn without_confidence(self) -> Self {
        if self == Self::Confidence { Self::Credible } else { self }
    }
}

impl FromStr for IntervalKind {
    type Err = WaysError;

    fn from_str(text: &str) -> Result<Self, WaysError> {
        let all = [Self::Confidence, Self::Credible, Self::Shortest];
        all.into_iter().find(|kind| kind.word() == text).ok_or(WaysError { text: text.to_owned() })
    }
}

impl fmt::Display for IntervalKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
