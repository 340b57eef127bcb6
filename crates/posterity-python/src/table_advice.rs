//! Advice for tables.

use posterity::{Document, Reading};
use posterity_advice::design::{ColumnShape, Columns, DesignError, Table};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::argument::{items, numbers, path, text, whole};
use crate::call::{Call, several};
use crate::error::Failure;
use crate::interrupt::run;
use crate::json::{Document as Json, document};
use crate::panic::guarded;
use crate::release::Release;

/// Which releases to make of a table.
#[pyfunction]
pub(crate) fn advise_table<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Json<'py>> {
    guarded(|| {
        let (table, epsilon) = (table(&call)?, call.epsilon()?);
        let found = run(py, move |watch| {
            Ok(posterity_advice::design::advise_table(&table, &epsilon, &|_| watch.tick())?)
        })?;
        document(py, &found)
    })
}

/// The least epsilon for the readings of a table.
#[pyfunction]
pub(crate) fn least_table_epsilon<'py>(py: Python<'py>, call: Call<'py>) -> PyResult<Json<'py>> {
    guarded(|| {
        let (table, half_width) = (table(&call)?, call.number("half_width")?);
        let found = run(py, move |watch| {
            Ok(posterity_advice::design::least_table_epsilon(&table, half_width, false, &|_| watch.tick())?)
        })?;
        document(py, &found)
    })
}

fn table(call: &Call<'_>) -> Result<Table, Failure> {
    let columns = sizes(&call.need("columns")?)?;
    let readings: Vec<Reading> = call.read("read", several)?.unwrap_or_default();
    let mut table =
        Table::new(columns, readings, call.whole("n")?)?.with_level(call.level()?)?.under(call.adjacency()?);
    let mut shape = call.read("shape", shapes)?.unwrap_or_default();
    if let Some(earlier) = call.read("shape_from", released)? {
        let shapes = ColumnShape::of_release(&earlier, table.columns(), &shape);
        shape.extend(shapes.map_err(|error| Failure::argument("shape_from", error))?);
    }
    for shape in shape {
        table = table.with_shape(shape).map_err(|error| Failure::argument("shape", error))?;
    }
    Ok(table)
}

/// The document of a release, or of one in a file.
fn released(given: &Bound<'_, PyAny>, name: &'static str) -> Result<Document, Failure> {
    match given.cast::<Release>() {
        Ok(release) => Ok(release.get().published().clone()),
        Err(_) => Document::load(&path(given, name)?).map_err(|error| Failure::argument(name, error)),
    }
}

/// A dict from columns to the shares of their values.
fn shapes(given: &Bound<'_, PyAny>, name: &'static str) -> Result<Vec<ColumnShape>, Failure> {
    let wrong =
        |_| Failure::argument(name, "with columns this is a dict, such as {\"ward\": [0.3, 0.2, 0.5]}");
    let one = |(column, parts): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        Ok(ColumnShape::new(text(&column, name)?, numbers(&parts, name)?)?)
    };
    given.cast::<PyDict>().map_err(wrong)?.iter().map(one).collect()
}

/// Numbers of values: text as for the command, a list of numbers, or a dict from names to numbers.
pub(crate) fn sizes(given: &Bound<'_, PyAny>) -> Result<Columns, Failure> {
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

impl From<DesignError> for Failure {
    fn from(error: DesignError) -> Self {
        match error.argument() {
            Some(argument) => Self::argument(argument, error),
            None => Self::Design(error),
        }
    }
}
