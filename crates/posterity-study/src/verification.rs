//! Whether a folder of results is what a study wrote: everything in it is derived again from its documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use posterity::document::Promised;
use posterity::ledger::Amount;
use posterity::signing::{PublicKey, SignatureError};
use posterity::text_file::{TextFileError, read_text};
use posterity::verification::{Verdict, VerificationError, Verified, verify_document};
use posterity::{Epsilon, Ledger, Payment};
use posterity_present::describe::{Answered, Case, CaseError};
use thiserror::Error;

use crate::answers::{Answer, Answers};
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
    manifest: Manifest,
    documents: Vec<(String, Verified)>,
    /// How many files were derived again; none if another version wrote them.
    derived: usize,
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
    /// A page that is not beside the results of a study.
    #[error(
        "{path}: a report is verified in the folder that the study wrote, as report.html beside study.json; ask for that folder"
    )]
    Report {
        /// The page.
        path: String,
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
    /// The documents are not all answers of one charge.
    #[error("{reason}; ask for all results of the study")]
    Incomplete {
        /// What is missing, or does not belong there.
        reason: String,
    },
    /// The list of all files was not signed, or by another key.
    #[error("{MANIFEST}: {0}")]
    Signature(#[from] SignatureError),
    /// The files cannot be derived again.
    #[error(transparent)]
    Study(#[from] StudyError),
}

impl VerifiedStudy {
    /// What the study is called, in the words of its author.
    #[must_use]
    pub fn title(&self) -> &str {
        self.manifest.outline.title()
    }

    /// All documents, to be described for people who decide. Readers know the results by the name of their folder.
    ///
    /// # Errors
    /// [`CaseError`] if the documents protect different people.
    pub fn case<'a>(&'a self, folder: &'a str) -> Result<Case<'a>, CaseError> {
        let outline = &self.manifest.outline;
        let named = outline.all().zip(&self.documents);
        let answers = named.map(|(question, (file, verified))| Answered {
            title: Some(&question.title),
            file,
            document: verified.document(),
        });
        let case = Case::of_study(self.title(), outline.description.as_deref(), answers.collect(), folder)?;
        let verdicts = check_requirements(&outline.requirements, &answers_of(outline, &self.documents));
        Ok(case.with_requirements(verdicts_sheet(&verdicts)))
    }

    /// The documents of the answers, each with the name of its file.
    #[must_use]
    pub fn documents(&self) -> &[(String, Verified)] {
        &self.documents
    }

    /// How many files were derived again and compared.
    #[must_use]
    pub fn files(&self) -> usize {
        self.derived
    }

    /// What was checked and holds.
    #[must_use]
    pub fn checked(&self) -> Vec<String> {
        let mut checked = vec![
            "all files of the study are there, as study.json lists them, and no others".to_owned(),
            "its budget and what it promises are those of its documents".to_owned(),
        ];
        if self.derived > 0 {
            checked.push("tables, pictures and the report follow from its documents".to_owned());
        }
        checked
    }

    /// What could not be checked, and why. [`VerifiedStudy::by_ledger`] and [`VerifiedStudy::by_key`] say more of the
    /// words of the study's author.
    #[must_use]
    pub fn not_checked(&self) -> Vec<String> {
        let mut not_checked = Vec::new();
        if self.derived == 0 {
            let version = &self.manifest.version;
            not_checked.push(format!("tables, pictures and the report: version {version} wrote them"));
        }
        for (file, verified) in &self.documents {
            not_checked.extend(verified.not_checked().iter().map(|what| format!("{file}: {what}")));
        }
        not_checked
    }

    /// Whether the list of all files is signed.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        self.manifest.signature.is_some()
    }

    /// Checks that whoever has the secret key to this one signed the list of all files and every document that was
    /// charged. No ledger is needed.
    ///
    /// # Errors
    /// [`StudyVerificationError`].
    pub fn by_key(&self, key: &PublicKey) -> Result<(), StudyVerificationError> {
        let signature = self.manifest.signature.as_ref().ok_or(SignatureError::Unsigned)?;
        let digest = self.manifest.digest().map_err(|error| not_a_study(Path::new(MANIFEST), error))?;
        key.verify(&digest, signature)?;
        for (file, verified) in &self.documents {
            verified.by_key(key).map_err(|error| of_document(file, error))?;
        }
        Ok(())
    }

    /// Finds the charge that the documents belong to, and whether the plan that the ledger recorded with it is the one
    /// in this folder: the same words and the same requirements.
    ///
    /// # Errors
    /// [`StudyVerificationError`] if the ledger never charged one of the documents or recorded something else, or if
    /// they are not all the answers of one charge.
    pub fn by_ledger(&self, ledger: &Ledger) -> Result<(Vec<Verdict>, bool), StudyVerificationError> {
        let mut verdicts: Vec<Verdict> = Vec::with_capacity(self.documents.len());
        for (file, verified) in &self.documents {
            verdicts.push(verified.by_ledger(ledger).map_err(|error| of_document(file, error))?);
        }
        let incomplete = |reason: String| StudyVerificationError::Incomplete { reason };
        let places = self.documents.iter().filter_map(|(_, one)| Some(one.document().provenance()?.answer));
        let first = verdicts.first().ok_or_else(|| incomplete("there is no document".to_owned()))?;
        if let Some(other) = verdicts.iter().find(|verdict| verdict.head != first.head) {
            let (one, other) = (first.entry, other.entry);
            return Err(incomplete(format!("the documents are of several charges, {one} and {other}")));
        }
        if !places.eq(0..first.answers) {
            let (found, answers) = (verdicts.len(), first.answers);
            return Err(incomplete(format!(
                "the charge has {answers} answers, and these are {found} others"
            )));
        }
        let recorded =
            self.documents.first().and_then(|(_, one)| one.document().provenance()?.agreed.as_ref());
        let same = recorded.is_some_and(|agreed| agreed.plan == self.manifest.plan);
        Ok((verdicts, same))
    }
}

/// Verifies the documents in a folder of results, derives all other files from them, the report too, and names every
/// difference.
///
/// # Errors
/// [`StudyVerificationError`].
pub fn verify_folder(path: &Path, watch: &dyn Watch) -> Result<VerifiedStudy, StudyVerificationError> {
    let manifest_path = path.join(MANIFEST);
    let manifest: Manifest = posterity::json::read(&read_text(&manifest_path)?)
        .map_err(|error| not_a_study(&manifest_path, error))?;
    let mut documents = Vec::new();
    for (kind, question) in manifest.outline.with_kinds() {
        let file = format!("{}.json", question.name);
        // Names come from the manifest, which anyone can write.
        if Path::new(&file).file_name() != Some(file.as_ref()) {
            return Err(not_a_study(&manifest_path, format!("{file:?} is no name of a file")));
        }
        let text = read_text(&path.join(&file))?;
        let verified = verify_document(&text);
        let verified = verified.map_err(|error| of_document(&file, error))?;
        if verified.document().kind() != kind {
            return Err(not_a_study(
                &path.join(&file),
                "it is a document of another kind than the study has there",
            ));
        }
        documents.push((file, verified));
    }
    let derived = compare(path, &manifest, &documents, watch)?;
    Ok(VerifiedStudy { manifest, documents, derived })
}

fn of_document(file: &str, error: VerificationError) -> StudyVerificationError {
    StudyVerificationError::Document { file: file.to_owned(), error }
}

/// The answers in the documents of a study.
fn answers_of(outline: &Outline, documents: &[(String, Verified)]) -> Answers {
    let answers = outline
        .all()
        .zip(documents)
        .map(|(question, (_, verified))| Answer::new(&question.name, verified.document(), &Payment::Nothing));
    Answers { answers: answers.collect(), payment: Payment::Nothing }
}

/// Compares all files with their list, and the list with what the documents promise. What this version wrote is derived
/// again and compared, too. Returns how many files were.
fn compare(
    path: &Path,
    manifest: &Manifest,
    documents: &[(String, Verified)],
    watch: &dyn Watch,
) -> Result<usize, StudyVerificationError> {
    let outline = &manifest.outline;
    let answers = answers_of(outline, documents);
    let mut changed = Vec::new();
    if manifest.private != answers.private() {
        changed.push(format!("{MANIFEST} says otherwise whether the study is private"));
    }
    if answers.private() && !promises_fit(outline, documents) {
        changed.push(format!("{MANIFEST} says otherwise what is promised"));
    }
    if manifest.plan != outline.agreed(documents.iter().map(|(_, one)| one.document())).plan {
        changed.push(format!("{MANIFEST} names another plan than the one that its documents answer"));
    }
    let found = fs::read_dir(path).map_err(|error| unreadable(path, error))?;
    for entry in found {
        let name = entry.map_err(|error| unreadable(path, error))?.file_name().to_string_lossy().into_owned();
        if name != MANIFEST && !manifest.files.contains_key(&name) {
            changed.push(format!("{name} does not belong there"));
        }
    }
    let expected = if manifest.version == env!("CARGO_PKG_VERSION") {
        results(outline, &answers, watch)?
    } else {
        BTreeMap::new()
    };
    let listed = manifest.files.keys().chain(expected.keys()).chain(documents.iter().map(|(file, _)| file));
    for name in listed.collect::<BTreeSet<_>>() {
        // Names come from the list, which anyone can write.
        let is_plain = Path::new(name).file_name() == Some(name.as_ref());
        let Some(found) = is_plain.then(|| read_text(&path.join(name)).ok()).flatten() else {
            changed.push(format!("{name} is missing"));
            continue;
        };
        // The documents were verified number by number; other machines may round the last digit otherwise.
        let is_document = documents.iter().any(|(file, _)| file == name);
        match expected.get(name) {
            Some(text) if found == *text || is_document => {}
            None if expected.is_empty() => {}
            Some(_) => changed.push(format!("{name} is not what follows from the documents")),
            None => changed.push(format!("{name} does not belong there")),
        }
        if manifest.files.get(name) != Some(&hash(found.as_bytes())) {
            changed.push(format!("{name} has another hash than {MANIFEST} says"));
        }
    }
    changed.sort();
    changed.dedup();
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
    let shown = outline.all().map(|question| question.epsilon);
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
