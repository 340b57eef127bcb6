//! Work that takes longer than a request: a thread with its progress and what came of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Said if the work ends without a result.
const BROKEN: &str =
    "something went wrong inside this program; look at the budget's history before you try again";

/// Work that is under way, done or refused: what was asked, how far it is, and what came of it.
#[derive(Debug)]
pub(crate) struct Work<A, P, T> {
    asked: A,
    progress: P,
    outcome: OnceLock<Result<Arc<T>, String>>,
}

impl<A, P, T> Work<A, P, T>
where
    A: Send + Sync + 'static,
    P: Default + Send + Sync + 'static,
    T: Send + Sync + 'static,
{
    /// Begins in a thread of its own.
    pub(crate) fn begin(
        name: &str,
        asked: A,
        run: impl FnOnce(&A, &P) -> Result<T, String> + Send + 'static,
    ) -> Arc<Self> {
        let work = Arc::new(Self { asked, progress: P::default(), outcome: OnceLock::new() });
        let shared = Arc::clone(&work);
        let begun = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| run(&shared.asked, &shared.progress)));
            // Nobody else sets it.
            let _ = shared.outcome.set(done.unwrap_or_else(|_| Err(BROKEN.to_owned())).map(Arc::new));
        });
        if begun.is_err() {
            let none = "the system has no thread to spare; nothing was charged or released";
            let _ = work.outcome.set(Err(none.to_owned()));
        }
        work
    }
}

impl<A, P, T> Work<A, P, T> {
    pub(crate) fn asked(&self) -> &A {
        &self.asked
    }

    /// How far it is.
    pub(crate) fn progress(&self) -> &P {
        &self.progress
    }

    pub(crate) fn is_running(&self) -> bool {
        self.outcome.get().is_none()
    }

    /// What came of it; none while it runs.
    pub(crate) fn outcome(&self) -> Option<&Result<Arc<T>, String>> {
        self.outcome.get()
    }

    /// What came of it, if that is known within this time.
    pub(crate) fn wait(&self, patience: Duration) -> Option<&Result<Arc<T>, String>> {
        let start = Instant::now();
        while self.is_running() && start.elapsed() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(30);

    #[test]
    fn work_ends_with_what_came_of_it() {
        let done = Work::begin("test", 7, |asked, progress: &u32| Ok(asked + progress));
        assert_eq!(done.wait(LONG), Some(&Ok(Arc::new(7))));
        assert_eq!((done.asked(), done.progress(), done.is_running()), (&7, &0, false));
        let refused = Work::begin("test", (), |(), ()| Err::<(), _>("no".to_owned()));
        assert_eq!(refused.wait(LONG), Some(&Err("no".to_owned())));
        #[allow(clippy::panic, reason = "the work is meant to fail")]
        let broken = Work::begin("test", (), |(), ()| -> Result<(), String> { panic!("a mistake") });
        assert_eq!(broken.wait(LONG), Some(&Err(BROKEN.to_owned())));
    }
}
