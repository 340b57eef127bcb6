//! Checking the whole chain.

use std::collections::HashMap;

use rusqlite::Connection;
use serde::Serialize;

use crate::account::{check_new, check_population, check_reason};
use crate::adjacency::Adjacency;
use crate::entry::{COLUMNS, Entry, Event, RawEntry, State};
use crate::error::Breach;
use crate::fault::Fault;
use crate::hash::Hash;
use crate::head::Head;
use crate::tally::{Budget, Tally};
use crate::unit::Unit;

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
    books.stand(connection)?;
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
    accounts: HashMap<String, Page>,
    open: HashMap<u64, String>,
    charges: u64,
    releases: u64,
}

/// What is known of one account.
struct Page {
    budget: Budget,
    unit: Unit,
    adjacency: Adjacency,
    tally: Tally,
    /// The last entry that says how it stands.
    last: u64,
    hash: Hash,
}

impl Books {
    /// Adds an entry, and says whether a ledger could have written it here.
    fn enter(&mut self, entry: &Entry) -> bool {
        match &entry.event {
            Event::Account { epsilon, delta, terms } => {
                let rule = terms.rule.clone();
                let budget = Budget { epsilon: epsilon.clone(), delta: delta.clone(), rule };
                let (unit, tally) = (terms.unit.clone(), Tally::start(&budget));
                let (adjacency, last, hash) = (terms.adjacency, entry.sequence, entry.hash);
                let page = Page { budget, unit, adjacency, tally, last, hash };
                check_new(&entry.account, epsilon, delta).is_ok()
                    && said(terms.population.as_deref())
                    && terms.reason.as_deref().is_none_or(|reason| check_reason(reason).is_ok())
                    && self.accounts.insert(entry.account.clone(), page).is_none()
            }
            Event::Charge { question, price, release, state } => {
                let Some(page) = self.accounts.get_mut(&entry.account) else { return false };
                let due = release.price_for(page.adjacency);
                if question.is_empty() || !release.price.is_valid() || due.as_ref() != Ok(price) {
                    return false;
                }
                let tally = page.tally.after(&page.budget, price);
                let Ok(tally) = tally else { return false };
                self.charges += 1;
                self.open.insert(entry.sequence, entry.account.clone());
                page.tally = tally;
                page.turn(entry, state)
            }
            Event::Unit { state } => {
                let Some(page) = self.accounts.get_mut(&entry.account) else { return false };
                page.unit.clone_from(&state.unit);
                page.tally.charges == 0 && said(state.population.as_deref()) && page.turn(entry, state)
            }
            Event::Record { charge, .. } => {
                self.releases += 1;
                self.open.remove(charge).is_some_and(|account| account == entry.account)
            }
        }
    }

    /// Whether the table `standing` names the last entry of each account, and nothing else.
    fn stand(&self, connection: &Connection) -> Result<(), Fault> {
        let mut statement = connection.prepare("SELECT account, entry, hash FROM standing")?;
        let mut rows = statement.query([])?;
        let mut seen = 0;
        while let Some(row) = rows.next()? {
            let (name, entry): (String, i64) = (row.get(0)?, row.get(1)?);
            let hash: String = row.get(2)?;
            let entry = u64::try_from(entry).unwrap_or(0);
            let stands = self
                .accounts
                .get(&name)
                .is_some_and(|page| page.last == entry && page.hash.to_string() == hash);
            if !stands {
                return Err(Fault::Broken { entry, breach: Breach::NotTheLast });
            }
            seen += 1;
        }
        if seen == self.accounts.len() {
            return Ok(());
        }
        Err(Fault::Broken { entry: 0, breach: Breach::NotTheLast })
    }
}

/// Whether an account may say this of its population.
fn said(population: Option<&str>) -> bool {
    population.is_none_or(|text| check_population(text).is_ok())
}

impl Page {
    /// Moves on to an entry that says how the account stands, and checks whether that is true.
    fn turn(&mut self, entry: &Entry, state: &State) -> bool {
        let holds = state.before == self.last && state.tally == self.tally && state.unit == self.unit;
        (self.last, self.hash) = (entry.sequence, entry.hash);
        holds
    }
}
