//! The number of threads.

use std::num::NonZeroUsize;

use crate::error::ReproduceError;

/// The most threads that may be asked for: more than any machine has use for, and few enough to start at once.
pub const MOST_THREADS: usize = 1_024;

/// Runs the work on this many threads, or on all processors if no number is given. The number changes no result.
///
/// # Errors
/// [`ReproduceError::Threads`] if there cannot be so many.
pub fn with_threads<R: Send>(
    threads: Option<NonZeroUsize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, ReproduceError> {
    let Some(threads) = threads else { return Ok(work()) };
    let refused = |why| ReproduceError::Threads { threads: threads.get(), why };
    if threads.get() > MOST_THREADS {
        return Err(refused(format!("{MOST_THREADS} are the most")));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
    Ok(pool.map_err(|error| refused(error.to_string()))?.install(work))
}
