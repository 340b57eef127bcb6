//! What the tests share.

use std::path::{Path, PathBuf};

use posterity_ledger::{Amount, Charge, Ledger, Timestamp};
use tempfile::TempDir;

/// A folder that goes away with the test.
pub(crate) struct Folder {
    folder: TempDir,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A new ledger with the account `survey`.
    pub(crate) fn ledger(&self, epsilon: &str, delta: &str) -> Ledger {
        let mut ledger = Ledger::create(self.file("ledger")).expect("a new file");
        ledger.create_account("survey", &amount(epsilon), &amount(delta), &at()).expect("a new account");
        ledger
    }
}

pub(crate) fn amount(text: &str) -> Amount {
    text.parse().expect(text)
}

pub(crate) fn at() -> Timestamp {
    "2026-01-31T23:59:59Z".parse().expect("a time")
}

pub(crate) fn charge(question: &str, epsilon: &str) -> Charge {
    Charge::new(question, amount(epsilon), Amount::ZERO).expect("valid")
}
