//! `posterity release`

use std::path::{Path, PathBuf};

use clap::Args;
use posterity::number::bound;
use posterity::plan::PlannedTable;
use posterity::text_file::read_text;
use posterity::{Certificate, CertificateError, Document, PublishError, Reading, ReadingTable, Table};
use posterity_core::mechanism::private;
use posterity_present::readings::records;
use posterity_present::tests::tests;
use posterity_present::{Blame, Mark, cells, precision};

use super::paper::{answer, condition};
use super::paying::PayingArgs;
use super::pictures::{self, PictureArgs};
use super::readings;
use crate::asked::{PlanOfFlags, plan};
use crate::failure::{Failure, both};
use crate::fields::FieldArgs;
use crate::input::{check_source, input, refuse_columns};
use crate::intervals::wrong_ways;
use crate::marked;
use crate::notice::warn;
use crate::output::{Page, Paragraph, Printing, Report, Sheet};
use crate::progress::Progress;
use crate::source_args::SourceArgs;
use crate::terms::{uncalibrated, wrong_terms};

const EXAMPLES: &str = "\
Examples:
  # How many patients were cured, each record protected
  posterity release people.csv --column cured --categories yes,no --epsilon 1

  # Each patient protected with all of their visits
  posterity release visits.parquet --column ward --categories A,B,C --unit patient \\
      --where \"year = 2025\" --epsilon 0.5

  # Two columns together, one of them sorted into bins
  posterity release visits.csv --column age --bins 0,18,40,65,120 \\
      --column cured --categories yes,no --epsilon 1

  # The values of the columns from a Table Schema
  posterity release visits.csv --schema visits.schema.json --column ward --column cured --epsilon 1

  # Two columns, read as outcome within each ward
  posterity release visits.csv --column ward --categories A,B,C \\
      --column outcome --categories yes,no --epsilon 1 \\
      --read 'outcome | ward' --compare 'outcome=yes | ward: A - B'

  # From another program, and in the code page of Windows
  gunzip -c visits.csv.gz | posterity release - --input-format csv \\
      --column ward --categories A,B,C --epsilon 1
  posterity release visits.txt --input-format tsv --encoding windows-1252 \\
      --column ward --categories A,B,C --epsilon 1

  # A table of a SQLite file
  posterity release visits.sqlite --table visits --column ward --categories A,B,C \\
      --unit patient --epsilon 1

  # A table of a PostgreSQL server; the variable PGPASSWORD has the password
  posterity release postgres://ada@db.example/clinic --table visits \\
      --column ward --categories A,B,C --unit patient --epsilon 1

  # From counts, with names, another prior and a picture
  posterity release --counts 48,42 --categories cured,not --epsilon 1
  posterity release --counts 54,9,27 --prior 0.5 --epsilon 0.5 --plot posterior.svg

  # Another mechanism; and an experiment, which is not private
  posterity release --counts 54,9,27 --epsilon 1 --mechanism 'ehds(gamma=0.5)'
  posterity release --counts 48,42 --epsilon 1 --seed 7";

/// Draw one private release from a file or from counts.
///
/// For tables of many columns there is `posterity margins`, and for categories that nobody can list `posterity discover`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ReleaseArgs {
    #[command(flatten)]
    pub(crate) data: SourceArgs,

    #[command(flatten)]
    fields: FieldArgs<Table>,

    /// The prior from a file with one number for each category, on lines of their own or separated by commas, in the order
    /// of the categories or cells. The numbers are published: do not take them from the data
    #[arg(long, value_name = "FILE", conflicts_with = "prior")]
    prior_file: Option<PathBuf>,

    #[command(flatten)]
    paying: PayingArgs,

    #[command(flatten)]
    pictures: PictureArgs,

    /// Release even though the mechanism promises nothing (ehdl, mh); the output says so
    #[arg(long)]
    not_private: bool,

    /// A certificate of this release from `posterity audit --certificate`; the audit is repeated, and ehdl and mh are
    /// then private at the loss that it shows
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    printing: Printing,
}

impl ReleaseArgs {
    /// What is asked for.
    pub(super) fn plan(&self) -> Result<PlanOfFlags, Failure> {
        check_source(&self.data, true)?;
        refuse_columns(&self.data, &self.fields)?;
        plan(&self.data, &self.fields, self.prior_file.as_deref())
    }
}

/// Draws one release and prints its document.
pub(crate) fn release(args: &ReleaseArgs) -> Result<(), Failure> {
    // Refuse as much as possible before the data is read, and everything before anything is charged.
    let plan = args.plan()?;
    let asked: &PlannedTable = plan.asked()?;
    let certificate = args.certificate.as_deref().map(read_certificate).transpose()?;
    let publisher = asked.publisher().certificate(certificate).allow_unproven_if(args.not_private);
    let mut till = args.paying.till(&args.data, &plan)?;
    pictures::check(&args.pictures, asked.asked_readings())?;
    let data = input(&args.data, &plan, till.randomness())?;
    publisher.warnings().iter().for_each(warn);
    let progress = Progress::spinner("releasing: data sets audited");
    let counted = |done| progress.add(done);
    let question = publisher.progress(&counted).ask(&data).map_err(|error| refusal(error, args))?;
    let published = answer(&mut till, question, |error| refusal(error, args));
    drop(progress);
    let (document, paid) = published?;
    args.paying.tell(&document, &paid);
    show(args, asked.asked_readings(), &document)
}

/// Prints the document, and draws it if that is asked for.
fn show(args: &ReleaseArgs, readings: &[Reading], document: &Document) -> Result<(), Failure> {
    let printing = &args.printing;
    // The budget is spent, so the document is printed first, and a picture that fails does not prevent it, nor it the
    // picture.
    let printed = marked::print(printing, document, Mark::of(document))
        .map_err(|error| args.paying.not_printed(document.about(), error));
    let asked: &[ReadingTable] = if readings.is_empty() { &[] } else { document.readings() };
    let drawn = pictures::draw(&args.pictures, asked, document);
    both(printed, drawn)
}

fn read_certificate(path: &Path) -> Result<Certificate, Failure> {
    let file = path.display();
    let text = read_text(path).map_err(|error| Failure::refused(format!("--certificate: {error}")))?;
    Certificate::from_json(&text).map_err(|error| {
        let how = match error {
            CertificateError::Unreadable { .. } => " (`posterity audit --certificate FILE`)",
            _ => "",
        };
        Failure::refused(format!("--certificate {file}: {error}{how}"))
    })
}

fn refusal(error: PublishError, args: &ReleaseArgs) -> Failure {
    match error {
        PublishError::Unproven { mechanism, .. } => Failure::refused(format!(
            "{error}; nothing was released. Choose another mechanism ({}), calibrate it by audit with --mechanism 'tight({mechanism})', \
             cite an audit with --certificate, or add --not-private to release {mechanism} as an experiment",
            private()
        )),
        PublishError::Terms(error) => {
            let prior = if args.prior_file.is_some() { "--prior-file" } else { "--prior" };
            wrong_terms(error, prior, "--counts")
        }
        PublishError::Calibration(error) => uncalibrated(error),
        PublishError::Certificate(error) => {
            Failure::refused(format!("--certificate: {error}; nothing was released"))
        }
        PublishError::Ledger(error) => Failure::ledger(error),
        PublishError::Reading(error) => wrong_ways(error),
        other => Failure::blamed(Blame::publish(&other), other),
    }
}

impl Report for Document {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        if self.has_asked_readings() {
            return match (self.readings(), self.comparisons()) {
                ([], []) => Mark::of(self).on(tests(self.tests())),
                (readings, comparisons) => records(Mark::of(self), readings, comparisons),
            };
        }
        cells::records(self)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        let only_asked = self.has_asked_readings();
        if !only_asked {
            page.sheet(cells::categories(self));
        }
        // The categories show the joint cells already, unless a private filter makes the readings conditional on being
        // within.
        let joint = self.about().columns.len().max(1);
        let read = self.readings();
        let others = read.iter().position(|table| table.of.len() != joint || !table.given.is_empty());
        let all = only_asked || self.about().within.is_some();
        let shown = if all { 0 } else { others.unwrap_or(read.len()) };
        let cells = self.cells().filter(|_| !only_asked);
        readings::show(&mut page, cells, &read[shown..], self.comparisons());
        readings::show_tests(&mut page, self.tests(), false);
        page.say(what_it_is(self));
        promise_in_short(self, &mut page);
        page.explain(Paragraph::led("Promise:", &self.guarantee().statement));
        if !self.guarantee().meaning.is_empty() {
            page.explain(Paragraph::led("Meaning:", &self.guarantee().meaning));
        }
        if let Some(rule) = self.per_unit() {
            page.explain(Paragraph::led("Units:", format!("{rule}.")));
        } else if self.about().source.is_some() {
            page.explain(Paragraph::led(
                "Units:",
                "each record counts by itself. If people have several records, use --unit.",
            ));
        }
        page.explain(Paragraph::led("Precision:", precision(self)));
        // Decoding may take long, and nothing else waits for it.
        page.explain_at_length(|| {
            let accuracy = self.expected_distance().map(|distance| {
                Paragraph::led(
                    "Accuracy:",
                    format!(
                        "the released posterior is expected at a Hellinger distance of {} from the true one (0 is equal, 1 is \
                         disjoint).",
                        posterity::number::decimal(distance)
                    ),
                )
            });
            let notes = self.notes().into_iter().map(|note| Paragraph::led("Note:", note));
            accuracy.into_iter().chain(notes).collect()
        });
        page
    }
}

/// What the release is, whether it is private, and what it is about.
pub(super) fn what_it_is(release: &Document) -> Paragraph {
    let kind = if release.categories().names().len() == 2 { "Beta" } else { "Dirichlet" };
    let given =
        release.epsilon_parameter().map(|given| format!(" (parameter of {}: {given})", release.mechanism()));
    let seed = release.seed().map(|seed| format!(", seed {seed}"));
    let begin = Paragraph::from(format!("{kind} posterior, "));
    let begin = if release.is_private() { begin.plain("private") } else { begin.alarm("NOT PRIVATE") };
    begin.plain(format!(
        ": {}, epsilon {}{}, n {}{}. About: {}",
        release.mechanism(),
        bound(release.epsilon()),
        given.unwrap_or_default(),
        release.n_text(),
        seed.unwrap_or_default(),
        release.about().in_words()
    ))
}

/// Adds what is promised to whom, or the warning that nothing is.
fn promise_in_short(release: &Document, page: &mut Page<'_>) {
    let more = release.per_unit().map(|rule| format!(" Units: {rule}.")).unwrap_or_default();
    let why = match (release.guarantee().epsilon, release.seed()) {
        (Some(epsilon), None) => {
            let asked = release.about().source.is_some() && release.per_unit().is_none();
            let several = if asked { "; if people have several records, use --unit" } else { "" };
            let (epsilon, per) = (bound(epsilon), &release.guarantee().unit);
            let private = if release.n().is_none() {
                ", with or without it: n is private"
            } else {
                ", and n is public"
            };
            let condition = condition(release.about());
            let promise = format!(
                "{epsilon}-differential privacy per {per}{private}{condition} (--explain){several}.{more}"
            );
            page.say_in_short(Paragraph::led("Promise:", promise));
            return;
        }
        (_, Some(seed)) => format!("anyone can repeat the noise of seed {seed}"),
        (None, None) => format!("{} has no proven guarantee", release.mechanism()),
    };
    page.say(Paragraph::warning(format!("{why}: do not publish this as private.{more}")));
}
