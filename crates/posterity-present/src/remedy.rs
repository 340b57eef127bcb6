//! What to do about an error of a ledger.

use posterity::LedgerError;

/// What to do about an error of a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// Create a ledger.
    CreateLedger,
    /// Create an account.
    CreateAccount,
    /// Look at the history.
    History,
}

impl Remedy {
    /// What to do about an error of a ledger, if there is something.
    #[must_use]
    pub fn of(error: &LedgerError) -> Option<Self> {
        match error {
            LedgerError::Missing { .. } | LedgerError::Empty { .. } | LedgerError::NotALedger { .. } => {
                Some(Self::CreateLedger)
            }
            LedgerError::UnknownAccount { existing, .. } if existing.is_empty() => Some(Self::CreateAccount),
            LedgerError::Full { .. } | LedgerError::Storage { .. } => Some(Self::History),
            _ => None,
        }
    }
}
