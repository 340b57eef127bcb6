//! Values that threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a value, also after a thread that held it has panicked.
pub(crate) fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
