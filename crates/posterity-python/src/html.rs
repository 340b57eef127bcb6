//! Text and tables of pages, which notebooks show.

use posterity::{Contrasted, ReadingTable};
use posterity_present::intervals::below;
use posterity_present::readings::{comparison, reading};
use posterity_present::{Column, Sheet, Value, aligned_text, html};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;

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

/// How many rows of a reading are shown.
const MOST_ROWS: usize = 200;

/// What is read again from the text of a document.
fn read<T: DeserializeOwned>(fields: &str) -> Result<T, Failure> {
    serde_json::from_str(fields).map_err(|_| Failure::Internal { what: "the reading could not be read" })
}

/// A reading as a table of a page, from the text of its document.
#[pyfunction]
pub(crate) fn reading_html(fields: &str) -> PyResult<String> {
    let read: ReadingTable = read(fields)?;
    Ok(table(reading(&read), MOST_ROWS) + &sentences(&below([&read], &[])))
}

/// A reading as lines of text.
#[pyfunction]
pub(crate) fn reading_text(fields: &str) -> PyResult<String> {
    let read: ReadingTable = read(fields)?;
    Ok(lines(reading(&read), &below([&read], &[])))
}

/// A comparison as a table of a page.
#[pyfunction]
pub(crate) fn contrast_html(fields: &str) -> PyResult<String> {
    let compared: Contrasted = read(fields)?;
    let sentences_below = below([], std::slice::from_ref(&compared));
    Ok(table(comparison(&compared), MOST_ROWS) + &sentences(&sentences_below))
}

/// A comparison as lines of text.
#[pyfunction]
pub(crate) fn contrast_text(fields: &str) -> PyResult<String> {
    let compared: Contrasted = read(fields)?;
    Ok(lines(comparison(&compared), &below([], std::slice::from_ref(&compared))))
}

/// A table as lines of text, with sentences below it.
fn lines(sheet: Sheet<'_>, below: &[String]) -> String {
    let mut text = aligned_text(sheet, MOST_ROWS);
    for (index, sentence) in below.iter().enumerate() {
        text += &format!("{}{sentence}\n", if index == 0 { "\n" } else { "" });
    }
    text
}

/// Sentences, each on a line of its own.
pub(crate) fn sentences(all: &[String]) -> String {
    all.iter().map(|one| format!("<div>{}</div>", html::escaped(one))).collect()
}

/// The first rows of a table as one of a page.
pub(crate) fn table(sheet: Sheet<'_>, most: usize) -> String {
    format!("<table>{}</table>", html::rows(sheet, most, &[]))
}
