//! What is published, whatever it holds: how it is counted and answered, and what R sees of its document.

use extendr_api::prelude::*;
use posterity::document::{Document, Kind};
use posterity::paying::{LedgerAccount, Till};
use posterity::{Payment, Publication, Randomness};
use posterity_present::{Watch, payment};

use crate::call::Call;
use crate::failure::Failure;
use crate::kept::Kept;
use crate::worker::run;
use crate::{discover, json, margins, release};

/// The fields of an R value, by name.
pub(crate) type Fields = Vec<(&'static str, Robj)>;

/// Counted data, and who pays for the answer.
pub(crate) struct Counted<C> {
    data: C,
    till: Till,
}

impl<C: Send + 'static> Counted<C> {
    /// Opens the ledger of whoever pays, and counts.
    pub(crate) fn new(
        (seed, payer): (Option<u64>, Option<LedgerAccount>),
        count: impl FnOnce(Randomness, &Watch) -> Result<C, Failure> + Send + 'static,
    ) -> Result<Self, Failure> {
        run(move |watch| {
            let till = Till::open(seed, payer)?;
            let data = count(till.randomness(), watch)?;
            watch.tick();
            Ok(Self { data, till })
        })
    }

    /// What was counted.
    pub(crate) fn data(&self) -> &C {
        &self.data
    }

    /// Charges, draws and records what is asked of the data.
    pub(crate) fn answer<K: Kind + Send + 'static>(
        self,
        answer: impl FnOnce(C, &mut Till, &Watch) -> Result<(Document<K>, Payment), Failure> + Send + 'static,
    ) -> Result<Robj, Failure>
    where
        Publication: From<Document<K>>,
    {
        let Self { data, mut till } = self;
        let (document, paid) = run(move |watch| answer(data, &mut till, watch))?;
        described(document.into(), paid)
    }
}

/// What is published in a document in a file.
pub(crate) fn load(call: &Call) -> Result<Robj, Failure> {
    let path = call.needed_path("path")?;
    let found = run(move |_| Publication::load(&path).map_err(|why| Failure::argument("path", why)))?;
    described(found, Payment::Nothing)
}

/// A document as an R value: the text that it is made from, and what it says.
pub(crate) fn described(document: Publication, paid: Payment) -> Result<Robj, Failure> {
    let computed = document.clone();
    let state = Kept { document: computed, payment: paid.clone() };
    let state = run(move |_| state.state())?;
    let of_kind = match &document {
        Publication::Table(document) => release::fields(document)?,
        Publication::Margins(document) => margins::fields(document)?,
        Publication::Discovered(document) => discover::fields(document),
        _ => {
            return Err(Failure::argument("path", "this kind of document is not read in R; use the command"));
        }
    };
    let (mut charged, mut left) = ([const { None::<String> }; 3], None);
    match &paid {
        Payment::Charged { epsilon, delta, remaining } => {
            charged = [Some(epsilon.to_string()), Some(delta.to_string()), None];
            left = Some(remaining.to_string());
        }
        Payment::ChargedRho { rho, remaining, .. } => {
            charged = [None, None, Some(rho.to_string())];
            left = Some(remaining.to_string());
        }
        Payment::Nothing | Payment::Recalled { .. } => {}
    }
    let [epsilon, delta, rho] = charged;
    let mut fields: Fields = vec![
        ("state", state.into()),
        ("kind", document.kind().into()),
        ("private", document.is_private().into()),
        ("n", document.n().map(|n| n as f64).into()),
        ("level", document.ways().level.into()),
    ];
    fields.extend(of_kind);
    fields.extend([
        ("guarantee", document.guarantee().statement.as_str().into()),
        ("notes", document.notes().into()),
        ("paid", payment(&paid, false).into()),
        ("charged", epsilon.into()),
        ("charged_delta", delta.into()),
        ("charged_rho", rho.into()),
        ("remaining", left.into()),
        ("recalled", matches!(paid, Payment::Recalled { .. }).into()),
    ]);
    Ok(json::list(fields))
}

/// The document as it is printed.
pub(crate) fn json(call: &Call) -> Result<Robj, Failure> {
    let document = Kept::of(call)?;
    Ok(run(move |_| json::text(&document))?.into())
}
