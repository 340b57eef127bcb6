//! What helps to choose before anything is released. It reads no data.

use extendr_api::prelude::*;
use posterity::{Document, Epsilon, Reading, Terms};
use posterity_advice::design::{ColumnShape, Columns, Table};
use posterity_advice::least::{Goal, Situation};
use serde::Serialize;

use crate::argument::{all_named, items, names, number, numbers, text};
use crate::call::Call;
use crate::failure::Failure;
use crate::json;
use crate::worker::run;

/// Advice of one of four kinds: on a table or on one column, at a budget or for an error that one can bear.
pub(crate) fn advise(call: &Call) -> Result<Robj, Failure> {
    match (call.get("columns").is_some(), call.get("epsilon").is_some()) {
        (true, true) => on_a_table(call),
        (true, false) => least_for_a_table(call),
        (false, true) => mechanism(call),
        (false, false) => least(call),
    }
}

/// A document as it is printed, and as R values.
pub(crate) fn told(kind: &str, document: &impl Serialize) -> Result<Robj, Failure> {
    Ok(json::list([
        ("kind", kind.into()),
        ("json", json::text(document)?.into()),
        ("document", json::object(document)?),
    ]))
}

/// Which mechanism to use.
fn mechanism(call: &Call) -> Result<Robj, Failure> {
    call.refuse(&["half_width", "distance"], "this cannot be used with epsilon; leave one out")?;
    call.refuse(&["read", "shape_from"], "this is for tables; give columns")?;
    let setting = call.size(Terms::new(call.epsilon()?))?;
    let (shape, mechanisms, level) = (call.shape()?, call.mechanisms()?, call.level()?);
    let found = run(move |watch| {
        let progress = |_| watch.tick();
        let (shape, mechanisms) = (shape.as_ref(), mechanisms.as_deref());
        Ok(posterity_advice::plan::advise_with_widths(&setting, shape, mechanisms, level, &progress)?)
    })?;
    told("mechanism", &found)
}

/// The least epsilon for an error that one can bear.
fn least(call: &Call) -> Result<Robj, Failure> {
    call.refuse(&["mechanisms"], "this is for a ranking at an epsilon; leave it out")?;
    call.refuse(&["read", "shape_from"], "this is for tables; give columns")?;
    let goal = match (call.read("half_width", number)?, call.read("distance", number)?) {
        (Some(width), None) => Goal::HalfWidth(width),
        (None, Some(distance)) => Goal::Distance(distance),
        (None, None) => {
            return Err(Failure::argument("epsilon", "give a budget, or half_width or distance"));
        }
        (Some(_), Some(_)) => {
            return Err(Failure::argument("distance", "this cannot be used with half_width; leave one out"));
        }
    };
    // The budget is what is searched for; any one makes the prior and checks the size.
    let any: Epsilon = "1".parse().map_err(|error| Failure::argument("epsilon", error))?;
    let setting = call.size(Terms::new(any))?;
    let situation = Situation {
        prior: setting.prior().clone(),
        n: setting.n(),
        shape: call.shape()?,
        level: call.level()?,
    };
    let found = run(move |watch| {
        Ok(posterity_advice::least::least_epsilon(&situation, goal, false, &|_| watch.tick())?)
    })?;
    told("least", &found)
}

/// Which releases to make of a table.
fn on_a_table(call: &Call) -> Result<Robj, Failure> {
    call.refuse(&["half_width"], "this cannot be used with epsilon; leave one out")?;
    let (table, epsilon) = (table(call)?, call.epsilon()?);
    let found =
        run(move |watch| Ok(posterity_advice::design::advise_table(&table, &epsilon, &|_| watch.tick())?))?;
    told("table", &found)
}

/// The least epsilon for the readings of a table.
fn least_for_a_table(call: &Call) -> Result<Robj, Failure> {
    if call.get("half_width").is_none() {
        return Err(Failure::argument("epsilon", "give either a budget or half_width"));
    }
    let (table, half_width) = (table(call)?, call.number("half_width")?);
    let found = run(move |watch| {
        Ok(posterity_advice::design::least_table_epsilon(&table, half_width, false, &|_| watch.tick())?)
    })?;
    told("least_table", &found)
}

fn table(call: &Call) -> Result<Table, Failure> {
    let why = "this cannot be used with columns; leave one out";
    call.refuse(&["k", "prior", "distance", "mechanisms"], why)?;
    let columns = sizes(&call.need("columns")?)?;
    let readings: Vec<Reading> = call.read("read", all_named)?.unwrap_or_default();
    let mut table =
        Table::new(columns, readings, call.whole("n")?)?.with_level(call.level()?)?.under(call.adjacency()?);
    let mut shape = call.read("shape", shapes)?.unwrap_or_default();
    if let Some(earlier) = call.path("shape_from")? {
        let wrong = |error: &dyn ToString| Failure::argument("shape_from", error.to_string());
        let earlier = Document::load(&earlier).map_err(|error| wrong(&error))?;
        let shapes = ColumnShape::of_release(&earlier, table.columns(), &shape);
        shape.extend(shapes.map_err(|error| wrong(&error))?);
    }
    for shape in shape {
        table = table.with_shape(shape).map_err(|error| Failure::argument("shape", error))?;
    }
    Ok(table)
}

/// A list from columns to the shares of their values.
fn shapes(given: &Robj, name: &str) -> Result<Vec<ColumnShape>, Failure> {
    let columns = names(given).filter(|_| given.is_list());
    let columns = columns.ok_or_else(|| {
        Failure::argument(name, "with columns this is a list, such as list(ward = c(0.3, 0.2, 0.5))")
    })?;
    let one = |(column, parts): (String, Robj)| Ok(ColumnShape::new(column, numbers(&parts, name)?)?);
    columns.into_iter().zip(items(given, name)?).map(one).collect()
}

/// Numbers of values: text as for the command, or numbers, with the names of columns if they have some.
fn sizes(given: &Robj) -> Result<Columns, Failure> {
    if given.is_string() {
        return Ok(text(given, "columns")?.parse::<Columns>()?);
    }
    let names = names(given);
    let size = |(place, size): (usize, f64)| {
        let whole = crate::argument::exact(size).and_then(|whole| usize::try_from(whole).ok());
        let whole = whole.ok_or_else(|| Failure::argument("columns", "a number of values is not whole"))?;
        Ok::<_, Failure>((names.as_ref().map(|names| names[place].clone()), whole))
    };
    let sizes = numbers(given, "columns")?.into_iter().enumerate().map(size);
    Ok(Columns::numbered(sizes.collect::<Result<Vec<_>, _>>()?)?)
}
