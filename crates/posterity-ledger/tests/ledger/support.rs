//! What the tests share.

use std::path::{Path, PathBuf};

use posterity_ledger::{Amount, Answered, Charge, DrawError, Ledger, LedgerError, Timestamp};
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

/// Asks a question anew, and gives the entry of its charge. Without a document the draw fails, and the charge stays
/// alone.
pub(crate) fn ask(
    ledger: &mut Ledger,
    account: &str,
    charge: &Charge,
    document: Option<&str>,
) -> Result<u64, LedgerError> {
    let draw = |_| document.map(str::to_owned).ok_or("the draw failed");
    match ledger.answer(account, charge, |_| false, &at(), draw) {
        Ok(answered) => Ok(answered.release().entry),
        Err(DrawError::Draw { entry, .. }) => Ok(entry),
        Err(DrawError::Ledger(error)) => Err(error),
        Err(error) => unreachable!("{error}"),
    }
}

/// Asks each of some questions of the account `survey` twice: it must be new at first, and then on file.
pub(crate) fn each_is_recalled(ledger: &mut Ledger, charges: &[Charge]) {
    let mut asked = |charge: &Charge| {
        let answered = ledger.answer("survey", charge, |_| true, &at(), |_| Ok::<_, String>("{}".into()));
        matches!(answered.expect("it fits"), Answered::Recalled(_))
    };
    for charge in charges {
        assert!(!asked(charge), "{charge:?} is on file");
        assert!(asked(charge), "{charge:?} is not on file");
    }
}

/// The files beside a ledger, itself included, that contain a text.
pub(crate) fn files_with(ledger: &Path, text: &str) -> Vec<PathBuf> {
    let folder = ledger.parent().and_then(|folder| folder.read_dir().ok()).expect("a folder");
    let files = folder.map(|entry| entry.expect("readable").path());
    let contains = |path: &PathBuf| {
        let bytes = std::fs::read(path).expect("readable");
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    };
    files.filter(contains).collect()
}
