//! What is published, whatever it holds: a document with what was paid for it.
//!
//! A kind of documents has a class for Python, which says with [`Class`] what is special about it; all else is here.

use std::collections::BTreeMap;
use std::sync::Arc;

use posterity::discovery::Discovered;
use posterity::document::{Document, Kind};
use posterity::margins::Margins;
use posterity::paying::{LedgerAccount, Till};
use posterity::plan::Plan;
use posterity::table::Ways;
use posterity::{
    Contrast, Contrasted, Payment, Publication, Randomness, Reading, ReadingError, ReadingTable, Table,
};
use posterity_plot::{PictureKind, PlotFormat, TablePlot, render};
use posterity_present::{Sheet, aligned_text, first_tables, state};
use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::argument::{Given, named, path, text, whole};
use crate::call::Call;
use crate::error::Failure;
use crate::interrupt::{Watch, run, run_small};
use crate::ledger::ledger_file;
use crate::panic::guarded;
use crate::ways::{AskedWays, ways_of};
use crate::{html, json, picture};

/// A document with what was paid for it.
#[pyclass(frozen, subclass, module = "posterity._posterity")]
pub(crate) struct Published {
    document: Arc<dyn Paper>,
    payment: Payment,
    /// The plan in JSON, if it was asked for by a call.
    plan: Option<String>,
}

/// A kind of documents, as Python sees it.
pub(crate) trait Class: Kind + Send + Sync + 'static {
    /// The class of its objects.
    type Object: PyClass<BaseType = Published>;

    /// The class that reads such a document.
    const NAME: &'static str;

    /// The object of a document.
    fn object(document: Arc<Document<Self>>) -> Self::Object;

    /// What a document says, as a program asks for it, in JSON.
    fn facts(document: &Document<Self>) -> Result<String, Failure>;

    /// A table of shares, means or counts.
    fn table(document: &Document<Self>, reading: &Reading, how: &How) -> Result<ReadingTable, Failure>;

    /// A comparison.
    fn contrast(document: &Document<Self>, contrast: &Contrast, how: &How) -> Result<Contrasted, Failure>;

    /// A picture of a reading, or of what is most often looked at.
    fn picture(
        document: &Document<Self>,
        reading: Option<&Reading>,
        kind: Option<PictureKind>,
        format: PlotFormat,
        how: &How,
    ) -> Result<Vec<u8>, Failure>
    where
        Publication: From<Document<Self>>,
    {
        if kind.is_some_and(|kind| kind != PictureKind::Forest) {
            let why = format!("{} are drawn as a forest of intervals; leave this out", Self::TITLE);
            return Err(Failure::argument("kind", why));
        }
        let table = match reading {
            Some(reading) => Self::table(document, reading, how)?,
            None => Self::looked_at(document, how)?,
        };
        let picture = TablePlot::new(document, &table, PictureKind::Forest)?;
        Ok(render(&picture, format, "the picture")?)
    }

    /// What is most often looked at.
    fn looked_at(document: &Document<Self>, how: &How) -> Result<ReadingTable, Failure> {
        let first = document.answer().pictured().first().cloned();
        let first =
            first.ok_or_else(|| Failure::argument("reading", "say what to draw, such as a column"))?;
        if how.ways == document.answer().ways() {
            return Ok(first);
        }
        Self::table(document, &first.reading, how)
    }

    /// How long it takes to say what a document holds.
    fn effort(_document: &Document<Self>) -> Effort {
        Effort::None
    }
}

/// How a call wants something to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// The intervals.
    pub(crate) ways: Ways,
    /// How many draws are made where there is no exact method, if the call says it.
    pub(crate) draws: Option<u64>,
    /// The seed of these draws, if the call says it.
    pub(crate) seed: Option<u64>,
}

/// Refuses a number of draws and their seed for documents whose draws are fixed, if one of them was given.
pub(crate) fn refuse_draws(given: [bool; 2], title: &str) -> Result<(), Failure> {
    match ["draws", "seed"].into_iter().zip(given).find(|(_, given)| *given) {
        None => Ok(()),
        Some((argument, _)) => {
            Err(Failure::argument(argument, format!("this has no meaning for {title}; leave it out")))
        }
    }
}

impl How {
    fn new(
        usual: Ways,
        ways: &AskedWays<'_>,
        draws: Given<'_, '_>,
        seed: Given<'_, '_>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            ways: ways_of(usual, ways)?,
            draws: draws.map(|draws| whole(draws, "draws")).transpose()?,
            seed: seed.map(|seed| whole(seed, "seed")).transpose()?,
        })
    }

    /// Refuses arguments of draws for documents whose draws are fixed.
    pub(crate) fn refuse_draws(&self, title: &str) -> Result<(), Failure> {
        refuse_draws([self.draws.is_some(), self.seed.is_some()], title)
    }
}

/// The argument that a refused reading or comparison is about.
pub(crate) fn refused(error: ReadingError, argument: &'static str) -> Failure {
    match error {
        ReadingError::NoCredible => Failure::argument("interval_kind", error),
        ReadingError::RandomRecords => Failure::argument("about", error),
        ReadingError::UnknownColumn { .. }
        | ReadingError::UnknownValue { .. }
        | ReadingError::NotDiscovered { .. } => Failure::Unknown { argument, why: error.to_string() },
        error => Failure::argument(argument, error),
    }
}

/// How long something takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// It is known.
    None,
    /// It is certainly over soon.
    Small,
    /// It may take long.
    Large,
}

impl Effort {
    /// Does work of this effort, without the interpreter if it takes time.
    pub(crate) fn run<T: Send + 'static>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&Watch) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        match self {
            Self::None => Ok(work(&Watch::default())?),
            Self::Small => run_small(py, work),
            Self::Large => run(py, work),
        }
    }
}

/// A document of any kind.
trait Paper: Send + Sync {
    fn effort(&self) -> Effort;
    fn text(&self) -> Result<String, Failure>;
    fn facts(&self) -> Result<String, Failure>;
    fn state(&self, payment: &Payment) -> Result<String, Failure>;
    fn html(&self) -> String;
    fn lines(&self) -> String;
    fn ways(&self) -> Ways;
    fn read(&self, reading: &Reading, how: &How) -> Result<ReadingTable, Failure>;
    fn contrast(&self, contrast: &Contrast, how: &How) -> Result<Contrasted, Failure>;
    fn picture(
        &self,
        reading: Option<&Reading>,
        kind: Option<PictureKind>,
        format: PlotFormat,
        how: &How,
    ) -> Result<Vec<u8>, Failure>;
}

impl<K: Class> Paper for Document<K>
where
    Publication: From<Self>,
{
    fn effort(&self) -> Effort {
        K::effort(self)
    }

    fn text(&self) -> Result<String, Failure> {
        json::text(self)
    }

    fn facts(&self) -> Result<String, Failure> {
        K::facts(self)
    }

    fn state(&self, payment: &Payment) -> Result<String, Failure> {
        Ok(state::store(self, payment)?)
    }

    fn html(&self) -> String {
        let mut page = String::new();
        let below = first_tables(&self.clone().into(), &mut |sheet, most| page += &html::table(sheet, most));
        page + &html::sentences(&below)
    }

    fn lines(&self) -> String {
        let mut parts = Vec::new();
        let show = &mut |sheet: Sheet<'_>, most| parts.push(aligned_text(sheet, most));
        let below = first_tables(&self.clone().into(), show);
        parts.push(below.join("\n"));
        parts.retain(|part| !part.is_empty());
        parts.join("\n")
    }

    fn ways(&self) -> Ways {
        self.answer().ways()
    }

    fn read(&self, reading: &Reading, how: &How) -> Result<ReadingTable, Failure> {
        K::table(self, reading, how)
    }

    fn contrast(&self, contrast: &Contrast, how: &How) -> Result<Contrasted, Failure> {
        K::contrast(self, contrast, how)
    }

    fn picture(
        &self,
        reading: Option<&Reading>,
        kind: Option<PictureKind>,
        format: PlotFormat,
        how: &How,
    ) -> Result<Vec<u8>, Failure> {
        K::picture(self, reading, kind, format, how)
    }
}

/// The object of a document and of what was paid for it.
pub(crate) fn object<K: Class>(
    py: Python<'_>,
    document: Document<K>,
    payment: Payment,
    plan: Option<String>,
) -> PyResult<Bound<'_, K::Object>>
where
    Publication: From<Document<K>>,
{
    let document = Arc::new(document);
    let published = Published { document: document.clone(), payment, plan };
    Bound::new(py, PyClassInitializer::from(published).add_subclass(K::object(document)))
}

/// The object of a document of any kind, by the list of kinds.
pub(crate) fn any_object(
    py: Python<'_>,
    document: Publication,
    payment: Payment,
    plan: Option<String>,
) -> PyResult<Bound<'_, PyAny>> {
    Ok(match document {
        Publication::Table(document) => object(py, *document, payment, plan)?.into_any(),
        Publication::Margins(document) => object(py, *document, payment, plan)?.into_any(),
        Publication::Discovered(document) => object(py, *document, payment, plan)?.into_any(),
        _ => return Err(Failure::Internal { what: "this kind of document has no class" }.into()),
    })
}

/// The class that reads a document.
fn class_of(document: &Publication) -> &'static str {
    match document {
        Publication::Table(_) => <Table as Class>::NAME,
        Publication::Margins(_) => <Margins as Class>::NAME,
        Publication::Discovered(_) => <Discovered as Class>::NAME,
        _ => "a newer version",
    }
}

/// The object that a text of [`Published::state`] stands for.
#[pyfunction]
#[pyo3(signature = (state, plan=None))]
pub(crate) fn restore<'py>(
    py: Python<'py>,
    state: &str,
    plan: Option<String>,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let (document, payment) = state::restore::<Publication>(state).map_err(Failure::from)?;
        any_object(py, document, payment, plan)
    })
}

/// The object of the document in a file, which a class of this name reads; any class if none is named.
#[pyfunction]
#[pyo3(signature = (file, name=None))]
pub(crate) fn load<'py>(
    py: Python<'py>,
    file: &Bound<'py, PyAny>,
    name: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let path = path(file, "path")?;
        let document =
            run(py, move |_| Publication::load(&path).map_err(|error| Failure::argument("path", error)))?;
        of_class(py, document, name, ("path", "load"))
    })
}

/// The same of the text of a document.
#[pyfunction]
#[pyo3(signature = (json, name=None))]
pub(crate) fn from_json<'py>(
    py: Python<'py>,
    json: &Bound<'py, PyAny>,
    name: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| {
        let given = text(json, "text")?;
        let document = run(py, move |_| {
            Publication::parse(given.as_bytes(), "this text")
                .map_err(|error| Failure::argument("text", error))
        })?;
        of_class(py, document, name, ("text", "from_json"))
    })
}

/// The object of a document, if it is of the class that reads it.
fn of_class<'py>(
    py: Python<'py>,
    document: Publication,
    name: Option<&str>,
    (argument, method): (&'static str, &str),
) -> PyResult<Bound<'py, PyAny>> {
    let of = class_of(&document);
    if name.is_some_and(|name| of != name) {
        let what = document.title();
        let why = format!("this is a document of another kind ({what}); read it with {of}.{method}");
        return Err(Failure::argument(argument, why).into());
    }
    any_object(py, document, Payment::Nothing, None)
}

/// Counted data, and who pays for the answer.
pub(crate) struct Counted<C> {
    data: C,
    till: Till,
    plan: String,
    effort: Effort,
}

impl<C: Send + 'static> Counted<C> {
    /// Opens the ledger of whoever pays, and counts.
    pub(crate) fn new(
        py: Python<'_>,
        plan: &Plan,
        (seed, payer): (Option<u64>, Option<LedgerAccount>),
        effort: Effort,
        count: impl FnOnce(Randomness, &Watch) -> Result<C, Failure> + Send + 'static,
    ) -> PyResult<Self> {
        let plan = plan.node().to_json();
        effort.run(py, move |watch| {
            let till = Till::open(seed, payer)?;
            let data = count(till.randomness(), watch)?;
            watch.tick();
            Ok(Self { data, till, plan, effort })
        })
    }

    /// What was counted.
    pub(crate) fn data(&self) -> &C {
        &self.data
    }

    /// Charges, draws and records what is asked of the data.
    pub(crate) fn answer<K: Class>(
        self,
        py: Python<'_>,
        answer: impl FnOnce(C, &mut Till, &Watch) -> Result<(Document<K>, Payment), Failure> + Send + 'static,
    ) -> PyResult<Bound<'_, K::Object>>
    where
        Publication: From<Document<K>>,
    {
        let Self { data, mut till, plan, effort } = self;
        let (document, payment) = effort.run(py, move |watch| answer(data, &mut till, watch))?;
        object(py, document, payment, Some(plan))
    }
}

/// The seed, or the ledger with the account of the budget and the key that signs, as far as they are given.
pub(crate) fn payer(call: &Call<'_>) -> Result<(Option<u64>, Option<LedgerAccount>), Failure> {
    let (seed, again, key) = (call.seed()?, call.truth("again")?, call.key("sign")?);
    let Some(ledger) = call.get("ledger") else {
        if call.get("account").is_some() {
            return Err(Failure::argument("ledger", "say which ledger the account is in"));
        }
        if again {
            return Err(Failure::argument("again", "this is for a budget; leave it out"));
        }
        if key.is_some() {
            return Err(Failure::argument(
                "sign",
                "what nobody charged is not signed; give a budget, or leave it out",
            ));
        }
        return Ok((seed, None));
    };
    let ledger = ledger_file(&ledger)?;
    let account = text(&call.need("account")?, "account")?;
    Ok((seed, Some(LedgerAccount { ledger, account, again, key })))
}

#[pymethods]
impl Published {
    /// All that is needed to make it again.
    fn state(&self, py: Python<'_>) -> PyResult<String> {
        let payment = self.payment.clone();
        self.read(py, move |document| document.state(&payment))
    }

    /// The plan in JSON.
    #[getter]
    fn plan(&self) -> Option<&str> {
        self.plan.as_deref()
    }

    /// The document as it is printed.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |document| document.text())
    }

    /// The document as Python objects.
    fn document<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::parsed(py, &self.json(py)?)
    }

    /// What the document says, as a program asks for it, as Python objects.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::parsed(py, &self.read(py, |document| document.facts())?)
    }

    /// The first numbers as tables of a page.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |document| Ok(document.html()))
    }

    /// The first numbers as lines of text.
    fn shown(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |document| Ok(document.lines()))
    }

    /// A reading as Python objects.
    #[pyo3(signature = (reading, *, ways, draws, seed))]
    fn table<'py>(
        &self,
        py: Python<'py>,
        reading: &Bound<'py, PyAny>,
        ways: AskedWays<'py>,
        draws: Given<'_, 'py>,
        seed: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let reading: Reading = named(reading, "reading")?;
        let (document, how) = (self.document.clone(), self.how(&ways, draws, seed)?);
        let table = run(py, move |_| document.read(&reading, &how))?;
        json::object(py, &table)
    }

    /// A comparison as Python objects.
    #[pyo3(signature = (comparison, *, ways, draws, seed))]
    fn contrast<'py>(
        &self,
        py: Python<'py>,
        comparison: &Bound<'py, PyAny>,
        ways: AskedWays<'py>,
        draws: Given<'_, 'py>,
        seed: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let contrast: Contrast = named(comparison, "comparison")?;
        let (document, how) = (self.document.clone(), self.how(&ways, draws, seed)?);
        let found = run(py, move |_| document.contrast(&contrast, &how))?;
        json::object(py, &found)
    }

    /// The picture of a reading as the bytes of a file.
    #[pyo3(signature = (reading, *, kind, format, ways, draws, seed))]
    #[allow(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        reading: Given<'_, 'py>,
        kind: Given<'_, 'py>,
        format: &Bound<'py, PyAny>,
        ways: AskedWays<'py>,
        draws: Given<'_, 'py>,
        seed: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let reading: Option<Reading> = reading.map(|reading| named(reading, "reading")).transpose()?;
        let kind = kind.map(|name| picture::kind(&text(name, "kind")?)).transpose()?;
        let format = picture::format(&text(format, "path")?)?;
        let (document, how) = (self.document.clone(), self.how(&ways, draws, seed)?);
        let drawn = run(py, move |_| document.picture(reading.as_ref(), kind, format, &how))?;
        Ok(PyBytes::new(py, &drawn))
    }

    /// What was charged, by name, and the epsilon that was left.
    #[getter]
    fn charged(&self) -> Option<BTreeMap<&'static str, String>> {
        let charged = match &self.payment {
            Payment::Charged { epsilon, delta, remaining } => {
                vec![("epsilon", epsilon), ("delta", delta), ("remaining", remaining)]
            }
            Payment::ChargedRho { rho, remaining, .. } => vec![("rho", rho), ("remaining", remaining)],
            Payment::Nothing | Payment::Recalled { .. } => return None,
        };
        Some(charged.into_iter().map(|(name, amount)| (name, amount.to_string())).collect())
    }

    #[getter]
    fn recalled(&self) -> bool {
        matches!(self.payment, Payment::Recalled { .. })
    }
}

impl Published {
    fn how(&self, ways: &AskedWays<'_>, draws: Given<'_, '_>, seed: Given<'_, '_>) -> Result<How, Failure> {
        How::new(self.document.ways(), ways, draws, seed)
    }

    /// What the document says. What is not computed yet is computed without the interpreter.
    fn read<T: Send + 'static>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&dyn Paper) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let document = self.document.clone();
        self.document.effort().run(py, move |_| read(&*document))
    }
}
