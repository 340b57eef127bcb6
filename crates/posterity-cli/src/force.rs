//! Whether files that exist are overwritten.

use clap::Args;

/// Whether files that exist are overwritten. Every command that writes files has it.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ForceArgs {
    /// Overwrite files that exist; otherwise they are refused before anything is charged, drawn or written
    #[arg(long)]
    pub(crate) force: bool,
}
