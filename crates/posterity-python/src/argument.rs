//! Converts one Python value of any type to a checked value. All errors name the argument in the same way.

use std::path::PathBuf;

use posterity::Amount;
use posterity_core::model::interval_level;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt, PyList, PyString, PyType};

use crate::error::Failure;

/// An argument that was given, or `None`.
pub(crate) type Given<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

const NOT_A_NUMBER: &str = "this is not a number; write it like 0.5 or 1e-8";

/// Text.
pub(crate) fn text(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<String, Failure> {
    let wrong = || Failure::argument(argument, "this is not text; give a str");
    value.cast::<PyString>().map_err(|_| wrong())?.extract().map_err(|_| wrong())
}

/// A path: text, or something that has one.
pub(crate) fn path(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<PathBuf, Failure> {
    value
        .extract()
        .map_err(|_| Failure::argument(argument, "this is not a path; give a str or a pathlib.Path"))
}

/// A finite or infinite number, but no truth value.
pub(crate) fn number(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<f64, Failure> {
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyString>() {
        return Err(Failure::argument(argument, NOT_A_NUMBER));
    }
    value.extract().map_err(|_| Failure::argument(argument, NOT_A_NUMBER))
}

/// A whole number of zero or more.
pub(crate) fn whole(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<u64, Failure> {
    let wrong = || Failure::argument(argument, "this is not a whole number of zero or more below 2**64");
    if value.is_instance_of::<PyBool>() {
        return Err(wrong());
    }
    value.extract().map_err(|_| wrong())
}

/// A truth value.
pub(crate) fn truth(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<bool, Failure> {
    value.extract().map_err(|_| Failure::argument(argument, "this is neither True nor False"))
}

/// A decimal number, read by its printed form: 0.1 is exactly one tenth, as it is for the command.
pub(crate) fn decimal(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<String, Failure> {
    if value.is_instance_of::<PyString>() {
        return text(value, argument);
    }
    if value.is_exact_instance_of::<PyFloat>() || value.is_exact_instance_of::<PyInt>() {
        return Ok(number(value, argument)?.to_string());
    }
    let module: Option<String> = value.get_type().module().ok().and_then(|module| module.extract().ok());
    if matches!(module.as_deref(), Some("decimal" | "fractions")) {
        return value
            .str()
            .and_then(|text| text.extract())
            .map_err(|_| Failure::argument(argument, NOT_A_NUMBER));
    }
    Ok(number(value, argument)?.to_string())
}

/// An amount of a budget.
pub(crate) fn amount(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<Amount, Failure> {
    decimal(value, argument)?.parse().map_err(|error| Failure::argument(argument, error))
}

/// The items of a list, a tuple or an array, but not the letters of a text.
pub(crate) fn items<'py>(
    value: &Bound<'py, PyAny>,
    argument: &'static str,
) -> Result<Vec<Bound<'py, PyAny>>, Failure> {
    let wrong = || Failure::argument(argument, "this is not a list; give one such as [1, 2]");
    if value.is_instance_of::<PyString>() || value.is_instance_of::<pyo3::types::PyBytes>() {
        return Err(wrong());
    }
    let py = value.py();
    if is_set(value)? && !value.hasattr("__reversed__")? {
        return Err(Failure::argument(
            argument,
            "this is a set, whose order is another one in each process; give a list, such as sorted(..) of it",
        ));
    }
    let all: PyResult<Vec<_>> = value.try_iter().map_err(|_| wrong())?.take(MOST_ITEMS + 1).collect();
    match all {
        Ok(all) if all.len() > MOST_ITEMS => Err(wrong()),
        Ok(all) => Ok(all),
        Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error.into()),
        Err(_) => Err(wrong()),
    }
}

/// Whether something is a set. The keys of a dictionary are one too, but in the order in which they were written.
pub(crate) fn is_set(value: &Bound<'_, PyAny>) -> Result<bool, Failure> {
    static SET: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if value.is_exact_instance_of::<PyList>() {
        return Ok(false);
    }
    Ok(value.is_instance(SET.import(value.py(), "collections.abc", "Set")?)?)
}

/// A longer list is refused, so that an endless iterator is too.
const MOST_ITEMS: usize = 2_000_000;

/// The numbers of a list.
pub(crate) fn numbers(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<Vec<f64>, Failure> {
    items(value, argument)?.iter().map(|item| number(item, argument)).collect()
}

/// A text that stands for something.
pub(crate) fn named<T: std::str::FromStr<Err: ToString>>(
    value: &Bound<'_, PyAny>,
    argument: &'static str,
) -> Result<T, Failure> {
    text(value, argument)?.parse().map_err(|error: T::Err| Failure::argument(argument, error))
}

/// The probability of an interval.
pub(crate) fn level(value: &Bound<'_, PyAny>) -> Result<f64, Failure> {
    interval_level(number(value, "level")?).map_err(|error| Failure::argument("level", error))
}
