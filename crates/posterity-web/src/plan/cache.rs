//! What was computed for plans, so that it is computed once.

use std::sync::{Arc, Mutex, OnceLock};

use posterity_advice::design::TableAdvice;
use posterity_advice::plan::{ErrorCurves, SimulatedReleases};

use super::search::Searches;
use crate::lock::lock;
use crate::recent::Recent;

/// The most plans of each kind that are kept.
const MAX_KEPT: usize = 256;

/// The results of plans.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    pub(super) outlooks: Memory<Outlook>,
    pub(super) curves: Memory<Curves>,
    pub(super) tables: Memory<TableAdvice>,
    pub(super) searches: Searches,
}

/// What to expect at one budget.
#[derive(Debug)]
pub(super) struct Outlook {
    /// The expected half-width of the widest interval, and that without privacy.
    pub(super) private: f64,
    pub(super) without: f64,
    /// How they were computed.
    pub(super) how: String,
    /// Simulated releases; none where they would take too long.
    pub(super) simulated: Option<SimulatedReleases>,
}

/// What to expect at all budgets.
#[derive(Debug)]
pub(super) struct Curves {
    /// Budgets with the widest half-width at each.
    pub(super) widths: Vec<(f64, f64)>,
    pub(super) without: f64,
    /// The errors of all mechanisms; none where n is private, where there is one mechanism.
    pub(super) errors: Option<ErrorCurves>,
}

type Slot<T> = Arc<OnceLock<Result<Arc<T>, String>>>;

/// The last results by their keys. Whoever asks for what is being computed waits for it.
#[derive(Debug)]
pub(super) struct Memory<T>(Mutex<Recent<String, Slot<T>, MAX_KEPT>>);

impl<T> Default for Memory<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Memory<T> {
    /// The result for a key, computed if it is not known.
    pub(super) fn get(
        &self,
        key: &str,
        compute: impl FnOnce() -> Result<T, String>,
    ) -> Result<Arc<T>, String> {
        let slot = self.slot(key);
        slot.get_or_init(|| compute().map(Arc::new)).clone()
    }

    /// Whether the result for a key is known.
    pub(super) fn known(&self, key: &str) -> bool {
        lock(&self.0).find(|one| one == key).is_some_and(|slot| slot.get().is_some())
    }

    fn slot(&self, key: &str) -> Slot<T> {
        let mut kept = lock(&self.0);
        if let Some(slot) = kept.find(|one| one == key) {
            return Arc::clone(slot);
        }
        let slot = Slot::default();
        kept.add(key.to_owned(), Arc::clone(&slot));
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_not_computed_again() {
        let memory = Memory::default();
        assert!(!memory.known("a"));
        assert_eq!(memory.get("a", || Ok(1)).as_deref(), Ok(&1));
        assert_eq!(memory.get("a", || Ok(2)).as_deref(), Ok(&1));
        assert_eq!(memory.get("b", || Err("no".into())), Err("no".into()));
        for i in 0..MAX_KEPT {
            assert!(memory.get(&i.to_string(), || Ok(3)).is_ok());
        }
        assert_eq!(memory.get("a", || Ok(4)).as_deref(), Ok(&4), "it was forgotten");
    }
}
