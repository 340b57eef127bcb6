//! What is published, whatever it holds: how it is counted and answered, and what R sees of its document.

use extendr_api::prelude::*;
use posterity::document::{Document, Kind};
use posterity::paying::{LedgerAccount, Till};
use posterity::plan::{Node, Plan};
use posterity::{Payment, Publication, Randomness, new_file};
use posterity_present::{Mark, Watch, aligned_text, first_tables, payment, readings};

use crate::call::Call;
use crate::failure::Failure;
use crate::kept::Kept;
use crate::picture::not_written;
use crate::worker::run;
use crate::{discover, json, margins, node, release};

/// The fields of an R value, by name.
pub(crate) type Fields = Vec<(&'static str, Robj)>;

/// Counted data, and who pays for the answer.
pub(crate) struct Counted<C> {
    data: C,
    till: Till,
    plan: Node,
}

impl<C: Send + 'static> Counted<C> {
    /// Opens the ledger of whoever pays, and counts.
    pub(crate) fn new(
        plan: &Plan,
        (seed, payer): (Option<u64>, Option<LedgerAccount>),
        count: impl FnOnce(Randomness, &Watch) -> Result<C, Failure> + Send + 'static,
    ) -> Result<Self, Failure> {
        let plan = plan.node().clone();
        run(move |watch| {
            let till = Till::open(seed, payer)?;
            let data = count(till.randomness(), watch)?;
            watch.tick();
            Ok(Self { data, till, plan })
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
        let Self { data, mut till, plan } = self;
        let (document, paid) = run(move |watch| answer(data, &mut till, watch))?;
        described(document.into(), paid, Some(&plan))
    }
}

/// What is published in a document in a file, or in its text.
pub(crate) fn load(call: &Call) -> Result<Robj, Failure> {
    let text = call.text("text")?;
    let path = if text.is_none() { Some(call.needed_path("path")?) } else { None };
    let found = run(move |_| match (path, text) {
        (Some(path), _) => Publication::load(&path).map_err(|why| Failure::argument("path", why)),
        (None, text) => {
            let text = text.unwrap_or_default();
            let found = Publication::parse(text.as_bytes(), "the text");
            found.map_err(|why| Failure::argument("text", why))
        }
    })?;
    described(found, Payment::Nothing, None)
}

/// Writes the document as it is printed into a file. One that exists is overwritten only if that is said.
pub(crate) fn save(call: &Call) -> Result<Robj, Failure> {
    let (path, force, document) = (call.needed_path("path")?, call.truth("force")?, Kept::of(call)?);
    let text = run(move |_| json::text(&document))?;
    new_file::write(&path, format!("{text}\n").as_bytes(), force)
        .map_err(|error| not_written("path", &error))?;
    Ok(().into())
}

/// The first tables as a reader sees them, and what stands below them.
pub(crate) fn shown(call: &Call) -> Result<Robj, Failure> {
    let document = Kept::of(call)?;
    let (tables, below) = run(move |_| {
        let mut tables = Vec::new();
        let below = first_tables(&document, &mut |sheet, most| tables.push(aligned_text(sheet, most)));
        Ok((tables, below))
    })?;
    Ok(json::list([("tables", tables.into()), ("below", below.into())]))
}

/// The numbers of all tables and comparisons of a document, for programs.
pub(crate) fn records(call: &Call) -> Result<Robj, Failure> {
    let document = Kept::of(call)?;
    let mark = Mark::new(document.is_private(), document.seed());
    Ok(json::sheet(readings::records(mark, &document.readings(), &document.comparisons())))
}

/// A document as an R value: the text that it is made from, and what it says.
pub(crate) fn described(document: Publication, paid: Payment, plan: Option<&Node>) -> Result<Robj, Failure> {
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
        ("plan", plan.map_or_else(|| ().into(), node::plan)),
    ]);
    Ok(json::list(fields))
}

/// The document as it is printed.
pub(crate) fn json(call: &Call) -> Result<Robj, Failure> {
    let document = Kept::of(call)?;
    Ok(run(move |_| json::text(&document))?.into())
}
