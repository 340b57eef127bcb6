//! What a call asks for, as a plan: the arguments are read by the list of its fields.

use posterity::Kind;
use posterity::plan::{Node, Plan};
use posterity_present::argument::{ColumnArguments, Records, fields, is_large, plan_node, read_plan};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::argument::{Given, items, text};
use crate::call::Call;
use crate::error::{Failure, WORDS};
use crate::interrupt::run;
use crate::json;
use crate::labels::with_label;
use crate::node::{node, schema};

/// A plan that asks nothing, which is refused when it is read.
pub(crate) const NO_QUESTION: Failure = Failure::Internal { what: "there is no question" };

/// The plan that a call asks for.
pub(crate) fn plan<K: Kind>(call: &Call<'_>, records: Records) -> Result<Plan, Failure> {
    let in_memory = records.in_memory();
    let read_one =
        |value: &Bound<'_, PyAny>, name| if name == "schema" { schema(value) } else { node(value, name) };
    let node = plan_node::<K, Failure>(records, columns(call)?, &WORDS, |name| call.read(name, read_one))?;
    // An audit is a part of some mechanisms.
    let is_audited = call.get("mechanism").is_some_and(|name| name.to_string().contains("tight"));
    let read = move || Ok(read_plan(node, in_memory, &WORDS)?);
    if is_large::<K>() || is_audited { Ok(run(call.py(), move |_| read())?) } else { read() }
}

/// The columns that a call names, with what it declares of each; nothing if it names none.
fn columns(call: &Call<'_>) -> Result<Option<ColumnArguments>, Failure> {
    let Some(column) = call.get("column") else { return Ok(None) };
    let several = !column.is_instance_of::<PyString>();
    let names = if several {
        items(&column, "column")?.iter().map(|column| text(column, "column")).collect::<Result<_, _>>()?
    } else {
        vec![text(&column, "column")?]
    };
    let labels =
        |list: &Bound<'_, PyAny>| Ok(Node::list(declared_names(Some(list))?.into_iter().map(Node::text)));
    Ok(Some(ColumnArguments {
        names,
        categories: each(call, "categories", several, labels)?,
        bins: each(call, "bins", several, |edges| node(edges, "bins"))?,
    }))
}

/// What is given for each column: the argument itself for one column, its items for several. `None` is nothing.
fn each<'py>(
    call: &Call<'py>,
    argument: &'static str,
    several: bool,
    read: impl Fn(&Bound<'py, PyAny>) -> Result<Node, Failure>,
) -> Result<Vec<Option<Node>>, Failure> {
    let Some(given) = call.get(argument) else { return Ok(Vec::new()) };
    if !several {
        return Ok(vec![Some(read(&given)?)]);
    }
    let items = items(&given, argument)?;
    items.iter().map(|item| if item.is_none() { Ok(None) } else { read(item).map(Some) }).collect()
}

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

/// The fields of a plan, for tests: name, kinds, layer and form.
#[pyfunction]
pub(crate) fn _fields(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    json::object(py, &fields().collect::<Vec<_>>())
}
