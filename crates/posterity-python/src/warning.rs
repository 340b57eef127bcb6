//! Warnings of the package.

use pyo3::prelude::*;

/// Warns of each of these.
pub(crate) fn warn(py: Python<'_>, texts: &[String]) -> PyResult<()> {
    if texts.is_empty() {
        return Ok(());
    }
    let category = py.import("posterity")?.getattr("PosterityWarning")?;
    let warnings = py.import("warnings")?;
    for text in texts {
        warnings.call_method1("warn", (text, &category, 2))?;
    }
    Ok(())
}
