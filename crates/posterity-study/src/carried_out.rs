//! A plan in a file, carried out for a program that waits for it.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use posterity::LedgerError;
use posterity::batch::{BatchError, Records};
use posterity::ledger::Ledger;
use posterity::plan::PlanError;
use posterity::signing::SecretKey;
use posterity::text_file::TextFileError;
use posterity_present::{Fault, FaultKind, Watch, Words};
use thiserror::Error;

use crate::answers::Answers;
use crate::error::StudyError;
use crate::folder::Folder;
use crate::folder_error::FolderError;
use crate::plan_file::PlanFile;
use crate::study::Study;

/// Why a plan is not carried out.
#[derive(Debug, Error)]
pub enum CarryOutError {
    /// The plan cannot be read.
    #[error("plan: {0}")]
    File(TextFileError),
    /// The plan is wrong.
    #[error("plan: {0}; nothing was charged or released")]
    Plan(#[from] PlanError),
    /// The results cannot be written.
    #[error("out: {0}; nothing was charged or released")]
    Folder(#[from] FolderError),
    /// There is a key, and nobody pays.
    #[error("sign: what nobody charged is not signed; {0}")]
    Unsigned(&'static str),
    /// The ledger or its account cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The questions are not answered.
    #[error(transparent)]
    Study(#[from] StudyError),
}

/// Ends the count if nobody waits for it, and keeps what there is to warn of.
struct Waited<'a> {
    watch: &'a Watch,
    warnings: RefCell<Vec<String>>,
}

impl crate::Watch for Waited<'_> {
    fn rows(&self, _rows: u64) -> ControlFlow<()> {
        self.watch.tick();
        ControlFlow::Continue(())
    }

    fn warning(&self, question: Option<&str>, text: &str) {
        let question = question.map(|question| format!("question {question:?}: ")).unwrap_or_default();
        self.warnings.borrow_mut().push(format!("{question}{text}"));
    }
}

/// What came of a plan.
#[derive(Debug)]
pub struct CarriedOut {
    /// The folder of its results.
    pub folder: PathBuf,
    /// The answers.
    pub answers: Answers,
    /// What there is to warn of.
    pub warnings: Vec<String>,
}

/// A plan, and how it is carried out.
#[derive(Debug)]
pub struct StudyRun {
    /// The plan.
    pub plan: PlanFile,
    /// The records, if they are in memory and not where the plan says.
    pub records: Option<Arc<dyn Records>>,
    /// The folder for the results.
    pub out: PathBuf,
    /// The seed of an experiment, which nobody pays for.
    pub seed: Option<u64>,
    /// Whether to draw and pay anew if the ledger holds the answers.
    pub again: bool,
    /// Signs the answers and the list of all results.
    pub key: Option<SecretKey>,
}

/// Carries out a plan.
///
/// # Errors
/// [`CarryOutError`].
pub fn carry_out(run: StudyRun, watch: &Watch) -> Result<CarriedOut, CarryOutError> {
    let StudyRun { plan, records, out, seed, again, key } = run;
    let study = match records {
        Some(records) => Study::in_memory(plan, records)?,
        None => Study::new(plan)?,
    };
    if key.is_some() && seed.is_some() {
        return Err(CarryOutError::Unsigned("leave out the seed, or the key"));
    }
    if key.is_some() && study.file().ledger().is_none() {
        return Err(CarryOutError::Unsigned("name a ledger and an account in the plan"));
    }
    let study = key.iter().fold(study, |study, key| study.sign(key.clone()));
    let mut opened = match (study.file().ledger(), study.file().account()) {
        (Some(file), Some(account)) if seed.is_none() => {
            let opened = Ledger::open(file)?;
            opened.account(account)?;
            Some((opened, account))
        }
        _ => None,
    };
    // Nothing is charged if the results could not be written.
    let folder = Folder::take(&out)?;
    let waited = Waited { watch, warnings: RefCell::default() };
    let answers = match (&mut opened, seed) {
        (_, Some(seed)) => study.experiment(seed, &waited)?,
        (Some((ledger, account)), None) => {
            watch.commit_with(ledger);
            study.charge(ledger, account, again, &waited)?
        }
        (None, None) => study.publish(&waited)?,
    };
    let folder = folder.write(study.plan(), &answers, key.as_ref(), &waited)?;
    Ok(CarriedOut { folder, answers, warnings: waited.warnings.into_inner() })
}

impl CarryOutError {
    /// The failure as a program tells it.
    #[must_use]
    pub fn fault(&self, words: &Words) -> Fault {
        match self {
            Self::Folder(_) => Fault::new(FaultKind::Other, self),
            Self::File(_) | Self::Plan(_) | Self::Unsigned(_) => Fault::new(FaultKind::Argument, self),
            Self::Ledger(error) | Self::Study(StudyError::Batch(BatchError::Ledger(error))) => {
                Fault::ledger(error, words)
            }
            Self::Study(StudyError::Plan(error)) => Fault::new(FaultKind::Argument, format!("plan: {error}")),
            Self::Study(error @ StudyError::HalfLedger { .. }) => {
                Fault::new(FaultKind::Argument, format!("plan: {error}"))
            }
            Self::Study(StudyError::Batch(BatchError::Data(error))) => {
                Fault::new(FaultKind::Data, format!("{error}; nothing was charged or released"))
            }
            Self::Study(StudyError::Batch(BatchError::Question { error, .. })) => {
                Fault::publish(error, words)
            }
            Self::Study(error) => Fault::new(FaultKind::Other, error),
        }
    }
}
