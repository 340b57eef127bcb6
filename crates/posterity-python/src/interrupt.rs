//! The one place where the interpreter is let go, and where Ctrl-C is noticed.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use posterity::ledger::{Ledger, Step};
use posterity_core::pulse;
use pyo3::prelude::*;
use rayon::ThreadPoolBuilder;

use crate::error::Failure;

/// How often Python is asked whether somebody pressed Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// Stack of the threads that work.
const STACK: usize = 8 << 20;

/// What the working threads and the waiting one tell each other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch(Arc<AtomicU8>);

/// Work goes on and may be given up.
const RUNNING: u8 = 0;
/// Something is being paid for: it must come to its end.
const COMMITTED: u8 = 1;
/// Nobody waits any more.
const CANCELLED: u8 = 2;

/// What a cancelled thread unwinds with.
struct Cancelled;

impl Watch {
    /// A sign of life; ends the work if nobody waits for it. It unwinds as a panic does, without a message.
    pub(crate) fn tick(&self) {
        if self.is_cancelled() {
            resume_unwind(Box::new(Cancelled));
        }
    }

    /// Whether nobody waits any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire) == CANCELLED
    }

    /// From here on the work is finished whatever happens; ends it if it was cancelled before.
    pub(crate) fn commit(&self) {
        let before = self.0.compare_exchange(RUNNING, COMMITTED, Ordering::AcqRel, Ordering::Acquire);
        if before == Err(CANCELLED) {
            resume_unwind(Box::new(Cancelled));
        }
    }

    /// Commits the work when a ledger is about to charge. That is within the transaction in which the document is drawn and
    /// recorded, so whoever is interrupted later finds it on file.
    pub(crate) fn commit_with(&self, ledger: &mut Ledger) {
        let committed = self.clone();
        ledger.observe(move |step| {
            if step == Step::Checked {
                committed.commit();
            }
        });
    }

    /// Gives the work up, unless it is committed.
    fn cancel(&self) -> bool {
        self.0.compare_exchange(RUNNING, CANCELLED, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

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
    let watch = Watch::default();
    let (sender, mut receiver) = sync_channel(1);
    let (watched, heard) = (watch.clone(), watch.clone());
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|_| "posterity".into())
        .stack_size(STACK)
        .start_handler(move |_| {
            let heard = heard.clone();
            pulse::listen(Arc::new(move || heard.tick()));
        })
        .build()
        .map_err(|_| NO_THREAD)?;
    pool.spawn(move || {
        let done = catch_unwind(AssertUnwindSafe(|| work(&watched)));
        // Nobody may be there to hear it.
        let _ = sender.send(done);
    });
    loop {
        let (back, heard) = py.detach(move || {
            let heard = receiver.recv_timeout(TICK);
            (receiver, heard)
        });
        receiver = back;
        match heard {
            Ok(Ok(done)) => return done.map_err(PyErr::from),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => return Err(Failure::Unforeseen.into()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(signal) = py.check_signals() {
            if !watch.cancel() {
                let _ = py.detach(move || receiver.recv());
            }
            return Err(signal);
        }
    }
}
