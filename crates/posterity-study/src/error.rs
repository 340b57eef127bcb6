//! Why a study was not made, or not finished.

use posterity::batch::BatchError;
use posterity::plan::PlanError;
use posterity_plot::PlotError;
use thiserror::Error;

use crate::folder_error::FolderError;

/// Why a study was not made, or not finished.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The plan is wrong.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The records cannot be counted, or the ledger refused.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// A picture failed.
    #[error("question {question:?}: {error}")]
    Plot {
        /// The question.
        question: String,
        /// What is wrong.
        error: PlotError,
    },
    /// The folder cannot be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A ledger without an account, or the other way round.
    #[error("the plan names {has} and no {lacks}; add {lacks}, or leave out {has}")]
    HalfLedger {
        /// What it names.
        has: &'static str,
        /// What it lacks.
        lacks: &'static str,
    },
}
