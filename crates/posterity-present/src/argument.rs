//! Calls of programs as plans: the arguments of Python and R are the fields of a plan, with `_` for `-`.

use std::path::Path;
use std::sync::LazyLock;

use posterity::PublishError;
use posterity::batch::BatchError;
use posterity::data::Column;
use posterity::document::Kind;
use posterity::plan::{
    Asking, FIELDS, Field, Form, Layer, NamedColumns, Node, Place, Plan, PlanError, PlanProblem, PriceOf,
    columns_of,
};
use posterity::text_file::read_text;
use serde::Serialize;

use crate::fault::{Fault, FaultKind, Words};

/// Whether somebody typed counts where a path belongs. They are private, so a message must not repeat them.
#[must_use]
pub fn looks_like_counts(path: &str) -> bool {
    path.chars().all(|c| c.is_ascii_digit() || c == ',' || c == ' ')
}

/// Whether reading the plan of a call that asks for a kind of release takes long: noise that is divided among tables is planned.
#[must_use]
pub fn is_large<K: Kind>() -> bool {
    Asking::of(K::NAME).is_some_and(|asking| asking.price == PriceOf::Rho)
}

/// What the records of a call are, as a plan names them.
#[derive(Clone, Debug)]
pub enum Records {
    /// Files at a path.
    Files(String),
    /// A table in memory.
    Table,
    /// Labels or counts without a column, of these categories.
    Labels(Vec<String>),
}

impl Records {
    /// Whether they are in memory, where they have a name and no path.
    #[must_use]
    pub fn in_memory(&self) -> bool {
        !matches!(self, Self::Files(_))
    }
}

/// The columns that a call names, with the categories and the bins that it declares for each.
#[derive(Clone, Debug, Default)]
pub struct ColumnArguments {
    /// The names.
    pub names: Vec<String>,
    /// A list of categories for each column, or nothing where there is none; empty if the argument was not given.
    pub categories: Vec<Option<Node>>,
    /// The edges of bins in the same way.
    pub bins: Vec<Option<Node>>,
}

impl ColumnArguments {
    /// The columns as a question names them, and what is declared of those of which the schema does not say it.
    fn nodes(self, has_schema: bool, words: &Words) -> Result<(Node, Node), Fault> {
        let Self { names, categories, bins } = self;
        let declared = |lists: &[Option<Node>]| lists.iter().flatten().count();
        let (lists, edges) = (declared(&categories), declared(&bins));
        let wrong =
            [categories.len(), bins.len()].into_iter().any(|length| length > 0 && length != names.len());
        if wrong || !has_schema && lists + edges != names.len() {
            return Err(Fault::argument(
                "categories",
                format!(
                    "there are {lists} lists of categories and {edges} of bins for {} columns; declare either for each column, in \
                     the order of column, with {} in the other list. They are never read from the data, because that would reveal \
                     which ones occur",
                    names.len(),
                    words.nothing
                ),
            ));
        }
        let (mut categories, mut bins) = (categories.into_iter(), bins.into_iter());
        let mut domains = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let domain = match (categories.next().flatten(), bins.next().flatten()) {
                (Some(list), None) => list,
                (None, Some(edges)) => Node::table([("bins", edges)]),
                (None, None) if has_schema => continue,
                _ => {
                    let why =
                        format!("declare either categories or bins for column {}, and not both", index + 1);
                    return Err(Fault::argument("bins", why));
                }
            };
            domains.push((name.clone(), domain));
        }
        Ok((Node::list(names.into_iter().map(Node::text)), Node::table(domains)))
    }
}

/// The plan that a call asks for, as it is written. `given` is the value of an argument, if it was given; that of `schema` is the
/// path of a file or what is in it.
///
/// # Errors
/// What is wrong with an argument, behind its name.
pub fn plan_node<K: Kind, E: From<Fault>>(
    records: Records,
    columns: Option<ColumnArguments>,
    words: &Words,
    given: impl Fn(&'static str) -> Result<Option<Node>, E>,
) -> Result<Node, E> {
    let Some(asking) = Asking::of(K::NAME) else {
        return Err(Fault::new(FaultKind::Other, format!("{} is not drawn here", K::TITLE)).into());
    };
    let (mut root, mut asked) = (Vec::new(), Vec::new());
    let of = match &records {
        Records::Files(path) => {
            root.push(("source", Node::text(Plan::name_of(path))));
            "file"
        }
        Records::Table | Records::Labels(_) => {
            root.extend(given("name")?.map(|name| ("source", name)));
            "table"
        }
    };
    for field in FIELDS.iter().filter(|field| is_argument(field, asking.columns)) {
        let argument = argument(field.name);
        let Some(node) = given(argument)? else { continue };
        if !asking.has(field) {
            let why = format!("this has no meaning for {}; leave it out", K::TITLE);
            return Err(Fault::argument(argument, why).into());
        }
        let place = if field.places.contains(&Place::Plan) { &mut root } else { &mut asked };
        place.push((field.name, node));
    }
    let has_rate = asked.iter().any(|(name, _)| *name == "rate");
    match records {
        Records::Labels(names) => asked.push(("categories", Node::list(names.into_iter().map(Node::text)))),
        _ if asking.columns == NamedColumns::Undeclared => {}
        _ => {
            let schema = given("schema")?;
            let has_schema = schema.is_some();
            root.extend(schema.map(|schema| ("schema", schema)));
            match columns {
                Some(columns) => {
                    let (names, declared) = columns.nodes(has_schema, words)?;
                    // A rate names its columns; what the call names is then only declared.
                    if !has_rate {
                        asked.push(("columns", names));
                    }
                    root.push(("columns", declared));
                }
                None if has_rate => {}
                // All that the schema declares, or those of the sets.
                None if asking.columns == NamedColumns::DeclaredOrAll && has_schema => {}
                None => {
                    let why = format!("say which column of the {of} holds the categories");
                    return Err(Fault::argument("column", why).into());
                }
            }
        }
    }
    root.push((asking.key, Node::list([Node::table(asked)])));
    Ok(Node::table(root))
}

/// Reads the plan of a call, whose records may be in memory.
///
/// # Errors
/// What is wrong with it, behind the argument that says it.
pub fn read_plan(node: Node, in_memory: bool, words: &Words) -> Result<Plan, Fault> {
    Plan::read(node, &read_schema).map_err(|error| wrong(&error, in_memory, words))
}

/// The columns that a schema declares.
///
/// # Errors
/// What is wrong with it.
pub fn columns_of_schema(schema: Node, words: &Words) -> Result<Vec<Column>, Fault> {
    let node = Node::table([("schema", schema)]);
    columns_of(&node, &read_schema).map_err(|error| wrong(&error, false, words))
}

fn read_schema(file: &str) -> Result<String, String> {
    read_text(Path::new(file)).map_err(|error| error.to_string())
}

/// Whether an argument is a field as it stands. So is the one column of which nothing is declared, and what declares values is then
/// refused.
fn is_argument(field: &Field, columns: NamedColumns) -> bool {
    let of_a_column = || ["column", "categories", "bins"].contains(&field.name);
    field.stands_alone() || columns == NamedColumns::Undeclared && of_a_column()
}

/// The argument of a field.
#[must_use]
pub fn argument(field: &str) -> &'static str {
    static ARGUMENTS: LazyLock<Vec<(&str, String)>> =
        LazyLock::new(|| FIELDS.iter().map(|field| (field.name, field.name.replace('-', "_"))).collect());
    match ARGUMENTS.iter().find(|(name, _)| *name == field) {
        None if field == "schema" => "schema",
        Some(("columns", _)) | None => "column",
        Some((_, argument)) => argument,
    }
}

/// What is wrong with a plan, behind the argument that says it.
fn wrong(error: &PlanError, in_memory: bool, words: &Words) -> Fault {
    match error.problem() {
        PlanProblem::LargeDelta(error) => {
            return Fault::publish(&PublishError::LargeDelta(error.clone()), words);
        }
        PlanProblem::Batch(BatchError::Data(error)) => return Fault::data(error),
        PlanProblem::Batch(BatchError::Question { error, .. }) => return Fault::publish(error, words),
        PlanProblem::Batch(BatchError::Ledger(error)) => return Fault::ledger(error, words),
        PlanProblem::Schema { why, .. } => return Fault::argument("schema", format!("the schema {why}")),
        _ => {}
    }
    let steps: Vec<&str> = error.path().keys().collect();
    let argument = match steps.as_slice() {
        ["columns", _, "bins", ..] => "bins",
        ["columns", ..] => "categories",
        ["source"] if in_memory => "name",
        ["source"] | [] => "data",
        [key] if is_question(key) => "data",
        [key, field, ..] if is_question(key) => argument(field),
        [field, ..] => argument(field),
    };
    Fault::argument(argument, error.why())
}

/// Whether a key of a plan is that of its questions of some kind.
fn is_question(key: &str) -> bool {
    Asking::all().any(|asking| asking.key == key)
}

/// A field of a plan, for the tests of a language: whether its functions have it as an argument.
#[derive(Clone, Debug, Serialize)]
pub struct FieldFacts {
    /// Its name.
    pub name: &'static str,
    /// The names of the kinds of releases that have it.
    pub kinds: Vec<&'static str>,
    /// What it changes: law, reading or words.
    pub layer: &'static str,
    /// How it is written.
    pub form: &'static str,
}

/// All fields of plans.
pub fn fields() -> impl Iterator<Item = FieldFacts> {
    let is_of_schema = |field: &Field| field.outermost() == Some(Place::Column) && field.name != "bins";
    FIELDS.iter().filter(move |field| !is_of_schema(field)).map(|field| FieldFacts {
        name: field.name,
        kinds: field.kinds().map(|asking| asking.kind).collect(),
        layer: match field.layer {
            Layer::Law => "law",
            Layer::Reading => "reading",
            Layer::Words => "words",
        },
        form: match field.form {
            Form::Text => "text",
            Form::Choice(_) => "choice",
            Form::Number => "number",
            Form::Numbers => "numbers",
            Form::List => "list",
            Form::Texts => "texts",
            Form::Truth => "truth",
        },
    })
}

impl Fault {
    /// An argument that is wrong, and why.
    #[must_use]
    pub fn argument(argument: &str, why: impl ToString) -> Self {
        Self::new(FaultKind::Argument, format!("{argument}: {}", why.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use posterity::Table;
    use posterity::plan::{PlannedTable, Value};

    use super::*;

    const WORDS: Words = Words {
        given: |name, value| format!("{name}={value}"),
        yes: "yes",
        nothing: "nothing",
        create_ledger: "a",
        create_account: "b",
        history: "c",
    };

    fn plan_of<K: Kind>(records: Records, arguments: &[(&str, Node)]) -> Result<Plan, String> {
        let given = |name: &'static str| {
            Ok::<_, Fault>(arguments.iter().find(|(known, _)| *known == name).map(|(_, node)| node.clone()))
        };
        let columns = given("column").expect("given").map(|column| ColumnArguments {
            names: match column.value() {
                Value::Text(name) => vec![name.clone()],
                _ => vec!["ward".to_owned(), "age".to_owned()],
            },
            categories: vec![Some(Node::list([Node::text("A"), Node::text("B")]))],
            bins: Vec::new(),
        });
        let in_memory = records.in_memory();
        plan_node::<K, Fault>(records, columns, &WORDS, given)
            .and_then(|node| read_plan(node, in_memory, &WORDS))
            .map_err(|fault| fault.text)
    }

    #[test]
    fn counts_are_not_paths() {
        assert!(looks_like_counts("48, 42"));
        assert!(!looks_like_counts("2026.csv"));
    }

    /// If this fails, an argument is read by a rule of its own, or its error names something else.
    #[test]
    fn arguments_are_the_fields_of_a_plan() {
        let epsilon = ("epsilon", Node::number("1"));
        let column = ("column", Node::text("ward"));
        let files = || Records::Files("a.csv".to_owned());
        let plan = plan_of::<Table>(files(), &[epsilon.clone(), column.clone()]).expect("a plan");
        let cells = plan.all::<PlannedTable>().map(PlannedTable::cells);
        assert_eq!((plan.source(), cells.collect::<Vec<_>>()), ("a.csv", vec![2]));
        let named = [epsilon.clone(), ("name", Node::text("trial-7"))];
        let labels = || Records::Labels(vec!["yes".to_owned(), "no".to_owned()]);
        assert_eq!(plan_of::<Table>(labels(), &named).expect("a plan").source(), "trial-7");
        let wrong = |more: (&'static str, Node)| {
            plan_of::<Table>(files(), &[epsilon.clone(), column.clone(), more]).err().unwrap_or_default()
        };
        for (argument, value) in [
            ("per_unit", Node::text("first")),
            ("interval_kind", Node::text("wide")),
            ("prior", Node::text("much")),
            ("level", Node::number("2")),
            ("most", Node::number("3")),
            ("schema", Node::text("nowhere.json")),
            ("sets", Node::number("2")),
            ("delimiter", Node::text("::")),
        ] {
            assert!(wrong((argument, value.clone())).starts_with(&format!("{argument}: ")), "{argument}");
        }
        let two = ("column", Node::list([Node::text("ward"), Node::text("age")]));
        let told = plan_of::<Table>(files(), &[epsilon.clone(), two]).err().unwrap_or_default();
        assert!(told.starts_with("categories: there are 1 lists of categories and 0 of bins for 2 columns"));
        assert!(
            plan_of::<Table>(Records::Table, &[epsilon]).err().unwrap_or_default().starts_with("column: ")
        );
    }
}
