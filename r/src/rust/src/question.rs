//! Which columns of a file or a data frame are counted, and how.

use extendr_api::prelude::*;
use posterity::data::{Bins, Column, Domain, PerUnit, Question};

use crate::argument::{all_texts, items, labels, names, numbers, text};
use crate::call::Call;
use crate::failure::Failure;

/// What errors call the column of data that has no name.
pub(crate) const COLUMN: &str = "data";

/// The question that the arguments ask of a file or a data frame.
pub(crate) fn question(call: &Call) -> Result<Question, Failure> {
    let Some(columns) = call.read("column", all_texts)? else {
        return Err(Failure::argument("column", "say which column of the data holds the categories"));
    };
    let domains = domains(call, columns.len())?;
    let declared = columns.into_iter().zip(domains).collect();
    asked(call, declared)
}

/// The question about columns whose values are declared.
pub(crate) fn asked(call: &Call, declared: Vec<(String, Domain)>) -> Result<Question, Failure> {
    let columns: Vec<String> = declared.iter().map(|(name, _)| name.clone()).collect();
    let (others, missing) = (rules(call, "other", &columns)?, rules(call, "missing", &columns)?);
    let rules = others.into_iter().zip(missing);
    let columns = declared.into_iter().zip(rules).map(|((name, domain), (other, missing))| Column {
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
        ..Question::new(columns.collect())
    })
}

/// The question that is asked of labels without a name.
pub(crate) fn one_column(call: &Call) -> Result<Question, Failure> {
    refuse_columns(call)?;
    let column = labels_column(call, declared_names(call)?)?;
    Ok(Question { adjacency: call.adjacency()?, ..Question::new(vec![column]) })
}

/// The column of labels without a name, with how those that are not declared or missing are counted.
pub(crate) fn labels_column(call: &Call, names: Vec<String>) -> Result<Column, Failure> {
    Ok(Column { other: call.text("other")?, missing: call.text("missing")?, ..Column::new(COLUMN, names) })
}

/// Refuses arguments about columns for data that has none.
pub(crate) fn refuse_columns(call: &Call) -> Result<(), Failure> {
    call.refuse(
        &["column", "bins", "where", "within", "unit", "per_unit"],
        "this is for files and data frames; give one, or leave it out",
    )
}

/// The declared categories of labels.
pub(crate) fn declared_names(call: &Call) -> Result<Vec<String>, Failure> {
    let declared = call.read("categories", labels)?;
    declared.ok_or_else(|| {
        Failure::argument(
            "categories",
            "declare the possible labels. They are never read from the data, nor from the levels of a factor, because that \
             would reveal which ones occur",
        )
    })
}

/// What is declared for each column.
fn domains(call: &Call, columns: usize) -> Result<Vec<Domain>, Failure> {
    let (lists, edges) = (each(call, "categories")?, each(call, "bins")?);
    let declared = |lists: &[Option<Robj>]| lists.iter().flatten().count();
    let wrong = [lists.len(), edges.len()].into_iter().any(|length| length > 0 && length != columns);
    if wrong || declared(&lists) + declared(&edges) != columns {
        return Err(Failure::argument(
            "categories",
            format!(
                "there are {} vectors of categories and {} of bins for {columns} columns; declare either for each column, as lists in \
                 the order of column with NULL in the other list. They are never read from the data, because that would reveal \
                 which ones occur",
                declared(&lists),
                declared(&edges)
            ),
        ));
    }
    let place = |lists: &[Option<Robj>], index: usize| lists.get(index).cloned().flatten();
    let domain = |index: usize| match (place(&lists, index), place(&edges, index)) {
        (Some(list), None) => Ok(Domain::Values(labels(&list, "categories")?)),
        (None, Some(edges)) => Ok(Domain::Bins(bins(&edges)?)),
        _ => Err(Failure::argument(
            "bins",
            format!("declare either categories or bins for column {}, and not both", index + 1),
        )),
    };
    (0..columns).map(domain).collect()
}

/// What is given for each column: the items of a list, or a vector for one column.
fn each(call: &Call, argument: &str) -> Result<Vec<Option<Robj>>, Failure> {
    let Some(given) = call.get(argument) else { return Ok(Vec::new()) };
    if !given.is_list() {
        return Ok(vec![Some(given)]);
    }
    let items = items(&given, argument)?;
    Ok(items.into_iter().map(|item| (!item.is_null()).then_some(item)).collect())
}

/// Bins between edges, which are taken at their word: 0.1 is one tenth.
fn bins(given: &Robj) -> Result<Bins, Failure> {
    let edges = if given.is_string() {
        all_texts(given, "bins")?
    } else {
        numbers(given, "bins")?.iter().map(ToString::to_string).collect()
    };
    Bins::new(edges).map_err(|error| Failure::argument("bins", error))
}

/// The column that tells units apart, and by which of its records a unit counts.
pub(crate) fn unit(call: &Call) -> Result<(Option<String>, PerUnit), Failure> {
    let (unit, per_unit) = (call.text("unit")?, call.text("per_unit")?);
    if per_unit.is_some() && unit.is_none() {
        let why = "this is for units; say with unit which column tells them apart";
        return Err(Failure::argument("per_unit", why));
    }
    let per_unit = per_unit.map(|rule| rule.parse().map_err(|error| Failure::argument("per_unit", error)));
    Ok((unit, per_unit.transpose()?.unwrap_or_default()))
}

/// The category that an argument names for each column: a text for all, or texts with the names of columns.
pub(crate) fn rules(call: &Call, argument: &str, columns: &[String]) -> Result<Vec<Option<String>>, Failure> {
    let Some(given) = call.get(argument) else { return Ok(vec![None; columns.len()]) };
    let Some(named) = names(&given) else {
        return Ok(vec![Some(text(&given, argument)?); columns.len()]);
    };
    let mut rules = vec![None; columns.len()];
    for (name, category) in named.iter().zip(all_texts(&given, argument)?) {
        let place = columns.iter().position(|column| column == name).ok_or_else(|| {
            let counted = columns.join(", ");
            Failure::argument(
                argument,
                format!("{name:?} is no column that is counted; name one of {counted}"),
            )
        })?;
        rules[place] = Some(category);
    }
    Ok(rules)
}
