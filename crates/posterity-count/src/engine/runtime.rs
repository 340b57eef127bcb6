//! A runtime for callers that have none.

use std::future::Future;
use std::num::NonZeroUsize;

use crate::error::DataError;

/// Stack for planning a query, in bytes: plans are trees, and a filter can make them deep.
const STACK: usize = 8 << 20;

/// Runs the work on other threads, so that it may be called within another runtime.
pub(crate) fn wait<T: Send, W>(threads: NonZeroUsize, work: impl FnOnce() -> W + Send) -> Result<T, DataError>
where
    W: Future<Output = Result<T, DataError>>,
{
    let refused = |_| DataError::Engine { stage: "to start its threads" };
    let work = || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(threads.get())
            .enable_all()
            .build()
            .map_err(refused)?;
        let done = runtime.block_on(work());
        // After an error a blocked read may still be running. It is not waited for.
        runtime.shutdown_background();
        done
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("posterity-count".into()).stack_size(STACK);
        let thread = thread.spawn_scoped(scope, work);
        thread.map_err(refused)?.join().unwrap_or(Err(DataError::Engine { stage: "while counting" }))
    })
}
