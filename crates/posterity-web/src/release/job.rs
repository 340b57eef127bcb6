//! One release under way: count, charge, draw, record.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use posterity::data::{Resources, Source};
use posterity::ledger::Ledger;
use posterity::number::{left, spent};
use posterity::{Data, Payment, Publisher, Randomness};

use super::asked::Asked;
use super::shown::Shown;

/// A release that is under way, done or refused.
#[derive(Debug)]
pub(crate) struct Job {
    asked: Arc<Asked>,
    rows: AtomicU64,
    outcome: OnceLock<Result<Arc<Shown>, String>>,
}

impl Job {
    /// Begins in a thread of its own.
    pub(super) fn begin(asked: Arc<Asked>, ledger: Option<PathBuf>) -> Arc<Self> {
        let job = Arc::new(Self { asked, rows: AtomicU64::new(0), outcome: OnceLock::new() });
        let shared = Arc::clone(&job);
        let begun = std::thread::Builder::new().name("release".to_owned()).spawn(move || {
            let done =
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| shared.run(ledger.as_deref())));
            let broken =
                "something went wrong inside this program; look at the budget's history before you try again";
            // Nobody else sets it.
            let _ = shared.outcome.set(done.unwrap_or_else(|_| Err(broken.to_owned())));
        });
        if begun.is_err() {
            let _ = job
                .outcome
                .set(Err("the system has no thread to spare; nothing was charged or released".to_owned()));
        }
        job
    }

    pub(super) fn asked(&self) -> &Asked {
        &self.asked
    }

    /// How many rows were read so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    pub(super) fn is_running(&self) -> bool {
        self.outcome.get().is_none()
    }

    /// What came of it; none while it runs.
    pub(super) fn outcome(&self) -> Option<&Result<Arc<Shown>, String>> {
        self.outcome.get()
    }

    /// Says what the command says, no more.
    fn run(&self, ledger: Option<&Path>) -> Result<Arc<Shown>, String> {
        let Asked { path, question, terms, account, .. } = &*self.asked;
        // As the command: refuse as much as possible before the data is read, and everything before anything is charged.
        let mut open = ledger.map(Ledger::open).transpose().map_err(|error| error.to_string())?;
        if let (Some(ledger), Some(account)) = (&open, account) {
            ledger.account(account).map_err(|error| error.to_string())?;
        }
        let tell = |rows| {
            self.rows.store(rows, Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        let source = Source::files(path.as_str());
        let data = Data::read_from(&source, question, Randomness::System, &Resources::default(), &tell)
            .map_err(|error| format!("{error}; nothing was charged or released"))?;
        let publisher = Publisher::with_terms(terms.clone());
        let release = match (&mut open, account) {
            (Some(ledger), Some(account)) => publisher.charge(ledger, account).publish(&data),
            _ => publisher.publish(&data),
        };
        let release = release.map_err(|error| error.to_string())?;
        let paid = match release.payment() {
            Payment::Nothing => "Nobody kept account of this release: there is no ledger.".to_owned(),
            Payment::Recalled => {
                "The ledger holds the answer to this question. Nothing was charged. The data may have changed since.".to_owned()
            }
            Payment::Charged { epsilon, remaining } => {
                format!("Charged ε = {}. Left in the account: {}.", spent(epsilon), left(remaining))
            }
        };
        let aware = release.noise_aware().map(|aware| &**aware);
        Shown::new(release.document().clone(), aware, Some(paid)).map(Arc::new)
    }
}
