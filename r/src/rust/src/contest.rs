//! Mechanisms side by side. It is not private.

use extendr_api::prelude::*;
use posterity::Terms;
use posterity_advice::{Contest, Measure};
use posterity_core::mechanism::ALL;

use crate::advice::told;
use crate::argument::{all_named, named, some};
use crate::call::Call;
use crate::data::plain_counts;
use crate::failure::Failure;
use crate::json;
use crate::worker::run;

/// Compares mechanisms at one data set: the document, and why mechanisms were left out.
pub(crate) fn compare(call: &Call) -> Result<Robj, Failure> {
    let (epsilon, prior, adjacency) = (call.epsilon()?, call.prior()?, call.adjacency()?);
    let all = || ALL.iter().map(|one| one.spec()).collect();
    let max_outcomes = some(&call.need("max_outcomes")?, "max_outcomes")?;
    let contest = Contest {
        mechanisms: call.mechanisms()?.unwrap_or_else(all),
        decoders: call.read("decode", all_named)?,
        measure: Measure {
            metric: named(&call.need("distance")?, "distance")?,
            runs: call.read("runs", some)?.map(|runs| runs as usize),
            seed: call.whole("seed")?,
            max_outcomes,
            ..Measure::default()
        },
        limit: call.truth("limit")?,
        ranking: named(&call.need("by")?, "by")?,
        keep_laws: false,
    };
    let counts = plain_counts(&call.need("counts")?, adjacency)?;
    let found = run(move |watch| {
        let most = Measure::listed(&counts);
        let terms = Terms { prior, adjacency, most, ..Terms::new(epsilon) };
        let setting = terms.setting(counts.len(), counts.total())?;
        Ok(posterity_advice::compare(&setting, &counts, &contest, &|_| watch.tick())?)
    })?;
    let many =
        |name: &_| format!("{name} has more than {max_outcomes} outcomes and is left out; try runs = 1000");
    let left_out = found.left_out.iter().map(many).chain(found.refused.iter().map(ToString::to_string));
    let left_out: Vec<String> = left_out.collect();
    let compared = told("comparison", &found)?;
    Ok(json::list([("compared", compared), ("left_out", left_out.into())]))
}
