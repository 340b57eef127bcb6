//! The number of threads.

use std::num::NonZeroUsize;

use crate::error::ReproduceError;

/// Runs the work on this many threads, or on all processors if no number is given. The number changes no result.
///
/// # Errors
/// [`ReproduceError::Threads`] if there cannot be so many.
pub fn with_threads<R: Send>(
    threads: Option<NonZeroUsize>,
    work: impl FnOnce() -> R + Send,
) -> Result<R, ReproduceError> {
    let Some(threads) = threads else { return Ok(work()) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
    let pool =
        pool.map_err(|error| ReproduceError::Threads { threads: threads.get(), why: error.to_string() })?;
    Ok(pool.install(work))
}
