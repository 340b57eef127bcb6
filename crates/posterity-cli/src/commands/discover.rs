//! `posterity release --categories discover`

use std::io;

use posterity::data::ValuesAsked;
use posterity::number::{bound, count, grouped, spent};
use posterity::{
    Adjacency, DiscoveredDocument, Discovery, DiscoveryError, DiscoveryTerms, Ledger, Payer, Payment,
    PublishError, Randomness, ReadingTable,
};
use posterity_plot::{PictureKind, TablePlot};
use posterity_present::readings::{reading, records};
use posterity_present::{OrderError, payment};

use super::pictures::{self, PictureArgs};
use super::release::{ReleaseArgs, not_printed, read_key};
use crate::failure::Failure;
use crate::input::values;
use crate::notice::{note, warn, warn_of_large};
use crate::output::{self, Page, Paragraph, Printing, Report, Sheet, is_read_as_table};

/// Discovers the categories of a column and prints the document.
pub(crate) fn discover(args: &ReleaseArgs) -> Result<(), Failure> {
    // Refuse as much as possible before the data is read, and everything before anything is charged.
    let discovery = Discovery::new(terms(args)?);
    let key = args.sign.as_deref().map(read_key).transpose()?;
    if args.seed.is_some() && args.ledger.is_some() {
        return Err(Failure::usage("--seed", OrderError::SeedAndLedger));
    }
    let mut ledger = args.ledger.as_deref().map(Ledger::open).transpose().map_err(Failure::ledger)?;
    if let (Some(ledger), Some(account)) = (&ledger, &args.account) {
        ledger.account(account).map_err(Failure::account)?;
    }
    pictures::check(&args.pictures, &[])?;
    let randomness = args.seed.map_or(Randomness::System, Randomness::Seed);
    let check = |asked: &ValuesAsked| discovery.check(asked).map_err(refusal);
    let data = values(&args.data, randomness, check)?;
    let published = match (args.seed, &mut ledger, &args.account) {
        (Some(seed), _, _) => discovery.experiment(data, seed).map(|document| (document, Payment::Nothing)),
        (None, Some(ledger), Some(account)) => {
            // Nothing is charged if the release could not be printed.
            output::check()?;
            discovery.charge(data, Payer { again: args.again, key, ..Payer::new(ledger, account) })
        }
        _ => discovery.publish(data).map(|document| (document, Payment::Nothing)),
    };
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
fn terms(args: &ReleaseArgs) -> Result<DiscoveryTerms, Failure> {
    if args.public.adjacency.adjacency != Adjacency::AddRemove {
        return Err(Failure::usage(
            "--adjacency",
            "which values occur is private only if whether anyone is in the data is; with --categories discover, add \
             --adjacency add-remove",
        ));
    }
    let unused = [
        ("--mechanism", args.mechanism.is_given()),
        ("--prior", args.public.prior.is_given()),
        ("--most", args.public.adjacency.states_most()),
        ("--decode", args.decode.is_some()),
        ("--read", !args.readings.read.is_empty()),
        ("--compare", !args.readings.compare.is_empty()),
        ("--certificate", args.certificate.is_some()),
        ("--not-private", args.not_private),
    ];
    if let Some((flag, _)) = unused.into_iter().find(|(_, given)| *given) {
        return Err(Failure::usage(flag, "this does not go with --categories discover; leave it out"));
    }
    let Some(delta) = args.discover.delta.clone() else {
        return Err(Failure::usage(
            "--delta",
            "say with which probability a value may be named that one person alone has, such as 1e-9; it is required with \
             --categories discover",
        ));
    };
    let usual = DiscoveryTerms::new(args.public.epsilon.clone(), delta);
    Ok(DiscoveryTerms {
        total: args.discover.total_epsilon.clone(),
        one_record_per_person: args.discover.one_record_per_person,
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
            other => Failure::usage("--categories discover", other),
        },
        PublishError::Ledger(error) => Failure::ledger(error),
        other => Failure::refused(other),
    }
}

/// Prints the document, and draws it if that is asked for. What could not be printed is the inner error, so that the
/// caller can say what was paid.
pub(super) fn show(
    printing: &Printing,
    pictures: &PictureArgs,
    document: &DiscoveredDocument,
) -> Result<io::Result<()>, Failure> {
    if !document.is_private() && !is_read_as_table(printing.format) {
        warn("this release is not private; do not publish it as such");
    }
    let shown = Shown::new(document);
    let printed = output::print(printing, &shown);
    draw(pictures, &shown)?;
    Ok(printed)
}

/// Draws the counts, the largest first.
fn draw(pictures: &PictureArgs, shown: &Shown<'_>) -> Result<(), Failure> {
    let Some(file) = pictures.file() else { return Ok(()) };
    let counts = &shown.ordered[0];
    if counts.rows.is_empty() {
        note("no value passed the threshold, so there is nothing to draw");
        return Ok(());
    }
    let picture = TablePlot::new(shown.document, counts, PictureKind::Forest).map_err(Failure::plot)?;
    picture.write(file).map_err(Failure::plot)?;
    note(format!("wrote {file}"));
    Ok(())
}

/// A document with its readings.
struct Shown<'a> {
    document: &'a DiscoveredDocument,
    readings: Vec<ReadingTable>,
    /// The same with the largest number first, for a reader.
    ordered: Vec<ReadingTable>,
}

impl<'a> Shown<'a> {
    fn new(document: &'a DiscoveredDocument) -> Self {
        let readings = document.answer().readings();
        let mut ordered = readings.clone();
        for table in &mut ordered {
            table.rows.sort_by(|one, other| other.mean.total_cmp(&one.mean));
        }
        Self { document, readings, ordered }
    }
}

/// How many values a terminal lists.
const MOST_LISTED: usize = 100;

impl Report for Shown<'_> {
    type Document = DiscoveredDocument;

    fn document(&self) -> &DiscoveredDocument {
        self.document
    }

    fn records(&self) -> Sheet<'_> {
        records(&self.readings, &[])
    }

    fn page(&self) -> Page<'_> {
        let (mut page, answer) = (Page::default(), self.document.answer());
        let (asked, guarantee) = (answer.asked(), self.document.guarantee());
        let (counts, others) = (&self.ordered[0], &self.ordered[1..]);
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
        let begin = Paragraph::from("Discovered categories, ");
        let begin =
            if self.document.is_private() { begin.plain("private") } else { begin.alarm("NOT PRIVATE") };
        let (epsilon, delta) = (asked.terms().whole_epsilon(), spent(&asked.terms().delta));
        page.say(begin.plain(format!(
            ": epsilon {}, delta {}, n private{}. Named are values with a noisy count of at least {}. About: {}",
            bound(epsilon.to_f64_shown()),
            delta,
            asked.seed().map(|seed| format!(", seed {seed}")).unwrap_or_default(),
            count(answer.threshold().tau() as f64),
            self.document.about().in_words()
        )));
        if let Some(seed) = asked.seed() {
            page.say(Paragraph::warning(format!(
                "anyone can repeat the noise of seed {seed}: do not publish this as private."
            )));
        } else {
            page.say_in_short(Paragraph::led(
                "Promise:",
                format!(
                    "({}, {})-differential privacy per {}, with or without it: n is private, and so is which values occur (--explain).",
                    bound(epsilon.to_f64_shown()),
                    delta,
                    guarantee.unit
                ),
            ));
        }
        page.explain(Paragraph::led("Promise:", guarantee.statement));
        if !guarantee.meaning.is_empty() {
            page.explain(Paragraph::led("Meaning:", guarantee.meaning));
        }
        if let Some(rule) = answer.per_unit() {
            page.explain(Paragraph::led("Units:", format!("{rule}.")));
        }
        for text in answer.notes(self.document.provenance().is_some()) {
            page.explain(Paragraph::led("Note:", text));
        }
        page
    }
}
