//! The list of mechanisms.

use posterity_core::mechanism::ALL;
use pyo3::prelude::*;

/// A parameter's name and what it does.
type Parameter = (String, &'static str);

/// Name, summary, whether it is private, and parameters of every mechanism.
#[pyfunction]
pub(crate) fn mechanisms() -> Vec<(&'static str, &'static str, bool, Vec<Parameter>)> {
    ALL.iter()
        .map(|one| {
            let parameters = one.parameters.iter().map(|one| (one.name.to_owned(), one.help)).collect();
            (one.name, one.summary, one.private, parameters)
        })
        .collect()
}
