//! Ledgers.

use std::path::PathBuf;

use posterity::document::DocumentError;
use posterity::ledger::{self, Head, NewAccount, UnitError, now_utc};
use posterity::meaning::{check_delta, delta_warning};
use posterity::verification::verify_document;
use posterity::{Publication, PublishError, Unit};
use pyo3::prelude::*;

use crate::argument::{Given, amount, named, path, text, truth};
use crate::error::Failure;
use crate::interrupt::run_alone;
use crate::json;
use crate::warning::warn;

/// A ledger file. It is opened anew for each call, so several processes can use it.
#[pyclass(frozen, module = "posterity._posterity")]
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
}

impl Ledger {
    fn read<'py, T: serde::Serialize + Send + 'static>(
        &self,
        py: Python<'py>,
        ask: impl FnOnce(&ledger::Ledger) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<Bound<'py, PyAny>> {
        let path = self.path.clone();
        let answer = run_alone(py, move |_| ask(&ledger::Ledger::open(path)?))?;
        json::object(py, &answer)
    }
}

#[pymethods]
impl Ledger {
    #[new]
    #[pyo3(signature = (path, *, create))]
    fn new(py: Python<'_>, path: &Bound<'_, PyAny>, create: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (path, create) = (self::path(path, "path")?, truth(create, "create")?);
        let file = path.clone();
        run_alone(py, move |_| {
            if create {
                ledger::Ledger::open_or_create(file)?
            } else {
                ledger::Ledger::open(file)?
            };
            Ok(())
        })?;
        Ok(Self { path })
    }

    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    #[pyo3(signature = (account, *, epsilon, delta, allow_large_delta, unit, adjacency, population, reason, adds_up))]
    #[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python method")]
    fn create_account<'py>(
        &self,
        py: Python<'py>,
        account: &Bound<'py, PyAny>,
        epsilon: &Bound<'py, PyAny>,
        delta: &Bound<'py, PyAny>,
        allow_large_delta: &Bound<'py, PyAny>,
        unit: &Bound<'py, PyAny>,
        adjacency: &Bound<'py, PyAny>,
        population: Given<'_, 'py>,
        reason: Given<'_, 'py>,
        adds_up: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let account = text(account, "account")?;
        let (epsilon, delta) = (amount(epsilon, "epsilon")?, amount(delta, "delta")?);
        check_delta(&delta, truth(allow_large_delta, "allow_large_delta")?)
            .map_err(PublishError::from)
            .map_err(Failure::from)?;
        let adjacency = named(adjacency, "adjacency")?;
        // What its epsilon means depends on how it is divided.
        let warning = delta_warning(delta.to_f64_shown(), None);
        warn(py, warning.as_slice())?;
        let mut new = NewAccount::new(account, epsilon, delta).unit(self::unit(unit)?);
        new = new.adjacency(adjacency);
        if let Some(population) = population {
            new = new.population(text(population, "population")?);
        }
        if let Some(reason) = reason {
            new = new.reason(text(reason, "reason")?);
        }
        if truth(adds_up, "adds_up")? {
            new = new.adds_up();
        }
        let path = self.path.clone();
        let created = run_alone(py, move |watch| {
            let mut ledger = ledger::Ledger::open(path)?;
            watch.commit();
            Ok(ledger.open_account(&new, &now_utc())?)
        })?;
        json::object(py, &created)
    }

    #[pyo3(signature = (account, *, unit, population))]
    fn decide_unit<'py>(
        &self,
        py: Python<'py>,
        account: &Bound<'py, PyAny>,
        unit: &Bound<'py, PyAny>,
        population: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (account, unit) = (text(account, "account")?, self::unit(unit)?);
        let population = population.map(|population| text(population, "population")).transpose()?;
        let path = self.path.clone();
        let decided = run_alone(py, move |watch| {
            let mut ledger = ledger::Ledger::open(path)?;
            watch.commit();
            Ok(ledger.decide_unit(&account, &unit, population.as_deref(), &now_utc())?)
        })?;
        json::object(py, &decided)
    }

    fn releases_of(
        &self,
        py: Python<'_>,
        account: &Bound<'_, PyAny>,
        epsilon: &Bound<'_, PyAny>,
    ) -> PyResult<u64> {
        let (account, epsilon) = (text(account, "account")?, amount(epsilon, "epsilon")?);
        let path = self.path.clone();
        run_alone(py, move |_| Ok(ledger::Ledger::open(path)?.account(&account)?.releases_of(&epsilon)))
    }

    fn check<'py>(&self, py: Python<'py>, document: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let document = text(document, "document")?;
        self.read(py, move |ledger| Ok(verify_document(&document)?.by_ledger(ledger)?))
    }

    fn accounts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, |ledger| Ok(ledger.accounts()?))
    }

    fn account<'py>(&self, py: Python<'py>, account: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let account = text(account, "account")?;
        self.read(py, move |ledger| Ok(ledger.account(&account)?))
    }

    fn history<'py>(&self, py: Python<'py>, account: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let account = text(account, "account")?;
        self.read(py, move |ledger| Ok(ledger.history(&account)?))
    }

    /// The documents that were recorded for an account, read as is usual.
    fn documents<'py>(&self, py: Python<'py>, account: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let account = text(account, "account")?;
        self.read(py, move |ledger| {
            ledger.verify()?;
            let mut documents = Vec::new();
            for line in ledger.history(&account)? {
                if let Some(stored) = ledger.release_at(line.entry)? {
                    let unreadable = |error: DocumentError| Failure::argument("account", error);
                    documents.extend(Publication::recorded(&stored).map_err(unreadable)?);
                }
            }
            Ok(documents)
        })
    }

    fn export<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, |ledger| Ok(ledger.export()?))
    }

    #[pyo3(signature = (head))]
    fn verify(&self, py: Python<'_>, head: Given<'_, '_>) -> PyResult<String> {
        let noted: Option<Head> =
            head.map(|head| text(head, "head")?.parse().map_err(Failure::Head)).transpose()?;
        let path = self.path.clone();
        run_alone(py, move |_| {
            let ledger = ledger::Ledger::open(path)?;
            let verified = match &noted {
                Some(noted) => ledger.verify_against(noted)?,
                None => ledger.verify()?,
            };
            Ok(verified.head.to_string())
        })
    }
}

/// The file of a ledger: an object, or a path.
pub(crate) fn ledger_file(given: &Bound<'_, PyAny>) -> Result<PathBuf, Failure> {
    match given.cast::<Ledger>() {
        Ok(ledger) => Ok(ledger.get().path.clone()),
        Err(_) => path(given, "ledger"),
    }
}

fn unit(value: &Bound<'_, PyAny>) -> Result<Unit, Failure> {
    let unit = text(value, "unit")?.parse();
    unit.map_err(|error: UnitError| Failure::argument("unit", error))
}
