//! Studies.

use std::sync::Arc;

use extendr_api::prelude::*;
use posterity::batch::Records;
use posterity_study::{CarriedOut, StudyRun, carry_out};

use crate::asked::{NO_QUESTION, file_of_plan};
use crate::call::Call;
use crate::data::{Offered, TakenTable};
use crate::failure::Failure;
use crate::json;
use crate::published::described;
use crate::worker::{run, warn};

/// Carries out a plan: the folder of its results, and the document of each answer under its name.
pub(crate) fn study(call: &Call) -> Result<Robj, Failure> {
    let out = call.needed_path("out")?;
    let (seed, again, key) = (call.seed()?, call.truth("again")?, call.key("sign")?);
    let offered = Offered::of_study(call)?;
    let plan = file_of_plan(call, offered.is_none())?.ok_or(NO_QUESTION)?;
    let (needed, shown) = (plan.plan().needed(), None);
    let taken = offered.map(|offered| offered.take_table(plan.plan(), &needed, shown)).transpose()?;
    let (plan, records): (_, Option<Arc<dyn Records>>) = match taken {
        None => (plan, None),
        Some(TakenTable::Files(source, _)) => (plan.with_records(source), None),
        Some(TakenTable::Columns(frame)) => (plan, Some(Arc::new(frame))),
    };
    let order = StudyRun { plan, records, out, seed, again, key };
    let CarriedOut { folder, answers, warnings } = run(move |watch| Ok(carry_out(order, watch)?))?;
    warn(&warnings);
    let described = |answer: &posterity_study::Answer| {
        let value = described(answer.document().clone(), answer.payment().clone(), None)?;
        Ok((answer.name().to_owned(), value))
    };
    let documents = answers.answers().iter().map(described).collect::<Result<Vec<_>, Failure>>()?;
    let documents = json::list(documents.iter().map(|(name, value)| (name.as_str(), value.clone())));
    Ok(json::list([("folder", folder.to_string_lossy().into_owned().into()), ("documents", documents)]))
}
