//! `posterity margins`

use super::asking_args::AskingArgs;
use super::paper::{answer, tell};
use super::pictures::{self, PictureArgs};
use crate::asked::{PlanOfFlags, plan};
use crate::failure::Failure;
use crate::fields::FieldArgs;
use crate::input::{check_source, count_margins};
use crate::intervals::wrong_ways;
use crate::notice::warn;
use crate::progress::Progress;
use clap::Args;
use posterity::margins::{Margins, MarginsError};
use posterity::plan::PlannedMargins;
use posterity::{PublishError, ReadingError};

const EXAMPLES: &str = "\
Examples:
  # Every pair of the columns that a Table Schema declares, with intervals
  posterity margins survey.csv --schema survey.schema.json --sets 2 --epsilon 1 --delta 1e-9

  # Of three of its columns, and one table of two that matters more
  posterity margins survey.csv --schema survey.schema.json --column age --column ward --column cured \\
      --sets '2; age,ward=5' --epsilon 1 --delta 1e-9

  # Each person protected with all of their visits, read as outcome within each ward
  posterity margins visits.parquet --schema visits.schema.json --sets 2 --unit patient \\
      --epsilon 1 --delta 1e-9 --read 'outcome | ward'";

/// Draw all tables of many columns together: every pair or triple, or the sets that are named.
///
/// Their noise is as small as it can be for all of them together, and every share, mean and comparison within one of the
/// tables is read at no cost, with intervals. The values of the columns are declared, best by a Table Schema.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct MarginsArgs {
    #[command(flatten)]
    pub(crate) shared: AskingArgs<FieldArgs<Margins>>,
}

/// Releases tables of many columns and prints the document.
pub(crate) fn margins(args: &MarginsArgs) -> Result<(), Failure> {
    // Refuse as much as possible before the data is read, and everything before anything is charged.
    let (plan, args) = (args.plan()?, &args.shared);
    let asked: &PlannedMargins = plan.asked()?;
    let mut till = args.paying.till(&args.data, &plan)?;
    check_pictures(&args.pictures, asked.terms().readings.len())?;
    let data = count_margins(&args.data, &plan, asked.clone(), till.randomness())?;
    data.warnings().iter().for_each(warn);
    let progress = Progress::spinner("drawing the noise of all tables");
    let published = answer(&mut till, data.ask().map_err(refusal)?, refusal);
    drop(progress);
    tell((&args.printing, &args.paying, &args.pictures), published?)
}

impl MarginsArgs {
    /// What is asked for.
    pub(super) fn plan(&self) -> Result<PlanOfFlags, Failure> {
        check_source(&self.shared.data, false)?;
        let _progress = Progress::spinner("planning the noise of all tables");
        plan(&self.shared.data, &self.shared.fields, None)
    }
}

fn refusal(error: PublishError) -> Failure {
    match error {
        PublishError::Margins(error) => wrong_margins(error),
        PublishError::LargeDelta(error) => Failure::large_delta(&error),
        PublishError::Ledger(error) => Failure::ledger(error),
        other => Failure::refused(other),
    }
}

/// Why there are no such tables, with the flag that it is about.
pub(super) fn wrong_margins(error: MarginsError) -> Failure {
    match error {
        MarginsError::Delta => Failure::usage("--delta", error),
        MarginsError::SeveralRecords => Failure::usage("--per-unit", error),
        MarginsError::Unused { .. } => Failure::usage("--within", error),
        MarginsError::Reading(error) => wrong_reading(error),
        MarginsError::Noise(_) | MarginsError::Plan(_) => Failure::usage("--epsilon", error),
        other => Failure::usage("--sets", other),
    }
}

/// What is wrong with a reading or a comparison, or with its intervals.
pub(super) fn wrong_reading(error: ReadingError) -> Failure {
    match error {
        ReadingError::NoIndependence => Failure::usage("--compare", error),
        ReadingError::NoCredible => Failure::usage("--interval-kind", error),
        ReadingError::CredibleRecords | ReadingError::RandomRecords | ReadingError::Level(_) => {
            wrong_ways(error)
        }
        ReadingError::Document { .. } => Failure::refused(error),
        other => Failure::usage("--read", other),
    }
}

/// Refuses a picture of nothing in particular, because there may be hundreds of tables, and one of another kind.
pub(super) fn check_pictures(pictures: &PictureArgs, readings: usize) -> Result<(), Failure> {
    if pictures.file().is_some() && readings == 0 {
        return Err(Failure::usage(
            "--plot",
            "say what to draw: add --read, such as --read 'outcome | ward'",
        ));
    }
    pictures::check_forest(pictures, readings)
}

/// How many columns a table has.
pub(super) fn columns(number: usize) -> String {
    if number == 1 { "1 column".to_owned() } else { format!("{number} columns") }
}
