//! Categories that nobody declared: the values of a column that enough people have.

use std::sync::Arc;

use posterity::Randomness;
use posterity::data::{Adjacency, Resources, ValuesAsked};
use posterity::discovery::{DiscoveredDocument, ValueData};
use posterity::plan::PlannedDiscovery;
use posterity_plot::{PictureKind, TablePlot, render};
use posterity_present::readings::reading;
use posterity_present::{DiscoveredFacts, columns_of_values, largest_counts};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::argument::{self, text};
use crate::asked::{NO_QUESTION, plan};
use crate::call::Call;
use crate::data::{Offered, TakenTable};
use crate::error::Failure;
use crate::interrupt::{Watch, run};
use crate::panic::guarded;
use crate::published::{Class, Counted, Effort, Published, payer};
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
        let offered = Offered::of_table(&call, Adjacency::AddRemove)?;
        let plan = plan::<posterity::discovery::Discovered>(&call, offered.records(&call)?)?;
        let asked = plan.all::<PlannedDiscovery>().next().ok_or(NO_QUESTION)?;
        let (discovery, asked) = (asked.discovery(), asked.values().clone());
        let payer = payer(&call)?;
        let data = offered.take_table(&plan, &columns_of_values(&asked))?;
        // Whoever turns warnings into errors has paid nothing.
        warn(py, &discovery.warnings())?;
        let (edition, name) = (plan.edition().map(str::to_owned), plan.source().to_owned());
        let counted = Counted::new(py, &plan, payer, Effort::Large, move |randomness, watch| {
            let name = (!name.is_empty()).then_some(name.as_str());
            let values = count(data, &asked, randomness, name, watch)?;
            Ok(values.of_edition(edition.as_deref()))
        })?;
        counted.answer(py, move |values, till, watch| Ok(watch.answer(till, discovery.ask(values)?)?))
    })
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
        TakenTable::Columns(memory) => memory.checked(watch)?,
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

impl Class for posterity::discovery::Discovered {
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
