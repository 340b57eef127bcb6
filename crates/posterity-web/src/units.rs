//! Whom a release protects, and whether an account protects them too.

use posterity::data::Question;
use posterity::ledger::{Account, LedgerError};
use posterity::number::grouped;
use posterity::paying::charge_for;
use posterity::{Adjacency, Amount, Epsilon};

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

/// What an account pays for a release of this unit, adjacency and epsilon, or why it does not take it, in the words of
/// the ledger. Without a unit each record is protected by itself.
pub(crate) fn price(
    account: &Account,
    unit: Option<&str>,
    adjacency: Adjacency,
    epsilon: &Epsilon,
) -> Result<Amount, LedgerError> {
    let epsilon = Amount::from_rational(epsilon.rational().clone())?;
    let price = account.price_of(&charge_for("any", [epsilon], None, unit, adjacency)?)?;
    // What has an epsilon by itself has one in every account.
    price.epsilon().cloned().ok_or_else(|| LedgerError::NoFilter { account: account.name.clone() })
}
