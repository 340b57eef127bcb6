//! Studies.

use posterity_study::{CarriedOut, carry_out};
use pyo3::prelude::*;

use crate::argument::path;
use crate::call::Call;
use crate::interrupt::run;
use crate::margins::Margins;
use crate::panic::guarded;
use crate::release::Release;
use crate::warning::warn;

/// The folder of results, with the name and the release of each question and of tables of many columns.
type Results = (String, Vec<(String, Release)>, Vec<(String, Margins)>);

/// Carries out a plan.
#[pyfunction]
pub(crate) fn study(py: Python<'_>, call: Call<'_>) -> PyResult<Results> {
    guarded(|| {
        let (plan, out) = (path(&call.need("plan")?, "plan")?, path(&call.need("out")?, "out")?);
        let (again, seed) = (call.truth("again")?, call.seed()?);
        let (results, warnings) = run(py, move |watch| {
            let CarriedOut { folder, answers, warnings } = carry_out(&plan, &out, seed, again, watch)?;
            let releases = answers.answers().iter().map(|answer| {
                let release = Release::new(answer.document().clone(), answer.payment().clone());
                (answer.name().to_owned(), release)
            });
            let margins = answers.margins().iter().map(|answer| {
                let margins = Margins::new(answer.document().clone(), answer.payment().clone());
                (answer.name().to_owned(), margins)
            });
            let folder = folder.to_string_lossy().into_owned();
            Ok(((folder, releases.collect(), margins.collect()), warnings))
        })?;
        // The results are written, so whoever turns warnings into errors has them.
        warn(py, &warnings)?;
        Ok(results)
    })
}
