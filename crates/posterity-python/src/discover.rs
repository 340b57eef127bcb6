//! Categories that nobody declared: the values of a column that enough people have.

use posterity::data::{DataError, Resources, ValuesAsked};
use posterity::{
    DiscoveredDocument, Discovery, DiscoveryTerms, Payment, Publication, Randomness, Till, ValueData,
};
use posterity_plot::{PictureKind, TablePlot, render};
use posterity_present::readings::reading;
use posterity_present::{DiscoveredFacts, columns_of_values, largest_counts, state};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::argument::{amount, decimal, level, path, text};
use crate::call::Call;
use crate::data::{TakenTable, refuse};
use crate::error::Failure;
use crate::interrupt::{Watch, run};
use crate::panic::guarded;
use crate::question::{labels, unit};
use crate::release::payer;
use crate::warning::warn;
use crate::{html, json, picture};

/// Discovered categories.
#[pyclass(frozen, module = "posterity._posterity")]
pub(crate) struct Discovered {
    document: DiscoveredDocument,
    payment: Payment,
}

/// Discovers the categories of a column.
#[pyfunction]
pub(crate) fn discover(py: Python<'_>, call: Call<'_>) -> PyResult<Discovered> {
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
        let (seed, payer) = (call.seed()?, payer(&call)?);
        let (edition, name) = (call.text("edition")?, call.text("name")?);
        let data = TakenTable::new(&call, &columns_of_values(&asked))?;
        // Whoever turns warnings into errors has paid nothing.
        warn(py, &discovery.warnings())?;
        run(py, move |watch| {
            let mut till = Till::open(seed, payer)?;
            let values = count(data, &asked, till.randomness(), name.as_deref(), watch)?;
            watch.tick();
            if let Some(ledger) = till.ledger() {
                watch.commit_with(ledger);
            }
            let values = values.of_edition(edition.as_deref());
            let (document, payment) = till.answer(discovery.ask(values)?)?;
            Ok(Discovered::new(document, payment))
        })
    })
}

/// The discovered categories of a document in a file.
#[pyfunction]
pub(crate) fn load_discovered(py: Python<'_>, file: &Bound<'_, PyAny>) -> PyResult<Discovered> {
    guarded(|| {
        let path = path(file, "path")?;
        run(py, move |_| {
            match Publication::load(&path).map_err(|error| Failure::argument("path", error))? {
                Publication::Discovered(document) => Ok(Discovered::new(*document, Payment::Nothing)),
                _ => Err(Failure::argument(
                    "path",
                    "this is no document of discovered categories; read it with Release.load",
                )),
            }
        })
    })
}

/// The discovered categories that a text of [`Discovered::state`] stands for.
#[pyfunction]
pub(crate) fn restore_discovered(state: &str) -> PyResult<Discovered> {
    guarded(|| {
        let (document, payment) = state::restore(state).map_err(Failure::from)?;
        Ok(Discovered::new(document, payment))
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
    /// All that is needed to make it again.
    fn state(&self) -> PyResult<String> {
        Ok(state::store(&self.document, &self.payment).map_err(Failure::from)?)
    }

    /// The document as it is printed.
    fn json(&self) -> PyResult<String> {
        Ok(json::text(&self.document)?)
    }

    /// The document as Python objects.
    fn document<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::object(py, &self.document)
    }

    /// What the document says, as Python objects.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::object(py, &DiscoveredFacts::of(&self.document))
    }

    /// The same draw with intervals of another level.
    fn at_level(&self, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        let document = self.document.with_level(level(given)?);
        let document = document.map_err(|error| Failure::argument("level", error))?;
        Ok(Self::new(document, self.payment.clone()))
    }

    /// The epsilon and the delta that were charged, and the epsilon that was left.
    #[getter]
    fn charged(&self) -> Option<(String, String, String)> {
        match &self.payment {
            Payment::Charged { epsilon, delta, remaining } => {
                Some((epsilon.to_string(), delta.to_string(), remaining.to_string()))
            }
            Payment::Nothing | Payment::Recalled { .. } | Payment::ChargedRho { .. } => None,
        }
    }

    #[getter]
    fn recalled(&self) -> bool {
        matches!(self.payment, Payment::Recalled { .. })
    }

    /// The first values as a table of a page, the largest first.
    fn html(&self) -> String {
        html::table(reading(&largest_counts(&self.document)), MOST_LISTED)
    }

    /// The picture that the command draws, as the bytes of a file.
    fn picture<'py>(&self, py: Python<'py>, format: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let format = picture::format(&text(format, "path")?)?;
        let (document, largest) = (self.document.clone(), largest_counts(&self.document));
        let drawn = run(py, move |_| {
            let picture = TablePlot::new(&document, &largest, PictureKind::Forest)?;
            Ok(render(&picture, format, "the picture")?)
        })?;
        Ok(PyBytes::new(py, &drawn))
    }
}

/// How many values a page lists.
const MOST_LISTED: usize = 40;

impl Discovered {
    fn new(document: DiscoveredDocument, payment: Payment) -> Self {
        Self { document, payment }
    }
}
