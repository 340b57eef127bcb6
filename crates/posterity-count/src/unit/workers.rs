//! Sharing a list of work among threads.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Works through all items on several threads, each with a state of its own, and returns the states. The first error
/// ends the work.
///
/// # Errors
/// The first error of any thread.
pub(super) fn share<I: Send, S: Send, E: Send>(
    threads: NonZeroUsize,
    items: Vec<I>,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> Result<(), E> + Sync,
) -> Result<Vec<S>, E> {
    let threads = threads.get().min(items.len());
    let queue = Mutex::new(items.into_iter());
    let done = Mutex::new(Ok(Vec::new()));
    let worker = || {
        let mut state = start();
        let mut result = Ok(());
        while result.is_ok() {
            let Some(item) = lock(&queue).next() else { break };
            result = work(&mut state, item);
        }
        let mut done = lock(&done);
        match (result, done.as_mut()) {
            (Ok(()), Ok(states)) => states.push(state),
            (Err(error), Ok(_)) => {
                // The other threads find nothing more to do.
                lock(&queue).by_ref().for_each(drop);
                *done = Err(error);
            }
            (_, Err(_)) => {}
        }
    };
    on_each(threads, &worker);
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Runs the worker on so many threads, one of which is this.
fn on_each(threads: usize, worker: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system gives no more threads, those there are do the work.
            if thread::Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        worker();
    });
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once() {
        for threads in 1..5 {
            let threads = NonZeroUsize::new(threads).expect("at least one");
            let sums = share(
                threads,
                (1..=100).collect(),
                || 0,
                |sum, item: u32| {
                    *sum += item;
                    Ok::<(), ()>(())
                },
            );
            let sums = sums.expect("no error");
            assert!(sums.len() <= threads.get());
            assert_eq!(sums.iter().sum::<u32>(), 5050);
        }
        assert_eq!(share(NonZeroUsize::MIN, Vec::<()>::new(), || 7, |_, ()| Err(())), Ok(vec![7]));
    }

    #[test]
    fn an_error_ends_the_work() {
        for threads in 1..5 {
            let threads = NonZeroUsize::new(threads).expect("at least one");
            let result = share(
                threads,
                (0..100).collect(),
                || (),
                |(), item| match item {
                    50 => Err("fifty"),
                    _ => Ok(()),
                },
            );
            assert_eq!(result, Err("fifty"));
        }
    }
}
