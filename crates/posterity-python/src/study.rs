//! Studies.

use posterity::Publication;
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
            let (mut releases, mut margins) = (Vec::new(), Vec::new());
            for answer in answers.answers() {
                let (name, payment) = (answer.name().to_owned(), answer.payment().clone());
                match answer.document() {
                    Publication::Table(document) => {
                        releases.push((name, Release::new((**document).clone(), payment)));
                    }
                    Publication::Margins(document) => {
                        margins.push((name, Margins::new((**document).clone(), payment)));
                    }
                    _ => {}
                }
            }
            Ok(((folder.to_string_lossy().into_owned(), releases, margins), warnings))
        })?;
        // The results are written, so whoever turns warnings into errors has them.
        warn(py, &warnings)?;
        Ok(results)
    })
}
