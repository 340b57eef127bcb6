//! What a question would leave out: for whoever prepares the data. It is not private, and costs nothing.

use posterity::data::{Adjacency, Counted, Frame, LeftOut, Question, Resources, Source, left_out};
use posterity::plan::PlannedTable;
use posterity::{Randomness, Table};
use posterity_present::{LeftOutInMemory, STRAYS};
use pyo3::prelude::*;
use serde::Serialize;

use crate::asked::{NO_QUESTION, plan};
use crate::call::Call;
use crate::data::{Offered, TakenData};
use crate::error::Failure;
use crate::interrupt::{Watch, run};
use crate::json;
use crate::panic::guarded;

/// What was found. It holds private data, without any noise.
#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    InFiles(LeftOut),
    InMemory(LeftOutInMemory),
}

/// Looks at all records, and tells what a release leaves out or is refused for.
#[pyfunction]
pub(crate) fn check<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let is_labels = call.get("column").is_none();
        // Nothing is an error here, whatever a release would make of it.
        let mut looked = call.with("adjacency", Adjacency::AddRemove.name())?;
        let mut kept = [false; 2];
        if is_labels {
            kept = [call.text("other")?.is_some(), call.text("missing")?.is_some()];
            looked = looked.with("other", STRAYS[0])?.with("missing", STRAYS[1])?;
        }
        // What is looked at does not depend on it.
        let looked = looked.with("epsilon", "1")?;
        let offered = Offered::new(&looked, Adjacency::AddRemove)?;
        let plan = plan::<Table>(&looked, offered.records(&looked)?)?;
        let data = offered.take(&plan, plan.all::<PlannedTable>().next().ok_or(NO_QUESTION)?, None)?;
        let found = run(py, move |watch| match data {
            TakenData::Files(source, question, _) => of_files(&source, &question, watch).map(Found::InFiles),
            TakenData::Labels { counter, unnamed, .. } => {
                let records = counter.total() + unnamed;
                let counted = counter.finish_leaving_out()?;
                Ok(Found::InMemory(LeftOutInMemory::of_labels(records, &counted, kept)))
            }
            TakenData::Columns { columns, known } => {
                let question = &known.question;
                let memory = columns.checked(watch)?;
                let count = |asked: &Question| count(&memory, asked, watch);
                Ok(Found::InMemory(if known.is_table {
                    LeftOutInMemory::of_table(memory.rows(), question, count)?
                } else {
                    LeftOutInMemory::of_labels(memory.rows(), &count(question)?, kept)
                }))
            }
        })?;
        json::object(py, &found)
    })
}

fn of_files(source: &Source, question: &Question, watch: &Watch) -> Result<LeftOut, Failure> {
    Ok(left_out(source, question, &Resources::default(), &|_| watch.progress())?)
}

fn count(memory: &Frame, question: &Question, watch: &Watch) -> Result<Counted, Failure> {
    let mut bits = Randomness::System.bits_of_data();
    Ok(memory.count(question, &mut *bits, &Resources::default(), &|_| watch.progress())?)
}
