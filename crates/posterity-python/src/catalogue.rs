//! The list of mechanisms.

use posterity::Spec;
use posterity_core::mechanism::{ALL, Form};
use pyo3::prelude::*;

use crate::argument::text;
use crate::error::Failure;

/// A parameter's name, whether it stands without a value, and what it does.
type Parameter = (&'static str, bool, &'static str);

/// Name, summary, whether it is private, and parameters of every mechanism.
#[pyfunction]
pub(crate) fn mechanisms() -> Vec<(&'static str, &'static str, bool, Vec<Parameter>)> {
    ALL.iter()
        .map(|one| {
            let parameters = one.parameters.iter().map(|one| (one.name, one.form == Form::Flag, one.help));
            (one.name, one.summary, one.private, parameters.collect())
        })
        .collect()
}

/// The text of a mechanism as it is written everywhere, and the mechanism's name.
#[pyfunction]
pub(crate) fn mechanism(given: &Bound<'_, PyAny>) -> PyResult<(String, &'static str)> {
    let wrong = |error| Failure::argument("mechanism", error);
    let spec: Spec = text(given, "mechanism")?.parse().map_err(wrong)?;
    Ok((spec.to_string(), spec.name()))
}
