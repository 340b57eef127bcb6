//! Text and tables of pages, which notebooks show.

use posterity::ReadingTable;
use posterity_present::intervals::below;
use posterity_present::readings::reading;
use posterity_present::{Column, Sheet, Value, html};
use pyo3::prelude::*;

use crate::error::Failure;

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

/// A reading as a table of a page, from the text of its document.
#[pyfunction]
pub(crate) fn reading_html(fields: &str) -> PyResult<String> {
    let read = serde_json::from_str::<ReadingTable>(fields);
    let read = read.map_err(|_| Failure::Internal { what: "the reading could not be read" })?;
    Ok(table(reading(&read), 200) + &sentences(&below([&read], &[])))
}

/// Sentences, each on a line of its own.
pub(crate) fn sentences(all: &[String]) -> String {
    all.iter().map(|one| format!("<div>{}</div>", html::escaped(one))).collect()
}

/// A table of at most so many rows.
pub(crate) fn table(sheet: Sheet<'_>, most: usize) -> String {
    format!("<table>{}</table>", html::rows(sheet, most, &[]))
}
