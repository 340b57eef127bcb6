//! `posterity man`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;

use crate::failure::Failure;
use crate::notice::note;

const EXAMPLES: &str = "\
Examples:
  posterity man | man -l -
  posterity man --out ~/.local/share/man/man1";

/// Print the manual page, or write the pages of all commands.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManArgs {
    /// Write the pages of all commands into this folder, which is made if there is none
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the manual page of the command, or writes the pages of all commands into a folder.
pub(crate) fn man(args: &ManArgs, declared: Command) -> Result<(), Failure> {
    match &args.out {
        Some(folder) => write_all(folder, declared),
        None => {
            let mut out = io::stdout().lock();
            Man::new(declared).render(&mut out)?;
            Ok(out.flush()?)
        }
    }
}

fn write_all(folder: &Path, declared: Command) -> Result<(), Failure> {
    let refused = |error: io::Error| {
        Failure::refused(format!("--out: {} cannot be written: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(refused)?;
    clap_mangen::generate_to(declared, folder).map_err(refused)?;
    note(format!("wrote the manual pages to {}", folder.display()));
    Ok(())
}
