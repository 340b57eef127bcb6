//! The command.

use std::ffi::OsString;

use pyo3::prelude::*;

use crate::interrupt::run;
use crate::panic::guarded;

/// Runs the command with these arguments, of which the first is its name, and returns its exit code.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| posterity_cli::run(arguments))
}

/// Panics on the caller's thread or on another, so that tests can check what a user sees of a panic.
#[pyfunction]
#[allow(clippy::panic, reason = "it is what this is for")]
pub(crate) fn _panic(py: Python<'_>, elsewhere: bool) -> PyResult<()> {
    guarded(|| if elsewhere { run(py, |_| panic!("Mallory")) } else { panic!("Mallory") })
}
