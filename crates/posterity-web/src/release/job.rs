//! One release under way: count, charge, draw, record, read.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use posterity::data::Resources;
use posterity::{Data, Publisher, Till};
use posterity_present::{answered_at_other_n, payment};

use super::asked::Asked;
use super::shown::Shown;
use crate::chosen::payer;
use crate::drafts::Drafts;
use crate::note::Note;
use crate::sentence::sentence;

/// Drafts of releases and their jobs. The progress of a job is the number of rows that were read so far.
pub(crate) type Releases = Drafts<Asked, AtomicU64, Shown>;

/// Carries out a release. Says what the command says, no more.
pub(super) fn run(asked: &Asked, ledger: Option<&Path>, rows: &AtomicU64) -> Result<Shown, String> {
    let Asked { typed, file, question, terms, account, readings, .. } = asked;
    let payer = payer(ledger, account.as_deref());
    let mut till = Till::open(None, payer).map_err(|error| error.to_string())?;
    let tell = |count| {
        rows.store(count, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let data = Data::read_from(&file.source, question, till.randomness(), &Resources::default(), &tell)
        .map_err(|error| format!("{error}; nothing was charged or released"))?;
    let data = data.of_edition(typed.file.edition.get());
    let publisher = Publisher::with_terms(terms.clone());
    let publisher = publisher.read(readings.readings.clone(), readings.comparisons.clone());
    let answered = publisher.ask(&data).and_then(|ask| till.answer(ask));
    let (document, paid) = answered.map_err(|error| error.to_string())?;
    let mut said = sentence(payment(&paid, false));
    let payer = ledger.zip(account.as_deref());
    let other = payer.and_then(|(ledger, account)| answered_at_other_n(&paid, ledger, account, &document));
    said.extend(other.map(|other| format!(" {}", sentence(other))));
    Shown::new(document, Note::Paid(said))
}
