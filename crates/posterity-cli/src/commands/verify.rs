//! `posterity verify`

use std::path::{Path, PathBuf};

use clap::Args;
use posterity::number::spent;
use posterity::signing::PublicKey;
use posterity::text_file::read_text;
use posterity::verification::Verdict;
use posterity::{Amount, Ledger};
use posterity_study::{Against, Findings, Results};

use super::study::Bar;
use crate::failure::Failure;
use crate::output::{Column, Format, Page, Paragraph, Printing, Report, Sheet, Value, print};
use crate::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  posterity verify release.json --ledger study.ledger
  posterity verify release.json --key office.public

  # All results of a study, with its report
  posterity verify admissions-study --ledger study.ledger";

/// Check that a release document or a study's results say what was drawn, charged and signed. Exit code 1 if not, and 3
/// if nothing wrong was found and something was not checked.
///
/// Everything in a document is derived again from its request, its promise and its draw, and every difference is named.
/// With --ledger: these three are what the ledger charged and recorded. With --key: whoever has that key signed them;
/// this needs no ledger. Of a study's folder, all tables, pictures and the report are derived again as well. What was
/// not checked is said.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct VerifyArgs {
    /// The release document, the folder of a study's results, or the report in it
    #[arg(value_name = "RELEASE")]
    release: PathBuf,

    /// The ledger that it was charged to
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,

    /// The public key of whoever signed it
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,

    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

/// Derives a document, or all results of a study, again; and checks them against a ledger, a key or both.
pub(crate) fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    let key = args.key.as_deref().map(read_key).transpose()?;
    let ledger = args.ledger.as_deref().map(open_ledger).transpose()?;
    let printing = Printing { format: args.format, explain: false };
    let results = Results::at(&args.release).map_err(Failure::refused)?;
    let against =
        Against { key: key.as_ref(), ledger: ledger.as_ref(), argument: |name| format!("--{name}") };
    let progress = matches!(results, Results::Document { .. })
        .then(|| Progress::spinner("deriving everything again, which takes long where epsilon is small"));
    let found = results.verify(&against, &Bar::new());
    drop(progress);
    match found {
        Ok(findings) => {
            let holds_all = findings.not_checked.is_empty();
            print(&printing, &Checked(findings))?;
            if holds_all { Ok(()) } else { Err(Failure::NotChecked) }
        }
        Err(error) => {
            let differences = error.differences();
            // A program that reads the result finds in it why there is none; people read the message.
            if args.format == Format::Json && !differences.is_empty() {
                print(&printing, &Checked(Findings { differences, ..Findings::default() }))?;
            }
            Err(Failure::refused(error))
        }
    }
}

fn read_key(path: &Path) -> Result<PublicKey, Failure> {
    let key = read_text(path).map_err(|error| Failure::refused(format!("--key: {error}")))?;
    key.parse().map_err(|error| Failure::refused(format!("{}: {error}", path.display())))
}

/// Opens a ledger and verifies all of it.
pub(super) fn open_ledger(path: &Path) -> Result<Ledger, Failure> {
    let ledger = Ledger::open(path).map_err(Failure::ledger)?;
    let progress = Progress::spinner("verifying the ledger");
    let sound = ledger.verify();
    drop(progress);
    sound.map_err(Failure::ledger)?;
    Ok(ledger)
}

/// What was found, as it is shown.
struct Checked(Findings);

/// The price of a charge.
fn paid(charge: &Verdict) -> String {
    let told = |name: &str, amount: &Amount| format!("{name} {}", spent(amount));
    let prices = [("epsilon", &charge.epsilon), ("delta", &charge.delta), ("rho", &charge.rho)];
    let prices = prices.into_iter().filter_map(|(name, amount)| Some(told(name, amount.as_ref()?)));
    prices.collect::<Vec<_>>().join(" and ")
}

impl Report for Checked {
    type Document = Findings;

    fn document(&self) -> &Findings {
        &self.0
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["holds", "file", "account", "entry", "head", "signed_by"].map(Column::text).into();
        let rows = self.0.documents.iter().map(|document| {
            let charge = document.charge.as_ref();
            let text = |of: fn(&Verdict) -> String| Value::text(charge.map(of).unwrap_or_default());
            vec![
                Value::Truth(self.0.holds),
                Value::text(&document.file),
                text(|charge| charge.account.clone()),
                text(|charge| charge.entry.to_string()),
                text(|charge| charge.head.to_string()),
                Value::text(document.signed_by.as_deref().unwrap_or_default()),
            ]
        });
        Sheet::new(columns, rows)
    }

    fn page(&self) -> Page<'_> {
        let mut page = Page::default();
        page.say(match &self.0.study {
            None if !self.0.other_words => {
                "Everything in this document follows from its request, its promise and its draw.".to_owned()
            }
            None => "The numbers in this document follow from its request, its promise and its draw.".to_owned(),
            Some(title) if self.0.files == 0 => {
                format!("The numbers in the documents of the study {title:?} follow from their requests, promises and draws.")
            }
            Some(title) => format!(
                "All {} files of the study {title:?} follow from the requests, the promises and the draws of its documents.",
                self.0.files
            ),
        });
        for document in &self.0.documents {
            let what = match &self.0.study {
                None => "These three".to_owned(),
                Some(_) => format!("Those of {}", document.file),
            };
            if let Some(charge) = &document.charge {
                page.say(format!(
                    "{what} are the ones that the ledger charged and recorded: entry {}, account {}, {}, {}.",
                    charge.entry,
                    charge.account,
                    paid(charge),
                    charge.charged
                ));
                page.say(Paragraph::led("Head after the charge:", charge.head.to_string()));
            }
            if let Some(key) = &document.signed_by {
                page.say(format!("{what} were signed by {key} and were not changed since."));
            }
        }
        if !self.0.says_where_from {
            page.say("It does not say that it was charged, or who made it.");
        }
        if !self.0.not_checked.is_empty() {
            page.say("Not everything was checked.");
        }
        for what in &self.0.not_checked {
            page.say(Paragraph::led("Not checked:", format!("{what}.")));
        }
        page
    }
}
