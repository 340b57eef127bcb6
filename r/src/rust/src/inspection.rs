//! Everything exact about one mechanism at one data set. It is not private.

use extendr_api::prelude::*;
use posterity::Terms;
use posterity_advice::Measure;

use crate::advice::told;
use crate::argument::some;
use crate::call::Call;
use crate::data::plain_counts;
use crate::failure::Failure;
use crate::worker::run;

/// The sensitivities, and the probability of every outcome.
pub(crate) fn inspect(call: &Call) -> Result<Robj, Failure> {
    let adjacency = call.adjacency()?;
    let (spec, decoder) = (call.mechanism(adjacency)?, call.decoder()?);
    let max_outcomes = some(&call.need("max_outcomes")?, "max_outcomes")?;
    let counts = plain_counts(&call.need("counts")?, adjacency)?;
    let (prior, most) = (call.prior()?, Measure::listed(&counts));
    let terms = Terms { prior, spec, decoder, adjacency, most, ..Terms::new(call.epsilon()?) };
    let found = run(move |watch| {
        let progress = |_| watch.tick();
        let request = terms.request(counts.len(), counts.total(), &progress)?;
        Ok(posterity_advice::inspect(&request, &counts, max_outcomes, &progress)?)
    })?;
    told("inspection", &found)
}
