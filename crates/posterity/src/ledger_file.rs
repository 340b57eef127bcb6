//! Opening ledgers, also those of earlier versions.

use std::path::Path;

use posterity_ledger::{Ledger, LedgerError, now_utc};

use crate::question::unit_of;

/// Opens a ledger, and upgrades it if an earlier version made it. Use this rather than [`Ledger::open`], which knows nothing of
/// questions and cannot tell whom the charges of an earlier version protect.
///
/// ```
/// use posterity::{LedgerError, open_ledger};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("none.ledger");
/// assert!(matches!(open_ledger(&path), Err(LedgerError::Missing { .. })));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// As [`Ledger::open`].
pub fn open_ledger(path: impl AsRef<Path>) -> Result<Ledger, LedgerError> {
    upgraded(path.as_ref(), Ledger::open(path.as_ref()))
}

/// Opens a ledger as [`open_ledger`], or creates it if there is none.
///
/// # Errors
/// As [`Ledger::open_or_create`].
pub fn open_or_create_ledger(path: impl AsRef<Path>) -> Result<Ledger, LedgerError> {
    upgraded(path.as_ref(), Ledger::open_or_create(path.as_ref()))
}

fn upgraded(path: &Path, opened: Result<Ledger, LedgerError>) -> Result<Ledger, LedgerError> {
    match opened {
        Err(LedgerError::OlderFormat { .. }) => Ledger::upgrade(path, &now_utc(), unit_of),
        other => other,
    }
}
