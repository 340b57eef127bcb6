//! Ledgers.

use std::path::PathBuf;

use posterity::ledger::{self, Head, now_utc};
use pyo3::prelude::*;

use crate::argument::{Given, amount, path, text, truth};
use crate::error::Failure;
use crate::interrupt::run_alone;
use crate::json;

/// A ledger file. It is opened anew for each call, so several processes can use it.
#[pyclass(frozen, module = "posterity._posterity")]
#[derive(Debug)]
pub(crate) struct Ledger {
    path: PathBuf,
}

impl Ledger {
    /// The file.
    pub(crate) fn file(&self) -> &PathBuf {
        &self.path
    }

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

    #[pyo3(signature = (account, *, epsilon, delta))]
    fn create_account<'py>(
        &self,
        py: Python<'py>,
        account: &Bound<'py, PyAny>,
        epsilon: &Bound<'py, PyAny>,
        delta: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let account = text(account, "account")?;
        let (epsilon, delta) = (amount(epsilon, "epsilon")?, amount(delta, "delta")?);
        let path = self.path.clone();
        let created = run_alone(py, move |watch| {
            let mut ledger = ledger::Ledger::open(path)?;
            watch.commit();
            Ok(ledger.create_account(&account, &epsilon, &delta, &now_utc())?)
        })?;
        json::object(py, &created)
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
