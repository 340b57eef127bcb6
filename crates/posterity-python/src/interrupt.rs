//! The one place where the interpreter is let go, and where Ctrl-C is noticed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) use posterity_present::Watch;
use posterity_present::Worker;
use pyo3::prelude::*;

use crate::error::Failure;

/// The process that worked first on the thread of a caller.
static FIRST: AtomicU32 = AtomicU32::new(0);

/// Whether this process was forked from one that worked before on the thread of a caller.
fn is_forked() -> bool {
    let me = std::process::id();
    let first = FIRST.compare_exchange(0, me, Ordering::AcqRel, Ordering::Acquire);
    first.is_err_and(|first| first != me)
}

const NO_THREAD: Failure = Failure::Internal { what: "no thread could be started" };

/// Does work that is certainly over soon, without the interpreter. Another thread would take longer to wake up than a
/// small release takes; Ctrl-C is noticed when it is done.
pub(crate) fn run_small<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Watch) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    // The threads that parallel work shares stay behind at a fork, and it would wait for them for ever.
    if is_forked() {
        return run(py, work);
    }
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(|| work(&Watch::default()))));
    Ok(done.unwrap_or(Err(Failure::Unforeseen))?)
}

/// Does work that has nothing to share among threads, as [`run`] does.
pub(crate) fn run_alone<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Watch) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    run_on(py, 1, work)
}

/// Does the work on threads of its own, without the interpreter, and looks for signals meanwhile.
///
/// After Ctrl-C the work is given up at once, and its threads end at their next signs of life. Work that is committed
/// comes to its end first.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Watch) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    // As many as the machine runs at once.
    run_on(py, 0, work)
}

fn run_on<T: Send + 'static>(
    py: Python<'_>,
    threads: usize,
    work: impl FnOnce(&Watch) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let mut worker = Worker::start(threads, work).map_err(|_| NO_THREAD)?;
    loop {
        if let Some(done) = py.detach(|| worker.wait()) {
            return done.unwrap_or(Err(Failure::Unforeseen)).map_err(PyErr::from);
        }
        if let Err(signal) = py.check_signals() {
            py.detach(|| worker.give_up());
            return Err(signal);
        }
    }
}
