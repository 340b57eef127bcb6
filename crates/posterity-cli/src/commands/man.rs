//! `posterity man`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;
use posterity::new_file;

use crate::failure::{Failure, not_written};
use crate::force::ForceArgs;
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

    #[command(flatten)]
    force: ForceArgs,
}

/// Prints the manual page of the command, or writes the pages of all commands into a folder.
pub(crate) fn man(args: &ManArgs, declared: Command) -> Result<(), Failure> {
    match &args.out {
        Some(folder) => write_all(folder, declared, args.force.force),
        None => {
            let mut out = io::stdout().lock();
            Man::new(declared).render(&mut out)?;
            Ok(out.flush()?)
        }
    }
}

fn write_all(folder: &Path, declared: Command, force: bool) -> Result<(), Failure> {
    let refused = |error: io::Error| {
        Failure::refused(format!("--out: {} cannot be written: {error}", folder.display()))
    };
    let mut whole = declared.disable_help_subcommand(true);
    whole.build();
    let pages = pages(whole);
    for page in &pages {
        let path = folder.join(page.get_filename());
        new_file::refuse(&path, force).map_err(|error| not_written("--out", &error))?;
    }
    std::fs::create_dir_all(folder).map_err(refused)?;
    for page in pages {
        page.generate_to(folder).map_err(refused)?;
    }
    note(format!("wrote the manual pages to {}", folder.display()));
    Ok(())
}

/// The page of a command, and those of its subcommands.
fn pages(command: Command) -> Vec<Man> {
    let inside = command.get_subcommands().filter(|inside| !inside.is_hide_set()).cloned();
    let mut all: Vec<Man> = inside.flat_map(pages).collect();
    all.push(Man::new(command));
    all
}
