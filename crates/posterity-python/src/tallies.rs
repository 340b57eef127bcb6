//! Counts that other libraries have made already. Read as labels, they would be a release of something else.

use posterity::Adjacency;
use pyo3::prelude::*;

use crate::dataframe::is_a;
use crate::error::Failure;

/// Refuses what `value_counts` gives: counts of labels, where labels are expected.
///
/// It is not taken for counts. A column named `count` looks the same, and if it were taken so, one record would change
/// its count by any number.
pub(crate) fn refuse_tallies(data: &Bound<'_, PyAny>, adjacency: Adjacency) -> Result<(), Failure> {
    if !(is_pandas_tally(data, adjacency)? || is_polars_tally(data)? || is_arrow_tally(data)?) {
        return Ok(());
    }
    Err(Failure::argument(
        "data",
        "this looks like the result of value_counts, whose numbers would be counted as if they were labels; give the labels \
         before they are counted, or the counts as a dict (for a pandas Series counts.to_dict()) together with categories; \
         if it is no such result, leave out the column of counts, or give the labels as a list",
    ))
}

/// A Series of integers named `count` (of `value_counts`), or without a name but with a named index (of `size` of
/// groups).
///
/// Where n is private, only the names decide: one missing value makes floats of integers, and one record less can make
/// another index of a range.
fn is_pandas_tally(data: &Bound<'_, PyAny>, adjacency: Adjacency) -> PyResult<bool> {
    if !is_a(data, "pandas", "Series")? {
        return Ok(false);
    }
    let kind: String = data.getattr("dtype")?.getattr("kind")?.extract()?;
    let only_names = adjacency == Adjacency::AddRemove;
    if !only_names && !matches!(kind.as_str(), "i" | "u") {
        return Ok(false);
    }
    let index = data.getattr("index")?;
    let mut is_named = false;
    for name in index.getattr("names")?.try_iter()? {
        is_named |= !name?.is_none();
    }
    // The index that a Series has if it was given none.
    if !only_names && is_a(&index, "pandas", "RangeIndex")? && !is_named {
        return Ok(false);
    }
    let name = data.getattr("name")?;
    Ok(is_text(&name, &["count"]) || name.is_none() && is_named)
}

/// A DataFrame whose last column is of the type in which Polars counts rows, and is named so.
fn is_polars_tally(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    if !is_a(data, "polars", "DataFrame")? {
        return Ok(false);
    }
    let (names, kinds) = (data.getattr("columns")?, data.getattr("dtypes")?);
    let Some(last) = names.len()?.checked_sub(1) else { return Ok(false) };
    let counts_rows = kinds.get_item(last)?.str()?.to_cow()? == "UInt32";
    Ok(counts_rows && is_text(&names.get_item(last)?, &["count", "len"]))
}

/// The pairs that `pyarrow.compute.value_counts` makes.
fn is_arrow_tally(data: &Bound<'_, PyAny>) -> PyResult<bool> {
    if !is_a(data, "pyarrow", "StructArray")? {
        return Ok(false);
    }
    let names = data.getattr("type")?.try_iter()?.map(|field| field?.getattr("name")?.extract::<String>());
    Ok(names.collect::<PyResult<Vec<_>>>()? == ["values", "counts"])
}

fn is_text(object: &Bound<'_, PyAny>, texts: &[&str]) -> bool {
    object.extract::<String>().is_ok_and(|text| texts.contains(&text.as_str()))
}
