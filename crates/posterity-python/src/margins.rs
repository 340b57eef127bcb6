//! Tables of many columns, released together.

use std::sync::Arc;

use posterity::data::{Column, Domain, PerUnit, Question, Resources};
use posterity::document::GuaranteeStatement;
use posterity::meaning::{check_delta, warnings};
use posterity::plan::{declared_field, fields_of_sets, needed_fields};
use posterity::table::{SpaceColumn, Ways};
use posterity::text_file::read_text;
use posterity::{
    Contrast, FittedRows, MarginsData, MarginsDocument, MarginsPublisher, MarginsTerms, PlannedMargins,
    PublishError, Randomness, Reading, ReadingError, TablesOfSize, Which,
};
use posterity_advice::margins::MarginsAdviceError;
use posterity_plot::{PictureKind, TablePlot, render};
use posterity_present::readings::reading;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyMapping, PyString};
use serde::Serialize;

use crate::argument::{amount, items, path, text, whole};
use crate::call::Call;
use crate::data::{TakenTable, refuse};
use crate::error::Failure;
use crate::interrupt::{Watch, run};
use crate::json::{Document as Json, document};
use crate::panic::guarded;
use crate::published::{Class, Counted, Effort, Published, payer};
use crate::question::{labels, question, unit};
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
        let terms = terms(&call)?;
        let question = asked(&call, &terms)?;
        let payer = payer(&call)?;
        let (edition, name) = (call.text("edition")?, call.text("name")?);
        let publisher = MarginsPublisher::new(terms).allow_large_delta(call.truth("allow_large_delta")?);
        let planned = publisher.plan(question).map_err(Failure::from)?;
        planned.check().map_err(Failure::from)?;
        let data = TakenTable::new(&call, planned.question())?;
        let counted = Counted::new(py, payer, Effort::Large, move |randomness, watch| {
            let counting = Counting { data, name: name.as_deref(), edition: edition.as_deref() };
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
        let columns = match call.get("schema") {
            Some(schema) => {
                let declared = chosen(&call, &terms.which, schema_fields(&schema)?)?;
                let column = |(name, domain): (String, Domain)| SpaceColumn::new(name, domain.names());
                declared.into_iter().map(column).collect()
            }
            None => sizes(&call.need("columns")?)?.as_slice().to_vec(),
        };
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
        other => Failure::argument("margins", other),
    }
}

fn terms(call: &Call<'_>) -> Result<MarginsTerms, Failure> {
    let usual = MarginsTerms::new(which(call)?, call.epsilon()?, amount(&call.need("delta")?, "delta")?);
    let asked = [call.get("level"), None, call.get("about"), call.get("simultaneous")];
    Ok(MarginsTerms { adjacency: call.adjacency()?, ways: ways_of(usual.ways, &asked)?, ..usual })
}

/// Which tables: a number of columns, or a text.
fn which(call: &Call<'_>) -> Result<Which, Failure> {
    let given = call.need("margins")?;
    let wrong = |error| Failure::argument("margins", error);
    if given.is_instance_of::<PyString>() {
        return text(&given, "margins")?.parse().map_err(wrong);
    }
    whole(&given, "margins")?.to_string().parse().map_err(wrong)
}

/// What is asked of the records: of the columns that a schema declares, or of those that the arguments do.
fn asked(call: &Call<'_>, terms: &MarginsTerms) -> Result<Question, Failure> {
    refuse(
        call,
        &["within"],
        "a private filter cannot be used where tables of many columns are released; leave it out",
    )?;
    let Some(schema) = call.get("schema") else { return question(call, "file or table") };
    refuse(
        call,
        &["categories", "bins"],
        "the schema declares the values; leave it out, or leave out schema",
    )?;
    let declared = chosen(call, &terms.which, schema_fields(&schema)?)?;
    let names: Vec<String> = declared.iter().map(|(name, _)| name.clone()).collect();
    let labels = labels(call, "other", &names)?.into_iter().zip(labels(call, "missing", &names)?);
    let columns = declared.into_iter().zip(labels);
    let columns = columns.map(|((name, domain), (other, missing))| Column {
        other,
        missing,
        ..Column::of(name, domain)
    });
    let (unit, per_unit): (Option<String>, PerUnit) = unit(call)?;
    Ok(Question {
        filter: call.text("where")?,
        unit,
        per_unit,
        adjacency: terms.adjacency,
        ..Question::new(columns.collect())
    })
}

/// What a schema declares: that of a file, or one that was read already.
fn schema_fields(schema: &Bound<'_, PyAny>) -> Result<Vec<(String, Domain)>, Failure> {
    let wrong = |why: String| Failure::argument("schema", format!("the schema {why}"));
    let text = if schema.cast::<PyMapping>().is_ok() {
        let dumped = schema.py().import("json")?.call_method1("dumps", (schema,));
        let dumped = dumped
            .map_err(|_| wrong("is no JSON; give the path of a file, or what json.load returns".into()))?;
        dumped.extract::<String>()?
    } else {
        read_text(&path(schema, "schema")?).map_err(|error| Failure::argument("schema", error))?
    };
    needed_fields(&text).map_err(wrong)
}

/// The columns that are named, or else those of sets alone, or else all.
fn chosen(
    call: &Call<'_>,
    which: &Which,
    declared: Vec<(String, Domain)>,
) -> Result<Vec<(String, Domain)>, Failure> {
    let find = |name: &str| {
        let found = declared_field(&declared, name).map_err(|why| Failure::argument("column", why));
        found.map(|domain| (name.to_owned(), domain.clone()))
    };
    if let Some(column) = call.get("column") {
        if column.is_instance_of::<PyString>() {
            return Ok(vec![find(&text(&column, "column")?)?]);
        }
        let names = items(&column, "column")?;
        return names.iter().map(|name| find(&text(name, "column")?)).collect();
    }
    fields_of_sets(declared, which).map_err(|why| Failure::argument("margins", why))
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
            TakenTable::Columns(memory) => memory.checked(planned.question(), watch)?,
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

impl Class for posterity::Margins {
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
        ReadingError::NoCredible => Failure::argument("interval", error),
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
