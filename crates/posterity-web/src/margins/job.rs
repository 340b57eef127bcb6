//! One release of many tables under way: count, charge, draw, record, read.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use posterity::Till;
use posterity::data::Resources;
use posterity_present::{answered_at_other_n, payment};

use super::asked::Asked;
use super::shown::Shown;
use crate::chosen::payer;
use crate::drafts::Drafts;
use crate::note::Note;
use crate::sentence::sentence;

/// Drafts of releases of many tables and their jobs. The progress of a job is the number of rows that were read so far.
pub(crate) type MarginsReleases = Drafts<Asked, AtomicU64, Shown>;

/// Carries out a release, in the order of the command. Says what the command says, no more.
pub(super) fn run(asked: &Asked, ledger: Option<&Path>, rows: &AtomicU64) -> Result<Shown, String> {
    let payer = payer(ledger, asked.account.as_deref());
    let mut till = Till::open(None, payer).map_err(|error| error.to_string())?;
    let tell = |count| {
        rows.store(count, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let (planned, edition) = (asked.planned.clone(), asked.typed.file.edition.get());
    let data = planned
        .count(&asked.file.source, edition, till.randomness(), &Resources::default(), &tell)
        .map_err(|error| format!("{error}; nothing was charged or released"))?;
    let answered = data.ask().and_then(|ask| till.answer(ask));
    let (document, paid) = answered.map_err(|error| error.to_string())?;
    let payer = ledger.zip(asked.account.as_deref());
    let other = payer.and_then(|(ledger, account)| answered_at_other_n(&paid, ledger, account, &document));
    let said = [Some(payment(&paid, false)), other].into_iter().flatten().map(sentence);
    Ok(Shown::new(document, Note::Paid(said.collect::<Vec<_>>().join(" "))))
}
