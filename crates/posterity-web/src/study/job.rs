//! One study under way: count, charge, draw and record, read, write.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use posterity::Ledger;
use posterity::signing::SecretKey;
use posterity_present::payment;
use posterity_study::{Answers, Folder};

use super::asked::Asked;
use super::progress::Progress;
use crate::drafts::{self, Drafts};
use crate::sentence::sentence;
use crate::temporary;

/// Drafts of studies and their jobs.
pub(crate) type Studies = Drafts<Asked, Progress, Results>;
pub(super) type Job = drafts::Job<Asked, Progress, Results>;

/// What came of a study.
#[derive(Debug)]
pub(crate) struct Results {
    pub(super) answers: Answers,
    /// All files that the command would write, by their names.
    pub(super) files: BTreeMap<String, String>,
    /// What was paid, in words.
    pub(super) paid: String,
}

/// Carries out a study.
pub(super) fn run(
    asked: &Asked,
    ledger: Option<&Path>,
    key: Option<SecretKey>,
    progress: &Progress,
) -> Result<Results, String> {
    // What nobody charges is not signed.
    let key = key.filter(|_| ledger.is_some() && asked.account.is_some());
    let study = key.iter().fold(asked.study.clone(), |study, key| study.sign(key.clone()));
    let mut open = ledger.map(Ledger::open).transpose().map_err(|error| error.to_string())?;
    if let (Some(ledger), Some(account)) = (&open, &asked.account) {
        ledger.account(account).map_err(|error| error.to_string())?;
    }
    // Nothing is charged if the results could not be written.
    let unwritten = |error: io::Error| format!("the results cannot be written: {error}; nothing was charged");
    let scratch = temporary::folder().map_err(unwritten)?;
    let out = Folder::take(&scratch.path().join("results")).map_err(|error| error.to_string())?;
    let answers = match (&mut open, &asked.account) {
        (Some(ledger), Some(account)) => study.charge(ledger, account, false, progress),
        _ => study.publish(progress),
    };
    let answers = answers.map_err(|error| study.told(&error))?;
    progress.write();
    let written =
        out.write(study.plan(), &answers, key.as_ref(), progress).map_err(|error| study.told(&error))?;
    let files = texts(&written)
        .map_err(|error| format!("the results cannot be read again: {error}; the charge stays"))?;
    let paid = sentence(payment(answers.payment(), true));
    Ok(Results { answers, files, paid })
}

/// The texts of all files of a folder, by their names.
fn texts(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        texts.insert(name, fs::read_to_string(entry.path())?);
    }
    Ok(texts)
}
