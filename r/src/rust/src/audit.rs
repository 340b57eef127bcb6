//! The exact privacy loss of a mechanism. It reads no data.

use extendr_api::prelude::*;
use posterity::{Certificate, Counts, Terms, new_file};
use posterity_core::model::Setting;

use crate::advice::told;
use crate::call::Call;
use crate::data::plain_counts;
use crate::failure::Failure;
use crate::picture::not_written;
use crate::worker::run;

/// The loss over all data sets of a size, or at one data set.
pub(crate) fn audit(call: &Call) -> Result<Robj, Failure> {
    let (setting, counts) = audited(call)?;
    let adjacency = call.adjacency()?;
    let spec = call.mechanism(adjacency)?;
    let terms = Terms { adjacency, spec, ..Terms::new(setting.epsilon().clone()) };
    let (profile, certificate) = (call.profile()?, call.path("certificate")?);
    let (limit, force) = (call.number("max_probabilities")?, call.truth("force")?);
    if let Some(file) = &certificate {
        new_file::check(file, force).map_err(|error| not_written("certificate", &error))?;
    }
    let found = run(move |watch| {
        let progress = |_| watch.tick();
        let request = terms.request_for(setting, &progress)?;
        let mechanism = request.mechanism(&progress)?;
        if let Some(counts) = counts {
            return Ok(posterity_advice::audit_at(&request, &*mechanism, &counts, &profile, limit)?);
        }
        let (report, found) = posterity_advice::audit(&request, &*mechanism, &profile, limit, &progress)?;
        if let Some(file) = certificate {
            Certificate::new(&request, &found)
                .save(&file, force)
                .map_err(|error| not_written("certificate", &error))?;
        }
        Ok(report)
    })?;
    told("audit", &found)
}

/// The public inputs of an audit, and the data set that is audited if only one is.
fn audited(call: &Call) -> Result<(Setting, Option<Counts>), Failure> {
    let adjacency = call.adjacency()?;
    let Some(counts) = call.get("counts") else {
        if call.get("n").is_none() {
            return Err(Failure::argument("n", "this is required: give the number of records, or counts"));
        }
        let n = call.whole("n")?;
        return Ok((call.size(Terms { adjacency, most: n, ..Terms::new(call.epsilon()?) })?, None));
    };
    call.refuse(&["n", "k", "certificate"], "this cannot be used with counts; leave one out")?;
    let counts = plain_counts(&counts, adjacency)?;
    // A record more than there are is adjacent, too.
    let most = counts.total() + 1;
    let terms = Terms { prior: call.prior()?, adjacency, most, ..Terms::new(call.epsilon()?) };
    Ok((terms.setting(counts.len(), counts.total())?, Some(counts)))
}
