//! How an account stands: its budget from the entry that created it, its total from its last entry.

use rusqlite::{Connection, OptionalExtension};

use crate::account::Account;
use crate::adjacency::Adjacency;
use crate::afford::Purse;
use crate::charge::Charge;
use crate::entry::{Entry, Event, State};
use crate::error::{Breach, LedgerError};
use crate::fault::Fault;
use crate::price::Price;
use crate::recall::intact;
use crate::rule::Rule;
use crate::tally::{Budget, Tally};
use crate::timestamp::Timestamp;
use crate::unit::Unit;

/// What is known of an account from its two entries.
pub(crate) struct Standing {
    pub(crate) name: String,
    created: Timestamp,
    pub(crate) budget: Budget,
    pub(crate) unit: Unit,
    adjacency: Adjacency,
    population: Option<String>,
    reason: Option<String>,
    /// The population, if it was named after the account was created.
    later_population: Option<String>,
    pub(crate) tally: Tally,
    /// The entry that says so.
    pub(crate) last: u64,
}

/// The names of all accounts, in the order of their creation.
pub(crate) fn names(connection: &Connection) -> Result<Vec<String>, Fault> {
    let mut statement =
        connection.prepare("SELECT account FROM entry WHERE kind = 'account' ORDER BY sequence")?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// Whether an account exists. Two tables are asked, and the account exists if either knows it, so that one flipped bit
/// cannot make room for a second account of the same name.
pub(crate) fn exists(connection: &Connection, name: &str) -> Result<bool, Fault> {
    let mut statement = connection.prepare("SELECT 1 FROM entry WHERE kind = 'account' AND account = ?1")?;
    let mut standing = connection.prepare("SELECT 1 FROM standing WHERE account = ?1")?;
    Ok(statement.exists([name])? || standing.exists([name])?)
}

/// How an account stands. All that is read is checked: both entries by their hashes, that they are of this account, and
/// in two places which entry is its last. So an edit or a flipped bit is refused, or it concerns neither the budget nor
/// the total.
pub(crate) fn standing(connection: &Connection, name: &str) -> Result<Standing, Fault> {
    let created: Option<i64> = connection
        .query_row("SELECT sequence FROM entry WHERE kind = 'account' AND account = ?1", [name], |row| {
            row.get(0)
        })
        .optional()?;
    let Some(created) = created else {
        if exists(connection, name)? {
            return Err(Fault::Broken { entry: 0, breach: Breach::Impossible });
        }
        return Err(unknown(connection, name)?);
    };
    let account = intact(connection, created)?;
    let impossible = |entry: &Entry| Fault::Broken { entry: entry.sequence, breach: Breach::Impossible };
    let last = last_state(connection, name)?;
    if account.account != name {
        return Err(impossible(&account));
    }
    let Event::Account { epsilon, delta, terms } = account.event.clone() else {
        return Err(impossible(&account));
    };
    let budget = Budget { epsilon, delta, rule: terms.rule };
    let tally = Tally::start(&budget);
    let mut standing = Standing {
        name: account.account.clone(),
        created: account.at.clone(),
        budget,
        unit: terms.unit,
        adjacency: terms.adjacency,
        population: terms.population,
        reason: terms.reason,
        later_population: None,
        tally,
        last: last.sequence,
    };
    match last.event.clone() {
        _ if last.account != name => return Err(impossible(&last)),
        Event::Account { .. } if last.sequence == account.sequence => (),
        Event::Charge { state, .. } | Event::Unit { state } => {
            (standing.unit, standing.tally) = (state.unit, state.tally);
            standing.later_population = state.population;
        }
        _ => return Err(impossible(&last)),
    }
    Ok(standing)
}

/// The last entry of an account that says how it stands, as the index and the table `standing` both name it.
fn last_state(connection: &Connection, name: &str) -> Result<Entry, Fault> {
    let indexed: Option<i64> = connection.query_row(
        "SELECT max(sequence) FROM entry WHERE kind <> 'record' AND account = ?1",
        [name],
        |row| row.get(0),
    )?;
    let stated: Option<(i64, String)> = connection
        .query_row("SELECT entry, hash FROM standing WHERE account = ?1", [name], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let number = |sequence: i64| u64::try_from(sequence).unwrap_or(0);
    let (Some(indexed), Some((stated, hash))) = (indexed, stated) else {
        return Err(Fault::Broken { entry: number(indexed.unwrap_or(0)), breach: Breach::NotTheLast });
    };
    if indexed != stated {
        return Err(Fault::Broken { entry: number(indexed.max(stated)), breach: Breach::NotTheLast });
    }
    let entry = intact(connection, stated)?;
    if entry.hash.to_string() != hash {
        return Err(Fault::Broken { entry: entry.sequence, breach: Breach::NotTheLast });
    }
    Ok(entry)
}

/// An account with its balance.
pub(crate) fn account(connection: &Connection, name: &str) -> Result<Account, Fault> {
    Ok(standing(connection, name)?.account())
}

impl Standing {
    fn account(self) -> Account {
        let Self {
            name, created, budget, unit, adjacency, population, reason, later_population, tally, ..
        } = self;
        let remaining_delta = match budget.rule {
            Rule::Sum => budget.delta.minus(&tally.delta).unwrap_or_default(),
            Rule::Renyi(_) => Default::default(),
        };
        Account {
            name,
            created,
            unit,
            adjacency,
            population: later_population.or(population),
            reason,
            spent_epsilon: tally.spent(&budget),
            spent_delta: tally.delta.clone(),
            remaining_epsilon: tally.remaining(&budget),
            remaining_delta,
            sum_epsilon: tally.epsilon.clone(),
            sum_rho: tally.sum_rho(),
            charges: tally.charges,
            epsilon: budget.epsilon,
            delta: budget.delta,
            rule: budget.rule,
            tally,
        }
    }

    /// The state that a charge or a decision leaves.
    pub(crate) fn state(&self, unit: Unit, tally: Tally) -> State {
        // A population that the entry of the account names is not repeated.
        let population = self.later_population.clone();
        State { unit, population, before: self.last, tally }
    }

    /// What a charge costs, or why it cannot be counted.
    pub(crate) fn price(&self, charge: &Charge) -> Result<Price, Fault> {
        Ok(self.purse().price(charge)?)
    }

    /// The total after a charge at this price, or that the budget does not suffice.
    pub(crate) fn after(&self, charge: &Charge, price: &Price) -> Result<Tally, Fault> {
        Ok(self.purse().after(charge, price)?)
    }

    fn purse(&self) -> Purse<'_> {
        let Self { name, unit, adjacency, tally, budget, .. } = self;
        Purse { account: name, unit, adjacency: *adjacency, tally, budget }
    }
}

/// Says that there is no such account.
pub(crate) fn unknown(connection: &Connection, name: &str) -> Result<Fault, Fault> {
    Ok(LedgerError::UnknownAccount { name: name.to_owned(), existing: names(connection)? }.into())
}
