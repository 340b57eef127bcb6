//! What a question would leave out: for whoever prepares the data. It is not private, and costs nothing.

use posterity::Randomness;
use posterity::data::{
    Adjacency, Column, Counted, LeftOut, OUTSIDE_CELL, Question, Resources, Source, left_out,
};
use pyo3::prelude::*;
use serde::Serialize;

use crate::call::Call;
use crate::data::TakenData;
use crate::error::Failure;
use crate::interrupt::{Watch, run};
use crate::json;
use crate::memory::CheckedMemory;
use crate::panic::guarded;

/// What was found. It holds private data, without any noise.
#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    InFiles(LeftOut),
    InMemory(InMemory),
}

/// What is found in memory: less than in files.
#[derive(Default, Serialize)]
struct InMemory {
    records: u64,
    filtered: u64,
    outside: u64,
    no_unit: u64,
    counted: u64,
    columns: Vec<InColumn>,
}

/// What one column lacks.
#[derive(Serialize)]
struct InColumn {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    undeclared: u64,
    missing: u64,
    unnamed: u64,
}

/// The categories of labels that are not declared and of missing ones, while they are looked at.
const STRAYS: [&str; 2] = ["(not declared)", "(missing label)"];

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
        let data = TakenData::new(&looked)?;
        let found = run(py, move |watch| match data {
            TakenData::Files(source, question) => of_files(&source, &question, watch).map(Found::InFiles),
            TakenData::Labels { counter, unnamed, .. } => {
                let records = counter.total() + unnamed;
                Ok(Found::InMemory(of_labels(records, &counter.finish_leaving_out()?, kept)))
            }
            TakenData::Columns { columns, known } => {
                let question = &known.question;
                let memory = columns.checked(question, watch)?;
                if known.is_table {
                    return of_table(&memory, question, watch).map(Found::InMemory);
                }
                Ok(Found::InMemory(of_labels(memory.rows(), &count(&memory, question, watch)?, kept)))
            }
        })?;
        json::object(py, &found)
    })
}

fn of_files(source: &Source, question: &Question, watch: &Watch) -> Result<LeftOut, Failure> {
    Ok(left_out(source, question, &Resources::default(), &|_| watch.progress())?)
}

/// Labels without a name, of which those that are not declared and the missing ones were counted last. They are kept if
/// a category was named for them.
fn of_labels(records: u64, counted: &Counted, kept: [bool; 2]) -> InMemory {
    let [undeclared, missing] = STRAYS.map(|name| cell(counted, name));
    let declared = counted.counts.total() - undeclared - missing;
    let unnamed = records - counted.counts.total();
    let strays =
        [undeclared, missing].into_iter().zip(kept).filter_map(|(times, kept)| kept.then_some(times));
    let column = InColumn { name: None, undeclared, missing, unnamed };
    let counted = declared + strays.sum::<u64>();
    InMemory { records, counted, columns: vec![column], ..InMemory::default() }
}

/// A table in memory, counted once for each thing that may be wrong with a record.
fn of_table(memory: &CheckedMemory, question: &Question, watch: &Watch) -> Result<InMemory, Failure> {
    let records = memory.rows();
    let one = |column: Column| Question {
        columns: vec![column],
        unit: None,
        per_unit: Default::default(),
        ..question.clone()
    };
    let mut found = InMemory { records, ..InMemory::default() };
    let Some(first) = question.columns.first() else { return Ok(found) };
    // Records for which a condition is not true are counted in a cell of their own.
    let not_true = |condition: &str, filter: Option<&String>| {
        let within = Some(condition.to_owned());
        let asked = Question { within, filter: filter.cloned(), ..one(first.clone()) };
        Ok::<_, Failure>(cell(&count(memory, &asked, watch)?, OUTSIDE_CELL))
    };
    if let Some(filter) = &question.filter {
        found.filtered = not_true(filter, None)?;
    }
    let passing = records - found.filtered;
    let has_unit =
        question.unit.as_ref().map(|unit| format!("\"{}\" IS NOT NULL", unit.replace('"', "\"\"")));
    if let Some(has_unit) = &has_unit {
        found.no_unit = not_true(has_unit, question.filter.as_ref())?;
    }
    for column in &question.columns {
        let [other, missing] = STRAYS.map(|name| Some(name.to_owned()));
        let counted = count(memory, &one(Column { other, missing, ..column.clone() }), watch)?;
        found.outside = question.within.as_ref().map_or(0, |_| cell(&counted, OUTSIDE_CELL));
        let [undeclared, missing] = STRAYS.map(|name| cell(&counted, name));
        let unnamed = passing - counted.counts.total();
        let name = Some(column.name.clone());
        found.columns.push(InColumn { name, undeclared, missing, unnamed });
    }
    let filter = match (&question.filter, has_unit) {
        (Some(filter), Some(has_unit)) => Some(format!("({filter}) AND {has_unit}")),
        (filter, has_unit) => has_unit.or_else(|| filter.clone()),
    };
    let all = Question { filter, columns: question.columns.clone(), ..one(first.clone()) };
    found.counted = count(memory, &all, watch)?.counts.total();
    Ok(found)
}

fn count(memory: &CheckedMemory, question: &Question, watch: &Watch) -> Result<Counted, Failure> {
    let mut bits = Randomness::System.bits_of_data();
    memory.count(question, &mut *bits, &Resources::default(), watch)
}

/// How many records a cell has, if there is one of this name.
fn cell(counted: &Counted, name: &str) -> u64 {
    let place = counted.categories.names().iter().rposition(|one| one == name);
    place.map_or(0, |place| counted.counts.as_slice()[place])
}
