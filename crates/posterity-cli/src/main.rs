//! The `posterity` command: parse, resolve, run, print.
//!
//! Standard output holds data, standard error holds talk. Exit code 0: done; 1: refused or failed; 2: bad usage.

mod args;
mod commands;
mod failure;
mod input;
mod output;
mod progress;
mod resolve;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Cli, Command};

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Release(args) => commands::release(&args),
        Command::Inspect(args) => commands::inspect(&args),
        Command::Compare(args) => commands::compare(&args),
        Command::Audit(args) => commands::audit(&args),
        Command::Advise(args) => commands::advise(&args),
        Command::Reproduce(args) => commands::reproduce(&args),
        Command::Budget(command) => commands::budget(&command),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
