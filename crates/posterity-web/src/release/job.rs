//! One release under way: count, charge, draw, record, read.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use posterity::Data;
use posterity::data::{Resources, Source};
use posterity_present::{Order, Payer, payment};

use super::asked::Asked;
use super::shown::Shown;
use crate::drafts;
use crate::plan::sentence;
use crate::work::Work;

/// A release that is under way, done or refused.
#[derive(Debug)]
pub(crate) struct Job {
    asked: Arc<Asked>,
    /// Its progress is the number of rows that were read so far.
    work: Arc<Work<AtomicU64, Shown>>,
}

impl drafts::Job for Job {
    fn is_running(&self) -> bool {
        self.work.is_running()
    }
}

impl Job {
    /// Begins in a thread of its own.
    pub(super) fn begin(asked: Arc<Asked>, ledger: Option<PathBuf>) -> Arc<Self> {
        let shared = Arc::clone(&asked);
        let run = move |rows: &AtomicU64| run(&shared, ledger.as_deref(), rows);
        Arc::new(Self { asked, work: Work::begin("release", AtomicU64::new(0), run) })
    }

    pub(super) fn asked(&self) -> &Asked {
        &self.asked
    }

    /// How many rows were read so far.
    pub(super) fn rows(&self) -> u64 {
        self.work.progress().load(Ordering::Relaxed)
    }

    /// What came of it; none while it runs.
    pub(crate) fn outcome(&self) -> Option<&Result<Arc<Shown>, String>> {
        self.work.outcome()
    }
}

/// Says what the command says, no more.
fn run(asked: &Asked, ledger: Option<&Path>, rows: &AtomicU64) -> Result<Shown, String> {
    let Asked { path, root, question, terms, account, readings, .. } = asked;
    let payer = match (ledger, account) {
        (Some(ledger), Some(account)) => {
            Some(Payer { ledger: ledger.to_owned(), account: account.clone(), again: false, key: None })
        }
        _ => None,
    };
    let order = Order {
        readings: readings.readings.clone(),
        comparisons: readings.comparisons.clone(),
        payer,
        ..Order::new(terms.clone())
    };
    let order = order.open().map_err(|error| error.to_string())?;
    let tell = |count| {
        rows.store(count, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let source = Source::files(path.as_str()).below(root);
    let data = Data::read_from(&source, question, order.randomness(), &Resources::default(), &tell)
        .map_err(|error| format!("{error}; nothing was charged or released"))?;
    let (document, paid) = order.publish(&data, &|_| ()).map_err(|error| error.to_string())?;
    Shown::new(document, Some(sentence(payment(&paid, false))))
}
