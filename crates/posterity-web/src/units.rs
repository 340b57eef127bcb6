//! Whom a release protects, and whether an account protects them too.

use posterity::Unit;
use posterity::data::Question;
use posterity::ledger::{Account, LedgerError};

/// Whom the answer to a question protects, in words.
pub(crate) fn protected(question: &Question) -> String {
    match &question.unit {
        Some(unit) => format!("each value of {unit:?}: {}", question.per_unit.in_words(unit)),
        None => "each record by itself".to_owned(),
    }
}

/// What may be replaced without changing much, in words.
pub(crate) fn replaced(unit: Option<&str>) -> String {
    unit.map_or_else(|| "any one record".to_owned(), |unit| format!("all records of any one {unit}"))
}

/// Why an account does not take a release of this unit, in the words of the ledger; nothing if it does. Without a unit
/// each record is protected by itself.
pub(crate) fn refusal(account: &Account, unit: Option<&str>) -> Option<LedgerError> {
    let asked = match unit {
        None => Unit::RECORD,
        Some(column) => match Unit::column(column) {
            Ok(unit) => unit,
            Err(error) => return Some(error.into()),
        },
    };
    let (account, unit) = (account.name.clone(), account.unit.clone());
    (unit != asked).then_some(LedgerError::OtherUnit { account, unit, asked })
}
