//! What a mechanism really loses, from the exact law of what it draws.
//!
//! [`audit`] chooses between three ways with the same result within their proven enclosures (docs/proofs/audit.md):
//!
//! - [`enumerate`] compares the complete laws of all adjacent data sets. It serves every mechanism;
//! - exponential mechanisms over two categories whose score is a function of the Bhattacharyya coefficient: each law is a
//!   band of outcomes around the data, and one value for all others;
//! - exponential mechanisms over more categories whose score is a function of a sum over the categories, which is all but
//!   the total variation: every probability is computed once, in tiles of outcomes that all data sets share.
//!
//! [`audit_at`] compares one data set with its neighbours only, as the research's figures do.
//!
//! The last two ways of an audit estimate the loss of every pair of adjacent data sets, with a proven bound on the
//! error. Then the pairs that may have the largest loss are compared by their complete laws.

mod at;
mod band;
pub(crate) mod cost_table;
mod enumeration;
mod estimate;
mod law;
mod loss;
mod orbits;
mod report;
mod scope;
mod selection;
mod tiles;
mod witness;
mod worst;

pub use at::{audit_at, scope_at};
pub use enumeration::enumerate;
pub use loss::audit;
pub use report::Audit;
pub use scope::{AuditError, Scope};
pub use witness::Witness;

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::audit;
    use crate::mechanism::{Ehds, Spec};
    use crate::model::{Prior, Setting};
    use crate::pulse::{Listener, listen};

    /// If this fails, an audit cannot be interrupted while it evaluates laws. Preparing one takes some beats for each
    /// data set.
    #[test]
    fn a_listener_ends_an_audit() {
        for (k, n, beats) in [(2, 20_000, 45_000), (3, 80, 13_400)] {
            let heard = AtomicUsize::new(0);
            let listener: Listener = Arc::new(move || {
                if heard.fetch_add(1, Ordering::Relaxed) >= beats {
                    resume_unwind(Box::new("enough"));
                }
            });
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
            let pool = pool.start_handler(move |_| listen(listener.clone())).build().expect("threads");
            let setting = Setting::new(Prior::uniform(k).expect("valid"), n, "1".parse().expect("positive"));
            let ehds = Spec::from(Ehds::default()).fit(setting.expect("valid")).expect("a mechanism");
            let ended = catch_unwind(AssertUnwindSafe(|| pool.install(|| audit(&*ehds, &[], 1e12, &|_| ()))));
            assert!(ended.is_err(), "k {k} n {n}");
        }
    }
}
