//! Which intervals are shown, of what, and at which level, as it is typed.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use posterity::ReadingError;
use posterity::table::{IntervalKind, Subject, Ways};
use posterity_present::intervals::{choice, promise};

use crate::failure::Failure;
use crate::terms::parse_level;

/// The intervals that are shown. What is not given is as in the document that is read, or else as usual.
#[derive(Debug, Args)]
pub(crate) struct IntervalArgs {
    /// Level of the intervals, between 0 and 1 [default: 0.95, or that of the document that is read]
    #[arg(long, value_name = "P", value_parser = parse_level, allow_hyphen_values = true)]
    level: Option<f64>,

    /// Which kind of intervals to show [default: confidence, or that of the document that is read]
    ///
    /// Mechanisms whose noise is not added to counts have credible intervals only, unless there are two categories and at
    /// most 500 records. Tables of many columns have
    /// every kind for shares, means and comparisons, and confidence intervals for numbers of records. Credible intervals of
    /// their shares are exact; those of means of three or more numbers and of comparisons come from draws, with their
    /// standard error.
    #[arg(long, value_name = "KIND", value_parser = kinds())]
    interval_kind: Option<IntervalKind>,

    /// What the intervals are about [default: population, or that of the document that is read]
    #[arg(long, value_name = "WHAT", value_parser = subjects())]
    about: Option<Subject>,

    /// Widen the intervals of each reading so that all of its rows hold at once, and not each by itself
    ///
    /// Of 100 intervals of 95 %, about 5 miss. Simultaneous ones all hold in at least 95 of 100 releases.
    /// `--simultaneous=false` undoes it for a document that has it.
    #[arg(long, value_name = "YES", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    simultaneous: Option<bool>,
}

impl IntervalArgs {
    /// The level, where only that can be chosen.
    pub(crate) fn level_only(&self) -> Result<Option<f64>, Failure> {
        let given = [
            ("--interval-kind", self.interval_kind.is_some_and(|kind| kind != IntervalKind::Confidence)),
            ("--about", self.about.is_some_and(|about| about != Subject::Records)),
            ("--simultaneous", self.simultaneous == Some(true)),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(Failure::usage(
                flag,
                "discovered categories have confidence intervals of the records, each by itself; leave it out",
            )),
            None => Ok(self.level),
        }
    }

    /// The intervals that were asked for, or why there are none such.
    pub(crate) fn ways(&self, usual: Ways) -> Result<Ways, Failure> {
        let ways = Ways {
            level: self.level.unwrap_or(usual.level),
            interval: self.interval_kind.unwrap_or(usual.interval),
            about: self.about.unwrap_or(usual.about),
            simultaneous: self.simultaneous.unwrap_or(usual.simultaneous),
        };
        ways.check().map_err(wrong_ways)?;
        Ok(ways)
    }
}

/// Intervals that there are not.
pub(crate) fn wrong_ways(error: ReadingError) -> Failure {
    match error {
        ReadingError::RandomRecords => {
            Failure::usage("--about", format!("{error} (--per-unit mode, first or \"latest COLUMN\")"))
        }
        ReadingError::CredibleRecords | ReadingError::DependentRecords => Failure::usage("--about", error),
        ReadingError::Level(_) => Failure::usage("--level", error),
        other => Failure::refused(other),
    }
}

fn kinds() -> impl TypedValueParser<Value = IntervalKind> {
    let all = [IntervalKind::Confidence, IntervalKind::Credible, IntervalKind::Shortest];
    let names = all.map(|kind| PossibleValue::new(kind.word()).help(promise(kind)));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<IntervalKind>())
}

fn subjects() -> impl TypedValueParser<Value = Subject> {
    let names = [Subject::Population, Subject::Records]
        .map(|subject| PossibleValue::new(subject.word()).help(choice(subject)));
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Subject>())
}
