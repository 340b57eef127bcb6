//! Studies.

use extendr_api::prelude::*;
use posterity_study::carry_out;

use crate::call::Call;
use crate::failure::Failure;
use crate::json;
use crate::release::described;
use crate::worker::run;

/// Carries out a plan: the folder of its results, and the release of each question under its name.
pub(crate) fn study(call: &Call) -> Result<Robj, Failure> {
    let (plan, out) = (call.needed_path("plan")?, call.needed_path("out")?);
    let (again, seed) = (call.truth("again")?, call.seed()?);
    let (folder, answers) = run(move |watch| {
        let (folder, answers) = carry_out(&plan, &out, seed, again, watch)?;
        let answers = answers
            .answers()
            .iter()
            .map(|answer| (answer.name().to_owned(), answer.document().clone(), answer.payment().clone()));
        Ok((folder.to_string_lossy().into_owned(), answers.collect::<Vec<_>>()))
    })?;
    let mut releases = Vec::new();
    for (name, document, paid) in answers {
        releases.push((name, described(document, paid)?));
    }
    let releases = json::list(releases.iter().map(|(name, release)| (name.as_str(), release.clone())));
    Ok(json::list([("folder", folder.into()), ("releases", releases)]))
}
