//! Which columns of a file or a table are counted, and how.

use posterity::data::{Bins, Column, Domain, PerUnit, Question};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyMapping, PyString};

use crate::argument::{Given, items, number, text};
use crate::call::Call;
use crate::error::Failure;
use crate::labels::with_label;

/// The question that the arguments ask of a file or a table.
pub(crate) fn question(call: &Call<'_>, of: &str) -> Result<Question, Failure> {
    let Some(column) = call.get("column") else {
        return Err(Failure::argument(
            "column",
            format!("say which column of the {of} holds the categories"),
        ));
    };
    let several = !column.is_instance_of::<PyString>();
    let columns: Vec<String> = if several {
        items(&column, "column")?.iter().map(|column| text(column, "column")).collect::<Result<_, _>>()?
    } else {
        vec![text(&column, "column")?]
    };
    let lists = each(call, "categories", several)?;
    let edges = each(call, "bins", several)?;
    let declared = |lists: &[Declared<'_>]| lists.iter().filter(|list| list.is_some()).count();
    let wrong = [lists.len(), edges.len()].into_iter().any(|length| length > 0 && length != columns.len());
    if wrong || declared(&lists) + declared(&edges) != columns.len() {
        return Err(Failure::argument(
            "categories",
            format!(
                "there are {} lists of categories and {} of bins for {} columns; declare either for each column, in the order of \
                 column, with None in the other list. They are never read from the data, because that would reveal which ones \
                 occur",
                declared(&lists),
                declared(&edges),
                columns.len()
            ),
        ));
    }
    let domain = |index: usize| match (place(&lists, index), place(&edges, index)) {
        (Some(list), None) => Ok(Domain::Values(declared_names(Some(&list))?)),
        (None, Some(edges)) => Ok(Domain::Bins(bins(&edges)?)),
        _ => Err(Failure::argument(
            "bins",
            format!("declare either categories or bins for column {}, and not both", index + 1),
        )),
    };
    let domains = (0..columns.len()).map(domain).collect::<Result<Vec<_>, _>>()?;
    let (others, missing) = (labels(call, "other", &columns)?, labels(call, "missing", &columns)?);
    let labels = others.into_iter().zip(missing);
    let declared = columns.into_iter().zip(domains).zip(labels);
    let declared = declared.map(|((name, domain), (other, missing))| Column {
        other,
        missing,
        ..Column::of(name, domain)
    });
    let (unit, per_unit) = unit(call)?;
    Ok(Question {
        filter: call.text("where")?,
        within: call.text("within")?,
        unit,
        per_unit,
        adjacency: call.adjacency()?,
        ..Question::new(declared.collect())
    })
}

/// The column that tells units apart, and by which of its records a unit counts.
pub(crate) fn unit(call: &Call<'_>) -> Result<(Option<String>, PerUnit), Failure> {
    let (unit, per_unit) = (call.text("unit")?, call.text("per_unit")?);
    if per_unit.is_some() && unit.is_none() {
        return Err(Failure::argument(
            "per_unit",
            "this is for units; say with unit which column tells them apart",
        ));
    }
    let per_unit = per_unit.map(|rule| rule.parse().map_err(|error| Failure::argument("per_unit", error)));
    Ok((unit, per_unit.transpose()?.unwrap_or_default()))
}

/// The category that an argument names for each column: a text for all, or a mapping from columns.
pub(crate) fn labels(
    call: &Call<'_>,
    argument: &'static str,
    columns: &[String],
) -> Result<Vec<Option<String>>, Failure> {
    let Some(given) = call.get(argument) else { return Ok(vec![None; columns.len()]) };
    let Ok(mapping) = given.cast::<PyMapping>() else {
        return Ok(vec![Some(text(&given, argument)?); columns.len()]);
    };
    let mut labels = vec![None; columns.len()];
    for key in items(mapping.as_any(), argument)? {
        let name = text(&key, argument)?;
        let place = columns.iter().position(|column| *column == name).ok_or_else(|| {
            let counted = columns.join(", ");
            Failure::argument(
                argument,
                format!("{name:?} is no column that is counted; name one of {counted}"),
            )
        })?;
        labels[place] = Some(text(&mapping.get_item(key)?, argument)?);
    }
    Ok(labels)
}

/// An item of a list that is not `None`.
type Declared<'py> = Option<Bound<'py, PyAny>>;

/// What is given for one column.
fn place<'py>(lists: &[Declared<'py>], index: usize) -> Declared<'py> {
    lists.get(index).cloned().flatten()
}

/// What is given for each column: the argument itself for one column, its items for several.
fn each<'py>(call: &Call<'py>, argument: &'static str, several: bool) -> Result<Vec<Declared<'py>>, Failure> {
    let Some(given) = call.get(argument) else { return Ok(Vec::new()) };
    if !several {
        return Ok(vec![Some(given)]);
    }
    Ok(items(&given, argument)?.into_iter().map(|item| (!item.is_none()).then_some(item)).collect())
}

/// Bins between edges, which are taken at their word: 0.1 is one tenth.
fn bins(given: &Bound<'_, PyAny>) -> Result<Bins, Failure> {
    let edge = |item: &Bound<'_, PyAny>| {
        if item.is_instance_of::<PyString>() {
            return text(item, "bins");
        }
        let module: Option<String> = item.get_type().module().ok().and_then(|module| module.extract().ok());
        let is_exact = item.is_exact_instance_of::<PyInt>() || module.as_deref() == Some("decimal");
        match item.str().and_then(|text| text.extract()) {
            Ok(text) if is_exact => Ok(text),
            _ => Ok(number(item, "bins")?.to_string()),
        }
    };
    let edges = items(given, "bins")?.iter().map(edge).collect::<Result<Vec<String>, _>>()?;
    Bins::new(edges).map_err(|error| Failure::argument("bins", error))
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
