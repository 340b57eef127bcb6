//! Whether an account protects whom a release protects.

use posterity::Unit;
use posterity::ledger::{Account, LedgerError};

/// Why an account does not take a release of this unit, in the words of the ledger; nothing if it does. Without a unit each record is
/// protected by itself.
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
