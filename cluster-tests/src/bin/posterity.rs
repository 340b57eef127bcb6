//! The `posterity` command with the feature `cluster`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(posterity_cli::run(std::env::args_os()))
}
