//! `posterity release --margins`

use std::io;

use posterity::number::{bound, decimal, spent};
use posterity::{
    Adjacency, Ledger, MarginsDocument, MarginsError, MarginsPublisher, MarginsTerms, Payer, Payment,
    PublishError, Randomness, ReadingError, ReadingTable,
};
use posterity_present::intervals::below;
use posterity_present::readings::{reading, records};
use posterity_present::{OrderError, payment};

use super::pictures::{self, PictureArgs};
use super::release::{ReleaseArgs, not_printed, read_key};
use crate::failure::Failure;
use crate::input::{count_margins, margins_question};
use crate::intervals::wrong_ways;
use crate::notice::{note, warn, warn_of_large};
use crate::output::{self, Page, Paragraph, Printing, Report, Sheet, is_read_as_table};
use crate::progress::Progress;

/// Releases tables of many columns and prints the document.
pub(crate) fn margins(args: &ReleaseArgs) -> Result<(), Failure> {
    // Refuse as much as possible before the data is read, and everything before anything is charged.
    let terms = terms(args)?;
    let key = args.sign.as_deref().map(read_key).transpose()?;
    if args.seed.is_some() && args.ledger.is_some() {
        return Err(Failure::usage("--seed", OrderError::SeedAndLedger));
    }
    let mut ledger = args.ledger.as_deref().map(Ledger::open).transpose().map_err(Failure::ledger)?;
    if let (Some(ledger), Some(account)) = (&ledger, &args.account) {
        ledger.account(account).map_err(Failure::account)?;
    }
    check_pictures(&args.pictures, terms.readings.len())?;
    pictures::check(&args.pictures, &terms.readings)?;
    let (source, question) = margins_question(&args.data, args.margins.schema.as_deref(), &terms)?;
    let progress = Progress::spinner("planning the noise of all tables");
    let planned = MarginsPublisher::new(terms).plan(question).map_err(refusal)?;
    drop(progress);
    let randomness = args.seed.map_or(Randomness::System, Randomness::Seed);
    let data = count_margins(&args.data, &source, planned, randomness)?;
    let progress = Progress::spinner("drawing the noise of all tables");
    let published = match (args.seed, &mut ledger, &args.account) {
        (Some(seed), _, _) => data.experiment(seed).map(|document| (document, Payment::Nothing)),
        (None, Some(ledger), Some(account)) => {
            // Nothing is charged if the release could not be printed.
            output::check()?;
            data.charge(Payer { again: args.again, key, ..Payer::new(ledger, account) })
        }
        _ => data.publish().map(|document| (document, Payment::Nothing)),
    };
    drop(progress);
    let (document, paid) = published.map_err(refusal)?;
    if args.seed.is_none() {
        warn_of_large(document.guarantee().epsilon);
        note(payment(&paid, false));
        if matches!(paid, Payment::Recalled { .. }) {
            note("--again draws and pays anew");
        }
    }
    let shown = show(&args.public.printing, &args.pictures, &document)?;
    shown.map_err(|error| not_printed(args, document.about(), error))
}

/// The terms, or which flag has no meaning here.
fn terms(args: &ReleaseArgs) -> Result<MarginsTerms, Failure> {
    let unused = [
        ("--mechanism", args.mechanism.is_given()),
        ("--prior", args.public.prior.is_given()),
        ("--most", args.public.adjacency.states_most()),
        ("--decode", args.decode.is_some()),
        ("--compare", !args.readings.compare.is_empty()),
        ("--certificate", args.certificate.is_some()),
        ("--not-private", args.not_private),
        ("--one-record-per-person", args.discover.one_record_per_person),
        ("--total-epsilon", args.discover.total_epsilon.is_some()),
    ];
    if let Some((flag, _)) = unused.into_iter().find(|(_, given)| *given) {
        return Err(Failure::usage(flag, "this does not go with --margins; leave it out"));
    }
    let Some(delta) = args.discover.delta.clone() else {
        return Err(Failure::usage("--delta", MarginsError::Delta));
    };
    let which = args.margins.margins.clone().unwrap_or_default();
    let usual = MarginsTerms::new(which, args.public.epsilon.clone(), delta);
    Ok(MarginsTerms {
        adjacency: args.public.adjacency.adjacency,
        ways: args.intervals.ways(usual.ways)?,
        readings: args.readings.read.clone(),
        ..usual
    })
}

fn refusal(error: PublishError) -> Failure {
    match error {
        PublishError::Margins(error) => match error {
            MarginsError::Delta => Failure::usage("--delta", error),
            MarginsError::SeveralRecords => Failure::usage("--per-unit", error),
            MarginsError::Unused { .. } => Failure::usage("--within", error),
            MarginsError::Reading(error) => wrong_reading(error),
            MarginsError::Noise(_) | MarginsError::Plan(_) => Failure::usage("--epsilon", error),
            other => Failure::usage("--margins", other),
        },
        PublishError::Ledger(error) => Failure::ledger(error),
        other => Failure::refused(other),
    }
}

/// What is wrong with a reading, or with its intervals.
pub(super) fn wrong_reading(error: ReadingError) -> Failure {
    match error {
        ReadingError::NoCredible => Failure::usage("--interval", error),
        ReadingError::CredibleRecords | ReadingError::RandomRecords | ReadingError::Level(_) => {
            wrong_ways(error)
        }
        ReadingError::Document { .. } => Failure::refused(error),
        other => Failure::usage("--read", other),
    }
}

/// Refuses a picture of nothing in particular: there may be hundreds of tables.
pub(super) fn check_pictures(pictures: &PictureArgs, readings: usize) -> Result<(), Failure> {
    if pictures.file().is_some() && readings == 0 {
        return Err(Failure::usage(
            "--plot",
            "say what to draw: add --read, such as --read 'outcome | ward'",
        ));
    }
    Ok(())
}

/// Prints the document, and draws what was asked for. What could not be printed is the inner error, so that the caller
/// can say what was paid.
pub(super) fn show(
    printing: &Printing,
    pictures: &PictureArgs,
    document: &MarginsDocument,
) -> Result<io::Result<()>, Failure> {
    if !document.is_private() && !is_read_as_table(printing.format) {
        warn("this release is not private; do not publish it as such");
    }
    let shown = Shown { document, readings: document.answer().readings() };
    let printed = output::print(printing, &shown);
    pictures::draw_readings(pictures, document, &shown.readings)?;
    Ok(printed)
}

/// A document with its readings.
struct Shown<'a> {
    document: &'a MarginsDocument,
    readings: Vec<ReadingTable>,
}

/// How many rows of a reading a terminal lists.
const MOST_LISTED: usize = 200;

impl Report for Shown<'_> {
    type Document = MarginsDocument;

    fn document(&self) -> &MarginsDocument {
        self.document
    }

    fn records(&self) -> Sheet<'_> {
        records(&self.readings, &[])
    }

    fn page(&self) -> Page<'_> {
        let (mut page, answer) = (Page::default(), self.document.answer());
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
        for sentence in below(&self.readings, &[]) {
            page.say(sentence);
        }
        page.pause();
        page.say(what_it_is(self.document));
        promise_in_short(self.document, &mut page);
        let guarantee = self.document.guarantee();
        page.explain(Paragraph::led("Promise:", guarantee.statement));
        if !guarantee.meaning.is_empty() {
            page.explain(Paragraph::led("Meaning:", guarantee.meaning));
        }
        match answer.per_unit() {
            Some(rule) => page.explain(Paragraph::led("Units:", format!("{rule}."))),
            None => page.explain(Paragraph::led(
                "Units:",
                "each record counts by itself. If people have several records, use --unit.",
            )),
        }
        for text in answer.notes(self.document.provenance().is_some()) {
            page.explain(Paragraph::led("Note:", text));
        }
        page
    }
}

/// How many tables there are, whether they are private, and what they are about.
fn what_it_is(document: &MarginsDocument) -> Paragraph {
    let (answer, terms) = (document.answer(), document.answer().asked().terms());
    let of_size = |size: posterity::TablesOfSize| match size.expected_l1 {
        Some(error) => {
            format!("{} of {} (expected L1 error {})", size.tables, columns(size.columns), decimal(error))
        }
        None => format!("{} of {}", size.tables, columns(size.columns)),
    };
    let tables = answer.tables().into_iter().map(of_size).collect::<Vec<_>>().join(", ");
    let begin = Paragraph::from("Tables of many columns, ");
    let begin = if document.is_private() { begin.plain("private") } else { begin.alarm("NOT PRIVATE") };
    let n = document_n(document).map_or_else(|| "private".to_owned(), |n| n.to_string());
    begin.plain(format!(
        ": epsilon {}, delta {}, n {n}{}. Tables: {tables}. About: {}",
        bound(terms.epsilon.to_f64_shown()),
        spent(&terms.delta),
        answer.asked().seed().map(|seed| format!(", seed {seed}")).unwrap_or_default(),
        document.about().in_words()
    ))
}

fn columns(number: usize) -> String {
    if number == 1 { "1 column".to_owned() } else { format!("{number} columns") }
}

fn document_n(document: &MarginsDocument) -> Option<u64> {
    posterity::Kind::n(document.answer())
}

/// Adds what is promised to whom, or the warning that nothing is.
fn promise_in_short(document: &MarginsDocument, page: &mut Page<'_>) {
    let (terms, unit) = (document.answer().asked().terms(), document.guarantee().unit);
    if let Some(seed) = document.answer().asked().seed() {
        page.say(Paragraph::warning(format!(
            "anyone can repeat the noise of seed {seed}: do not publish this as private."
        )));
        return;
    }
    let n = match terms.adjacency {
        Adjacency::Replace => ", and n is public",
        Adjacency::AddRemove => ", with or without it: n is private",
    };
    page.say_in_short(Paragraph::led(
        "Promise:",
        format!(
            "({}, {})-differential privacy per {unit}{n}, for all tables together (--explain).",
            bound(terms.epsilon.to_f64_shown()),
            spent(&terms.delta),
        ),
    ));
}
