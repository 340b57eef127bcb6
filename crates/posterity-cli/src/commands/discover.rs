//! `posterity discover`

use std::io;

use clap::Args;
use posterity::data::ValuesAsked;
use posterity::number::{count, grouped};
use posterity::{
    DiscoveredDocument, Discovery, DiscoveryError, DiscoveryTerms, Epsilon, PublishError, ReadingTable,
};
use posterity_present::Mark;
use posterity_present::readings::{reading, records};

use super::delta_args::DeltaArgs;
use super::paper::{answer, describe, print, tell};
use super::paying::PayingArgs;
use super::pictures::{self, PictureArgs};
use crate::failure::Failure;
use crate::input::{SourceArgs, values};
use crate::intervals::IntervalArgs;
use crate::notice::{note, warn};
use crate::output::{Page, Paragraph, Printing, Report, Sheet};

const EXAMPLES: &str = "\
Examples:
  # The diagnoses that occur, which nobody can list; each patient protected
  posterity discover visits.parquet --column diagnosis --unit patient --epsilon 1 --delta 1e-9

  # With shares, and how many have a value that is not named
  posterity discover visits.parquet --column diagnosis --unit patient --epsilon 1 --delta 1e-9 \\
      --total-epsilon 0.1";

/// Name the values of a column that enough people have, where nobody can list them beforehand.
///
/// A value that one person alone has is named with a probability of at most delta. How many there are is private, and so is
/// which values occur. Where the values can be listed, `posterity release` says more for the same budget.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiscoverArgs {
    #[command(flatten)]
    pub(crate) data: SourceArgs,

    /// Privacy budget: smaller is more private
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    epsilon: Epsilon,

    #[command(flatten)]
    delta: DeltaArgs,

    /// Each person has at most one record, so that no column need name them; otherwise use --unit
    #[arg(long)]
    one_record_per_person: bool,

    /// Also release how many there are in all, with this budget besides. Only then are there shares, and a number of
    /// those whose value is not named
    #[arg(long, value_name = "EPSILON", allow_hyphen_values = true)]
    total_epsilon: Option<Epsilon>,

    #[command(flatten)]
    intervals: IntervalArgs,

    #[command(flatten)]
    paying: PayingArgs,

    #[command(flatten)]
    pictures: PictureArgs,

    #[command(flatten)]
    printing: Printing,
}

/// Discovers the categories of a column and prints the document.
pub(crate) fn discover(args: &DiscoverArgs) -> Result<(), Failure> {
    // Refuse as much as possible before the data is read, and everything before anything is charged.
    let discovery = Discovery::new(terms(args)?).allow_large_delta(args.delta.allow_large_delta);
    let mut till = args.paying.till(&args.data)?;
    pictures::check_forest(&args.pictures, 1)?;
    let check = |asked: &ValuesAsked| discovery.check(asked).map_err(refusal);
    let data = values(&args.data, till.randomness(), check)?;
    discovery.warnings().iter().for_each(warn);
    let ask = discovery.ask(data).map_err(refusal)?;
    let published = answer(&mut till, ask, refusal)?;
    tell((&args.printing, &args.paying), &published, |printing, document| {
        show(printing, &args.pictures, document)
    })
}

/// The terms.
fn terms(args: &DiscoverArgs) -> Result<DiscoveryTerms, Failure> {
    let usual = DiscoveryTerms::new(args.epsilon.clone(), args.delta.delta.clone());
    Ok(DiscoveryTerms {
        total: args.total_epsilon.clone(),
        one_record_per_person: args.one_record_per_person,
        level: args.intervals.level_only()?.unwrap_or(usual.level),
        ..usual
    })
}

fn refusal(error: PublishError) -> Failure {
    match error {
        PublishError::Discovery(error) => match error {
            DiscoveryError::NoUnit => {
                Failure::usage("--unit", format!("{error} (--unit COLUMN, or --one-record-per-person)"))
            }
            DiscoveryError::SeveralRecords => Failure::usage("--per-unit", error),
            DiscoveryError::Threshold(_) => Failure::usage("--delta", error),
            DiscoveryError::Level(_) => Failure::usage("--level", error),
            other => Failure::usage("--column", other),
        },
        PublishError::LargeDelta(error) => Failure::large_delta(&error),
        PublishError::Ledger(error) => Failure::ledger(error),
        other => Failure::refused(other),
    }
}

/// Prints the document, and draws the counts if that is asked for, the largest first.
pub(super) fn show(
    printing: &Printing,
    pictures: &PictureArgs,
    document: &DiscoveredDocument,
) -> (io::Result<()>, Result<(), Failure>) {
    let readings = document.answer().readings();
    let by_size = readings.iter().cloned().map(ReadingTable::largest_first).collect();
    let shown = Shown { document, readings, by_size };
    let printed = print(printing, document, &shown);
    let counts = &shown.by_size[..1];
    if pictures.file().is_some() && counts[0].rows.is_empty() {
        note("no value passed the threshold, so there is nothing to draw");
        return (printed, Ok(()));
    }
    (printed, pictures::draw_forest(pictures, document, counts))
}

/// A document with its readings.
struct Shown<'a> {
    document: &'a DiscoveredDocument,
    readings: Vec<ReadingTable>,
    /// The same with the largest numbers first, for a reader.
    by_size: Vec<ReadingTable>,
}

/// How many values a terminal lists.
const MOST_LISTED: usize = 100;

impl Report for Shown<'_> {
    type Document = DiscoveredDocument;

    fn document(&self) -> &DiscoveredDocument {
        self.document
    }

    fn records(&self) -> Sheet<'_> {
        records(Mark::of(self.document), &self.readings, &[])
    }

    fn page(&self) -> Page<'_> {
        let (mut page, answer) = (Page::default(), self.document.answer());
        let (counts, others) = (&self.by_size[0], &self.by_size[1..]);
        let all = counts.rows.len();
        if all == 0 {
            page.say("No value passed the threshold.");
        } else {
            let mut sheet = reading(counts);
            sheet.rows = Box::new(sheet.rows.take(MOST_LISTED));
            page.sheet(sheet);
        }
        if all > MOST_LISTED {
            page.say(format!(
                "The {MOST_LISTED} largest of {} values; --format csv lists all.",
                count(all as f64)
            ));
        }
        for table in others {
            if table.rows.len() <= MOST_LISTED && !table.rows.is_empty() {
                page.say(Paragraph::led("Reading:", table.reading.to_string()));
                page.sheet(reading(table));
            }
        }
        if let Some(rest) = answer.not_shown() {
            let [low, high] = rest.interval.map(|end| grouped(&format!("{end:.0}")));
            page.say(format!("With a value that is not named: {low} to {high}."));
        }
        page.pause();
        describe(&mut page, self.document);
        page
    }
}
