//! Work on threads of its own, which whoever waits for it can give up.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use posterity::document::{Document, Kind};
use posterity::ledger::{Ledger, Step};
use posterity::paying::Till;
use posterity::{Ask, Payment, PublishError};
use posterity_core::pulse;
use rayon::ThreadPoolBuilder;
use thiserror::Error;

/// How long [`Worker::wait`] waits, at most.
const TICK: Duration = Duration::from_millis(50);

/// Stack of the threads that work.
const STACK: usize = 8 << 20;

/// What the working threads and the waiting one tell each other.
#[derive(Clone, Debug, Default)]
pub struct Watch(Arc<AtomicU8>);

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
    pub fn tick(&self) {
        if self.is_cancelled() {
            resume_unwind(Box::new(Cancelled));
        }
    }

    /// Whether nobody waits any more.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire) == CANCELLED
    }

    /// Whether a count goes on.
    pub fn progress(&self) -> ControlFlow<()> {
        if self.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// From here on the work is finished whatever happens; ends it if it was cancelled before.
    pub fn commit(&self) {
        let before = self.0.compare_exchange(RUNNING, COMMITTED, Ordering::AcqRel, Ordering::Acquire);
        if before == Err(CANCELLED) {
            resume_unwind(Box::new(Cancelled));
        }
    }

    /// Commits the work when a ledger is about to charge. That is within the transaction in which the document is drawn and
    /// recorded, so whoever is interrupted later finds it on file.
    pub fn commit_with(&self, ledger: &mut Ledger) {
        let committed = self.clone();
        ledger.observe(move |step| {
            if step == Step::Checked {
                committed.commit();
            }
        });
    }

    /// Answers a question. From the charge on the work is finished whatever happens.
    ///
    /// # Errors
    /// [`PublishError`], as [`Till::answer`].
    pub fn answer<K: Kind>(
        &self,
        till: &mut Till,
        ask: Ask<'_, K>,
    ) -> Result<(Document<K>, Payment), PublishError> {
        if let Some(ledger) = till.ledger() {
            self.commit_with(ledger);
        }
        till.answer(ask)
    }

    /// Gives the work up, unless it is committed.
    fn cancel(&self) -> bool {
        self.0.compare_exchange(RUNNING, CANCELLED, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

/// No thread could be started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no thread could be started")]
pub struct NoThread;

/// The work panicked. Its message is not kept, because it may quote what was being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the work panicked")]
pub struct Panicked;

/// Work that somebody waits for.
///
/// ```
/// use posterity_present::Worker;
/// let mut worker = Worker::start(1, |_| 6 * 7)?;
/// let found = loop {
///     if let Some(found) = worker.wait() {
///         break found;
///     }
///     // Here a front looks whether the user pressed Ctrl-C, and calls worker.give_up() if so.
/// };
/// assert_eq!(found, Ok(42));
/// # Ok::<(), posterity_present::NoThread>(())
/// ```
#[derive(Debug)]
pub struct Worker<T> {
    watch: Watch,
    receiver: Receiver<Result<T, Box<dyn Any + Send>>>,
}

impl<T: Send + 'static> Worker<T> {
    /// Starts the work on this many threads; zero is as many as the machine runs at once.
    ///
    /// # Errors
    /// [`NoThread`].
    pub fn start(threads: usize, work: impl FnOnce(&Watch) -> T + Send + 'static) -> Result<Self, NoThread> {
        let watch = Watch::default();
        let (sender, receiver) = sync_channel(1);
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
            .map_err(|_| NoThread)?;
        pool.spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| work(&watched)));
            // Nobody may be there to hear it.
            let _ = sender.send(done);
        });
        Ok(Self { watch, receiver })
    }

    /// Waits for a twentieth of a second, at most. Nothing if the work goes on.
    pub fn wait(&mut self) -> Option<Result<T, Panicked>> {
        match self.receiver.recv_timeout(TICK) {
            Ok(done) => Some(done.map_err(|_| Panicked)),
            Err(RecvTimeoutError::Disconnected) => Some(Err(Panicked)),
            Err(RecvTimeoutError::Timeout) => None,
        }
    }

    /// Gives the work up at once; its threads end at their next signs of life. Work that is committed comes to its end
    /// first.
    pub fn give_up(self) {
        if !self.watch.cancel() {
            let _ = self.receiver.recv();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    /// If this fails, a panic shows what was being read, or is taken for a result.
    #[test]
    fn a_panic_is_told_without_its_message() {
        let mut worker = Worker::start(1, |_| resume_unwind(Box::new("Mallory"))).expect("a thread");
        let found: Result<(), Panicked> = loop {
            if let Some(found) = worker.wait() {
                break found;
            }
        };
        assert_eq!(found, Err(Panicked));
    }

    /// If this fails, Ctrl-C leaves threads behind that go on working.
    #[test]
    fn work_that_is_given_up_ends_at_its_next_sign_of_life() {
        let (sender, receiver) = channel::<()>();
        let worker = Worker::start(1, move |watch| {
            let _alive = sender;
            loop {
                watch.tick();
            }
        });
        worker.expect("a thread").give_up();
        assert!(receiver.recv().is_err(), "the work dropped its end");
    }

    /// If this fails, Ctrl-C can end a release between its charge and its record.
    #[test]
    fn work_that_is_committed_comes_to_its_end() {
        let (committed, wait) = channel();
        let (sender, receiver) = channel();
        let worker = Worker::start(1, move |watch| {
            watch.commit();
            let _ = committed.send(());
            watch.tick();
            let _ = sender.send("done");
        });
        wait.recv().expect("committed");
        worker.expect("a thread").give_up();
        assert_eq!(receiver.try_recv(), Ok("done"));
    }
}
