//! Tables of many columns, released together.

use std::sync::Arc;

use posterity::data::Resources;
use posterity::document::GuaranteeStatement;
use posterity::document::Kind;
use posterity::margins::{
    FittedRows, MarginsData, MarginsDocument, MarginsTerms, PlannedMargins, TablesOfSize, Which,
};
use posterity::meaning::{check_delta, warnings};
use posterity::plan::fields_of_sets;
use posterity::table::SpaceColumn;
use posterity::{Contrast, Contrasted, PublishError, Randomness, Reading, ReadingTable};
use posterity_advice::margins::MarginsAdviceError;
use posterity_present::argument::columns_of_schema;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::Serialize;

use crate::argument::{Given, amount, named, text, whole};
use crate::asked::{CallAsks, NO_QUESTION};
use crate::call::Call;
use crate::data::TakenTable;
use crate::error::{Failure, WORDS};
use crate::interrupt::{Watch, run};
use crate::json;
use crate::json::{Document as Json, document};
use crate::node::schema;
use crate::panic::guarded;
use crate::posterior::Posterior;
use crate::published::{Class, Counted, Effort, How, Published, payer, refuse_draws, refused};
use crate::table_advice::sizes;
use crate::warning::warn;
use crate::ways::ways_of;

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
        let CallAsks { call, offered, plan, shown } = CallAsks::new::<posterity::margins::Margins>(call)?;
        let planned = plan.all::<PlannedMargins>().next().ok_or(NO_QUESTION)?.clone();
        let payer = payer(&call)?;
        planned.check().map_err(Failure::from)?;
        let data = offered.take_table(&plan, &plan.needed(), shown)?;
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
            TakenTable::Files(source, shown) => {
                let (resources, progress) = (Resources::default(), |_| watch.progress());
                let read = planned.count(&source, self.edition, randomness, &resources, &progress)?;
                return Ok(shown.iter().fold(read, |read, name| read.shown_as(name)));
            }
            TakenTable::Columns(memory) => memory.checked(watch)?,
        };
        let (resources, progress) = (Resources::default(), |_| watch.progress());
        let bits = &mut *randomness.bits_of_data();
        let counted =
            memory.count_margins(planned.question(), &planned.sets(), bits, &resources, &progress)?;
        let data = planned.counted(counted, self.name, self.edition, randomness);
        data.map_err(|error| Failure::argument("name", error))
    }
}

#[pymethods]
impl Margins {
    /// The posterior of each number of a reading; of the first column if none is given.
    fn posterior(
        &self,
        py: Python<'_>,
        reading: Given<'_, '_>,
        draws: Given<'_, '_>,
        seed: Given<'_, '_>,
    ) -> PyResult<Posterior> {
        refuse_draws([draws.is_some(), seed.is_some()], <posterity::margins::Margins as Kind>::TITLE)?;
        let reading: Option<Reading> = reading.map(|reading| named(reading, "reading")).transpose()?;
        let document = self.document.clone();
        run(py, move |_| {
            let first = || document.answer().usual_readings().into_iter().next();
            let reading = reading.or_else(first);
            let reading =
                reading.ok_or_else(|| Failure::argument("reading", "say what to read, such as a column"))?;
            let rows = document.answer().posteriors(&reading).map_err(|error| refused(error, "reading"))?;
            Ok(Posterior::new(reading.to_string(), rows, true))
        })
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

    /// The first readings, which are those of single columns unless others were asked for.
    fn table(document: &MarginsDocument, reading: &Reading, how: &How) -> Result<ReadingTable, Failure> {
        how.refuse_draws(Self::TITLE)?;
        let read = document.with_readings(how.ways, vec![reading.clone()], Vec::new());
        let read = read.map_err(|error| refused(error, "reading"))?;
        read.answer().read(reading).map_err(|error| refused(error, "reading"))
    }

    fn contrast(document: &MarginsDocument, contrast: &Contrast, how: &How) -> Result<Contrasted, Failure> {
        how.refuse_draws(Self::TITLE)?;
        let read = document.with_readings(how.ways, Vec::new(), vec![contrast.clone()]);
        let read = read.map_err(|error| refused(error, "comparison"))?;
        read.answer().contrast(contrast).map_err(|error| refused(error, "comparison"))
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
