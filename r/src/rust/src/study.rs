//! Studies.

use extendr_api::prelude::*;
use posterity_study::{CarriedOut, StudyRun, carry_out};

use crate::call::Call;
use crate::failure::Failure;
use crate::json;
use crate::published::described;
use crate::worker::{run, warn};

/// Carries out a plan: the folder of its results, and the document of each answer under its name.
pub(crate) fn study(call: &Call) -> Result<Robj, Failure> {
    let (plan, out) = (call.needed_path("plan")?, call.needed_path("out")?);
    let (seed, again, key) = (call.seed()?, call.truth("again")?, call.key("sign")?);
    let order = StudyRun { plan, out, seed, again, key };
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
