//! `posterity verify`

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use posterity::number::spent;
use posterity::text_file::read_text;
use posterity::{Amount, Ledger, PublicKey, Verdict, VerificationError, Verified, verify_document};
use posterity_study::verify_folder;
use serde::Serialize;

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

/// Check that a release document or a study's results say what was drawn, charged and signed. Exit code 1 if not.
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
    let (study, files, mut not_checked, verified) = derive_again(&args.release)?;
    let about = |name: &str, error: &VerificationError| Failure::refused(format!("{name}: {error}"));
    let mut documents = Vec::with_capacity(verified.len());
    for (file, verified) in verified {
        if let Some(key) = &key {
            verified.by_key(key).map_err(|error| about(&file, &error))?;
        }
        let charge = ledger.as_ref().map(|ledger| verified.by_ledger(ledger)).transpose();
        let charge = charge.map_err(|error| about(&file, &error))?;
        documents.push(CheckedDocument { file, charge, signed_by: key.as_ref().map(ToString::to_string) });
    }
    if key.is_none() && ledger.is_none() {
        not_checked.push("whether it was charged (--ledger) and who made it (--key)".to_owned());
    }
    let checked = Checked { holds: true, study, files, documents, not_checked };
    Ok(print(&Printing { format: args.format, explain: false }, &checked)?)
}

/// What was derived again: the title of a study, how many files, what could not be checked, and the documents.
type Derived = (Option<String>, usize, Vec<String>, Vec<(String, Verified)>);

fn derive_again(path: &Path) -> Result<Derived, Failure> {
    if let Some(folder) = folder_of(path)? {
        let study = verify_folder(&folder, &Bar::new()).map_err(Failure::refused)?;
        let documents = study.documents().iter().map(|(file, verified)| (file.clone(), verified.clone()));
        let not_checked = study.not_checked().to_vec();
        return Ok((Some(study.title().to_owned()), study.files(), not_checked, documents.collect()));
    }
    let text = read_text(path).map_err(Failure::refused)?;
    let shown = path.display().to_string();
    let _progress = Progress::spinner("deriving everything again");
    let verified = verify_document(&text).map_err(|error| Failure::refused(format!("{shown}: {error}")))?;
    Ok((None, 1, verified.not_checked().to_vec(), vec![(shown, verified)]))
}

/// The folder of a study's results, if the path is one or is a report in one.
pub(super) fn folder_of(path: &Path) -> Result<Option<PathBuf>, Failure> {
    if path.is_dir() {
        return Ok(Some(path.to_owned()));
    }
    if path.extension() != Some(OsStr::new("html")) {
        return Ok(None);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.file_name() == Some(OsStr::new("report.html")) && folder.join("study.json").is_file() {
        return Ok(Some(folder.to_owned()));
    }
    Err(Failure::refused(format!(
        "{}: a report is verified in the folder that the study wrote, as report.html beside study.json; ask for that folder",
        path.display()
    )))
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

/// What was found.
#[derive(Serialize)]
struct Checked {
    holds: bool,
    /// The title of a study.
    #[serde(skip_serializing_if = "Option::is_none")]
    study: Option<String>,
    /// How many files were derived again.
    files: usize,
    documents: Vec<CheckedDocument>,
    not_checked: Vec<String>,
}

/// One document.
#[derive(Serialize)]
struct CheckedDocument {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    charge: Option<Verdict>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signed_by: Option<String>,
}

/// The price of a charge.
fn paid(charge: &Verdict) -> String {
    let told = |name: &str, amount: &Amount| format!("{name} {}", spent(amount));
    let prices = [("epsilon", &charge.epsilon), ("delta", &charge.delta), ("rho", &charge.rho)];
    let prices = prices.into_iter().filter_map(|(name, amount)| Some(told(name, amount.as_ref()?)));
    prices.collect::<Vec<_>>().join(" and ")
}

impl Report for Checked {
    type Document = Self;

    fn document(&self) -> &Self {
        self
    }

    fn records(&self) -> Sheet<'_> {
        let columns = ["holds", "file", "account", "entry", "head", "signed_by"].map(Column::text).into();
        let rows = self.documents.iter().map(|document| {
            let charge = document.charge.as_ref();
            let text = |of: fn(&Verdict) -> String| Value::text(charge.map(of).unwrap_or_default());
            vec![
                Value::Truth(self.holds),
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
        page.say(match &self.study {
            None => "Everything in this document follows from its request, its promise and its draw.".to_owned(),
            Some(title) => format!(
                "All {} files of the study {title:?} follow from the requests, the promises and the draws of its documents.",
                self.files
            ),
        });
        for document in &self.documents {
            let what = match &self.study {
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
        for what in &self.not_checked {
            page.say(Paragraph::led("Not checked:", format!("{what}.")));
        }
        page
    }
}
