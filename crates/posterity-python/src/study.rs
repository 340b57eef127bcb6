//! Studies.

use std::ops::ControlFlow;
use std::path::Path;

use posterity::ledger::Ledger;
use posterity::text_file::read_text;
use posterity_study::{Folder, Plan, Study};
use pyo3::prelude::*;

use crate::argument::path;
use crate::call::Call;
use crate::error::Failure;
use crate::interrupt::{Watch, run};
use crate::panic::guarded;
use crate::release::Release;

/// Ends the count if nobody waits for it.
struct Waited<'a>(&'a Watch);

impl posterity_study::Watch for Waited<'_> {
    fn rows(&self, _rows: u64) -> ControlFlow<()> {
        self.0.tick();
        ControlFlow::Continue(())
    }
}

/// Carries out a plan: the folder of its results, and the name and the release of each question.
#[pyfunction]
pub(crate) fn study(py: Python<'_>, call: Call<'_>) -> PyResult<(String, Vec<(String, Release)>)> {
    guarded(|| {
        let (plan, out) = (path(&call.need("plan")?, "plan")?, path(&call.need("out")?, "out")?);
        let (again, seed) = (call.truth("again")?, call.seed()?);
        run(py, move |watch| {
            let text = read_text(&plan).map_err(Failure::PlanFile)?;
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
            let releases = answers.answers().iter().map(|answer| {
                let release = Release::new(answer.document().clone(), answer.payment().clone());
                (answer.name().to_owned(), release)
            });
            Ok((folder.to_string_lossy().into_owned(), releases.collect()))
        })
    })
}
