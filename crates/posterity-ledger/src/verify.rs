//! Checking the whole chain.

use std::collections::HashMap;

use rusqlite::Connection;
use serde::Serialize;

use crate::account::{check_budget, check_new};
use crate::amount::Amount;
use crate::entry::{COLUMNS, Entry, Event, RawEntry};
use crate::error::Breach;
use crate::fault::Fault;
use crate::hash::Hash;
use crate::head::Head;

/// What a verified ledger holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// Where the chain ends. Note it outside the file.
    pub head: Head,
    /// The number of accounts.
    pub accounts: u64,
    /// The number of charges.
    pub charges: u64,
    /// The number of charges with a recorded document.
    pub releases: u64,
}

/// Walks the chain from its start: every hash, every link, the head, and what the entries say. `visit` sees each entry
/// once it is checked.
pub(crate) fn verify(connection: &Connection, mut visit: impl FnMut(Entry)) -> Result<Verified, Fault> {
    sound(connection)?;
    let stated = Head::stated(connection)?;
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM entry ORDER BY sequence"))?;
    let mut rows = statement.query([])?;
    let mut head = Head::START;
    let mut books = Books::default();
    while let Some(row) = rows.next()? {
        let raw = RawEntry::from_row(row)?;
        let sequence = head.entries + 1;
        let broken = |breach| Fault::Broken { entry: sequence, breach };
        if raw.sequence != i64::try_from(sequence).unwrap_or(i64::MAX) {
            return Err(broken(Breach::Missing));
        }
        if !raw.is_intact() {
            return Err(broken(Breach::Changed));
        }
        if raw.previous != head.hash.to_string() {
            return Err(broken(Breach::Unlinked));
        }
        let entry =
            raw.entry().filter(|entry| books.enter(entry)).ok_or_else(|| broken(Breach::Impossible))?;
        head = Head { entries: sequence, hash: entry.hash };
        visit(entry);
    }
    if head.entries < stated.entries {
        return Err(Fault::Broken { entry: head.entries + 1, breach: Breach::Missing });
    }
    if head != stated {
        return Err(Fault::Broken { entry: head.entries, breach: Breach::NotTheHead });
    }
    Ok(Verified {
        head,
        accounts: books.accounts.len() as u64,
        charges: books.charges,
        releases: books.releases,
    })
}

/// The hash that the entry with this number has, if there is one; the start for zero.
pub(crate) fn hash_at(connection: &Connection, sequence: u64) -> Result<Option<Hash>, Fault> {
    use rusqlite::OptionalExtension;
    let Ok(sequence) = i64::try_from(sequence) else { return Ok(None) };
    if sequence == 0 {
        return Ok(Some(Hash::START));
    }
    let text: Option<String> = connection
        .query_row("SELECT hash FROM entry WHERE sequence = ?1", [sequence], |row| row.get(0))
        .optional()?;
    Ok(text.as_deref().and_then(Hash::from_hex))
}

/// The database itself: pages, and indexes against their table, because balances are read from an index.
fn sound(connection: &Connection) -> Result<(), Fault> {
    let report: String = connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if report == "ok" {
        return Ok(());
    }
    let corrupt = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    Err(rusqlite::Error::SqliteFailure(corrupt, Some(report)).into())
}

/// The accounts and charges so far, kept independently of the queries that charging uses.
#[derive(Default)]
struct Books {
    accounts: HashMap<String, (Amount, Amount)>,
    open: HashMap<u64, String>,
    charges: u64,
    releases: u64,
}

impl Books {
    /// Adds an entry, and says whether a ledger could have written it here.
    fn enter(&mut self, entry: &Entry) -> bool {
        match &entry.event {
            Event::Account { epsilon, delta } => {
                check_new(&entry.account, epsilon, delta).is_ok()
                    && self.accounts.insert(entry.account.clone(), (epsilon.clone(), delta.clone())).is_none()
            }
            Event::Charge { question, epsilon, delta } => {
                let Some(remaining) = self.accounts.get_mut(&entry.account) else { return false };
                let (Some(left_epsilon), Some(left_delta)) =
                    (remaining.0.minus(epsilon), remaining.1.minus(delta))
                else {
                    return false;
                };
                *remaining = (left_epsilon, left_delta);
                self.charges += 1;
                self.open.insert(entry.sequence, entry.account.clone());
                !question.is_empty() && check_budget("the charge", epsilon, delta).is_ok()
            }
            Event::Record { charge, .. } => {
                self.releases += 1;
                self.open.remove(charge).is_some_and(|account| account == entry.account)
            }
        }
    }
}
