//! Categories that nobody declared: the values of a column that enough people have.

use std::sync::Arc;

use posterity::data::{DataError, Resources, ValuesAsked};
use posterity::{DiscoveredDocument, Discovery, DiscoveryTerms, Randomness, ValueData};
use posterity_plot::{PictureKind, TablePlot, render};
use posterity_present::readings::reading;
use posterity_present::{DiscoveredFacts, columns_of_values, largest_counts};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::argument::{self, amount, decimal, text};
use crate::call::Call;
use crate::data::{TakenTable, refuse};
use crate::error::Failure;
use crate::interrupt::{Watch, run};
use crate::panic::guarded;
use crate::published::{Class, Counted, Effort, Published, payer};
use crate::question::{labels, unit};
use crate::warning::warn;
use crate::{html, json, picture};

/// Discovered categories.
#[pyclass(frozen, extends = Published, module = "posterity._posterity")]
pub(crate) struct Discovered {
    document: Arc<DiscoveredDocument>,
}

/// Discovers the categories of a column.
#[pyfunction]
pub(crate) fn discover<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Bound<'py, Discovered>> {
    guarded(|| {
        // What can be refused is refused before the data is read, and all of it before anything is charged.
        let asked = asked(&call)?;
        let terms = terms(&call)?;
        if terms.one_record_per_person && asked.unit.is_some() {
            let why = "this is for data without a unit, and there is one; leave out one of both";
            return Err(Failure::argument("one_record_per_person", why).into());
        }
        let discovery = Discovery::new(terms).allow_large_delta(call.truth("allow_large_delta")?);
        discovery.check(&asked).map_err(Failure::from)?;
        asked.check().map_err(wrong_question)?;
        let payer = payer(&call)?;
        let (edition, name) = (call.text("edition")?, call.text("name")?);
        let data = TakenTable::new(&call, &columns_of_values(&asked))?;
        // Whoever turns warnings into errors has paid nothing.
        warn(py, &discovery.warnings())?;
        let counted = Counted::new(py, payer, Effort::Large, move |randomness, watch| {
            let values = count(data, &asked, randomness, name.as_deref(), watch)?;
            Ok(values.of_edition(edition.as_deref()))
        })?;
        counted.answer(py, move |values, till, watch| Ok(watch.answer(till, discovery.ask(values)?)?))
    })
}

/// The column and which of its records are counted.
fn asked(call: &Call<'_>) -> Result<ValuesAsked, Failure> {
    refuse(
        call,
        &["categories", "bins", "within", "other"],
        "this has no meaning where categories are discovered; leave it out",
    )?;
    let column = match call.get("column") {
        Some(column) if column.is_instance_of::<PyString>() => text(&column, "column")?,
        Some(_) => {
            let why = "categories are discovered in one column; give its name as a str";
            return Err(Failure::argument("column", why));
        }
        None => {
            let why = "say in which column of the file or table the categories are discovered";
            return Err(Failure::argument("column", why));
        }
    };
    let (unit, per_unit) = unit(call)?;
    let missing = labels(call, "missing", std::slice::from_ref(&column))?.into_iter().next().flatten();
    Ok(ValuesAsked { filter: call.text("where")?, unit, per_unit, missing, ..ValuesAsked::new(column) })
}

fn terms(call: &Call<'_>) -> Result<DiscoveryTerms, Failure> {
    let total = call.read("total_epsilon", |value, name| {
        decimal(value, name)?.parse().map_err(|error| Failure::argument(name, error))
    });
    Ok(DiscoveryTerms {
        total: total?,
        one_record_per_person: call.truth("one_record_per_person")?,
        level: call.level()?,
        ..DiscoveryTerms::new(call.epsilon()?, amount(&call.need("delta")?, "delta")?)
    })
}

/// The argument that a wrong question is about.
fn wrong_question(error: DataError) -> Failure {
    match error {
        DataError::Cells(_) => Failure::argument("missing", error),
        other => other.into(),
    }
}

/// Counts all values.
fn count(
    data: TakenTable,
    asked: &ValuesAsked,
    randomness: Randomness,
    name: Option<&str>,
    watch: &Watch,
) -> Result<ValueData, Failure> {
    let memory = match data {
        TakenTable::Files(source) => {
            let read = ValueData::read_from(&source, asked, randomness, &Resources::default(), &|_| {
                watch.progress()
            });
            return Ok(read?);
        }
        TakenTable::Columns(memory) => memory.checked(&columns_of_values(asked), watch)?,
    };
    let values = memory.gather(asked, &mut *randomness.bits_of_data(), watch)?;
    let data = ValueData::gathered(values, asked, randomness);
    match name {
        Some(name) => data.named_table(name, asked).map_err(|error| Failure::argument("name", error)),
        None => Ok(data),
    }
}

#[pymethods]
impl Discovered {
    /// The intervals of all counts at a level.
    fn interval(&self, level: &Bound<'_, PyAny>) -> PyResult<Vec<(f64, f64)>> {
        let document = self.document.with_level(argument::level(level)?);
        let document = document.map_err(|error| Failure::argument("level", error))?;
        let counts = document.answer().readings().swap_remove(0);
        Ok(counts.rows.iter().map(|row| (row.interval[0], row.interval[1])).collect())
    }

    /// The picture that the command draws, as the bytes of a file.
    fn picture<'py>(&self, py: Python<'py>, format: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let format = picture::format(&text(format, "path")?)?;
        let (document, largest) = (self.document.clone(), largest_counts(&self.document));
        let drawn = run(py, move |_| {
            let picture = TablePlot::new(&*document, &largest, PictureKind::Forest)?;
            Ok(render(&picture, format, "the picture")?)
        })?;
        Ok(PyBytes::new(py, &drawn))
    }
}

/// How many values a page lists.
const MOST_LISTED: usize = 40;

impl Class for posterity::Discovered {
    type Object = Discovered;
    const NAME: &'static str = "Discovered";

    fn object(document: Arc<DiscoveredDocument>) -> Discovered {
        Discovered { document }
    }

    fn facts(document: &DiscoveredDocument) -> Result<String, Failure> {
        json::text(&DiscoveredFacts::of(document))
    }

    /// The first values, the largest first.
    fn html(document: &DiscoveredDocument) -> String {
        html::table(reading(&largest_counts(document)), MOST_LISTED)
    }
}
