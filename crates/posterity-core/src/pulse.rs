//! Interrupts long computations.
//!
//! A caller may stop waiting for a result, for example when the user presses Ctrl-C. Long loops therefore call the
//! listener of the thread they run on, now and then. The listener may end the loop by unwinding.
//! The listener cannot change any computed value.

use std::cell::OnceCell;
use std::sync::Arc;

/// The function that long computations call on a thread. It may unwind to end the computation.
pub type Listener = Arc<dyn Fn() + Send + Sync>;

thread_local! {
    static LISTENER: OnceCell<Listener> = const { OnceCell::new() };
}

/// Sets the listener of this thread. Long computations on this thread call it now and then, from now on.
///
/// A thread keeps its first listener; later calls do nothing. To interrupt the parallel parts of a computation too, run
/// it in a pool whose threads all begin with this call.
///
/// ```
/// use std::sync::Arc;
/// use posterity_core::pulse::listen;
/// let mut pool = rayon::ThreadPoolBuilder::new().num_threads(2);
/// pool = pool.start_handler(|_| listen(Arc::new(|| println!("alive"))));
/// # pool.build().expect("threads");
/// ```
pub fn listen(listener: Listener) {
    LISTENER.with(|place| {
        let _ = place.set(listener);
    });
}

/// Calls this thread's listener, if it has one. Long loops call this function often.
#[inline]
pub(crate) fn beat() {
    LISTENER.with(|place| {
        if let Some(listener) = place.get() {
            listener();
        }
    });
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::accuracy::{Metric, simulate_decoded};
    use crate::decode::Decoder;
    use crate::fixture::uniform;
    use crate::mechanism::{Lattice, Spec};
    use crate::model::Counts;
    use crate::sampler::SeededBits;

    /// If this fails, an interrupted computation keeps running on the other threads.
    #[test]
    fn a_listener_ends_parallel_work() {
        let beats = Arc::new(AtomicUsize::new(0));
        let heard = Arc::clone(&beats);
        let listener: Listener = Arc::new(move || {
            if heard.fetch_add(1, Ordering::Relaxed) >= 10 {
                resume_unwind(Box::new("enough"));
            }
        });
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(2).start_handler(move |_| listen(listener.clone()));
        let pool = pool.build().expect("threads");
        let counts = Counts::new(vec![100; 20]).expect("valid");
        let mechanism = Spec::from(Lattice).fit(uniform(20, 2_000, "1")).expect("a mechanism");
        let ended = catch_unwind(AssertUnwindSafe(|| {
            pool.install(|| {
                let bits = &mut SeededBits::new(1);
                simulate_decoded(&*mechanism, Decoder::Best, &counts, Metric::Hellinger, 1_000_000_000, bits)
            })
        }));
        assert!(ended.is_err());
        assert!(beats.load(Ordering::Relaxed) < 100);
    }
}
