//! `posterity completions`

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;

use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  posterity completions bash > ~/.local/share/bash-completion/completions/posterity
  posterity completions fish > ~/.config/fish/completions/posterity.fish

  # zsh: into a folder of $fpath
  posterity completions zsh > ~/.zfunc/_posterity";

/// Print a script that completes commands and flags in a shell.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Prints the completions of a shell for the command that is declared so.
pub(crate) fn completions(args: &CompletionsArgs, declared: &mut Command) -> Result<(), Failure> {
    // In memory first, because the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, declared, "posterity", &mut script);
    let mut out = io::stdout().lock();
    out.write_all(&script)?;
    Ok(out.flush()?)
}
