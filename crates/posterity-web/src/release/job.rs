//! One release under way: count, charge, draw, record, read.

use std::path::Path;
use std::sync::atomic::AtomicU64;

use super::asked::Asked;
use super::clerk::Clerk;
use crate::document::Shown;
use crate::drafts::Drafts;
use crate::note::Note;

/// Drafts of releases and their jobs. The progress of a job is the number of rows that were read so far.
pub(crate) type Releases = Drafts<Asked, AtomicU64, Shown>;

/// Carries out a release.
pub(super) fn run(asked: &Asked, ledger: Option<&Path>, rows: &AtomicU64) -> Result<Shown, String> {
    let mut clerk = Clerk::new(ledger.zip(asked.account.as_deref()), rows)?;
    let (document, said) = asked.own.answer(asked, &mut clerk)?;
    Shown::new(document, Note::Paid(said))
}
