//! The categories that a call declares.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::argument::{Given, items};
use crate::error::Failure;
use crate::labels::with_label;

/// The declared categories of one column.
pub(crate) fn declared_names(given: Given<'_, '_>) -> Result<Vec<String>, Failure> {
    let Some(given) = given else {
        return Err(Failure::argument(
            "categories",
            "declare the possible labels. They are never read from the data, because that would reveal which ones occur",
        ));
    };
    if given.is_instance_of::<PyString>() {
        return Err(Failure::argument(
            "categories",
            "this is one text; give a list such as [\"yes\", \"no\"]",
        ));
    }
    let names = items(given, "categories")?;
    let name = |item: &Bound<'_, PyAny>| {
        let wrong = || {
            Failure::argument("categories", "a category is not a text, an integer, a truth value or a day")
        };
        with_label(item, |label| label.map(str::to_owned)).map_err(|_| wrong())?.ok_or_else(wrong)
    };
    names.iter().map(name).collect()
}
