//! The `posterity` command: parse, resolve, run, print.
//!
//! Results go to standard output, messages to standard error. Exit code 0: done; 1: refused or failed; 2: bad usage.

mod args;
mod commands;
mod failure;
mod input;
mod mechanism_args;
mod notice;
mod output;
mod panic;
mod picture_args;
mod progress;
mod resolve;

use std::ffi::OsString;

use crate::args::{Cli, Command};
use crate::failure::Failure;

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
    let done = panic::guarded(|| match cli.command {
        Command::Release(args) => commands::release(&args),
        Command::Read(args) => commands::read(&args),
        Command::Inspect(args) => commands::inspect(&args),
        Command::Compare(args) => commands::compare(&args),
        Command::Audit(args) => commands::audit(&args),
        Command::Advise(args) => commands::advise(&args),
        Command::Reproduce(args) => commands::reproduce(&args),
        Command::Study(args) => commands::study(&args),
        Command::Budget(command) => commands::budget(&command),
        #[cfg(feature = "web")]
        Command::Web(args) => commands::web(&args),
        Command::Verify(args) => commands::verify(&args),
        Command::Completions { shell } => commands::completions(shell),
        Command::Man { out } => commands::man(out.as_deref()),
    });
    done.map_or_else(Failure::report, |()| 0)
}
