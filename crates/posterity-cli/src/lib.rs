//! The `posterity` command: parse, run, print.
//!
//! Results go to standard output, messages to standard error. Exit code 0: done; 1: refused or failed; 2: bad usage.

mod asked;
mod cli;
mod commands;
mod counts;
mod declared;
mod failure;
mod fields;
mod force;
mod input;
mod intervals;
mod marked;
mod mechanism_args;
mod notice;
mod output;
mod panic;
mod prior_file;
mod progress;
mod short_help;
mod source_args;
mod terms;

use std::ffi::OsString;

use crate::cli::Cli;

/// Runs the command with these arguments, of which the first is its name, and returns its exit code.
pub fn run(args: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let cli = match Cli::from_args(args) {
        Ok(cli) => cli,
        Err(error) => {
            // If the message cannot be written, the exit code still says that it failed.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let done = panic::guarded(|| cli.run());
    done.map_or_else(notice::report, |()| 0)
}
