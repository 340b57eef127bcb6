//! A plan that a call gives: a dict, the text of one, or the path of a file.

use posterity_study::{PlanFile, WrittenPlan};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyString};

use crate::argument::{path, text};
use crate::call::Call;
use crate::error::Failure;
use crate::node::node;

/// A plan as it is given.
pub(crate) fn written(given: &Bound<'_, PyAny>) -> Result<WrittenPlan, Failure> {
    if given.cast::<PyMapping>().is_ok() {
        return Ok(WrittenPlan::Node(node(given, "plan")?));
    }
    Ok(if given.is_instance_of::<PyString>() {
        WrittenPlan::of_text(text(given, "plan")?)
    } else {
        WrittenPlan::File(path(given, "plan")?)
    })
}

/// A plan that asks one question of a kind, and the call with the ledger and the account that the plan names.
pub(crate) fn given_plan<'py>(
    call: Call<'py>,
    given: &Bound<'py, PyAny>,
    kind: &str,
) -> Result<(PlanFile, Call<'py>), Failure> {
    // Who needs a source and has none is told that the data can be given.
    let file = written(given)?.read(true)?;
    let call = match file.payer().map_err(|error| Failure::argument("plan", error))? {
        None => call,
        Some(_) if call.get("ledger").is_some() => {
            let why = "the plan names its ledger; leave it out there, or the budget here";
            return Err(Failure::argument("budget", why));
        }
        Some((ledger, account)) => call.with("ledger", ledger)?.with("account", account)?,
    };
    if !file.plan().questions().map(|asked| asked.kind()).eq([kind]) {
        let why =
            "this plan asks something else than one such question; posterity.study carries out any plan";
        return Err(Failure::argument("plan", why));
    }
    Ok((file, call))
}
