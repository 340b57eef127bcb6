//! Studies.

use std::ops::ControlFlow;
use std::path::Path;

use extendr_api::prelude::*;
use posterity::ledger::Ledger;
use posterity::text_file::read_text;
use posterity_present::Watch;
use posterity_study::{Folder, Plan, Study};

use crate::call::Call;
use crate::failure::Failure;
use crate::json;
use crate::release::described;
use crate::worker::run;

/// Ends the count if nobody waits for it.
struct Waited<'a>(&'a Watch);

impl posterity_study::Watch for Waited<'_> {
    fn rows(&self, _rows: u64) -> ControlFlow<()> {
        self.0.tick();
        ControlFlow::Continue(())
    }
}

/// Carries out a plan: the folder of its results, and the release of each question under its name.
pub(crate) fn study(call: &Call) -> Result<Robj, Failure> {
    let (plan, out) = (call.needed_path("plan")?, call.needed_path("out")?);
    let (again, seed) = (call.truth("again")?, call.seed()?);
    let (folder, answers) = run(move |watch| {
        let text = read_text(&plan).map_err(|error| Failure::other(format!("plan: {error}")))?;
        let study = Study::new(Plan::parse(&text, plan.parent().unwrap_or(Path::new("")))?)?;
        let mut opened = match (study.plan().ledger(), study.plan().account()) {
            (Some(file), Some(account)) if seed.is_none() => {
                let opened = Ledger::open(file)?;
                opened.account(account)?;
                Some((opened, account))
            }
            _ => None,
        };
        // Nothing is charged if the results could not be written.
        let folder = Folder::take(&out)?;
        let waited = Waited(watch);
        let answers = match (&mut opened, seed) {
            (_, Some(seed)) => study.experiment(seed, &waited)?,
            (Some((ledger, account)), None) => {
                watch.commit_with(ledger);
                study.charge(ledger, account, again, &waited)?
            }
            (None, None) => study.publish(&waited)?,
        };
        let folder = folder.write(study.plan(), &answers, &waited)?;
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
