//! Advice for tables.

use posterity::Reading;
use posterity_advice::design::{Columns, DesignError, Table};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::argument::{Given, epsilon, items, level, number, shape, text, whole};
use crate::error::Failure;
use crate::interrupt::run;
use crate::json::{Document, document};
use crate::panic::guarded;

/// Which releases to make of a table.
#[pyfunction]
#[pyo3(signature = (*, columns, read, n, epsilon, prior, shape, level))]
#[allow(clippy::too_many_arguments, reason = "the arguments of the command")]
pub(crate) fn advise_table<'py>(
    py: Python<'py>,
    columns: &Bound<'py, PyAny>,
    read: Given<'_, 'py>,
    n: &Bound<'py, PyAny>,
    epsilon: &Bound<'py, PyAny>,
    prior: Given<'_, 'py>,
    shape: Given<'_, 'py>,
    level: &Bound<'py, PyAny>,
) -> PyResult<Document<'py>> {
    guarded(|| {
        let table = table(columns, read, n, prior, shape, level)?;
        let epsilon = self::epsilon(epsilon)?;
        let found = run(py, move |watch| {
            Ok(posterity_advice::design::advise_table(&table, &epsilon, &|_| watch.tick())?)
        })?;
        document(py, &found)
    })
}

/// The least epsilon for the readings of a table.
#[pyfunction]
#[pyo3(signature = (*, columns, read, n, half_width, prior, shape, level))]
#[allow(clippy::too_many_arguments, reason = "the arguments of the command")]
pub(crate) fn least_table_epsilon<'py>(
    py: Python<'py>,
    columns: &Bound<'py, PyAny>,
    read: Given<'_, 'py>,
    n: &Bound<'py, PyAny>,
    half_width: &Bound<'py, PyAny>,
    prior: Given<'_, 'py>,
    shape: Given<'_, 'py>,
    level: &Bound<'py, PyAny>,
) -> PyResult<Document<'py>> {
    guarded(|| {
        let table = table(columns, read, n, prior, shape, level)?;
        let half_width = number(half_width, "half_width")?;
        let found = run(py, move |watch| {
            Ok(posterity_advice::design::least_table_epsilon(&table, half_width, false, &|_| watch.tick())?)
        })?;
        document(py, &found)
    })
}

fn table(
    columns: &Bound<'_, PyAny>,
    read: Given<'_, '_>,
    n: &Bound<'_, PyAny>,
    prior: Given<'_, '_>,
    shape_given: Given<'_, '_>,
    level_given: &Bound<'_, PyAny>,
) -> Result<Table, Failure> {
    let columns = sizes(columns)?;
    let readings = readings(read)?;
    let mut table = Table::new(columns, readings, whole(n, "n")?)?.with_level(level(level_given)?)?;
    if let Some(prior) = prior {
        table = table.with_prior(number(prior, "prior")?)?;
    }
    match shape(shape_given)? {
        Some(shape) => Ok(table.with_shape(shape)?),
        None => Ok(table),
    }
}

/// Numbers of values: text as for the command, a list of numbers, or a dict from names to numbers.
fn sizes(given: &Bound<'_, PyAny>) -> Result<Columns, Failure> {
    let size = |value: &Bound<'_, PyAny>| {
        Ok::<_, Failure>(usize::try_from(whole(value, "columns")?).unwrap_or(usize::MAX))
    };
    if given.is_instance_of::<PyString>() {
        return Ok(text(given, "columns")?.parse::<Columns>()?);
    }
    let sizes = match given.cast::<PyDict>() {
        Ok(named) => {
            let one = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
                Ok((Some(text(&name, "columns")?), size(&value)?))
            };
            named.iter().map(one).collect::<Result<Vec<_>, Failure>>()?
        }
        Err(_) => {
            let one = |value: &Bound<'_, PyAny>| Ok((None, size(value)?));
            items(given, "columns")?.iter().map(one).collect::<Result<Vec<_>, Failure>>()?
        }
    };
    Ok(Columns::numbered(sizes)?)
}

/// One reading, or a list of readings.
fn readings(given: Given<'_, '_>) -> Result<Vec<Reading>, Failure> {
    let Some(given) = given else { return Ok(Vec::new()) };
    let one = |value: &Bound<'_, PyAny>| {
        text(value, "read")?.parse::<Reading>().map_err(|error| Failure::argument("read", error))
    };
    if given.is_instance_of::<PyString>() {
        return Ok(vec![one(given)?]);
    }
    items(given, "read")?.iter().map(one).collect()
}

impl From<DesignError> for Failure {
    fn from(error: DesignError) -> Self {
        let argument = match &error {
            DesignError::CellPrior { .. } | DesignError::CellPriors { .. } | DesignError::Prior(_) => "prior",
            DesignError::Shape { .. } => "shape",
            DesignError::HalfWidth { .. } => "half_width",
            DesignError::Mean { .. } | DesignError::Reading(_) | DesignError::Cells { .. } => "read",
            DesignError::Records(_) | DesignError::Counts(_) => "n",
            DesignError::Epsilon(_) => "epsilon",
            DesignError::Level(_) => "level",
            DesignError::NoColumns
            | DesignError::Column { .. }
            | DesignError::Columns { .. }
            | DesignError::Repeated { .. } => "columns",
            _ => return Self::Design(error),
        };
        Self::argument(argument, error)
    }
}
