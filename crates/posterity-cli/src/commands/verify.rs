//! `posterity verify`

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use posterity::number::spent;
use posterity::text_file::read_text;
use posterity::{Amount, Ledger, PublicKey, Verdict, VerificationError, Verified, verify_document};
use posterity_study::{StudyVerificationError, VerifiedStudy, verify_folder};
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
    match checked(&args.release, key.as_ref(), ledger.as_ref()) {
        Ok(checked) => {
            print(&printing, &checked)?;
            if checked.not_checked.is_empty() { Ok(()) } else { Err(Failure::NotChecked) }
        }
        Err(Refusal { differences, failure }) => {
            // A program that reads the result finds in it why there is none; people read the message.
            if args.format == Format::Json && !differences.is_empty() {
                print(&printing, &Checked { differences, ..Checked::default() })?;
            }
            Err(failure)
        }
    }
}

/// Why something is not what it says.
struct Refusal {
    /// Each difference. There is none where nothing could be compared.
    differences: Vec<String>,
    failure: Failure,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self { differences: Vec::new(), failure }
    }
}

impl Refusal {
    /// A document of this name is not what it says.
    fn document(name: &str, error: &VerificationError) -> Self {
        let differences = match error {
            VerificationError::Differs { fields } => fields.clone(),
            other => vec![other.to_string()],
        };
        Self { differences, failure: Failure::refused(format!("{name}: {error}")) }
    }

    /// A folder is not what a study wrote.
    fn study(error: &StudyVerificationError) -> Self {
        let differences = match error {
            StudyVerificationError::File(_) | StudyVerificationError::Folder { .. } => Vec::new(),
            StudyVerificationError::Document { file, error } => return Self::document(file, error),
            StudyVerificationError::Changed { files } => files.clone(),
            other => vec![other.to_string()],
        };
        Self { differences, failure: Failure::refused(error) }
    }
}

/// Derives everything again, and compares it with what the ledger holds and what the key signed, as far as they are
/// given.
fn checked(path: &Path, key: Option<&PublicKey>, ledger: Option<&Ledger>) -> Result<Checked, Refusal> {
    let mut found = match folder_of(path)? {
        Some(folder) => {
            let study = verify_folder(&folder, &Bar::new()).map_err(|error| Refusal::study(&error))?;
            checked_study(&study, key, ledger).map_err(|error| Refusal::study(&error))?
        }
        None => {
            let text = read_text(path).map_err(Failure::refused)?;
            let shown = path.display().to_string();
            let _progress =
                Progress::spinner("deriving everything again, which takes long where epsilon is small");
            let verified = verify_document(&text);
            let found = verified.and_then(|verified| checked_document(shown.clone(), &verified, key, ledger));
            found.map_err(|error| Refusal::document(&shown, &error))?
        }
    };
    if ledger.is_some() {
        found.checked.push("the ledger charged it and recorded the same".to_owned());
    }
    if let Some(key) = key {
        found.checked.push(format!("{key} signed it"));
    }
    if key.is_none() && ledger.is_none() && found.says_where_from {
        found.not_checked.push("whether it was charged (--ledger) and who made it (--key)".to_owned());
    }
    Ok(found)
}

fn checked_document(
    file: String,
    verified: &Verified,
    key: Option<&PublicKey>,
    ledger: Option<&Ledger>,
) -> Result<Checked, VerificationError> {
    if let Some(key) = key {
        verified.by_key(key)?;
    }
    let charge = ledger.map(|ledger| verified.by_ledger(ledger)).transpose()?;
    let mut not_checked = verified.not_checked().to_vec();
    if key.is_none() && verified.document().provenance().is_some_and(|one| one.signature.is_some()) {
        not_checked.push("whose signature it has (--key)".to_owned());
    }
    Ok(Checked {
        holds: true,
        files: 1,
        documents: vec![CheckedDocument { file, charge, signed_by: key.map(ToString::to_string) }],
        other_words: !verified.is_of_this_version(),
        says_where_from: verified.document().provenance().is_some(),
        checked: verified.checked().to_vec(),
        not_checked,
        ..Checked::default()
    })
}

fn checked_study(
    study: &VerifiedStudy,
    key: Option<&PublicKey>,
    ledger: Option<&Ledger>,
) -> Result<Checked, StudyVerificationError> {
    if let Some(key) = key {
        study.by_key(key)?;
    }
    let charged = ledger.map(|ledger| study.by_ledger(ledger)).transpose()?;
    let (mut checked, mut not_checked) = (study.checked(), study.not_checked());
    if key.is_none() && study.is_signed() {
        not_checked.push("whose signature study.json has (--key)".to_owned());
    }
    match &charged {
        Some((_, true)) => checked.push("its plan is the one that was charged, before the draw".to_owned()),
        Some((_, false)) => not_checked.push(
            "the words and the requirements of its plan before the draw: the answers were charged with another plan, or \
             without one, and read again"
                .to_owned(),
        ),
        None if key.is_some() => {}
        None => not_checked.push("the titles and descriptions, which are the words of the study's author".to_owned()),
    }
    let mut charges = charged.into_iter().flat_map(|(verdicts, _)| verdicts);
    let documents = study.documents().iter().map(|(file, _)| CheckedDocument {
        file: file.clone(),
        charge: charges.next(),
        signed_by: key.map(ToString::to_string),
    });
    Ok(Checked {
        holds: true,
        study: Some(study.title().to_owned()),
        files: study.files(),
        documents: documents.collect(),
        says_where_from: study.documents().iter().any(|(_, one)| one.document().provenance().is_some()),
        checked,
        not_checked,
        ..Checked::default()
    })
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
#[derive(Default, Serialize)]
struct Checked {
    /// Nothing wrong was found. It does not say that everything was checked.
    holds: bool,
    /// The title of a study.
    #[serde(skip_serializing_if = "Option::is_none")]
    study: Option<String>,
    /// How many files were derived again.
    files: usize,
    documents: Vec<CheckedDocument>,
    checked: Vec<String>,
    not_checked: Vec<String>,
    differences: Vec<String>,
    /// Whether words of another version were left out.
    #[serde(skip)]
    other_words: bool,
    /// Whether a document says that it was charged, which nobody can check by the document alone.
    #[serde(skip)]
    says_where_from: bool,
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
            None if !self.other_words => {
                "Everything in this document follows from its request, its promise and its draw.".to_owned()
            }
            None => "The numbers in this document follow from its request, its promise and its draw.".to_owned(),
            Some(title) if self.files == 0 => {
                format!("The numbers in the documents of the study {title:?} follow from their requests, promises and draws.")
            }
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
        if !self.says_where_from {
            page.say("It does not say that it was charged, or who made it.");
        }
        if !self.not_checked.is_empty() {
            page.say("Not everything was checked.");
        }
        for what in &self.not_checked {
            page.say(Paragraph::led("Not checked:", format!("{what}.")));
        }
        page
    }
}
