//! Studies.

use std::sync::Arc;

use posterity::batch::Records;
use posterity_study::{CarriedOut, StudyRun, carry_out};
use pyo3::prelude::*;

use crate::argument::path;
use crate::call::Call;
use crate::data::{Offered, TakenTable};
use crate::given_plan::written;
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
        let (written, has_data) = (written(&call.need("plan")?)?, call.get("data").is_some());
        let plan = run(py, move |_| Ok(written.read(has_data)?))?;
        let taken = if has_data {
            let (asked, adjacency) = (plan.plan(), plan.plan().records().adjacency);
            Some(Offered::of_table(&call, adjacency)?.take_table(asked, &asked.needed(), None)?)
        } else {
            None
        };
        let CarriedOut { folder, answers, warnings } = run(py, move |watch| {
            let (plan, records): (_, Option<Arc<dyn Records>>) = match taken {
                None => (plan, None),
                Some(TakenTable::Files(source, _)) => (plan.with_records(source), None),
                Some(TakenTable::Columns(memory)) => (plan, Some(Arc::new(memory.checked(watch)?))),
            };
            Ok(carry_out(StudyRun { plan, records, out, seed, again, key }, watch)?)
        })?;
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
