//! Python objects as values, each by itself.
//!
//! What an object means depends on nothing but that object. Arrow would give a column of objects one type, which
//! depends on all of them: one date among moments takes the time from everybody (docs/proofs/stability.md).

use posterity::data::{MixedColumn, MixedValue};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyFloat, PyInt, PyString, PyType};

use crate::error::Failure;

/// How many objects are read between two looks at signals.
pub(crate) const PIECE: usize = 1 << 16;

/// The values of a column of objects.
pub(crate) fn column(objects: &Bound<'_, PyAny>) -> Result<MixedColumn, Failure> {
    let mut column = MixedColumn::default();
    each(objects, |object| with_value(object, |value| column.push(value)))?;
    Ok(column)
}

/// Hands over the elements of anything that can be iterated, one by one.
pub(crate) fn each(
    objects: &Bound<'_, PyAny>,
    mut then: impl FnMut(&Bound<'_, PyAny>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let unreadable = |error| Failure::unreadable(objects.py(), "iterator", error);
    for (index, object) in objects.try_iter().map_err(unreadable)?.enumerate() {
        then(&object.map_err(unreadable)?)?;
        if index % PIECE == 0 {
            objects.py().check_signals()?;
        }
    }
    Ok(())
}

/// Calls a function with the value that an object is. What is of no kind that has a value here is
/// [`MixedValue::Strange`].
pub(crate) fn with_value<T>(
    object: &Bound<'_, PyAny>,
    then: impl FnOnce(MixedValue<'_>) -> T,
) -> Result<T, Failure> {
    if let Ok(text) = object.cast::<PyString>() {
        // Half of a surrogate pair is not text.
        return Ok(match text.to_cow() {
            Ok(text) => then(MixedValue::Text(&text)),
            Err(_) => then(MixedValue::Strange),
        });
    }
    if object.is_none() {
        return Ok(then(MixedValue::Missing));
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(then(MixedValue::Boolean(truth.is_true())));
    }
    if let Ok(number) = object.cast::<PyFloat>() {
        let number = number.value();
        // What many libraries put for a missing value.
        return Ok(then(if number.is_nan() { MixedValue::Missing } else { MixedValue::Double(number) }));
    }
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(then(MixedValue::Bytes(bytes.as_bytes())));
    }
    match owned(object) {
        Ok(value) => Ok(then(value.borrowed())),
        // An object that fails when it is asked for its value has none.
        Err(error) if error.is_instance_of::<PyException>(object.py()) => Ok(then(MixedValue::Strange)),
        Err(error) => Err(error.into()),
    }
}

/// A value that is not part of the object.
enum Owned {
    Plain(MixedValue<'static>),
    Text(String),
    Bytes(Vec<u8>),
    Integer(String),
    Decimal(String),
}

impl Owned {
    const MISSING: Self = Self::Plain(MixedValue::Missing);
    const STRANGE: Self = Self::Plain(MixedValue::Strange);

    fn borrowed(&self) -> MixedValue<'_> {
        match self {
            Self::Plain(value) => *value,
            Self::Text(text) => MixedValue::Text(text),
            Self::Bytes(bytes) => MixedValue::Bytes(bytes),
            Self::Integer(digits) => MixedValue::Integer(digits),
            Self::Decimal(text) => MixedValue::Decimal(text),
        }
    }
}

/// A class of the standard library, imported once.
struct Class(&'static str, &'static str, PyOnceLock<Py<PyType>>);

static DECIMAL: Class = Class("decimal", "Decimal", PyOnceLock::new());
static DATE: Class = Class("datetime", "date", PyOnceLock::new());
static DATETIME: Class = Class("datetime", "datetime", PyOnceLock::new());
static UUID: Class = Class("uuid", "UUID", PyOnceLock::new());

impl Class {
    fn has(&self, object: &Bound<'_, PyAny>) -> PyResult<bool> {
        object.is_instance(self.2.import(object.py(), self.0, self.1)?)
    }
}

/// Whether an object is a day, or a moment.
pub(crate) fn is_day(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    DATE.has(object)
}

fn owned(object: &Bound<'_, PyAny>) -> PyResult<Owned> {
    if object.is_instance_of::<PyInt>() {
        return digits(object).map(Owned::Integer);
    }
    if let Ok(bytes) = object.cast::<PyByteArray>() {
        return Ok(Owned::Bytes(bytes.to_vec()));
    }
    let kind = object.get_type();
    let (module, name): (String, String) = (kind.module()?.extract()?, kind.name()?.extract()?);
    if module.starts_with("pandas.") && matches!(name.as_str(), "NAType" | "NaTType") {
        return Ok(Owned::MISSING);
    }
    if module == "numpy" {
        return scalar(object, &kind, &name);
    }
    if DATETIME.has(object)? {
        return instant(object);
    }
    if DATE.has(object)? {
        return day(object);
    }
    if DECIMAL.has(object)? {
        if object.call_method0("is_nan")?.is_truthy()? {
            return Ok(Owned::MISSING);
        }
        return object.str()?.extract().map(Owned::Decimal);
    }
    if UUID.has(object)? {
        return object.str()?.extract().map(Owned::Text);
    }
    Ok(Owned::STRANGE)
}

/// The digits of an integer, also of one that is shown otherwise, such as a member of an enumeration.
pub(crate) fn digits(object: &Bound<'_, PyAny>) -> PyResult<String> {
    match object.extract::<i64>() {
        Ok(number) => Ok(number.to_string()),
        Err(_) => object.py().get_type::<PyInt>().call_method1("__repr__", (object,))?.extract(),
    }
}

/// A scalar of NumPy, which knows what it is in Python.
fn scalar(object: &Bound<'_, PyAny>, kind: &Bound<'_, PyType>, name: &str) -> PyResult<Owned> {
    if matches!(name, "float16" | "float32") {
        let number = object.call_method0("__float__")?.extract::<f64>()? as f32;
        return Ok(if number.is_nan() { Owned::MISSING } else { Owned::Plain(MixedValue::Single(number)) });
    }
    let plain = object.call_method0("item")?;
    if plain.get_type().is(kind) {
        return Ok(Owned::STRANGE);
    }
    // A moment with nanoseconds, or a span of time, would be taken for a number.
    let is_time = matches!(name, "datetime64" | "timedelta64");
    if is_time && plain.is_instance_of::<PyInt>() {
        return Ok(Owned::STRANGE);
    }
    if plain.is_none() {
        return Ok(Owned::MISSING);
    }
    if let Ok(truth) = plain.cast::<PyBool>() {
        return Ok(Owned::Plain(MixedValue::Boolean(truth.is_true())));
    }
    owned(&plain)
}

fn day(date: &Bound<'_, PyAny>) -> PyResult<Owned> {
    let day = i32::try_from(days(date)?).map(MixedValue::Day);
    Ok(Owned::Plain(day.unwrap_or(MixedValue::Strange)))
}

/// A moment; in UTC if it has a time zone, as it is in Arrow.
fn instant(moment: &Bound<'_, PyAny>) -> PyResult<Owned> {
    let part = |name: &str| moment.getattr(name)?.extract::<i64>();
    let seconds = part("hour")? * 3_600 + part("minute")? * 60 + part("second")?;
    let mut microseconds = span(days(moment)?, seconds, part("microsecond")?);
    let offset = moment.call_method0("utcoffset")?;
    if !offset.is_none() {
        let part = |name: &str| offset.getattr(name)?.extract::<i64>();
        microseconds -= span(part("days")?, part("seconds")?, part("microseconds")?);
    }
    // Moments of pandas have them.
    let nanoseconds = match moment.getattr_opt("nanosecond")? {
        Some(nanoseconds) => nanoseconds.extract()?,
        None => 0,
    };
    Ok(Owned::Plain(MixedValue::Instant { microseconds, nanoseconds }))
}

/// Days since 1970-01-01. Python counts from 1 on 0001-01-01.
fn days(date: &Bound<'_, PyAny>) -> PyResult<i64> {
    Ok(date.call_method0("toordinal")?.extract::<i64>()? - 719_163)
}

/// Microseconds. They fit for all dates of Python, which end with the year 9999.
fn span(days: i64, seconds: i64, microseconds: i64) -> i64 {
    days.saturating_mul(86_400).saturating_add(seconds).saturating_mul(1_000_000).saturating_add(microseconds)
}
