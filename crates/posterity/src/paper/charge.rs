//! Charging, drawing and recording one answer in one transaction.

use posterity_core::model::Adjacency;
use posterity_core::sampler::{BitSource, SourceError};
use posterity_ledger::{Answered, Charge, DrawError, StoredRelease};

use super::{Kind, Paper, PaperRecord};
use crate::charging::{Payer, in_ledger, unit};
use crate::publish_error::PublishError;
use crate::question::question;
use crate::release::Payment;

/// A question that is charged, and how it is drawn.
pub(crate) struct Asked<'a, K: Kind> {
    /// What the ledger knows the question by.
    pub(crate) part: serde_json::Value,
    /// What it costs, without unit and adjacency.
    pub(crate) price: &'a dyn Fn(String) -> Result<Charge, posterity_ledger::LedgerError>,
    pub(crate) adjacency: Adjacency,
    pub(crate) unit: Option<&'a str>,
    pub(crate) request: &'a K::Request,
    /// The number of records, if it is public.
    pub(crate) n: Option<u64>,
}

impl<K: Kind> Paper<K> {
    /// The document of a draw that nobody charged.
    pub(crate) fn of_draw(
        request: K::Request,
        n: Option<u64>,
        drawn: K::Drawn,
    ) -> Result<Self, PublishError> {
        let answer = K::new(request, n, drawn).map_err(|_| PublishError::StoredDocument)?;
        Ok(Self::new(answer, None))
    }
}

/// Charges the question, draws its answer and records it; or finds it on file.
pub(crate) fn charge<K: Kind>(
    asked: &Asked<'_, K>,
    payer: Payer<'_>,
    bits: &mut dyn BitSource,
    draw: impl FnOnce(&mut dyn BitSource) -> Result<K::Drawn, PublishError>,
) -> Result<(Paper<K>, Payment), PublishError> {
    let Payer { ledger, account, again, now, key } = payer;
    let charge = (asked.price)(question(vec![asked.part.clone()]))?;
    let charge = charge.unit(unit(asked.unit)?).adjacency(in_ledger(asked.adjacency));
    let now = now.unwrap_or_else(posterity_ledger::now_utc);
    let answers = |stored: &StoredRelease| !again && is_of_these_records::<K>(stored, asked.n);
    let answered = ledger.answer(account, &charge, answers, &now, |_| {
        let record = PaperRecord::new::<K>(asked.request, asked.n, draw(bits)?);
        serde_json::to_string(&record).map_err(|_| PublishError::StoredDocument)
    });
    let (stored, recalled) = match answered {
        Ok(Answered::Recalled(stored)) => (stored, true),
        Ok(Answered::Recorded(stored)) => (stored, false),
        Err(DrawError::Draw { error, .. }) => return Err(error),
        Err(DrawError::Ledger(error)) => return Err(error.into()),
        Err(_) => return Err(PublishError::StoredDocument),
    };
    let paper = Paper::recorded(&stored, 0, Some(asked.request)).map_err(|_| PublishError::StoredDocument)?;
    let payment = if recalled {
        Payment::Recalled { drawn: stored.recorded }
    } else {
        let account = ledger.account(account)?;
        Payment::charged(&account, &charge)?
    };
    Ok((paper.sealed(key.as_ref()), payment))
}

/// Whether an answer on file is of as many records as are asked about. One that this version cannot read is taken for
/// the answer, so that it is told and not charged for again.
fn is_of_these_records<K: Kind>(stored: &StoredRelease, n: Option<u64>) -> bool {
    Paper::<K>::stored(&stored.document, 0).map_or(true, |record| record.n == n)
}

impl From<SourceError> for PublishError {
    fn from(error: SourceError) -> Self {
        Self::Release(error.into())
    }
}
