//! Values of R as they stand in a plan, and plans as values of R.

use std::str::FromStr;

use extendr_api::prelude::*;
use posterity::data::day_label;
use posterity::plan::{Node, Value};

use crate::argument::{exact, items, names, texts};
use crate::failure::Failure;
use crate::json::list;

/// What R has where there is no value.
const MISSING: Value = Value::Other("NA");

/// A value of R as it stands in a plan. A vector of one value is that value and one of several a list; a list with names is
/// a table. A number has the fewest digits that make the same one, so that 0.1 is one tenth. What no plan has is told when
/// the plan is read.
pub(crate) fn node(value: &Robj, argument: &str) -> Result<Node, Failure> {
    if value.is_null() {
        return Ok(Value::Other("NULL").into());
    }
    if value.is_list() && (!value.is_object() || value.inherits("posterity_plan")) {
        let items = items(value, argument)?;
        let nodes = items.iter().map(|item| node(item, argument)).collect::<Result<Vec<_>, _>>()?;
        return Ok(match names(value).filter(|names| !names.is_empty()) {
            Some(names) => Node::table(names.into_iter().zip(nodes)),
            None => Node::list(nodes),
        });
    }
    let mut values = scalars(value);
    Ok(if values.len() == 1 { values.swap_remove(0) } else { Node::list(values) })
}

/// A text for all columns, or texts with the names of columns.
pub(crate) fn by_column(value: &Robj, argument: &str) -> Result<Node, Failure> {
    match names(value) {
        Some(names) if !value.is_list() => Ok(Node::table(names.into_iter().zip(scalars(value)))),
        _ => node(value, argument),
    }
}

/// A schema: the path of a file, or what a reader of JSON made of it.
pub(crate) fn schema(value: &Robj, argument: &str) -> Result<Node, Failure> {
    // Single values in lists of one, as some readers of JSON leave them, would be lists in the schema too.
    node(value, argument).map(|node| if value.is_list() { with_lists(node) } else { node })
}

/// A schema has lists where R has single values.
fn with_lists(node: Node) -> Node {
    const LISTS: [&str; 5] = ["fields", "enum", "categories", "bins", "missingValues"];
    match node.value() {
        Value::Table(entries) => Node::table(entries.iter().map(|(key, node)| {
            let node = with_lists(node.clone());
            let is_list = matches!(node.value(), Value::List(_));
            let node = if LISTS.contains(&key.as_str()) && !is_list { Node::list([node]) } else { node };
            (key.clone(), node)
        })),
        Value::List(items) => Node::list(items.iter().cloned().map(with_lists)),
        _ => node,
    }
}

/// The values of a vector.
fn scalars(vector: &Robj) -> Vec<Node> {
    if vector.inherits("factor") {
        return vec![Value::Other("a factor").into()];
    }
    if vector.inherits("Date") {
        return numbers(vector, |day| {
            let day = exact(day).and_then(|day| i32::try_from(day).ok()).and_then(day_label);
            day.map_or(MISSING.into(), Node::text)
        });
    }
    if vector.inherits("integer64") {
        let whole = |number: &f64| match number.to_bits() as i64 {
            i64::MIN => MISSING.into(),
            whole => Node::number(whole.to_string()),
        };
        return vector.as_real_slice().unwrap_or_default().iter().map(whole).collect();
    }
    if vector.is_object() {
        return vec![Value::Other("of a class that no plan has").into()];
    }
    if vector.is_string() {
        return texts(vector).map(|text| text.map_or(MISSING.into(), Node::text)).collect();
    }
    if let Some(truths) = vector.as_logical_slice() {
        let truth = |one: &Rbool| if one.is_na() { MISSING.into() } else { one.is_true().into() };
        return truths.iter().map(truth).collect();
    }
    numbers(vector, |number| Node::number(digits(number)))
}

/// The numbers of a vector.
fn numbers(vector: &Robj, read: impl Fn(f64) -> Node) -> Vec<Node> {
    let one = |number: f64| if number.is_nan() { MISSING.into() } else { read(number) };
    if let Some(numbers) = vector.as_real_slice() {
        return numbers.iter().map(|number| one(*number)).collect();
    }
    match vector.as_integer_slice() {
        Some(numbers) => {
            let known = |number: &i32| if *number == i32::MIN { f64::NAN } else { f64::from(*number) };
            numbers.iter().map(|number| one(known(number))).collect()
        }
        None => vec![Value::Other("no value of a plan").into()],
    }
}

/// The fewest digits that make this number.
pub(crate) fn digits(number: f64) -> String {
    exact(number).map_or_else(|| format!("{number:?}"), |whole| whole.to_string())
}

/// A plan as a list, from which [`node`] makes the same plan again.
pub(crate) fn plan(node: &Node) -> Robj {
    let mut plan = value(node);
    // A class that cannot be set leaves a list, which is a plan too.
    let _ = plan.set_class(["posterity_plan"]);
    plan
}

fn value(node: &Node) -> Robj {
    match node.value() {
        Value::Text(text) => text.as_str().into(),
        Value::Number(digits) => number(digits).map_or_else(|| digits.as_str().into(), Robj::from),
        Value::Truth(truth) => (*truth).into(),
        Value::Other(what) => (*what).into(),
        Value::List(items) => vector(items),
        Value::Table(entries) => list(entries.iter().map(|(key, node)| (key.as_str(), value(node)))),
    }
}

/// A vector of values of one type, or a list of values of several types.
fn vector(items: &[Node]) -> Robj {
    let texts = items
        .iter()
        .map(|item| if let Value::Text(text) = item.value() { Some(text.as_str()) } else { None });
    let numbers =
        items.iter().map(|item| if let Value::Number(digits) = item.value() { number(digits) } else { None });
    if items.is_empty() {
        return List::new(0).into();
    }
    if let Some(texts) = texts.collect::<Option<Vec<_>>>() {
        return texts.into();
    }
    if let Some(numbers) = numbers.collect::<Option<Vec<_>>>() {
        return numbers.into();
    }
    List::from_values(items.iter().map(value)).into()
}

/// The number of these digits, if R's numbers keep all of them. Others stay text, which a plan takes for the same number.
fn number(text: &str) -> Option<f64> {
    /// So many decimal digits come back from a floating-point number as they were.
    const KEPT: usize = 15;
    let number = f64::from_str(text).ok().filter(|number| number.is_finite())?;
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let significant = mantissa.chars().filter(char::is_ascii_digit).skip_while(|digit| *digit == '0').count();
    (significant <= KEPT).then_some(number)
}
