//! Signs of life, by which a long computation can be given up.
//!
//! Whoever waits for a computation may stop waiting, and then nobody needs its result. So long loops make a sign of life now
//! and then, on the thread that they run on. A listener on that thread may unwind, which ends them. Nothing that is computed
//! depends on it.

use std::cell::OnceCell;
use std::sync::Arc;

/// Hears the signs of life of one thread.
pub type Listener = Arc<dyn Fn() + Send + Sync>;

thread_local! {
    static LISTENER: OnceCell<Listener> = const { OnceCell::new() };
}

/// From here on `listener` is called on this thread, whenever a long computation makes a sign of life. The first listener of a
/// thread stays. To hear the parallel parts of a computation, run it in a pool whose threads all begin with this call.
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

/// A sign of life.
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
    use crate::mechanism::{Lattice, Spec};
    use crate::model::{Counts, Prior, Setting};
    use crate::sampler::SeededBits;

    /// If this fails, work goes on after everybody has left.
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
        let setting = Setting::new(Prior::uniform(20).expect("valid"), 2_000, "1".parse().expect("positive"));
        let mechanism = Spec::from(Lattice).fit(setting.expect("valid")).expect("a mechanism");
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
