//! The flags that say how to print a result.

use clap::{Args, ValueEnum};

/// How to print a result.
#[derive(Debug, Args)]
pub(crate) struct Printing {
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,

    /// Also print what the table means: the promise in full, accuracy, notes
    #[arg(long)]
    pub(crate) explain: bool,
}

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For reading
    Table,
    /// One JSON document
    Json,
    /// Comma-separated values with a header
    Csv,
}
