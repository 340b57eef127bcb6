//! The `posterity` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(posterity_cli::run(std::env::args_os()))
}
