//! Text in pages, which notebooks show.

use pyo3::prelude::*;

/// A text as it is written into a page.
#[pyfunction]
pub(crate) fn escaped(text: &str) -> String {
    posterity::html::escaped(text)
}
