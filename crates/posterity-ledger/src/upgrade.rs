//! From format 1 to format 2.

use std::collections::BTreeSet;

use rusqlite::Connection;

use crate::amount::Amount;
use crate::balance;
use crate::entry::{Event, State};
use crate::error::Breach;
use crate::fault::Fault;
use crate::head::Head;
use crate::parts::Parts;
use crate::recall::intact;
use crate::rule::Rule;
use crate::schema::{self, Identity};
use crate::tally::{Budget, Tally};
use crate::timestamp::Timestamp;
use crate::unit::Unit;
use crate::verify::verify;

/// Upgrades a ledger of format 1 within the caller's transaction, and nothing else.
///
/// Its entries stay as they are, with their hashes, so that a head noted before is still found. For each account one entry is added
/// with its total and its unit: the one that all its charges have, or none if they differ. Its charges go on adding up.
/// At the end the whole chain is verified; a broken ledger is not upgraded.
pub(crate) fn upgrade(
    connection: &Connection,
    at: &Timestamp,
    unit_of: &dyn Fn(&str) -> Option<Unit>,
) -> Result<(), Fault> {
    if schema::identify(connection)? != Identity::First {
        return Ok(());
    }
    schema::rebuild(connection)?;
    let mut head = Head::checked(connection)?;
    for name in balance::names(connection)? {
        let (state, among) = state(connection, &name, unit_of)?;
        head = head.append(connection, at, &name, &Event::Unit { among, state })?;
    }
    verify(connection, |_| ()).map(|_| ())
}

/// How an account of format 1 stands, and the units of its charges if they differ.
fn state(
    connection: &Connection,
    name: &str,
    unit_of: &dyn Fn(&str) -> Option<Unit>,
) -> Result<(State, Vec<String>), Fault> {
    let mut statement = connection
        .prepare("SELECT sequence FROM entry WHERE kind <> 'record' AND account = ?1 ORDER BY sequence")?;
    let sequences: Vec<i64> = statement.query_map([name], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut budget = Budget { epsilon: Amount::ZERO, delta: Amount::ZERO, rule: Rule::Sum };
    let mut tally = Tally::start(&budget);
    let (mut units, mut before) = (BTreeSet::new(), 0);
    for sequence in sequences {
        let entry = intact(connection, sequence)?;
        before = entry.sequence;
        let broken = Fault::Broken { entry: before, breach: Breach::Impossible };
        match entry.event {
            Event::Account { epsilon, delta, .. } => (budget.epsilon, budget.delta) = (epsilon, delta),
            Event::Charge { question, epsilon, delta, .. } => {
                tally = tally.plus(&budget, &Parts::one(&epsilon), &delta).map_err(|_| broken)?;
                units.insert(unit_of(&question));
            }
            _ => return Err(broken),
        }
    }
    let known: Option<Vec<Unit>> = units.iter().cloned().collect();
    let unit = match known.as_deref() {
        Some([]) => Some(Unit::RECORD),
        Some([unit]) => Some(unit.clone()),
        _ => None,
    };
    let word =
        |unit: Option<Unit>| unit.map_or("a unit that cannot be read".to_owned(), |unit| unit.to_string());
    let among = if unit.is_some() { Vec::new() } else { units.into_iter().map(word).collect() };
    Ok((State { unit, population: None, before, tally }, among))
}
