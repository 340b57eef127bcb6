//! Turns a panic into an exception that quotes nothing.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

use pyo3::PyResult;

use crate::error::Failure;

/// From here on a panic prints nothing, because its message may quote what was being read.
pub(crate) fn silence() {
    set_hook(Box::new(|_| ()));
}

/// Runs the body of a function of the module on the caller's thread. A panic becomes an exception of the package.
pub(crate) fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(Failure::Unforeseen.into()))
}
