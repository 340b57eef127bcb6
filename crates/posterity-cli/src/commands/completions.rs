//! `posterity completions`

use std::io::{self, Write};

use clap_complete::Shell;

use crate::args::Cli;
use crate::failure::Failure;

/// Prints the completions of a shell.
pub(crate) fn completions(shell: Shell) -> Result<(), Failure> {
    // In memory first, because the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::declaration(), "posterity", &mut script);
    let mut out = io::stdout().lock();
    out.write_all(&script)?;
    Ok(out.flush()?)
}
