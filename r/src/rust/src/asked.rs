//! What a call asks for, as a plan: the arguments are read by the list of its fields.

use extendr_api::prelude::*;
use posterity::document::Kind;
use posterity::paying::LedgerAccount;
use posterity::plan::{FIELDS, Node, Plan, PlanError, PlannedDiscovery, PlannedMargins, PlannedTable, Value};
use posterity_present::argument::{
    ColumnArguments, Records, argument, fields, is_large, plan_node, read_plan,
};
use posterity_study::{PlanFile, WrittenPlan};

use crate::argument::{all_texts, items, labels, names, text};
use crate::call::Call;
use crate::data::Offered;
use crate::failure::{Failure, WORDS};
use crate::json;
use crate::node::{self, by_column, node, schema};
use crate::worker::run;

/// What a call asks for.
pub(crate) struct AskedFor {
    pub(crate) plan: Plan,
    /// The plan in a file or in a list, with what is bound to it there, if the call has one.
    pub(crate) file: Option<PlanFile>,
    pub(crate) data: Offered,
}

impl AskedFor {
    /// What the arguments ask for, or the plan that they name.
    pub(crate) fn new<K: Kind>(call: &Call) -> Result<Self, Failure> {
        let Some(file) = plan_given::<K>(call)? else {
            let data = Offered::new(call, K::NAME)?;
            let plan = plan_of_arguments::<K>(call, data.records())?;
            return Ok(Self { plan, file: None, data });
        };
        let data = Offered::of_plan(call, &file)?;
        Ok(Self { plan: file.plan().clone(), file: Some(file), data })
    }

    /// The name by which files are shown, where a plan names its source.
    pub(crate) fn shown(&self) -> Option<String> {
        let named = self.file.as_ref().map(|file| file.plan().source().to_owned());
        named.filter(|name| !name.is_empty())
    }

    /// The seed, or the ledger with the account of the budget and the key that signs: those of the call, or else those that the
    /// file of the plan names.
    pub(crate) fn payer(&self, call: &Call) -> Result<(Option<u64>, Option<LedgerAccount>), Failure> {
        let file = self.file.as_ref().filter(|_| call.get("ledger").is_none());
        let of_file =
            file.map(PlanFile::payer).transpose().map_err(|error| Failure::argument("plan", error))?;
        let of_file = of_file.flatten().map(|(ledger, account)| (ledger.to_owned(), account.to_owned()));
        call.payer(of_file)
    }

    /// The only question, about declared cells.
    pub(crate) fn question(&self) -> Result<&PlannedTable, Failure> {
        self.plan.all().next().ok_or(NO_QUESTION)
    }

    /// The only tables of many columns.
    pub(crate) fn margins(&self) -> Result<&PlannedMargins, Failure> {
        self.plan.all().next().ok_or(NO_QUESTION)
    }

    /// The only discovery of categories.
    pub(crate) fn discovery(&self) -> Result<&PlannedDiscovery, Failure> {
        self.plan.all().next().ok_or(NO_QUESTION)
    }
}

pub(crate) const NO_QUESTION: Failure = Failure::Internal("there is no question; please report this");

/// The plan that the arguments say.
fn plan_of_arguments<K: Kind>(call: &Call, records: Records) -> Result<Plan, Failure> {
    let in_memory = records.in_memory();
    let read = |value: &Robj, name: &str| match name {
        "schema" => schema(value, name),
        "other" | "missing" => by_column(value, name),
        _ => node(value, name),
    };
    let node = plan_node::<K, Failure>(records, columns(call)?, &WORDS, |name| call.read(name, read))?;
    // An audit is a part of some mechanisms.
    let is_audited =
        call.get("mechanism").is_some_and(|name| text(&name, "").is_ok_and(|name| name.contains("tight")));
    let read = move || Ok(read_plan(node, in_memory, &WORDS)?);
    if is_large::<K>() || is_audited { run(move |_| read()) } else { read() }
}

/// The columns that a call names, with what it declares of each; nothing if it names none.
fn columns(call: &Call) -> Result<Option<ColumnArguments>, Failure> {
    let Some(columns) = call.read("column", all_texts)? else { return Ok(None) };
    let of_labels = |list: &Robj| Ok(Node::list(labels(list, "categories")?.into_iter().map(Node::text)));
    Ok(Some(ColumnArguments {
        categories: each(call, "categories", &columns, of_labels)?,
        bins: each(call, "bins", &columns, |edges| node(edges, "bins"))?,
        names: columns,
    }))
}

/// What is given for each column: a vector for one column; or the items of a list, in the order of the columns or by their
/// names. `NULL` is nothing.
fn each(
    call: &Call,
    argument: &str,
    columns: &[String],
    read: impl Fn(&Robj) -> Result<Node, Failure>,
) -> Result<Vec<Option<Node>>, Failure> {
    let Some(given) = call.get(argument) else { return Ok(Vec::new()) };
    let read = |item: &Robj| if item.is_null() { Ok(None) } else { read(item).map(Some) };
    if !given.is_list() {
        return Ok(vec![read(&given)?]);
    }
    let items = items(&given, argument)?;
    let Some(names) = names(&given).filter(|names| !names.is_empty()) else {
        return items.iter().map(read).collect();
    };
    if let Some(unknown) = names.iter().find(|name| !columns.contains(name)) {
        let counted = columns.join(", ");
        let why = format!("{unknown:?} is no column that is counted; name one of {counted}");
        return Err(Failure::argument(argument, why));
    }
    let of = |column: &String| match names.iter().position(|name| name == column) {
        Some(place) => read(&items[place]),
        None => Ok(None),
    };
    columns.iter().map(of).collect()
}

/// The plan that a call names in the place of its arguments, which asks one question of this kind.
fn plan_given<K: Kind>(call: &Call) -> Result<Option<PlanFile>, Failure> {
    let Some(file) = file_of_plan(call, call.get("data").is_none())? else { return Ok(None) };
    let said = FIELDS.iter().filter(|field| !["source", "name"].contains(&field.name));
    let said = said.map(|field| argument(field.name)).chain(["schema", "column", "categories", "bins"]);
    call.refuse(&said.collect::<Vec<_>>(), "the plan says what is asked; leave it out, or change the plan")?;
    let kinds: Vec<&str> = file.plan().questions().map(|asked| asked.kind()).collect();
    if kinds != [K::NAME] {
        let why = "this plan asks something else than one such question; study carries out any plan";
        return Err(Failure::argument("plan", why));
    }
    Ok(Some(file))
}

/// The plan that a call names: a list, the path of a file, or the text of one. Without data the plan must name it.
pub(crate) fn file_of_plan(call: &Call, names_data: bool) -> Result<Option<PlanFile>, Failure> {
    let Some(given) = call.get("plan") else { return Ok(None) };
    let written = if given.is_list() {
        WrittenPlan::Node(node(&given, "plan")?)
    } else {
        WrittenPlan::of_text(text(&given, "plan")?)
    };
    let name = call.text("name")?;
    let file = run(move |_| Ok(written.read(!names_data)?))?;
    match name {
        Some(_) if !file.plan().source().is_empty() => {
            Err(Failure::argument("name", "the plan names its source; leave it out, or change the plan"))
        }
        Some(name) => file.of_source(&name).map(Some).map_err(|error| wrong(&error)),
        None => Ok(Some(file)),
    }
}

fn wrong(error: &PlanError) -> Failure {
    Failure::argument("plan", format!("{error}; nothing was charged or released"))
}

/// The plan that the arguments of a function say, or that is given, as a list. No data is read.
pub(crate) fn plan(call: &Call) -> Result<Robj, Failure> {
    let plan = match call.text("asks")?.as_deref() {
        Some("release") => AskedFor::new::<posterity::Table>(call)?.plan,
        Some("margins") => AskedFor::new::<posterity::margins::Margins>(call)?.plan,
        Some("discover") => AskedFor::new::<posterity::discovery::Discovered>(call)?.plan,
        _ => {
            let file = file_of_plan(call, false)?;
            file.ok_or_else(|| Failure::argument("plan", "this is required"))?.plan().clone()
        }
    };
    Ok(node::plan(plan.node()))
}

/// A plan as text: in lines for people, or as JSON.
pub(crate) fn written(call: &Call) -> Result<Robj, Failure> {
    let node = node(&call.need("plan")?, "plan")?;
    let is_plan = matches!(node.value(), Value::Table(_));
    if !is_plan {
        return Err(Failure::argument("plan", "this is no plan; plan_of makes one"));
    }
    Ok(if call.truth("json")? { node.to_json() } else { node.to_string() }.into())
}

/// The fields of plans, for tests.
pub(crate) fn all_fields(_: &Call) -> Result<Robj, Failure> {
    json::object(&fields().collect::<Vec<_>>())
}
