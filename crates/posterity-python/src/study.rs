//! Studies.

use posterity_study::{CarriedOut, StudyRun, carry_out, carry_out_plan};
use pyo3::prelude::*;

use crate::argument::path;
use crate::call::Call;
use crate::given_plan::Written;
use crate::interrupt::run;
use crate::panic::guarded;
use crate::published::any_object;
use crate::warning::warn;

/// The folder of results, with the name and the object of each answer.
type Carried<'py> = (String, Vec<(String, Bound<'py, PyAny>)>);

/// Carries out a plan.
#[pyfunction]
pub(crate) fn study<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Carried<'py>> {
    guarded(|| {
        let out = path(&call.need("out")?, "out")?;
        let (seed, again, key) = (call.seed()?, call.truth("again")?, call.key("sign")?);
        let given = call.need("plan")?;
        let order = |plan| StudyRun { plan, out, seed, again, key };
        let CarriedOut { folder, answers, warnings } = if Written::is_path(&given)? {
            let order = order(path(&given, "plan")?);
            run(py, move |watch| Ok(carry_out(order, watch)?))?
        } else {
            let Written { node, folder } = Written::new(&given)?;
            let order = order(folder);
            run(py, move |watch| Ok(carry_out_plan(node, order, watch)?))?
        };
        // The results are written, so whoever turns warnings into errors has them.
        warn(py, &warnings)?;
        let object = |one: &posterity_study::Answer| {
            let object = any_object(py, one.document().clone(), one.payment().clone(), None)?;
            Ok((one.name().to_owned(), object))
        };
        let objects = answers.answers().iter().map(object).collect::<PyResult<_>>()?;
        Ok((folder.to_string_lossy().into_owned(), objects))
    })
}
