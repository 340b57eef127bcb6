//! `posterity man`

use std::io::{self, Write};
use std::path::Path;

use clap_mangen::Man;

use crate::args::Cli;
use crate::failure::Failure;
use crate::notice::note;

/// Prints the manual page of the command, or writes the pages of all commands into a folder.
pub(crate) fn man(folder: Option<&Path>) -> Result<(), Failure> {
    match folder {
        Some(folder) => write_all(folder),
        None => {
            let mut out = io::stdout().lock();
            Man::new(Cli::declaration()).render(&mut out)?;
            Ok(out.flush()?)
        }
    }
}

fn write_all(folder: &Path) -> Result<(), Failure> {
    let refused = |error: io::Error| {
        Failure::refused(format!("--out: {} cannot be written: {error}", folder.display()))
    };
    std::fs::create_dir_all(folder).map_err(refused)?;
    clap_mangen::generate_to(Cli::declaration(), folder).map_err(refused)?;
    note(format!("wrote the manual pages to {}", folder.display()));
    Ok(())
}
