//! Tables of many columns, released together.

use std::sync::Arc;

use posterity::data::Resources;
use posterity::document::GuaranteeStatement;
use posterity::margins::{
    FittedRows, MarginsData, MarginsDocument, MarginsTerms, PlannedMargins, TablesOfSize, Which,
};
use posterity::meaning::{check_delta, warnings};
use posterity::plan::fields_of_sets;
use posterity::table::{SpaceColumn, Ways};
use posterity::{Contrast, PublishError, Randomness, Reading, ReadingError};
use posterity_advice::margins::MarginsAdviceError;
use posterity_plot::{PictureKind, TablePlot, render};
use posterity_present::argument::columns_of_schema;
use posterity_present::readings::reading;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use serde::Serialize;

use crate::argument::{amount, text, whole};
use crate::asked::{NO_QUESTION, plan};
use crate::call::Call;
use crate::data::{Offered, TakenTable};
use crate::error::{Failure, WORDS};
use crate::interrupt::{Watch, run};
use crate::json::{Document as Json, document};
use crate::node::schema;
use crate::panic::guarded;
use crate::published::{Class, Counted, Effort, Published, payer};
use crate::release::{AskedWays, ways_of};
use crate::table_advice::sizes;
use crate::warning::warn;
use crate::{html, json, picture};

/// Tables of many columns.
#[pyclass(frozen, extends = Published, module = "posterity._posterity")]
pub(crate) struct Margins {
    document: Arc<MarginsDocument>,
}

/// What a document says.
#[derive(Serialize)]
struct Facts<'a> {
    columns: Vec<FactsColumn<'a>>,
    tables: Vec<TablesOfSize>,
    n: Option<u64>,
    epsilon: f64,
    delta: f64,
    rho: Option<f64>,
    level: f64,
    private: bool,
    guarantee: &'a GuaranteeStatement,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct FactsColumn<'a> {
    name: &'a str,
    values: &'a [String],
}

/// Releases tables of many columns.
#[pyfunction]
pub(crate) fn margins<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Bound<'py, Margins>> {
    guarded(|| {
        // What can be refused is refused before the data is read, and all of it before anything is charged.
        let offered = Offered::of_table(&call, call.adjacency()?)?;
        let plan = plan::<posterity::margins::Margins>(&call, offered.records(&call)?)?;
        let planned = plan.all::<PlannedMargins>().next().ok_or(NO_QUESTION)?.clone();
        let payer = payer(&call)?;
        planned.check().map_err(Failure::from)?;
        let data = offered.take_table(&plan, planned.question())?;
        let (edition, name) = (plan.edition().map(str::to_owned), plan.source().to_owned());
        let counted = Counted::new(py, &plan, payer, Effort::Large, move |randomness, watch| {
            let name = (!name.is_empty()).then_some(name.as_str());
            let counting = Counting { data, name, edition: edition.as_deref() };
            counting.count(planned, randomness, watch)
        })?;
        // Whoever turns warnings into errors has paid nothing.
        warn(py, &counted.data().warnings())?;
        counted.answer(py, |data, till, watch| Ok(watch.answer(till, data.ask()?)?))
    })
}

/// What a release of many tables will be like, beside smaller and larger ones. No data is read.
#[pyfunction]
pub(crate) fn advise_margins<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Json<'py>> {
    guarded(|| {
        let (terms, n) = (terms(&call)?, call.whole("n")?);
        let is_allowed = call.truth("allow_large_delta")?;
        check_delta(&terms.delta, is_allowed).map_err(PublishError::from).map_err(Failure::from)?;
        let (epsilon, delta) = (terms.epsilon.to_f64_shown(), terms.delta.to_f64_shown());
        warn(py, &warnings(terms.adjacency, epsilon, delta, Some(n)))?;
        let columns = advised(&call, &terms.which)?;
        let advice = run(py, move |_| {
            posterity_advice::margins::advise_margins(&columns, n, &terms).map_err(unforecast)
        })?;
        document(py, &advice)
    })
}

/// Why there is no forecast, with the argument that it is about.
fn unforecast(error: MarginsAdviceError) -> Failure {
    match error {
        MarginsAdviceError::Records { .. } => Failure::argument("n", error),
        MarginsAdviceError::Level(_) => Failure::argument("level", error),
        MarginsAdviceError::Margins(error) => PublishError::Margins(error).into(),
        other => Failure::argument("sets", other),
    }
}

fn terms(call: &Call<'_>) -> Result<MarginsTerms, Failure> {
    let usual = MarginsTerms::new(which(call)?, call.epsilon()?, amount(&call.need("delta")?, "delta")?);
    let asked = [call.get("level"), None, call.get("about"), call.get("simultaneous")];
    Ok(MarginsTerms { adjacency: call.adjacency()?, ways: ways_of(usual.ways, &asked)?, ..usual })
}

/// Which tables: a number of columns, or a text.
fn which(call: &Call<'_>) -> Result<Which, Failure> {
    let given = call.need("sets")?;
    let wrong = |error| Failure::argument("sets", error);
    if given.is_instance_of::<PyString>() {
        return text(&given, "sets")?.parse().map_err(wrong);
    }
    whole(&given, "sets")?.to_string().parse().map_err(wrong)
}

/// The columns that advice is about: those of sets alone, or else all that the schema declares; or
/// columns of which only the number of values is known.
fn advised(call: &Call<'_>, which: &Which) -> Result<Vec<SpaceColumn>, Failure> {
    let Some(schema) = call.read("schema", |value, _| schema(value))? else {
        return Ok(sizes(&call.need("columns")?)?.as_slice().to_vec());
    };
    let declared = columns_of_schema(schema, &WORDS)?.into_iter().map(|column| (column.name, column.domain));
    let chosen = fields_of_sets(declared.collect(), which);
    let chosen = chosen.map_err(|why| Failure::argument("sets", why))?;
    Ok(chosen.into_iter().map(|(name, domain)| SpaceColumn::new(name, domain.names())).collect())
}

/// Data that is still to be counted, and what it is known by.
struct Counting<'a> {
    data: TakenTable,
    name: Option<&'a str>,
    edition: Option<&'a str>,
}

impl Counting<'_> {
    /// Counts all tables.
    fn count(
        self,
        planned: PlannedMargins,
        randomness: Randomness,
        watch: &Watch,
    ) -> Result<MarginsData, Failure> {
        let memory = match self.data {
            TakenTable::Files(source) => {
                let progress = |_| watch.progress();
                return Ok(planned.count(
                    &source,
                    self.edition,
                    randomness,
                    &Resources::default(),
                    &progress,
                )?);
            }
            TakenTable::Columns(memory) => memory.checked(watch)?,
        };
        let mut bits = randomness.bits_of_data();
        let counted = memory.count_margins(planned.question(), &planned.sets(), &mut *bits, watch)?;
        drop(bits);
        let data = planned.counted(counted, self.name, self.edition, randomness);
        data.map_err(|error| Failure::argument("name", error))
    }
}

#[pymethods]
impl Margins {
    /// A reading as Python objects.
    #[pyo3(signature = (reading, *, ways))]
    fn table<'py>(
        &self,
        py: Python<'py>,
        reading: &Bound<'py, PyAny>,
        ways: AskedWays<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let read = self.read(reading, &ways)?;
        let table = run(py, move |_| {
            let (document, reading) = read()?;
            document.answer().read(&reading).map_err(|error| Failure::argument("reading", error))
        })?;
        json::object(py, &table)
    }

    /// A comparison as Python objects.
    #[pyo3(signature = (comparison, *, ways))]
    fn contrast<'py>(
        &self,
        py: Python<'py>,
        comparison: &Bound<'py, PyAny>,
        ways: AskedWays<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let wrong = |error| Failure::argument("comparison", error);
        let contrast: Contrast = text(comparison, "comparison")?.parse().map_err(wrong)?;
        let (document, ways) = (self.document.clone(), self.ways(&ways)?);
        let found = run(py, move |_| {
            let read = document.with_readings(ways, Vec::new(), vec![contrast.clone()]);
            read.map_err(|error| refused(error, "comparison"))?.answer().contrast(&contrast).map_err(wrong)
        })?;
        json::object(py, &found)
    }

    /// The picture of a reading, as the bytes of a file.
    #[pyo3(signature = (reading, *, format, ways))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        reading: &Bound<'py, PyAny>,
        format: &Bound<'py, PyAny>,
        ways: AskedWays<'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let format = picture::format(&text(format, "path")?)?;
        let read = self.read(reading, &ways)?;
        let drawn = run(py, move |_| {
            let (document, reading) = read()?;
            let table = document.answer().read(&reading);
            let table = table.map_err(|error| Failure::argument("reading", error))?;
            let picture = TablePlot::new(&document, &table, PictureKind::Forest)?;
            Ok(render(&picture, format, "the picture")?)
        })?;
        Ok(PyBytes::new(py, &drawn))
    }

    /// Rows fitted to the release: a list of values for each column.
    #[pyo3(signature = (number, *, seed))]
    fn rows<'py>(
        &self,
        py: Python<'py>,
        number: Option<Bound<'py, PyAny>>,
        seed: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let number = number.map(|number| whole(&number, "number")).transpose()?;
        let number = number.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let seed = whole(seed, "seed")?;
        let document = self.document.clone();
        let columns = run(py, move |watch| {
            let go_on = |_| {
                watch.tick();
                watch.progress()
            };
            let rows = document.rows(number, seed, &go_on);
            Ok(Fitted::new(&rows.map_err(|error| Failure::argument("number", error))?))
        })?;
        columns.lists(py)
    }
}

/// How many readings a page lists, and how many rows of each.
const MOST_LISTED: usize = 8;
const MOST_ROWS: usize = 20;

impl Class for posterity::margins::Margins {
    type Object = Margins;
    const NAME: &'static str = "Margins";

    fn object(document: Arc<MarginsDocument>) -> Margins {
        Margins { document }
    }

    fn facts(document: &MarginsDocument) -> Result<String, Failure> {
        let terms = document.answer().asked().terms();
        let columns = document.about().columns.iter();
        json::text(&Facts {
            columns: columns.map(|one| FactsColumn { name: &one.name, values: &one.values }).collect(),
            tables: document.answer().tables(),
            n: document.n(),
            epsilon: terms.epsilon.to_f64_shown(),
            delta: terms.delta.to_f64_shown(),
            rho: terms.rho().ok().map(|rho| rho.to_f64_shown()),
            level: terms.ways.level,
            private: document.is_private(),
            guarantee: document.guarantee(),
            notes: document.notes(),
        })
    }

    /// The first readings of single columns.
    fn html(document: &MarginsDocument) -> String {
        let readings = document.answer().readings();
        let tables = readings.iter().take(MOST_LISTED).map(|table| html::table(reading(table), MOST_ROWS));
        tables.collect()
    }
}

impl Margins {
    /// How a thread comes to a document with these intervals, and a reading, from the arguments of a call.
    fn read(
        &self,
        reading: &Bound<'_, PyAny>,
        ways: &AskedWays<'_>,
    ) -> Result<impl FnOnce() -> Result<(MarginsDocument, Reading), Failure> + use<>, Failure> {
        let wrong = |error| Failure::argument("reading", error);
        let reading: Reading = text(reading, "reading")?.parse().map_err(wrong)?;
        let (document, ways) = (self.document.clone(), self.ways(ways)?);
        Ok(move || {
            let read = document.with_readings(ways, vec![reading.clone()], Vec::new());
            Ok((read.map_err(|error| refused(error, "reading"))?, reading))
        })
    }

    fn ways(&self, ways: &AskedWays<'_>) -> Result<Ways, Failure> {
        ways_of(self.document.answer().asked().terms().ways, ways)
    }
}

/// The argument that a refused reading or comparison is about.
fn refused(error: ReadingError, argument: &'static str) -> Failure {
    match error {
        ReadingError::NoCredible => Failure::argument("interval_kind", error),
        ReadingError::RandomRecords => Failure::argument("about", error),
        error => Failure::argument(argument, error),
    }
}

/// Rows without the document that they were fitted to.
struct Fitted(Vec<FittedColumn>);

/// One column: its name, its values and the place of each row's value among them.
struct FittedColumn {
    name: String,
    values: Vec<String>,
    places: Vec<u16>,
}

impl Fitted {
    fn new(rows: &FittedRows<'_>) -> Self {
        let column = |(name, values, places): (&str, &[String], &[u16])| FittedColumn {
            name: name.to_owned(),
            values: values.to_vec(),
            places: places.to_vec(),
        };
        Self(rows.columns().map(column).collect())
    }

    /// A list of texts for each column. Each value is one object, however often it occurs.
    fn lists<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for column in &self.0 {
            let values: Vec<_> = column.values.iter().map(|value| PyString::new(py, value)).collect();
            let rows = column.places.iter().map(|&place| &values[usize::from(place)]);
            all.set_item(&column.name, PyList::new(py, rows)?)?;
        }
        Ok(all)
    }
}
