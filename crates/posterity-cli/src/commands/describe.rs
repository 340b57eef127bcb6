//! `posterity describe`

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use posterity::Ledger;
use posterity::text_file::read_text;
use posterity::verification::{Verdict, Verified, verify_document};
use posterity_present::describe::{Block, Case, Description, Standing, label, registry, sheet};
use posterity_study::{folder_of, verify_folder};

use super::study::Bar;
use super::verify::open_ledger;
use crate::failure::Failure;
use crate::notice::note;
use crate::output::{Column, Page, Paragraph, Sheet, Value, print_page};
use crate::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  posterity describe release.json --ledger study.ledger
  posterity describe release.json --ledger study.ledger --format html > sheet.html
  posterity describe release.json --title 'Recovered patients, 2026' --label cured=recovered
  posterity describe release.json --as label
  posterity describe release.json --as registry > cure_rate.yaml

  # All answers of a study, with their budget together
  posterity describe admissions-study --ledger study.ledger --format markdown";

/// Describe a release or a study for people who decide: a sheet, a label, or a record for a public registry.
///
/// Everything in the document is derived again first, as `posterity verify` does it, and a changed document is refused. The
/// sheet says in words what was asked, who is protected, which records count, the answer with its intervals, what an
/// observer could learn, what is not promised, and how to verify it. With --ledger it also shows the account: its whole
/// budget, what is spent and what is left.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DescribeArgs {
    /// The release document, - for standard input, or the folder of a study's results
    #[arg(value_name = "RELEASE")]
    release: PathBuf,

    /// What to make of it
    #[arg(long = "as", value_name = "WHAT", default_value = "sheet")]
    kind: Purpose,

    /// The ledger that it was charged to
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,

    /// The title, in the words of its readers
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Words for readers in the place of the name of a column or a value, 'cured=recovered'; repeat the flag for several. They
    /// stand in the question and the answer; the document keeps its names
    #[arg(long, value_name = "NAME=WORDS")]
    label: Vec<String>,

    /// How to print a sheet or a label; a registry's record is YAML
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Form,
}

/// What a release is described as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Purpose {
    /// One page for a committee, with the answer
    Sheet,
    /// The facts on privacy alone
    Label,
    /// A record for the registry of deployments of OpenDP, as YAML
    Registry,
}

/// The formats of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For a terminal
    Text,
    /// Markdown
    Markdown,
    /// A page that stands alone; print it for paper or PDF
    Html,
}

impl DescribeArgs {
    /// A description in the words of its readers.
    fn in_words(&self, description: Description) -> Result<Description, Failure> {
        let words = self.label.iter().map(|text| {
            let (name, words) = text.rsplit_once('=').unwrap_or_default();
            match name.is_empty() || words.trim().is_empty() {
                true => Err(Failure::usage("--label", "write NAME=WORDS, such as 'cured=recovered'")),
                false => Ok((name.to_owned(), words.to_owned())),
            }
        });
        let words: Vec<(String, String)> = words.collect::<Result<_, _>>()?;
        Ok(description.in_words_of(self.title.as_deref(), &words))
    }
}

/// Describes a document, or all documents of a study.
pub(crate) fn describe(args: &DescribeArgs) -> Result<(), Failure> {
    let ledger = args.ledger.as_deref().map(open_ledger).transpose()?;
    let name = name_of(&args.release);
    if let Some(folder) = folder_of(&args.release).map_err(Failure::refused)? {
        let study = verify_folder(&folder, &Bar::new()).map_err(Failure::refused)?;
        let case = study.case(&name).map_err(Failure::refused)?;
        return tell(
            args,
            with_account(case, ledger.as_ref(), study.documents().iter().map(|(_, one)| one))?,
        );
    }
    let progress = Progress::spinner("deriving everything again");
    let verified = verify_document(&text_of(&args.release)?).map_err(Failure::refused)?;
    drop(progress);
    let case = Case::of(verified.document(), &name).map_err(Failure::refused)?;
    tell(args, with_account(case, ledger.as_ref(), std::iter::once(&verified))?)
}

fn text_of(path: &Path) -> Result<String, Failure> {
    if path != Path::new("-") {
        return read_text(path).map_err(Failure::refused);
    }
    let mut text = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut text);
    read.map_err(|error| Failure::refused(format!("standard input: {error}")))?;
    Ok(text)
}

/// What readers call it: the file or the folder, without the folders above.
fn name_of(path: &Path) -> String {
    let name = path.file_name().filter(|_| path != Path::new("-")).unwrap_or(OsStr::new("release.json"));
    name.to_string_lossy().into_owned()
}

/// Adds the account that paid, if there is a ledger. Every document must be of one charge to it.
fn with_account<'a>(
    case: Case<'a>,
    ledger: Option<&Ledger>,
    documents: impl Iterator<Item = &'a Verified>,
) -> Result<Case<'a>, Failure> {
    let Some(ledger) = ledger else { return Ok(case) };
    let mut charge: Option<Verdict> = None;
    for document in documents {
        let found =
            document.by_ledger(ledger).map_err(|error| Failure::refused(format!("--ledger: {error}")))?;
        if charge.as_ref().is_some_and(|first| first.entry != found.entry) {
            return Err(Failure::refused("the documents were not charged together; describe each by itself"));
        }
        charge = Some(found);
    }
    let charge = charge.ok_or_else(|| Failure::refused("there is no document"))?;
    Ok(case.with_standing(Standing::of(ledger, charge).map_err(Failure::ledger)?))
}

fn tell(args: &DescribeArgs, case: Case<'_>) -> Result<(), Failure> {
    match args.kind {
        Purpose::Sheet => print(args.format, &args.in_words(sheet(&case))?),
        Purpose::Label => print(args.format, &args.in_words(label(&case))?),
        Purpose::Registry => {
            if args.format != Form::Text {
                return Err(Failure::usage("--format", "the registry's record is YAML; leave this out"));
            }
            let record = registry(&case).map_err(Failure::refused)?;
            write(&record.yaml)?;
            note(format!("only people can fill in: {}", record.empty.join(", ")));
            Ok(())
        }
    }
}

fn print(form: Form, description: &Description) -> Result<(), Failure> {
    match form {
        Form::Text => Ok(print_page(page(description))?),
        Form::Markdown => write(&description.markdown()),
        Form::Html => write(&description.html()),
    }
}

fn write(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// A description on a terminal.
fn page(description: &Description) -> Page<'_> {
    let mut page = Page::default();
    page.say(description.title.as_str());
    if let Some(alarm) = &description.alarm {
        page.pause();
        page.say(Paragraph::default().alarm(alarm));
    }
    for section in &description.sections {
        page.pause();
        page.say(Paragraph::headed(&*section.heading));
        for block in &section.blocks {
            add(&mut page, block);
        }
    }
    page
}

fn add<'a>(page: &mut Page<'a>, block: &'a Block) {
    match block {
        Block::Say(said) => page.say(said.as_str()),
        Block::List(all) => all.iter().for_each(|one| page.say(Paragraph::led("-", one))),
        Block::Facts(facts) => {
            let row =
                |(name, value): &'a (&'static str, String)| vec![Value::text(*name), Value::text(value)];
            page.sheet(Sheet::new(vec![Column::text(""), Column::prose("")], facts.iter().map(row)));
        }
        Block::Table(caption, table) => {
            page.pause();
            page.say(format!("{caption}:"));
            page.sheet(table.sheet());
        }
        Block::Code(line) => page.say(Paragraph::led("$", line)),
    }
}
