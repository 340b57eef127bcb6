//! What a call asks for, as a plan: the arguments are read by the list of its fields.

use std::path::Path;
use std::sync::LazyLock;

use posterity::batch::BatchError;
use posterity::data::Column;
use posterity::discovery::Discovered;
use posterity::document::Kind;
use posterity::margins::Margins;
use posterity::plan::{FIELDS, Field, Form, Layer, Node, Place, Plan, PlanError, PlanProblem, columns_of};
use posterity::text_file::read_text;
use posterity::{PublishError, Table};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::argument::{Given, items, text};
use crate::call::Call;
use crate::error::Failure;
use crate::interrupt::run;
use crate::labels::with_label;
use crate::node::{node, schema};

/// A plan that asks nothing, which is refused when it is read.
pub(crate) const NO_QUESTION: Failure = Failure::Internal { what: "there is no question" };

/// A kind of release that a call asks for.
pub(crate) trait AskedBy: Kind {
    /// The key of its questions in a plan.
    const KEY: &'static str;
    /// Whether reading such a plan takes long.
    const IS_LARGE: bool;
}

impl AskedBy for Table {
    const KEY: &'static str = "question";
    const IS_LARGE: bool = false;
}

impl AskedBy for Margins {
    const KEY: &'static str = "margins";
    // Their noise is planned.
    const IS_LARGE: bool = true;
}

impl AskedBy for Discovered {
    const KEY: &'static str = "discover";
    const IS_LARGE: bool = false;
}

/// What the records of a call are, as a plan names them.
pub(crate) enum Records {
    /// Files at a path.
    Files(String),
    /// A table in memory.
    Table,
    /// Labels or counts without a column, of these categories.
    Labels(Vec<String>),
}

/// The plan that a call asks for.
pub(crate) fn plan<K: AskedBy>(call: &Call<'_>, records: Records) -> Result<Plan, Failure> {
    let (mut root, mut asked) = (Vec::new(), Vec::new());
    let in_memory = !matches!(records, Records::Files(_));
    let of = match &records {
        Records::Files(path) => {
            root.push(("source", Node::text(path)));
            "file"
        }
        Records::Table | Records::Labels(_) => {
            root.extend(call.read("name", node)?.map(|name| ("source", name)));
            "table"
        }
    };
    for field in FIELDS.iter().filter(|field| !is_by_hand(field.name, K::NAME)) {
        let argument = argument(field.name);
        let Some(value) = call.get(argument) else { continue };
        if !field.is_of(K::NAME) {
            let why = format!("this has no meaning for {}; leave it out", K::TITLE);
            return Err(Failure::argument(argument, why));
        }
        let place = if field.places.contains(&Place::Plan) { &mut root } else { &mut asked };
        place.push((field.name, node(&value, argument)?));
    }
    match records {
        Records::Labels(names) => asked.push(("categories", Node::list(names.into_iter().map(Node::text)))),
        _ if K::NAME == Discovered::NAME => {}
        _ => {
            root.extend(call.read("schema", |value, _| schema(value))?.map(|schema| ("schema", schema)));
            if let Some((names, declared)) = columns(call, of, K::NAME == Margins::NAME)? {
                asked.push(("columns", Node::list(names.into_iter().map(Node::text))));
                root.push(("columns", Node::table(declared)));
            }
        }
    }
    root.push((K::KEY, Node::list([Node::table(asked)])));
    let node = Node::table(root);
    // An audit is a part of some mechanisms.
    let is_audited = call.get("mechanism").is_some_and(|name| name.to_string().contains("tight"));
    let read = move || Plan::read(node, &read_schema).map_err(|error| wrong(&error, in_memory));
    if K::IS_LARGE || is_audited { Ok(run(call.py(), move |_| read())?) } else { read() }
}

/// The columns that a schema declares.
pub(crate) fn declared_columns(schema: Node) -> Result<Vec<Column>, Failure> {
    columns_of(&Node::table([("schema", schema)]), &read_schema).map_err(|error| wrong(&error, false))
}

fn read_schema(file: &str) -> Result<String, String> {
    read_text(Path::new(file)).map_err(|error| error.to_string())
}

/// Fields that other arguments say: what belongs to a column or to the data, and words, which a single release has not.
fn is_by_hand(name: &str, kind: &str) -> bool {
    let columns = ["columns", "categories", "bins"].contains(&name);
    let is_declared = columns || name == "column";
    (if kind == Discovered::NAME { name == "columns" } else { is_declared })
        || ["source", "title", "description", "name", "share"].contains(&name)
}

/// The argument of a field.
pub(crate) fn argument(field: &str) -> &'static str {
    static ARGUMENTS: LazyLock<Vec<(&str, String)>> =
        LazyLock::new(|| FIELDS.iter().map(|field| (field.name, field.name.replace('-', "_"))).collect());
    match ARGUMENTS.iter().find(|(name, _)| *name == field) {
        None if field == "schema" => "schema",
        Some(("columns", _)) | None => "column",
        Some((_, argument)) => argument,
    }
}

/// What is wrong with a plan, behind the argument that says it.
fn wrong(error: &PlanError, in_memory: bool) -> Failure {
    match error.problem() {
        PlanProblem::LargeDelta(error) => return PublishError::LargeDelta(error.clone()).into(),
        PlanProblem::Batch(BatchError::Data(error)) => return error.clone().into(),
        PlanProblem::Batch(BatchError::Question { error, .. }) => return error.clone().into(),
        PlanProblem::Batch(BatchError::Ledger(error)) => return error.clone().into(),
        PlanProblem::Schema { why, .. } => return Failure::argument("schema", format!("the schema {why}")),
        _ => {}
    }
    let steps: Vec<&str> = error.path().keys().collect();
    let argument = match steps.as_slice() {
        ["columns", _, "bins", ..] => "bins",
        ["columns", ..] => "categories",
        ["source"] if in_memory => "name",
        ["source"] | ["question" | "margins" | "discover"] => "data",
        ["question" | "margins" | "discover", field, ..] | [field, ..] => argument(field),
        [] => "data",
    };
    Failure::argument(argument, error.why())
}

/// The columns that are counted, and what is declared of those of which the schema does not say it.
type Declared = (Vec<String>, Vec<(String, Node)>);

/// The columns of a call. Nothing if it names none and may leave that to the schema.
fn columns<'py>(call: &Call<'py>, of: &str, may_be_all: bool) -> Result<Option<Declared>, Failure> {
    let has_schema = call.get("schema").is_some();
    let Some(column) = call.get("column") else {
        if may_be_all && has_schema {
            return Ok(None);
        }
        return Err(Failure::argument(
            "column",
            format!("say which column of the {of} holds the categories"),
        ));
    };
    let several = !column.is_instance_of::<PyString>();
    let names: Vec<String> = if several {
        items(&column, "column")?.iter().map(|column| text(column, "column")).collect::<Result<_, _>>()?
    } else {
        vec![text(&column, "column")?]
    };
    let lists = each(call, "categories", several)?;
    let edges = each(call, "bins", several)?;
    let declared = |lists: &[One<'_>]| lists.iter().flatten().count();
    let wrong = [lists.len(), edges.len()].into_iter().any(|length| length > 0 && length != names.len());
    if wrong || !has_schema && declared(&lists) + declared(&edges) != names.len() {
        return Err(Failure::argument(
            "categories",
            format!(
                "there are {} lists of categories and {} of bins for {} columns; declare either for each column, in the order of \
                 column, with None in the other list. They are never read from the data, because that would reveal which ones \
                 occur",
                declared(&lists),
                declared(&edges),
                names.len()
            ),
        ));
    }
    let mut domains = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let place = |list: Option<&One<'py>>| list.cloned().flatten();
        let (key, list) = match (place(lists.get(index)), place(edges.get(index))) {
            (Some(list), None) => {
                ("categories", Node::list(declared_names(Some(&list))?.into_iter().map(Node::text)))
            }
            (None, Some(edges)) => ("bins", node(&edges, "bins")?),
            (None, None) if has_schema => continue,
            _ => {
                let why = format!("declare either categories or bins for column {}, and not both", index + 1);
                return Err(Failure::argument("bins", why));
            }
        };
        domains.push((name.clone(), Node::table([(key, list)])));
    }
    Ok(Some((names, domains)))
}

/// An item of a list that is not `None`.
type One<'py> = Option<Bound<'py, PyAny>>;

/// What is given for each column: the argument itself for one column, its items for several.
fn each<'py>(call: &Call<'py>, argument: &'static str, several: bool) -> Result<Vec<One<'py>>, Failure> {
    let Some(given) = call.get(argument) else { return Ok(Vec::new()) };
    if !several {
        return Ok(vec![Some(given)]);
    }
    Ok(items(&given, argument)?.into_iter().map(|item| (!item.is_none()).then_some(item)).collect())
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

/// The fields of a plan, for tests: name, argument, kinds, layer and form.
#[pyfunction]
pub(crate) fn _fields(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let described = |field: &Field| {
        let described = PyDict::new(py);
        described.set_item("name", field.name)?;
        described.set_item("kinds", field.kinds().map(|asking| asking.kind).collect::<Vec<_>>())?;
        let layer = match field.layer {
            Layer::Law => "law",
            Layer::Reading => "reading",
            Layer::Words => "words",
        };
        described.set_item("layer", layer)?;
        let form = match field.form {
            Form::Text => "text",
            Form::Choice(_) => "choice",
            Form::Number => "number",
            Form::Numbers => "numbers",
            Form::List => "list",
            Form::Texts => "texts",
            Form::Truth => "truth",
        };
        described.set_item("form", form)?;
        Ok(described)
    };
    FIELDS.iter().map(described).collect()
}
