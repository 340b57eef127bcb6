//! One release under way: count, charge, draw, record, read.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use posterity::data::{Resources, Source};
use posterity::meaning::uncounted;
use posterity::number::{left, spent};
use posterity::{Data, Ledger, Payment, Publisher, Randomness};

use super::asked::Asked;
use super::shown::Shown;
use crate::drafts::{self, Drafts};

/// Drafts of releases and their jobs. The progress of a job is the number of rows that were read so far.
pub(crate) type Releases = Drafts<Asked, AtomicU64, Shown>;
pub(super) type Job = drafts::Job<Asked, AtomicU64, Shown>;

/// Carries out a release. Says what the command says, no more.
pub(super) fn run(asked: &Asked, ledger: Option<&Path>, rows: &AtomicU64) -> Result<Shown, String> {
    let Asked { path, root, question, terms, account, readings, .. } = asked;
    // As the command: refuse as much as possible before the data is read, and everything before anything is charged.
    let mut open = ledger.map(Ledger::open).transpose().map_err(|error| error.to_string())?;
    if let (Some(ledger), Some(account)) = (&open, account) {
        ledger.account(account).map_err(|error| error.to_string())?;
    }
    let tell = |count| {
        rows.store(count, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let source = Source::files(path.as_str()).below(root);
    let data = Data::read_from(&source, question, Randomness::System, &Resources::default(), &tell)
        .map_err(|error| format!("{error}; nothing was charged or released"))?;
    let publisher =
        Publisher::with_terms(terms.clone()).read(readings.readings.clone(), readings.comparisons.clone());
    let release = match (&mut open, account) {
        (Some(ledger), Some(account)) => publisher.charge(ledger, account).publish(&data),
        _ => publisher.publish(&data),
    };
    let release = release.map_err(|error| error.to_string())?;
    let paid = match release.payment() {
        Payment::Nothing => uncounted().to_owned(),
        Payment::Recalled { drawn } => format!(
            "The ledger holds the answer to this question, drawn at {drawn}. Nothing was charged. The data may have changed since."
        ),
        Payment::Charged { epsilon, remaining } => {
            format!("Charged ε = {}. Left in the account: {}.", spent(epsilon), left(remaining))
        }
    };
    Shown::new(release.document().clone(), Some(paid))
}
