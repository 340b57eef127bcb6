//! Studies.

use extendr_api::prelude::*;
use posterity_study::{CarriedOut, carry_out};

use crate::call::Call;
use crate::failure::Failure;
use crate::release::described;
use crate::worker::{run, warn};
use crate::{json, margins};

/// Carries out a plan: the folder of its results, and the release of each question, and of tables of many columns,
/// under its name.
pub(crate) fn study(call: &Call) -> Result<Robj, Failure> {
    let (plan, out) = (call.needed_path("plan")?, call.needed_path("out")?);
    let (again, seed) = (call.truth("again")?, call.seed()?);
    let CarriedOut { folder, answers, warnings } =
        run(move |watch| Ok(carry_out(&plan, &out, seed, again, watch)?))?;
    warn(&warnings);
    let mut releases = Vec::new();
    for answer in answers.answers() {
        let release = described(answer.document().clone(), answer.payment().clone())?;
        releases.push((answer.name().to_owned(), release));
    }
    for answer in answers.margins() {
        let release = margins::described(answer.document().clone(), answer.payment().clone())?;
        releases.push((answer.name().to_owned(), release));
    }
    let releases = json::list(releases.iter().map(|(name, release)| (name.as_str(), release.clone())));
    Ok(json::list([("folder", folder.to_string_lossy().into_owned().into()), ("releases", releases)]))
}
