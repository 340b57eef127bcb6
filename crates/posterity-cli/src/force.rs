//! Whether files that exist are overwritten.

use clap::Args;
use posterity::new_file::NewFileError;

use crate::failure::Failure;

/// Whether files that exist are overwritten. Every command that writes files has it.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ForceArgs {
    /// Overwrite files that exist; otherwise they are refused before anything is charged, drawn or written
    #[arg(long)]
    pub(crate) force: bool,
}

/// A file that is not written, with the flag that names it.
pub(crate) fn not_written(flag: &str, error: &NewFileError) -> Failure {
    Failure::refused(format!("{flag}: {}", with_flag(error)))
}

/// The sentence, with the flag that allows what it refuses.
pub(crate) fn with_flag(error: &NewFileError) -> String {
    match error {
        NewFileError::Exists { .. } => format!("{error} (--force)"),
        other => other.to_string(),
    }
}
