//! DataFrames of pandas and Polars. Their columns of Python objects are read value by value, and all others through
//! Arrow.
//!
//! Only the columns that the question names are taken.

use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchOptions};
use arrow_schema::Schema;
use posterity::data::{Question, needed_columns};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyString};

use crate::capsule::{self, Columns, Offer};
use crate::error::Failure;
use crate::memory::Memory;
use crate::objects;

/// A DataFrame.
pub(crate) enum DataFrame<'a, 'py> {
    /// Of pandas.
    Pandas(&'a Bound<'py, PyAny>),
    /// Of Polars, with columns of objects. Arrow gives anything else of Polars as it is.
    Polars(&'a Bound<'py, PyAny>),
}

impl<'a, 'py> DataFrame<'a, 'py> {
    /// Nothing if the data is not a DataFrame.
    pub(crate) fn new(data: &'a Bound<'py, PyAny>) -> Result<Option<Self>, Failure> {
        if is_a(data, "pandas", "DataFrame")? {
            return Ok(Some(Self::Pandas(data)));
        }
        if is_a(data, "polars", "DataFrame")? {
            let types = data.getattr("dtypes")?;
            for kind in types.try_iter()? {
                if is_polars_object(&kind?)? {
                    return Ok(Some(Self::Polars(data)));
                }
            }
        }
        Ok(None)
    }

    /// Takes the columns that a question names.
    pub(crate) fn take(&self, question: &Question) -> Result<Memory, Failure> {
        match self {
            Self::Pandas(frame) => from_pandas(frame, question),
            Self::Polars(frame) => from_polars(frame, question),
        }
    }
}

/// Whether a Series holds Python objects, which are to be read one by one.
pub(crate) fn is_series_of_objects(data: &Bound<'_, PyAny>) -> Result<bool, Failure> {
    if is_a(data, "pandas", "Series")? {
        return Ok(!has_a_type(&data.getattr("dtype")?)?);
    }
    if is_a(data, "polars", "Series")? {
        return Ok(is_polars_object(&data.getattr("dtype")?)?);
    }
    Ok(false)
}

/// Whether data is of a class of a package. If the package is not imported, then it is not.
pub(crate) fn is_a(data: &Bound<'_, PyAny>, package: &str, class: &str) -> Result<bool, Failure> {
    match imported(data.py(), package)? {
        Some(package) => match package.getattr_opt(class)? {
            Some(class) => Ok(data.is_instance(&class)?),
            None => Ok(false),
        },
        None => Ok(false),
    }
}

/// A package, if somebody has imported it.
fn imported<'py>(py: Python<'py>, package: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let modules = py.import("sys")?.getattr("modules")?;
    let found = modules.call_method1("get", (package,))?;
    Ok((!found.is_none()).then_some(found))
}

/// What a library could not do with its own data. Its message may quote values.
fn failed(py: Python<'_>, error: PyErr) -> Failure {
    if error.is_instance_of::<PyException>(py) { Failure::Conversion } else { error.into() }
}

fn from_pandas(frame: &Bound<'_, PyAny>, question: &Question) -> Result<Memory, Failure> {
    let py = frame.py();
    let failed = |error| failed(py, error);
    let (names, places): (Vec<String>, Vec<Place>) =
        pandas_columns(frame).map_err(failed)?.into_iter().unzip();
    let typed = PyDict::new(py);
    let mut objects = Vec::new();
    for position in needed_columns(question, &names)? {
        let (name, column) = (&names[position], places[position].column(frame).map_err(failed)?);
        if has_a_type(&column.getattr("dtype").map_err(failed)?).map_err(failed)? {
            typed.set_item(name, column.getattr("array").map_err(failed)?)?;
        } else {
            let options = PyDict::new(py);
            options.set_item("dtype", "object")?;
            let values = column.call_method("to_numpy", (), Some(&options)).map_err(failed)?;
            objects.push((name.clone(), objects::column(&values)?));
        }
    }
    if typed.is_empty() {
        return Ok(Memory::ours(vec![rows(frame.len()?)?]).with_objects(objects));
    }
    let options = PyDict::new(py);
    options.set_item("copy", false)?;
    let class = py.import("pandas")?.getattr("DataFrame")?;
    let typed = class.call((typed,), Some(&options)).map_err(failed)?;
    Ok(Memory::theirs(through_arrow(&typed)?).with_objects(objects))
}

/// Where pandas has a column.
enum Place {
    /// Among the columns.
    Column(usize),
    /// Among the levels of the index.
    Level(usize),
}

impl Place {
    /// The column itself: a Series or an Index.
    fn column<'py>(&self, frame: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Column(index) => frame.getattr("iloc")?.get_item((PySlice::full(frame.py()), index)),
            Self::Level(level) => frame.getattr("index")?.call_method1("get_level_values", (level,)),
        }
    }
}

/// The columns by their names in Arrow, which are text, and the levels of the index that have a name of their own.
fn pandas_columns(frame: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Place)>> {
    let mut columns: Vec<(String, Place)> = Vec::new();
    for (index, label) in frame.getattr("columns")?.try_iter()?.enumerate() {
        columns.push((label?.str()?.extract()?, Place::Column(index)));
    }
    for (level, label) in frame.getattr("index")?.getattr("names")?.try_iter()?.enumerate() {
        let label = label?;
        let name: String = label.str()?.extract()?;
        if !label.is_none() && columns.iter().all(|(column, _)| *column != name) {
            columns.push((name, Place::Level(level)));
        }
    }
    Ok(columns)
}

/// Whether a type of pandas says what the values are, so that Arrow need not look at them.
fn has_a_type(kind: &Bound<'_, PyAny>) -> PyResult<bool> {
    let class = kind.get_type();
    let (module, name): (String, String) = (class.module()?.extract()?, class.name()?.extract()?);
    match module.split('.').next() {
        // Arrow has no complex numbers.
        Some("numpy") => Ok(!matches!(kind.getattr("kind")?.extract::<String>()?.as_str(), "O" | "c")),
        Some("pandas") if name == "CategoricalDtype" => {
            let categories = kind.getattr("categories")?;
            Ok(has_a_type(&categories.getattr("dtype")?)? || is_all_text(&categories)?)
        }
        // Python objects, of which one that is not Unicode would make Arrow refuse all.
        Some("pandas") if name == "StringDtype" => {
            Ok(kind.getattr("storage")?.extract::<String>()? != "python")
        }
        // Of sparse data nothing is read by Arrow.
        Some("pandas") => Ok(name != "SparseDtype"),
        // A type that another package has added may be stored in any way.
        _ => Ok(false),
    }
}

/// Whether all objects are text that Arrow can hold: half of a surrogate pair is none.
fn is_all_text(objects: &Bound<'_, PyAny>) -> PyResult<bool> {
    for object in objects.try_iter()? {
        if !object?.cast::<PyString>().is_ok_and(|text| text.to_cow().is_ok()) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn from_polars(frame: &Bound<'_, PyAny>, question: &Question) -> Result<Memory, Failure> {
    let py = frame.py();
    let failed = |error| failed(py, error);
    let names: Vec<String> = frame.getattr("columns")?.extract()?;
    let typed = PyList::empty(py);
    let mut objects = Vec::new();
    for position in needed_columns(question, &names)? {
        let name = &names[position];
        let column = frame.call_method1("get_column", (name,)).map_err(failed)?;
        if is_polars_object(&column.getattr("dtype")?)? {
            let values = column.call_method0("to_list").map_err(failed)?;
            objects.push((name.clone(), objects::column(&values)?));
        } else {
            typed.append(name)?;
        }
    }
    if typed.is_empty() {
        return Ok(Memory::ours(vec![rows(frame.len()?)?]).with_objects(objects));
    }
    let typed = frame.call_method1("select", (typed,)).map_err(failed)?;
    Ok(Memory::theirs(through_arrow(&typed)?).with_objects(objects))
}

fn is_polars_object(kind: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(kind.str()?.to_cow()? == "Object")
}

fn through_arrow(frame: &Bound<'_, PyAny>) -> Result<Columns, Failure> {
    match capsule::take(frame)? {
        Offer::Columns(columns) => Ok(columns),
        Offer::NeedsPackage => Err(Failure::NeedsArrow),
        Offer::Nothing => Err(Failure::NoInterface),
    }
}

/// Records without columns.
fn rows(length: usize) -> Result<RecordBatch, Failure> {
    let options = RecordBatchOptions::new().with_row_count(Some(length));
    RecordBatch::try_new_with_options(Arc::new(Schema::empty()), Vec::new(), &options)
        .map_err(|_| Failure::Internal { what: "records without columns could not be made" })
}
