//! `posterity release --margins`

use std::io;

use posterity::{
    Contrasted, MarginsDocument, MarginsError, MarginsPublisher, MarginsTerms, PublishError, ReadingError,
    ReadingTable,
};
use posterity_present::Mark;
use posterity_present::intervals::below;
use posterity_present::readings::{comparison, reading, records};

use super::paper::{answer, describe, open_till, print, refuse, refuse_posterior_flags, tell};
use super::pictures::{self, PictureArgs};
use super::readings::say_draws;
use super::release_args::ReleaseArgs;
use crate::failure::Failure;
use crate::input::{count_margins, margins_question};
use crate::intervals::wrong_ways;
use crate::notice::warn;
use crate::output::{Page, Paragraph, Printing, Report, Sheet};
use crate::progress::Progress;

/// Releases tables of many columns and prints the document.
pub(crate) fn margins(args: &ReleaseArgs) -> Result<(), Failure> {
    // Refuse as much as possible before the data is read, and everything before anything is charged.
    let terms = terms(args)?;
    let mut till = open_till(args)?;
    check_pictures(&args.pictures, terms.readings.len())?;
    let (source, question) = margins_question(&args.data, &terms)?;
    let progress = Progress::spinner("planning the noise of all tables");
    let publisher = MarginsPublisher::new(terms).allow_large_delta(args.discover.allow_large_delta);
    let planned = publisher.plan(question).map_err(refusal)?;
    drop(progress);
    let data = count_margins(&args.data, &source, planned, till.randomness())?;
    data.warnings().iter().for_each(warn);
    let progress = Progress::spinner("drawing the noise of all tables");
    let published = answer(&mut till, data.ask().map_err(refusal)?, refusal);
    drop(progress);
    tell(args, &published?, |printing, document| show(printing, &args.pictures, document))
}

/// The terms, or which flag has no meaning here.
fn terms(args: &ReleaseArgs) -> Result<MarginsTerms, Failure> {
    refuse_posterior_flags(args, "--margins")?;
    let discovers = [
        ("--one-record-per-person", args.discover.one_record_per_person),
        ("--total-epsilon", args.discover.total_epsilon.is_some()),
    ];
    refuse(&discovers, "--margins")?;
    let Some(delta) = args.discover.delta.clone() else {
        return Err(Failure::usage("--delta", MarginsError::Delta));
    };
    let which = args.margins.margins.clone().unwrap_or_default();
    let usual = MarginsTerms::new(which, args.public.epsilon.clone(), delta);
    Ok(MarginsTerms {
        adjacency: args.public.adjacency.adjacency,
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
        other => Failure::usage("--margins", other),
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
