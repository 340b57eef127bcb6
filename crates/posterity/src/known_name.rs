//! Remembers which data each name stood for in this process.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::about::About;

/// Names of data in memory, each with the digest of its counts. They stay in memory: in a file, a digest of few counts
/// could be found by trying.
static KNOWN: OnceLock<Mutex<HashMap<String, [u8; 32]>>> = OnceLock::new();

/// Tells data in memory from other data of the same name, for which a ledger would give back the answer of the first.
pub(crate) struct Fingerprint {
    name: String,
    digest: [u8; 32],
}

impl Fingerprint {
    /// That of these counts of data which somebody named. There is none where records are drawn at random, whose counts are
    /// others each time; and none where n is private, because nothing may depend then on whether two data sets are the
    /// same.
    pub(crate) fn of(
        part: &Value,
        n: Option<u64>,
        about: &About,
        counts: impl IntoIterator<Item = u64>,
    ) -> Option<Self> {
        let is_drawn = about.per_unit.as_deref() == Some("random");
        n.filter(|_| !is_drawn).map(|n| Self::new(part, n, counts))
    }

    fn new(part: &Value, n: u64, counts: impl IntoIterator<Item = u64>) -> Self {
        let mut digest = Sha256::new();
        counts.into_iter().for_each(|count| digest.update(count.to_le_bytes()));
        // A ledger charges anew where n is another one.
        let name = ["data", "edition", "categories", "margins"].map(|key| part[key].to_string()).join(" ");
        Self { name: format!("{name} {n}"), digest: digest.finalize().into() }
    }

    /// Whether the name stood for other data, of which this account has a release.
    pub(crate) fn is_of_other_data(&self, account: &str) -> bool {
        known().get(&self.key(account)).is_some_and(|before| *before != self.digest)
    }

    /// Notes what the name stands for, now that this account has a release of it.
    pub(crate) fn note(&self, account: &str) {
        known().insert(self.key(account), self.digest);
    }

    fn key(&self, account: &str) -> String {
        format!("{account} {}", self.name)
    }
}

fn known() -> MutexGuard<'static, HashMap<String, [u8; 32]>> {
    KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(counts: [u64; 2], edition: &str) -> Fingerprint {
        let part = serde_json::json!({ "data": "a name of this test alone", "edition": edition });
        Fingerprint::new(&part, counts.iter().sum(), counts)
    }

    /// If this fails, a ledger answers a question about other data with the release of the old, or a name that was only
    /// tried is taken.
    #[test]
    fn a_name_stands_for_the_counts_that_were_released() {
        assert!(!of([1, 2], "2026").is_of_other_data("a"), "a new name");
        of([3, 4], "2026").note("a");
        assert!(!of([3, 4], "2026").is_of_other_data("a"));
        assert!(of([4, 3], "2026").is_of_other_data("a"));
        assert!(
            !of([4, 4], "2026").is_of_other_data("a"),
            "another n, which is another question to a ledger"
        );
        assert!(!of([4, 3], "2026").is_of_other_data("b"), "another account");
        assert!(!of([4, 3], "2027").is_of_other_data("a"), "another edition");
    }
}
