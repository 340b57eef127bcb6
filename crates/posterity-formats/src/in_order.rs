//! Parallel work whose outcome does not depend on how it is divided.
//!
//! Rayon is compiled anew for every closure it is handed, so it sees no other than these.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

/// Runs this many jobs in parallel, and returns the error that comes first in their order: so the answer does not
/// depend on how the work is divided.
pub(crate) fn in_order<E: Send>(many: usize, work: impl Fn(usize) -> Result<(), E> + Sync) -> Result<(), E> {
    let first = AtomicUsize::new(usize::MAX);
    let failed: Mutex<Option<(usize, E)>> = Mutex::new(None);
    every(many, &|index| {
        if index > first.load(Ordering::Relaxed) {
            return;
        }
        if let Err(error) = work(index) {
            first.fetch_min(index, Ordering::Relaxed);
            let mut failed = failed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if failed.as_ref().is_none_or(|(known, _)| index < *known) {
                *failed = Some((index, error));
            }
        }
    });
    match failed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// Calls `one` with every number below `many`.
fn every(many: usize, one: &(dyn Fn(usize) + Sync)) {
    (0..many).into_par_iter().for_each(one);
}

/// Runs both, perhaps on two threads.
pub(crate) fn both(first: &mut (dyn FnMut() + Send), second: &mut (dyn FnMut() + Send)) {
    rayon::join(first, second);
}
