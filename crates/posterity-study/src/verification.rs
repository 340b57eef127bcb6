//! Whether a folder of results is what a study wrote: everything in it is derived again from its documents.

use std::fs;
use std::path::Path;

use posterity::document::Promised;
use posterity::ledger::Amount;
use posterity::text_file::{TextFileError, read_text};
use posterity::{Epsilon, Payment, Publication, VerificationError, Verified, verify_document};
use posterity_present::describe::{Answered, Case, CaseError};
use thiserror::Error;

use crate::answers::{Answer, Answers, MarginsAnswer};
use crate::checked::check_requirements;
use crate::error::StudyError;
use crate::files::MANIFEST;
use crate::folder::{Manifest, hash};
use crate::outline::Outline;
use crate::requirement::verdicts_sheet;
use crate::results::results;
use crate::watch::Watch;

/// A folder whose files all follow from the documents in it; made by [`verify_folder`].
#[derive(Debug)]
pub struct VerifiedStudy {
    outline: Outline,
    documents: Vec<(String, Verified)>,
    files: usize,
    not_checked: Vec<String>,
}

/// Why a folder is not what a study wrote.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyVerificationError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] TextFileError),
    /// The folder cannot be read.
    #[error("{path} cannot be read: {error}; check the path")]
    Folder {
        /// The folder.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The folder is not one of a study.
    #[error("{path} is not what `posterity study` writes: {reason}")]
    NotAStudy {
        /// The file with the manifest.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A document is not what it says.
    #[error("{file}: {error}")]
    Document {
        /// Its file.
        file: String,
        /// What is wrong with it.
        error: VerificationError,
    },
    /// Files were changed, added or removed.
    #[error("the results were changed: {}; ask for the originals", .files.join("; "))]
    Changed {
        /// Each of them, with what is wrong.
        files: Vec<String>,
    },
    /// The files cannot be derived again.
    #[error(transparent)]
    Study(#[from] StudyError),
}

impl VerifiedStudy {
    /// What the study is called, in the words of its author.
    #[must_use]
    pub fn title(&self) -> &str {
        self.outline.title()
    }

    /// All documents, to be described for people who decide. Readers know the results by the name of their folder.
    ///
    /// # Errors
    /// [`CaseError`] if the documents protect different people.
    pub fn case<'a>(&'a self, folder: &'a str) -> Result<Case<'a>, CaseError> {
        let named = self.outline.questions.iter().chain(&self.outline.margins).zip(&self.documents);
        let answers = named.map(|(question, (file, verified))| Answered {
            title: Some(&question.title),
            file,
            document: verified.document(),
        });
        let case = Case::of_study(self.title(), self.outline.about.as_deref(), answers.collect(), folder)?;
        let verdicts =
            check_requirements(&self.outline.requirements, &answers_of(&self.outline, &self.documents));
        Ok(case.with_requirements(verdicts_sheet(&verdicts)))
    }

    /// The documents of the answers, each with the name of its file.
    #[must_use]
    pub fn documents(&self) -> &[(String, Verified)] {
        &self.documents
    }

    /// How many files were compared.
    #[must_use]
    pub fn files(&self) -> usize {
        self.files
    }

    /// What could not be checked, and why.
    #[must_use]
    pub fn not_checked(&self) -> &[String] {
        &self.not_checked
    }
}

/// Verifies the documents in a folder of results, derives all other files from them, the report too, and names every
/// difference.
///
/// # Errors
/// [`StudyVerificationError`].
pub fn verify_folder(path: &Path, watch: &dyn Watch) -> Result<VerifiedStudy, StudyVerificationError> {
    let manifest_path = path.join(MANIFEST);
    let manifest: Manifest = serde_json::from_str(&read_text(&manifest_path)?)
        .map_err(|error| not_a_study(&manifest_path, error))?;
    let mut documents = Vec::new();
    let Outline { questions, margins, .. } = &manifest.outline;
    for (index, question) in questions.iter().chain(margins).enumerate() {
        let file = format!("{}.json", question.name);
        // Names come from the manifest, which anyone can write.
        if Path::new(&file).file_name() != Some(file.as_ref()) {
            return Err(not_a_study(&manifest_path, format!("{file:?} is no name of a file")));
        }
        let text = read_text(&path.join(&file))?;
        let verified = verify_document(&text);
        let verified =
            verified.map_err(|error| StudyVerificationError::Document { file: file.clone(), error })?;
        let expected = match verified.document() {
            Publication::Posterior(_) => index < questions.len(),
            Publication::Margins(_) => index >= questions.len(),
            _ => false,
        };
        if !expected {
            return Err(not_a_study(
                &path.join(&file),
                "it is a document of another kind than the study has there",
            ));
        }
        documents.push((file, verified));
    }
    let mut not_checked =
        vec!["the titles and descriptions, which are the words of the study's author".to_owned()];
    let compared = if manifest.version == env!("CARGO_PKG_VERSION") {
        compare(path, &manifest, &documents, watch)?
    } else {
        let version = &manifest.version;
        not_checked.push(format!("tables, pictures and the report: version {version} wrote them"));
        0
    };
    for (file, verified) in &documents {
        not_checked.extend(verified.not_checked().iter().map(|what| format!("{file}: {what}")));
    }
    Ok(VerifiedStudy { outline: manifest.outline, documents, files: compared, not_checked })
}

/// The answers in the documents of a study.
fn answers_of(outline: &Outline, documents: &[(String, Verified)]) -> Answers {
    let (mut answers, mut margins) = (Vec::new(), Vec::new());
    for (question, (_, verified)) in outline.questions.iter().chain(&outline.margins).zip(documents) {
        match verified.document() {
            Publication::Posterior(document) => {
                answers.push(Answer::new(&question.name, document, &Payment::Nothing));
            }
            Publication::Margins(document) => {
                margins.push(MarginsAnswer::new(&question.name, document, &Payment::Nothing));
            }
            _ => {}
        }
    }
    Answers { answers, margins, payment: Payment::Nothing }
}

/// Derives all files again and compares them. Returns how many there are.
fn compare(
    path: &Path,
    manifest: &Manifest,
    documents: &[(String, Verified)],
    watch: &dyn Watch,
) -> Result<usize, StudyVerificationError> {
    let answers = answers_of(&manifest.outline, documents);
    let expected = results(&manifest.outline, &answers, watch)?;
    let mut changed = Vec::new();
    if manifest.private != answers.private() {
        changed.push(format!("{MANIFEST} says otherwise whether the study is private"));
    }
    if answers.private() && !promises_fit(&manifest.outline, documents) {
        changed.push(format!("{MANIFEST} says otherwise what is promised"));
    }
    for (name, text) in &expected {
        let Ok(found) = read_text(&path.join(name)) else {
            changed.push(format!("{name} is missing"));
            continue;
        };
        // The documents were verified number by number; other machines may round the last digit otherwise.
        if found != *text && !documents.iter().any(|(file, _)| file == name) {
            changed.push(format!("{name} is not what follows from the documents"));
        }
        if manifest.files.get(name) != Some(&hash(found.as_bytes())) {
            changed.push(format!("{name} has another hash than {MANIFEST} says"));
        }
    }
    let found = fs::read_dir(path).map_err(|error| unreadable(path, error))?;
    for entry in found {
        let name = entry.map_err(|error| unreadable(path, error))?.file_name().to_string_lossy().into_owned();
        if name != MANIFEST && !expected.contains_key(&name) {
            changed.push(format!("{name} does not belong there"));
        }
    }
    changed.sort();
    if changed.is_empty() {
        Ok(expected.len())
    } else {
        Err(StudyVerificationError::Changed { files: changed })
    }
}

/// Whether the epsilons and the delta of an outline are those of private documents and their sums.
fn promises_fit(outline: &Outline, documents: &[(String, Verified)]) -> bool {
    let promised = || documents.iter().map(|(_, verified)| verified.document().promise());
    let exact = |epsilon: &Epsilon| Amount::from_rational(epsilon.rational().clone()).unwrap_or_default();
    let epsilons: Vec<Amount> = promised().filter_map(Promised::epsilon).map(exact).collect();
    let delta: Amount = promised().filter_map(Promised::delta).cloned().sum();
    let shown = outline.questions.iter().chain(&outline.margins).map(|question| question.epsilon);
    shown.eq(epsilons.iter().map(Amount::to_f64_shown))
        && outline.epsilon == epsilons.iter().cloned().sum::<Amount>().to_f64_shown()
        && outline.delta.unwrap_or_default() == delta.to_f64_shown()
}

fn not_a_study(path: &Path, reason: impl ToString) -> StudyVerificationError {
    StudyVerificationError::NotAStudy { path: path.display().to_string(), reason: reason.to_string() }
}

fn unreadable(path: &Path, error: std::io::Error) -> StudyVerificationError {
    StudyVerificationError::Folder { path: path.display().to_string(), error }
}
