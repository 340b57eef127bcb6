//! What a call asks for, as a plan: the arguments are read by the list of its fields.

use posterity::Table;
use posterity::data::{Adjacency, Column, Domain};
use posterity::discovery::Discovered;
use posterity::document::Kind;
use posterity::margins::Margins;
use posterity::plan::{Node, Plan, PlannedTable};
use posterity_present::argument::{ColumnArguments, Records, is_large, plan_node, read_plan};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString};

use crate::argument::{items, text};
use crate::call::Call;
use crate::data::Offered;
use crate::error::{Failure, WORDS};
use crate::given_plan::given_plan;
use crate::interrupt::run;
use crate::node::{node, schema};
use crate::panic::guarded;
use crate::records::declared_names;

/// A plan that asks nothing, which is refused when it is read.
pub(crate) const NO_QUESTION: Failure = Failure::Internal { what: "there is no question" };

/// A kind of release that a call asks for.
pub(crate) trait AskedBy: Kind {
    /// What the data is.
    fn offered<'py>(call: &Call<'py>, adjacency: Adjacency) -> Result<Offered<'py>, Failure> {
        Offered::of_table(call, adjacency)
    }

    /// What is private, as a call says it.
    fn adjacency(call: &Call<'_>) -> Result<Adjacency, Failure> {
        call.adjacency()
    }
}

impl AskedBy for Table {
    fn offered<'py>(call: &Call<'py>, adjacency: Adjacency) -> Result<Offered<'py>, Failure> {
        Offered::new(call, adjacency)
    }
}

impl AskedBy for Margins {}

impl AskedBy for Discovered {
    fn adjacency(_: &Call<'_>) -> Result<Adjacency, Failure> {
        Ok(Adjacency::AddRemove)
    }
}

/// What a call asks of which data.
pub(crate) struct CallAsks<'py> {
    pub(crate) call: Call<'py>,
    pub(crate) offered: Offered<'py>,
    pub(crate) plan: Plan,
    /// The name by which readers know the files, where a plan names them.
    pub(crate) shown: Option<String>,
}

impl<'py> CallAsks<'py> {
    /// What a call asks for by its arguments, or by the plan that it gives.
    pub(crate) fn new<K: AskedBy>(call: Call<'py>) -> Result<Self, Failure> {
        let Some(given) = call.get("plan") else {
            let offered = K::offered(&call, K::adjacency(&call)?)?;
            let plan = plan::<K>(&call, offered.records(&call)?)?;
            return Ok(Self { call, offered, plan, shown: None });
        };
        let (file, call) = given_plan(call, &given, K::NAME)?;
        let plan = file.plan().clone();
        let shown = Some(plan.source().to_owned()).filter(|name| !name.is_empty());
        let adjacency = plan.records().adjacency;
        if call.get("data").is_none() {
            if shown.is_none() {
                return Err(Failure::argument("data", "the plan names no source; give the data beside it"));
            }
            let offered = Offered::OfPlan(file.records().clone());
            return Ok(Self { call, offered, plan, shown });
        }
        // Labels and counts have the categories of the only column.
        let columns = plan.all::<PlannedTable>().next().map(|asked| asked.question().columns.as_slice());
        let call = match columns {
            Some([Column { domain: Domain::Values(values), .. }]) => call.with("categories", values)?,
            _ => call,
        };
        let offered = K::offered(&call, adjacency)?;
        Ok(Self { call, offered, plan, shown })
    }
}

/// The plan that a call asks for by its arguments.
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
    if column.is_instance_of::<PyInt>() {
        return Err(no_name(&column));
    }
    let several = !column.is_instance_of::<PyString>();
    let names = if several {
        items(&column, "column")?.iter().map(column_name).collect::<Result<_, _>>()?
    } else {
        vec![column_name(&column)?]
    };
    let labels =
        |list: &Bound<'_, PyAny>| Ok(Node::list(declared_names(Some(list))?.into_iter().map(Node::text)));
    Ok(Some(ColumnArguments {
        names,
        categories: each(call, "categories", several, labels)?,
        bins: each(call, "bins", several, |edges| node(edges, "bins"))?,
    }))
}

/// The name of a column.
fn column_name(given: &Bound<'_, PyAny>) -> Result<String, Failure> {
    if given.is_instance_of::<PyInt>() { Err(no_name(given)) } else { text(given, "column") }
}

/// Said of a number in the place of a name.
fn no_name(given: &Bound<'_, PyAny>) -> Failure {
    let digits = given.to_string();
    Failure::argument(
        "column",
        format!("columns are named by text; the one with the label {digits} is column=\"{digits}\""),
    )
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

/// What a plan asks for, without answering it.
#[pyfunction]
pub(crate) fn plan_of(kind: &str, call: Call<'_>) -> PyResult<String> {
    guarded(|| {
        let plan = match kind {
            "release" => CallAsks::new::<Table>(call)?.plan,
            "margins" => CallAsks::new::<Margins>(call)?.plan,
            "discover" => CallAsks::new::<Discovered>(call)?.plan,
            _ => return Err(Failure::argument("kind", "choose release, margins or discover").into()),
        };
        Ok(plan.node().to_json())
    })
}
