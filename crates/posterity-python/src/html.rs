//! Text and tables of pages, which notebooks show.

use posterity_present::{Column, Sheet, Value, html};
use pyo3::prelude::*;

/// A text as it is written into a page.
#[pyfunction]
pub(crate) fn escaped(text: &str) -> String {
    html::escaped(text)
}

/// A table of texts as it is written into a page.
#[pyfunction]
pub(crate) fn html_table(names: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let rows = rows.into_iter().map(|row| row.into_iter().map(Value::text).collect());
    table(Sheet::new(names.into_iter().map(Column::prose).collect(), rows), usize::MAX)
}

/// A table of at most so many rows.
pub(crate) fn table(sheet: Sheet<'_>, most: usize) -> String {
    format!("<table>{}</table>", html::rows(sheet, most, &[]))
}
