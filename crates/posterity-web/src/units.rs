//! Whom a release protects, in words.

use posterity::Adjacency;
use posterity::data::Question;
use posterity::number::grouped;

/// Whom the answer to a question protects, in words.
pub(crate) fn protected(question: &Question) -> String {
    match &question.unit {
        Some(unit) => format!("each value of {unit:?}: {}", question.per_unit.in_words(unit)),
        None => "each record by itself".to_owned(),
    }
}

/// What may be replaced, or be there or not, without changing much, in words.
pub(crate) fn changed(adjacency: Adjacency, unit: Option<&str>) -> String {
    let one =
        unit.map_or_else(|| "any one record".to_owned(), |unit| format!("all records of any one {unit}"));
    match adjacency {
        Adjacency::Replace => format!("Replacing {one}"),
        Adjacency::AddRemove => format!("Adding or removing {one}"),
    }
}

/// What is published and not protected beside the answers. `filters` are those of a release or of a study.
pub(crate) fn published(adjacency: Adjacency, filters: &str) -> String {
    match adjacency {
        Adjacency::Replace => {
            format!(
                "The number of records, the values, the {filters} and the names are published and not protected."
            )
        }
        Adjacency::AddRemove => format!(
            "The values, the {filters}, the edition and the names are published and not protected. The number of records is private."
        ),
    }
}

/// How many records or units there are, in words.
pub(crate) fn how_many(n: Option<u64>, has_unit: bool) -> String {
    let units = if has_unit { "units" } else { "records" };
    match n {
        Some(n) => format!("{} {units}", grouped(&n.to_string())),
        None => format!("private number of {units}"),
    }
}
