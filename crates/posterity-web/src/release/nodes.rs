//! From what was typed to the nodes of a plan, and from what is wrong with the plan to the input that says it.

use posterity::Spec;
use posterity::data::{Column, Domain};
use posterity::plan::{
    Asking, FIELDS, Field, Form, NamedColumns, Node, Place, PlanError, PlanProblem, Step, columns_of,
};

use super::kinds::FormOf;
use crate::answers::Answers;
use crate::inputs::{Wrong, told};
use crate::sentence::sentence;
use crate::{delimiter, large_delta};

/// The most columns of a question.
pub(crate) const COLUMNS: usize = 4;

/// Said of a column, by its place, whose values are those of the schema: an address has them for forecasts, and a plan takes
/// them from the schema.
pub(crate) const OF_SCHEMA: &str = "declared";

/// What says how the records are stored, because these pages read files of the folder; and a rate, which is asked for on a page of
/// its own, by its columns and what is read.
const NOT_ASKED: [&str; 4] = ["input-format", "table", "view", "rate"];

/// The fields that a form of this kind has, each with one input.
pub(super) fn fields(kind: &str) -> impl Iterator<Item = &'static Field> + '_ {
    FIELDS
        .iter()
        .filter(move |field| field.is_of(kind) && field.stands_alone() && !NOT_ASKED.contains(&field.name))
}

/// The fields of one column.
pub(crate) fn column_fields() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().filter(|field| field.places.contains(&Place::Column))
}

/// What was typed as the value of a field.
pub(crate) fn node(field: &Field, text: &str) -> Node {
    let parts = |text: &str, at: &[char]| {
        text.split(at)
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(ToOwned::to_owned)
            .collect::<Vec<_>>()
    };
    match field.form {
        // A spelling of a value may begin or end with a blank.
        Form::Texts => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let kept = |line: &str| {
                if field.outermost() == Some(Place::Column) {
                    line.to_owned()
                } else {
                    line.trim().to_owned()
                }
            };
            Node::list(lines.map(|line| Node::text(kept(line))))
        }
        Form::List => Node::list(parts(text, &[',', '\n']).into_iter().map(Node::text)),
        Form::Numbers => field.form.node(&parts(text, &[',', '\n']).join(",")),
        form if field.name == "delimiter" => form.node(delimiter::letter(text)),
        // A mechanism has one text.
        form if field.name == "mechanism" => {
            form.node(&text.parse().map_or_else(|_| text.to_owned(), |spec: Spec| spec.to_string()))
        }
        form => form.node(text),
    }
}

/// The columns that were typed, with their places in the form, where one may be left empty.
pub(crate) fn named(answers: &Answers) -> Vec<(usize, &str)> {
    (0..COLUMNS).filter_map(|place| Some((place, answers.get(&format!("column{place}"))?))).collect()
}

/// Whether an input says something of a column.
pub(crate) fn is_of_column(input: &str) -> bool {
    of_column(input).is_some()
}

/// What an input says of a column, and the place of the column.
fn of_column(input: &str) -> Option<(&str, usize)> {
    let (name, place) = input.split_at(input.trim_end_matches(|letter: char| letter.is_ascii_digit()).len());
    let is_field = name == "column" || name == OF_SCHEMA || column_fields().any(|field| field.name == name);
    let place = place.parse().ok().filter(|place| *place < COLUMNS)?;
    is_field.then_some((name, place))
}

/// The columns that were typed with the one at this place behind the others. Inputs of columns without a name are left out.
pub(crate) fn with_last(answers: &Answers, last: usize) -> Answers {
    let mut places: Vec<usize> = named(answers).into_iter().map(|(place, _)| place).collect();
    places.sort_by_key(|place| (*place == last, *place));
    answers.iter().fold(Answers::default(), |moved, (input, text)| match of_column(input) {
        None => moved.with(input, text),
        Some((field, place)) => match places.iter().position(|known| *known == place) {
            Some(place) => moved.with(&format!("{field}{place}"), text),
            None => moved,
        },
    })
}

/// The columns that were typed with what is declared for them, in their order, or what is wrong with one of them.
pub(crate) fn columns(answers: &Answers) -> Result<Vec<Column>, Wrong> {
    let named = named(answers);
    let declared = named.iter().map(|(place, name)| ((*name).to_owned(), own(answers, *place)));
    let declared = declared.filter(|(_, own)| !own.is_empty()).map(|(name, own)| (name, column(own)));
    let root = Node::table([("columns", Node::table(declared))]);
    let known = columns_of(&root, &|_| Err(String::new())).map_err(|error| wrong(&error, answers))?;
    let column = |(place, name): (usize, &str)| {
        let found = known.iter().find(|column| column.name == name).cloned();
        found.ok_or_else(|| {
            let why = format!(
                "declare the possible values of column {name:?}. They are never read from the data, because that would reveal which \
                 ones occur"
            );
            Wrong::at(&format!("categories{place}"), why)
        })
    };
    named.into_iter().map(column).collect()
}

/// What was declared for the column at a place; none if that is not clear yet.
pub(crate) fn domain(answers: &Answers, place: usize) -> Option<Domain> {
    let root = Node::table([("columns", Node::table([("column", column(own(answers, place)))]))]);
    let columns = columns_of(&root, &|_| Err(String::new())).ok()?;
    columns.into_iter().next().map(|column| column.domain)
}

/// What was typed of the column at a place.
fn own(answers: &Answers, place: usize) -> Vec<(&'static str, Node)> {
    let typed = |field: &'static Field| {
        let text = answers.get(&format!("{}{place}", field.name))?;
        Some((field.name, node(field, text)))
    };
    column_fields().filter_map(typed).collect()
}

/// What was typed of the columns, as a plan declares them.
pub(crate) fn declared(answers: &Answers) -> Vec<(String, Node)> {
    let columns = named(answers).into_iter().map(|(place, name)| {
        let (mut own, values) = (own(answers, place), ["categories", "bins"]);
        own.retain(|(field, _)| !is_of_schema(answers, place) || !values.contains(field));
        (name.to_owned(), own)
    });
    columns.filter(|(_, own)| !own.is_empty()).map(|(name, own)| (name, column(own))).collect()
}

/// Whether the values of the column at a place are those of the schema.
fn is_of_schema(answers: &Answers, place: usize) -> bool {
    answers.get(&format!("{OF_SCHEMA}{place}")).is_some()
}

/// Whether a plan takes the values of a column from the schema of a question.
pub(crate) fn uses_schema(answers: &Answers) -> bool {
    (0..COLUMNS).any(|place| is_of_schema(answers, place))
}

/// Whether an input of a column is for forecasts only, because a plan takes it from the schema.
pub(crate) fn is_for_forecasts(answers: &Answers, input: &str) -> bool {
    let named = |field: &str, place: usize| input == format!("{field}{place}");
    (0..COLUMNS)
        .filter(|place| is_of_schema(answers, *place))
        .any(|place| ["categories", "bins", OF_SCHEMA].iter().any(|field| named(field, place)))
}

/// A column with what is declared for it: its categories alone, if that is all.
fn column(own: Vec<(&'static str, Node)>) -> Node {
    match own.as_slice() {
        [("categories", list)] => list.clone(),
        _ => Node::table(own),
    }
}

/// Whether a column has no values of its own, so that a schema must declare them.
pub(super) fn needs_schema(answers: &Answers) -> bool {
    let has_values = |place: usize| answers.any([&*format!("categories{place}"), &format!("bins{place}")]);
    named(answers).into_iter().any(|(place, _)| !has_values(place))
}

/// The plan that was typed. `schema` is the name of the schema that declares columns.
pub(super) fn plan(of: &FormOf, answers: &Answers, schema: Option<&str>) -> Result<Node, Wrong> {
    let mut root = vec![("source".to_owned(), Node::text(answers.text("file")))];
    let mut asked = Vec::new();
    match of.columns {
        NamedColumns::Undeclared => {
            asked.extend(answers.get("column0").map(|name| ("column", Node::text(name))));
        }
        NamedColumns::Declared => {
            asked.push(("columns", Node::list(named(answers).into_iter().map(|(_, name)| Node::text(name)))));
        }
        _ => {
            let columns = answers.get("columns").zip(posterity::plan::field("columns"));
            asked.extend(columns.map(|(text, field)| ("columns", node(field, text))));
        }
    }
    for field in fields(of.kind) {
        let rule;
        let text = match field.name {
            "per-unit" => {
                rule = per_unit(answers)?;
                rule.as_deref()
            }
            // The first answer is what is meant where nothing is said.
            "adjacency" => {
                answers.get("adjacency").filter(|name| *name != posterity::Adjacency::default().name())
            }
            name => answers.get(name),
        };
        let Some(text) = text else { continue };
        match field.outermost() {
            Some(Place::Plan) => root.push((field.name.to_owned(), node(field, text))),
            _ => asked.push((field.name, node(field, text))),
        }
    }
    if of.columns != NamedColumns::Undeclared {
        let columns = declared(answers);
        if let Some(schema) = schema {
            root.push(("schema".to_owned(), Node::text(schema)));
        }
        if !columns.is_empty() {
            root.push(("columns".to_owned(), Node::table(columns)));
        }
    }
    root.push((of.key.to_owned(), Node::list([Node::table(asked)])));
    Ok(Node::table(root))
}

/// By which of its records a unit counts; nothing if it is the usual rule. Two rules have more in an input of their own.
fn per_unit(answers: &Answers) -> Result<Option<String>, Wrong> {
    let needed =
        |name: &str, why: &str| answers.get(name).map(ToOwned::to_owned).ok_or_else(|| Wrong::at(name, why));
    Ok(match answers.get("per-unit") {
        None | Some("random") => None,
        Some("all") => Some(format!(
            "all {}",
            needed("records", "give the most records of one person that count, such as 3")?
        )),
        Some("latest") => Some(format!(
            "latest {}",
            needed("latest", "name the column that orders the records of a person")?
        )),
        Some(rule) => Some(rule.to_owned()),
    })
}

/// What is wrong with a plan, at the input that says it.
pub(crate) fn wrong(error: &PlanError, answers: &Answers) -> Wrong {
    match error.problem() {
        PlanProblem::Missing { key, .. } => {
            Wrong::at(&input(error, answers).unwrap_or_default(), format!("`{key}` is required"))
        }
        PlanProblem::LargeDelta(error) => Wrong::at("allow-large-delta", large_delta::remedy(error)),
        _ => Wrong { why: sentence(told(&error.why())), input: input(error, answers) },
    }
}

/// The input that says what a plan says at the place of an error. This is the only such table.
fn input(error: &PlanError, answers: &Answers) -> Option<String> {
    let columns = named(answers);
    let of = |field: &str, name: &str| {
        let (place, _) = columns.iter().find(|(_, known)| *known == name)?;
        Some(format!("{field}{place}"))
    };
    let keys: Vec<&str> = error.path().keys().collect();
    match (keys.as_slice(), error.problem()) {
        (_, PlanProblem::Undeclared { column, .. }) => {
            of("categories", column).or_else(|| Some("schema".to_owned()))
        }
        (["schema", ..], _) => Some("schema".to_owned()),
        (["columns", name], _) => of("categories", name),
        (["columns", name, field, ..], _) => of(field, name),
        (["source"], _) => Some("file".to_owned()),
        (["question", "columns"], _) => {
            let index = error.path().steps().iter().rev().find_map(|step| match step {
                Step::Index(index) => Some(*index),
                _ => None,
            });
            let place = index.and_then(|index| columns.get(index)).map_or(0, |(place, _)| *place);
            Some(format!("column{place}"))
        }
        _ => of_field(error.field()?),
    }
}

/// The input of a field that has no place in a column.
pub(super) fn of_field(field: &str) -> Option<String> {
    match field {
        "column" | "categories" | "bins" => Some(format!("{field}0")),
        key if Asking::all().any(|asking| asking.key == key) => None,
        field => Some(field.to_owned()),
    }
}
