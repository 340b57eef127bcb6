//! `posterity margins`

use std::io;

use clap::Args;
use posterity::{
    Adjacency, Contrasted, Epsilon, MarginsDocument, MarginsError, MarginsPublisher, MarginsTerms,
    PublishError, ReadingError, ReadingTable, Which,
};
use posterity_present::Mark;
use posterity_present::intervals::below;
use posterity_present::readings::{comparison, reading, records};

use super::delta_args::DeltaArgs;
use super::paper::{answer, describe, print, tell};
use super::paying::PayingArgs;
use super::pictures::{self, PictureArgs};
use super::readings::{ReadingArgs, say_draws};
use crate::failure::Failure;
use crate::input::{SourceArgs, count_margins, margins_question};
use crate::intervals::{IntervalArgs, wrong_ways};
use crate::notice::warn;
use crate::output::{Page, Paragraph, Printing, Report, Sheet};
use crate::progress::Progress;
use crate::terms::adjacency_parser;

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
    pub(crate) data: SourceArgs,

    /// Which tables: 2 for every pair of columns, 3 for every triple; or sets of columns, 'age,ward; ward,cured'; or both,
    /// with weights for what matters: '2; age,ward=5'. Names with blanks or with any of , ; = are quoted:
    /// '\"blood type\",ward'
    #[arg(long, value_name = "TABLES")]
    sets: Which,

    /// Privacy budget of all tables together: smaller is more private
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    epsilon: Epsilon,

    #[command(flatten)]
    delta: DeltaArgs,

    /// What is protected: with replace, what any one record says, and n, the number of records, is public; with
    /// add-remove, also whether anyone is in the data at all, and n is private. Then values that are not declared and
    /// missing values are left out, and --where may use any column
    #[arg(long, value_name = "NAME", default_value_t, value_parser = adjacency_parser())]
    adjacency: Adjacency,

    #[command(flatten)]
    readings: ReadingArgs,

    #[command(flatten)]
    intervals: IntervalArgs,

    #[command(flatten)]
    paying: PayingArgs,

    #[command(flatten)]
    pictures: PictureArgs,

    #[command(flatten)]
    printing: Printing,
}

/// Releases tables of many columns and prints the document.
pub(crate) fn margins(args: &MarginsArgs) -> Result<(), Failure> {
    // Refuse as much as possible before the data is read, and everything before anything is charged.
    let terms = terms(args)?;
    let mut till = args.paying.till(&args.data)?;
    check_pictures(&args.pictures, terms.readings.len())?;
    let (source, question) = margins_question(&args.data, &terms)?;
    let progress = Progress::spinner("planning the noise of all tables");
    let publisher = MarginsPublisher::new(terms).allow_large_delta(args.delta.allow_large_delta);
    let planned = publisher.plan(question).map_err(refusal)?;
    drop(progress);
    let data = count_margins(&args.data, &source, planned, till.randomness())?;
    data.warnings().iter().for_each(warn);
    let progress = Progress::spinner("drawing the noise of all tables");
    let published = answer(&mut till, data.ask().map_err(refusal)?, refusal);
    drop(progress);
    tell((&args.printing, &args.paying), &published?, |printing, document| {
        show(printing, &args.pictures, document)
    })
}

/// The terms.
fn terms(args: &MarginsArgs) -> Result<MarginsTerms, Failure> {
    let usual = MarginsTerms::new(args.sets.clone(), args.epsilon.clone(), args.delta.delta.clone());
    Ok(MarginsTerms {
        adjacency: args.adjacency,
        ways: args.intervals.ways(usual.ways)?,
        readings: args.readings.read.clone(),
        comparisons: args.readings.compare.clone(),
        ..usual
    })
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
        ReadingError::NoCredible => Failure::usage("--interval", error),
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

/// Prints the document, and draws what was asked for.
pub(super) fn show(
    printing: &Printing,
    pictures: &PictureArgs,
    document: &MarginsDocument,
) -> (io::Result<()>, Result<(), Failure>) {
    let answer = document.answer();
    let shown = Shown { document, readings: answer.readings(), comparisons: answer.comparisons() };
    let printed = print(printing, document, &shown);
    (printed, pictures::draw_forest(pictures, document, &shown.readings))
}

/// A document with its readings and comparisons.
struct Shown<'a> {
    document: &'a MarginsDocument,
    readings: Vec<ReadingTable>,
    comparisons: Vec<Contrasted>,
}

/// How many rows of a reading a terminal lists.
const MOST_LISTED: usize = 200;

impl Report for Shown<'_> {
    type Document = MarginsDocument;

    fn document(&self) -> &MarginsDocument {
        self.document
    }

    fn records(&self) -> Sheet<'_> {
        records(Mark::of(self.document), &self.readings, &self.comparisons)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        for table in &self.readings {
            page.say(Paragraph::led("Reading:", table.reading.to_string()));
            let mut sheet = reading(table);
            sheet.rows = Box::new(sheet.rows.take(MOST_LISTED));
            page.sheet(sheet);
            if table.rows.len() > MOST_LISTED {
                page.say(format!(
                    "The first {MOST_LISTED} of {} rows; --format csv lists all.",
                    table.rows.len()
                ));
            }
        }
        for one in &self.comparisons {
            page.say(Paragraph::led("Comparison:", one.comparison.to_string()));
            page.sheet(comparison(one));
        }
        for sentence in below(&self.readings, &self.comparisons) {
            page.say(sentence);
        }
        page.pause();
        say_draws(&mut page, &self.readings, &self.comparisons);
        describe(&mut page, self.document);
        page
    }
}

/// So many columns.
pub(super) fn columns(number: usize) -> String {
    if number == 1 { "1 column".to_owned() } else { format!("{number} columns") }
}
