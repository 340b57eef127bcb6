//! `posterity read`

use std::path::{Path, PathBuf};

use clap::Args;
use posterity::document::GuaranteeStatement;
use posterity::table::{Test, TestResult, Ways, holm};
use posterity::{About, Contrasted, Document, Publication, Reader, ReadingError, ReadingTable};
use posterity_present::Mark;
use posterity_present::tests::{about_tests, tests};
use serde::Serialize;

use super::margins;
use super::paper::show as show_any;
use super::pictures::{self, PictureArgs};
use super::readings::{ReadingArgs, check, read_all, show};
use super::release::what_it_is;
use crate::failure::{Failure, both};
use crate::intervals::{IntervalArgs, wrong_ways};
use crate::marked;
use crate::output::{Format, Page, Paragraph, Printing, Report, Sheet};
use crate::progress::Progress;

const EXAMPLES: &str = "\
Readings:
  outcome                        the share of each outcome
  outcome, gender                of each combination
  outcome | ward                 of each outcome within each ward
  outcome=yes | ward in {A, B}   of one outcome within two wards together
  mean(score) | ward             the expected score within each ward
  age < 65 | ward                of all bins below an edge; age in 18..65 is between two
  median(age) | ward             a quantile; quantile(age, 0.9), quartiles(age), cumulative(age)
  sum(visits) | ward             the sum over the records of each ward
  outcome=yes of all | ward      among all records, with those whose outcome is missing or other
  count, count | ward            the number of records, and of those of each ward

Comparisons:
  outcome=yes | ward: A - B         the share in ward A minus that in ward B
  outcome=yes | ward: A / B         their ratio
  outcome=yes | ward: odds A / B    their odds ratio
  median(age) | ward: A - B         the difference of two quantiles; mean(age) of two means
  independence(outcome, ward)       mutual information and Cramer's V

Tests:
  independence: outcome, ward       whether two columns are independent
  equal: outcome=yes | ward         whether a share is the same in all wards
  trend: outcome=yes | age          against one that rises or falls with an ordered column
  share: cured=yes = 0.8            whether a share has a value

Quote names and values with other characters: 'age=\"[0,18)\" | \"blood type\"'

Examples:
  posterity release visits.csv --column ward --categories A,B,C \\
      --column outcome --categories yes,no --epsilon 1 --format json > visits.json
  posterity read visits.json
  posterity read survey-margins.json --read all
  posterity read visits.json --read 'outcome | ward' --compare 'outcome=yes | ward: A - B'
  posterity read visits.json --test 'independence: outcome, ward' --test 'trend: outcome=yes | age'
  posterity read visits.json --read 'outcome | ward' --level 0.9 --format csv > outcome.csv
  posterity read visits.json --read 'outcome | ward' --interval-kind credible
  posterity read register.json --read 'outcome | ward' --about records
  posterity read visits.json --read 'outcome | ward' --plot wards.svg --picture mosaic";

/// Read a release again: shares, means and comparisons of its columns. No data, no cost.
///
/// Everything follows from the document that `posterity release --format json` prints, so whoever has it can do this. A
/// release of several columns answers every question about them; the noise is in every interval.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReadArgs {
    /// The document of the release, from `posterity release --format json`; - for standard input
    #[arg(value_name = "RELEASE.json")]
    document: PathBuf,

    #[command(flatten)]
    readings: ReadingArgs,

    /// Test what the population is like: 'independence: outcome, ward', 'equal: outcome=yes | ward', 'trend: outcome=yes |
    /// age', 'share: cured=yes = 0.8'; repeat the flag for several. It costs no privacy
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    test: Vec<Test>,

    /// Show p-values that hold for all tests at once (Holm)
    #[arg(long, requires = "test")]
    holm: bool,

    /// How many draws are made for comparisons and for what has no exact method
    #[arg(long, value_name = "N", default_value_t = Reader::DRAWS, value_parser = clap::value_parser!(u64).range(1_000..=100_000_000))]
    draws: u64,

    /// The seed of these draws, which protect nothing
    #[arg(long, value_name = "N", default_value_t = Reader::SEED)]
    seed: u64,

    #[command(flatten)]
    pictures: PictureArgs,

    #[command(flatten)]
    intervals: IntervalArgs,

    #[command(flatten)]
    printing: Printing,
}

/// Reads a release document again.
pub(crate) fn read(args: &ReadArgs) -> Result<(), Failure> {
    pictures::check(&args.pictures, &args.readings.read)?;
    let progress = Progress::spinner("reading the release");
    let document = match load(&args.document)? {
        Publication::Table(document) => *document,
        other => {
            drop(progress);
            return read_other(args, &other);
        }
    };
    check(&args.readings, document.space())?;
    let ways = args.intervals.ways(document.request().ways())?;
    let document = document.with_ways(ways).map_err(wrong_ways)?;
    let mut reader = document.reader().map_err(Failure::refused)?.draws(args.draws, args.seed);
    // A table for people shows one interval of each row. Everything else has both, or says how exact they are.
    if args.printing.format == Format::Table && !args.printing.explain && args.pictures.file().is_none() {
        reader = reader.confidence_alone();
    }
    let (mut readings, comparisons) = read_all(&reader, &args.readings)?;
    let tests = tested(&reader, args)?;
    if readings.is_empty() && comparisons.is_empty() && tests.is_empty() {
        readings = document
            .usual_readings()
            .iter()
            .map(|reading| reader.read(reading))
            .collect::<Result<_, _>>()
            .map_err(Failure::refused)?;
    }
    drop(progress);
    let result = ReadResult {
        about: document.about(),
        mechanism: document.mechanism(),
        n: document.n(),
        epsilon: document.epsilon(),
        guarantee: document.guarantee(),
        private: document.is_private(),
        readings,
        comparisons,
        tests,
        holm: args.holm,
        document: &document,
    };
    let printed = marked::print(&args.printing, &result, Mark::of(&document));
    let asked = if args.readings.read.is_empty() { &[] } else { &result.readings[..] };
    let drawn = pictures::draw(&args.pictures, asked, &document);
    both(printed.map_err(Failure::from), drawn)
}

/// The results of all tests.
fn tested(reader: &Reader, args: &ReadArgs) -> Result<Vec<TestResult>, Failure> {
    let tests = args.test.iter().map(|test| reader.test(test)).collect::<Result<Vec<_>, _>>();
    let mut tests = tests.map_err(|error| Failure::usage("--test", error))?;
    if args.holm {
        let p_values: Vec<f64> = tests.iter().map(|test| test.p_value).collect();
        for (test, p_value) in tests.iter_mut().zip(holm(&p_values)) {
            test.p_value = p_value;
        }
    }
    Ok(tests)
}

/// Reads a document of another kind again, as far as it can be read in other ways.
fn read_other(args: &ReadArgs, document: &Publication) -> Result<(), Failure> {
    if !args.test.is_empty() {
        let why = "tests are of releases of one table; release the columns together to test them";
        return Err(Failure::usage("--test", why));
    }
    let ReadingArgs { read, compare } = &args.readings.all_of(document);
    let asks = !read.is_empty() || !compare.is_empty();
    let is_fixed = document.columns_to_read().is_empty();
    if is_fixed && asks {
        return Err(Failure::usage("--read", ReadingError::Fixed));
    }
    let (readings, comparisons) =
        if asks { (read.as_slice(), compare.as_slice()) } else { document.asked_readings() };
    let ways = if is_fixed {
        pictures::check_forest(&args.pictures, document.pictured().len())?;
        let usual = document.ways();
        Ways { level: args.intervals.level_only()?.unwrap_or(usual.level), ..usual }
    } else {
        margins::check_pictures(&args.pictures, readings.len())?;
        args.intervals.ways(document.ways())?
    };
    let document = document.reread(ways, readings.to_vec(), comparisons.to_vec());
    let document = document.map_err(margins::wrong_reading)?;
    let (printed, drawn) = show_any(&args.printing, &args.pictures, &document);
    both(printed.map_err(Failure::from), drawn)
}

/// The posterior in a file, or on standard input.
pub(super) fn load_posterior(path: &Path) -> Result<Document, Failure> {
    match load(path)? {
        Publication::Table(document) => Ok(*document),
        _ => Err(Failure::refused(format!(
            "{} is no release of declared categories; name the document of one",
            path.display()
        ))),
    }
}

/// The document in a file, or on standard input.
pub(super) fn load(path: &Path) -> Result<Publication, Failure> {
    let document = if path == Path::new("-") {
        Publication::parse(std::io::stdin().lock(), "standard input")
    } else {
        Publication::load(path)
    };
    document.map_err(Failure::refused)
}

/// What was read, and from which release.
#[derive(Serialize)]
struct ReadResult<'a> {
    about: &'a About,
    mechanism: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
    epsilon: f64,
    guarantee: &'a GuaranteeStatement,
    private: bool,
    readings: Vec<ReadingTable>,
    comparisons: Vec<Contrasted>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tests: Vec<TestResult>,
    /// Whether the p-values are Holm's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    holm: bool,
    #[serde(skip)]
    document: &'a Document,
}

impl<'a> Report for ReadResult<'a> {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        posterity_present::readings::records(Mark::of(self.document), &self.readings, &self.comparisons)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        show(&mut page, None, &self.readings, &self.comparisons);
        if !self.tests.is_empty() {
            page.sheet(tests(&self.tests));
            for sentence in about_tests(&self.tests, self.holm) {
                page.say(sentence);
            }
        }
        page.say(what_it_is(self.document));
        if let Some(why) = Mark::of(self.document).why() {
            page.say(Paragraph::warning(format!("{why}.")));
        }
        page.explain(Paragraph::led("Promise:", &self.guarantee.statement));
        // The notes name the readings of the document that fail, so all of them are read for it.
        let notes = || self.document.notes().into_iter().map(|note| Paragraph::led("Note:", note)).collect();
        page.explain_at_length(notes);
        page
    }
}
