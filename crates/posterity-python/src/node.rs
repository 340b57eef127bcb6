//! Values of Python as they stand in a plan.

use std::str::FromStr;

use posterity::plan::{Node, Value};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyMapping, PyString};

use crate::argument::{items, text};
use crate::error::Failure;
use crate::objects::{digits, is_day};

/// A value of Python as it stands in a plan. A number has the digits that Python prints, so that 0.1 is one tenth. What no plan
/// has is told when the plan is read.
pub(crate) fn node(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<Node, Failure> {
    if value.is_none() {
        return Ok(Value::Other("None").into());
    }
    if value.is_instance_of::<PyString>() {
        return Ok(Node::text(text(value, argument)?));
    }
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(truth.is_true().into());
    }
    if value.is_instance_of::<PyInt>() {
        return Ok(Node::number(digits(value)?));
    }
    if let Ok(number) = value.cast::<PyFloat>() {
        return Ok(Node::number(format!("{:?}", number.value())));
    }
    if let Ok(mapping) = value.cast::<PyMapping>() {
        let pairs = mapping.items().map_err(|error| Failure::unreadable(value.py(), "mapping", error))?;
        let entry = |pair: Bound<'_, PyAny>| {
            let (key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
            Ok((text(&key, argument)?, node(&value, argument)?))
        };
        return Ok(Node::table(pairs.iter().map(entry).collect::<Result<Vec<_>, Failure>>()?));
    }
    if is_day(value)? {
        return Ok(Node::text(value.call_method0("isoformat")?.extract::<String>()?));
    }
    let module: Option<String> = value.get_type().module().ok().and_then(|module| module.extract().ok());
    match module.as_deref() {
        Some("decimal") => return Ok(Node::number(value.str()?.extract::<String>()?)),
        Some("fractions") => return Ok(Node::text(value.str()?.extract::<String>()?)),
        _ => {}
    }
    if value.hasattr("__fspath__").unwrap_or(false) {
        return Ok(Node::text(value.call_method0("__fspath__")?.str()?.extract::<String>()?));
    }
    if value.try_iter().is_ok() {
        let items = items(value, argument)?;
        return Ok(Node::list(items.iter().map(|item| node(item, argument)).collect::<Result<Vec<_>, _>>()?));
    }
    scalar(value, argument)
}

/// A scalar of an array, which knows what it is in Python; or another number.
fn scalar(value: &Bound<'_, PyAny>, argument: &'static str) -> Result<Node, Failure> {
    if let Ok(plain) = value.call_method0("item")
        && !plain.get_type().is(value.get_type())
    {
        return node(&plain, argument);
    }
    Ok(match value.extract::<f64>() {
        Ok(number) => Node::number(format!("{number:?}")),
        Err(_) => Value::Other("no value of a plan").into(),
    })
}

/// A schema: the path of a file, or what `json.load` returns.
pub(crate) fn schema(value: &Bound<'_, PyAny>) -> Result<Node, Failure> {
    if value.cast::<PyMapping>().is_err() {
        let path = crate::argument::path(value, "schema")?;
        let path = path.to_str();
        let path =
            path.ok_or_else(|| Failure::argument("schema", "the path is not Unicode; rename the file"))?;
        return Ok(Node::text(path));
    }
    let wrong = || {
        let why = "the schema is no JSON; give the path of a file, or what json.load returns";
        Failure::argument("schema", why)
    };
    let text: String =
        value.py().import("json")?.call_method1("dumps", (value,)).map_err(|_| wrong())?.extract()?;
    Node::from_str(&text).map_err(|_| wrong())
}
