//! The arguments that say what the data is.

use pyo3::prelude::*;

use crate::argument::Given;

/// What errors call the column of data that has no name.
pub(crate) const COLUMN: &str = "data";

/// The arguments that say what the data is.
pub(crate) struct DataArguments<'a, 'py> {
    pub(crate) data: &'a Bound<'py, PyAny>,
    pub(crate) categories: Given<'a, 'py>,
    pub(crate) column: Given<'a, 'py>,
    pub(crate) bins: Given<'a, 'py>,
    pub(crate) filter: Given<'a, 'py>,
    pub(crate) within: Given<'a, 'py>,
    pub(crate) unit: Given<'a, 'py>,
    pub(crate) per_unit: Given<'a, 'py>,
    pub(crate) other: Given<'a, 'py>,
    pub(crate) missing: Given<'a, 'py>,
    pub(crate) input_format: Given<'a, 'py>,
    pub(crate) delimiter: Given<'a, 'py>,
    pub(crate) name: Given<'a, 'py>,
}
