//! What is found of a document, or of the results of a study: whether they say what was drawn, charged and signed.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use posterity::Ledger;
use posterity::signing::PublicKey;
use posterity::text_file::{TextFileError, read_text};
use posterity::verification::{Verdict, VerificationError, Verified, verify_document};
use posterity_present::{Fault, FaultKind, Words};
use serde::Serialize;
use thiserror::Error;

use crate::verification::{StudyVerificationError, VerifiedStudy, verify_folder};
use crate::watch::Watch;

/// What is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Results {
    /// The text of a document, with the name of its file if it comes from one.
    Document {
        /// The name.
        name: Option<String>,
        /// The text.
        text: String,
    },
    /// The folder of a study's results.
    Study(PathBuf),
}

/// With what it is compared.
#[derive(Clone, Copy, Debug)]
pub struct Against<'a> {
    /// The public key of whoever signed it.
    pub key: Option<&'a PublicKey>,
    /// The ledger that it was charged to, which is sound.
    pub ledger: Option<&'a Ledger>,
    /// How a front writes the name of an argument: `--key`.
    pub argument: fn(&str) -> String,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Findings {
    /// Nothing wrong was found. It does not say that everything was checked.
    pub holds: bool,
    /// The title of a study.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<String>,
    /// How many files were derived again.
    pub files: usize,
    /// The documents.
    pub documents: Vec<FoundDocument>,
    /// What was checked and holds.
    pub checked: Vec<String>,
    /// What was not checked, and why.
    pub not_checked: Vec<String>,
    /// What is not as it should be.
    pub differences: Vec<String>,
    /// Whether words of another version were left out.
    #[serde(skip)]
    pub other_words: bool,
    /// Whether a document says that it was charged, which nobody can check by the document alone.
    #[serde(skip)]
    pub says_where_from: bool,
}

/// One document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FoundDocument {
    /// Its file; empty if it comes from none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Its charge, if there is a ledger.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub charge: Option<Verdict>,
    /// The key that signed it, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed_by: Option<String>,
}

/// Why something is not what it says.
#[derive(Debug, Error)]
pub enum NotVerified {
    /// A document.
    #[error("{}{error}", .name.as_ref().map(|name| format!("{name}: ")).unwrap_or_default())]
    Document {
        /// The name of its file.
        name: Option<String>,
        /// What is wrong with it.
        error: VerificationError,
    },
    /// The results of a study.
    #[error(transparent)]
    Study(#[from] StudyVerificationError),
}

impl Results {
    /// What a file or a folder holds.
    ///
    /// # Errors
    /// [`StudyVerificationError`] if the file cannot be read, or is a report without its folder.
    pub fn at(path: &Path) -> Result<Self, StudyVerificationError> {
        Ok(match folder_of(path)? {
            Some(folder) => Self::Study(folder),
            None => Self::Document { name: Some(path.display().to_string()), text: read_text(path)? },
        })
    }

    /// Derives everything again, and compares it with what the ledger holds and what the key signed, as far as they are
    /// given.
    ///
    /// # Errors
    /// [`NotVerified`] says what is wrong.
    pub fn verify(&self, against: &Against<'_>, watch: &dyn Watch) -> Result<Findings, NotVerified> {
        let Against { key, ledger, argument } = *against;
        let mut found = match self {
            Self::Study(folder) => of_study(&verify_folder(folder, watch)?, against)?,
            Self::Document { name, text } => {
                let verified = verify_document(text);
                let found = verified.and_then(|one| of_document(name.clone(), &one, against));
                found.map_err(|error| NotVerified::Document { name: name.clone(), error })?
            }
        };
        if ledger.is_some() {
            found.checked.push("the ledger charged it and recorded the same".to_owned());
        }
        if let Some(key) = key {
            found.checked.push(format!("{key} signed it"));
        }
        if key.is_none() && ledger.is_none() && found.says_where_from {
            let (ledger, key) = (argument("ledger"), argument("key"));
            found.not_checked.push(format!("whether it was charged ({ledger}) and who made it ({key})"));
        }
        Ok(found)
    }
}

fn of_document(
    name: Option<String>,
    verified: &Verified,
    against: &Against<'_>,
) -> Result<Findings, VerificationError> {
    let Against { key, ledger, argument } = *against;
    if let Some(key) = key {
        verified.by_key(key)?;
    }
    let charge = ledger.map(|ledger| verified.by_ledger(ledger)).transpose()?;
    let mut not_checked = verified.not_checked().to_vec();
    if key.is_none() && verified.document().provenance().is_some_and(|one| one.signature.is_some()) {
        not_checked.push(format!("whose signature it has ({})", argument("key")));
    }
    let file = name.unwrap_or_default();
    Ok(Findings {
        holds: true,
        files: 1,
        documents: vec![FoundDocument { file, charge, signed_by: key.map(ToString::to_string) }],
        other_words: !verified.is_of_this_version(),
        says_where_from: verified.document().provenance().is_some(),
        checked: verified.checked().to_vec(),
        not_checked,
        ..Findings::default()
    })
}

fn of_study(study: &VerifiedStudy, against: &Against<'_>) -> Result<Findings, StudyVerificationError> {
    let Against { key, ledger, argument } = *against;
    if let Some(key) = key {
        study.by_key(key)?;
    }
    let charged = ledger.map(|ledger| study.by_ledger(ledger)).transpose()?;
    let (mut checked, mut not_checked) = (study.checked(), study.not_checked());
    if key.is_none() && study.is_signed() {
        not_checked.push(format!("whose signature study.json has ({})", argument("key")));
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
    let documents = study.documents().iter().map(|(file, _)| FoundDocument {
        file: file.clone(),
        charge: charges.next(),
        signed_by: key.map(ToString::to_string),
    });
    Ok(Findings {
        holds: true,
        study: Some(study.title().to_owned()),
        files: study.files(),
        documents: documents.collect(),
        says_where_from: study.documents().iter().any(|(_, one)| one.document().provenance().is_some()),
        checked,
        not_checked,
        ..Findings::default()
    })
}

/// The folder of a study's results, if the path is one or is the report in one.
///
/// # Errors
/// [`StudyVerificationError::Report`] if it is another page.
pub fn folder_of(path: &Path) -> Result<Option<PathBuf>, StudyVerificationError> {
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
    Err(StudyVerificationError::Report { path: path.display().to_string() })
}

impl NotVerified {
    /// Each difference. There is none where nothing could be compared.
    #[must_use]
    pub fn differences(&self) -> Vec<String> {
        let of_document = |error: &VerificationError| match error {
            VerificationError::Differs { fields } => fields.clone(),
            other => vec![other.to_string()],
        };
        match self {
            Self::Document { error, .. } => of_document(error),
            Self::Study(error) => match error {
                StudyVerificationError::File(_)
                | StudyVerificationError::Folder { .. }
                | StudyVerificationError::Report { .. } => Vec::new(),
                StudyVerificationError::Document { error, .. } => of_document(error),
                StudyVerificationError::Changed { files } => files.clone(),
                other => vec![other.to_string()],
            },
        }
    }

    /// The failure as a program tells it. What is verified is the argument `document`.
    #[must_use]
    pub fn fault(&self, words: &Words) -> Fault {
        match self {
            Self::Document { error: VerificationError::Ledger(error), .. } => Fault::ledger(error, words),
            Self::Document { error: VerificationError::Unreadable { .. }, .. }
            | Self::Study(
                StudyVerificationError::File(_)
                | StudyVerificationError::Folder { .. }
                | StudyVerificationError::Report { .. },
            ) => Fault::new(FaultKind::Argument, format!("document: {self}")),
            _ => Fault::new(FaultKind::Verification, self),
        }
    }
}

impl From<TextFileError> for NotVerified {
    fn from(error: TextFileError) -> Self {
        Self::Study(error.into())
    }
}
