//! The whole ledger as a document.

use serde::Serialize;

use crate::account::Account;
use crate::entry::Entry;
use crate::head::Head;

/// Everything a ledger holds, for other programs and for safe keeping. It was verified when it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Export {
    /// The format of the file.
    pub format: i32,
    /// The head of the chain.
    pub head: Head,
    /// All accounts with their balances.
    pub accounts: Vec<Account>,
    /// All entries in their order.
    pub entries: Vec<Entry>,
}
