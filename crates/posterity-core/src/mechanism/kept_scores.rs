//! Scores that were evaluated before, so that audits at several scales evaluate them once.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The most scores that are kept.
const MAX_KEPT_SCORES: usize = 4_000_000;

/// The scores of all candidates, for data sets that were asked about.
#[derive(Default)]
pub(super) struct KeptScores(Mutex<HashMap<Vec<u64>, Arc<[f64]>>>);

/// Hides the data sets.
impl fmt::Debug for KeptScores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptScores")
    }
}

impl KeptScores {
    /// The scores at these counts, which are computed unless they are kept.
    pub(super) fn get(&self, counts: &[u64], compute: impl FnOnce() -> Vec<f64>) -> Arc<[f64]> {
        // Nothing is computed while the lock is held, so a failure elsewhere leaves no half-written value.
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = lock().get(counts) {
            return Arc::clone(kept);
        }
        let scores: Arc<[f64]> = compute().into();
        let mut kept = lock();
        if (kept.len() + 1) * scores.len() <= MAX_KEPT_SCORES {
            kept.insert(counts.to_vec(), Arc::clone(&scores));
        }
        scores
    }
}
