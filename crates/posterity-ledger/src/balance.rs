//! What was spent, summed from the charges.

use rusqlite::{Connection, OptionalExtension};

use crate::account::Account;
use crate::amount::Amount;
use crate::charge::Charge;
use crate::entry::{COLUMNS, Event, RawEntry};
use crate::error::{Breach, Exceeded, LedgerError, Part};
use crate::fault::Fault;

/// The names of all accounts, in the order of their creation.
pub(crate) fn names(connection: &Connection) -> Result<Vec<String>, Fault> {
    let mut statement =
        connection.prepare("SELECT account FROM entry WHERE kind = 'account' ORDER BY sequence")?;
    let names = statement.query_map([], |row| row.get(0))?;
    Ok(names.collect::<Result<_, _>>()?)
}

/// Whether an account exists.
pub(crate) fn exists(connection: &Connection, name: &str) -> Result<bool, Fault> {
    let mut statement = connection.prepare("SELECT 1 FROM entry WHERE kind = 'account' AND account = ?1")?;
    Ok(statement.exists([name])?)
}

/// An account with its balance.
pub(crate) fn account(connection: &Connection, name: &str) -> Result<Account, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM entry WHERE kind = 'account' AND account = ?1");
    let Some(raw) = connection.query_row(&sql, [name], RawEntry::from_row).optional()? else {
        return Err(
            LedgerError::UnknownAccount { name: name.to_owned(), existing: names(connection)? }.into()
        );
    };
    // The entry that says what may be spent is read for every charge, so it is also checked for every charge.
    let sequence = u64::try_from(raw.sequence).unwrap_or(0);
    let broken = |breach| Fault::Broken { entry: sequence, breach };
    if !raw.is_intact() {
        return Err(broken(Breach::Changed));
    }
    let entry = raw.entry().ok_or_else(|| broken(Breach::Impossible))?;
    let Event::Account { epsilon, delta } = entry.event else { return Err(broken(Breach::Impossible)) };
    let (charges, spent_epsilon, spent_delta) = spent(connection, name)?;
    let (Some(remaining_epsilon), Some(remaining_delta)) =
        (epsilon.minus(&spent_epsilon), delta.minus(&spent_delta))
    else {
        return Err(broken(Breach::Impossible));
    };
    Ok(Account {
        name: entry.account,
        created: entry.at,
        epsilon,
        delta,
        spent_epsilon,
        spent_delta,
        remaining_epsilon,
        remaining_delta,
        charges,
    })
}

/// Refuses a charge that does not fit into what remains. All of it may be spent.
pub(crate) fn check_fits(account: &Account, charge: &Charge) -> Result<(), Fault> {
    let parts = [
        (Part::Epsilon, charge.epsilon(), &account.remaining_epsilon, &account.epsilon),
        (Part::Delta, charge.delta(), &account.remaining_delta, &account.delta),
    ];
    match parts.into_iter().find(|(_, asked, remaining, _)| asked > remaining) {
        None => Ok(()),
        Some((part, asked, remaining, budget)) => Err(LedgerError::from(Box::new(Exceeded {
            account: account.name.clone(),
            part,
            asked: asked.clone(),
            remaining: remaining.clone(),
            budget: budget.clone(),
        }))
        .into()),
    }
}

/// The number of charges and the sums of both parts.
///
/// Equal amounts are equal texts, so the index `spent` answers this alone: SQLite counts equal pairs in their order, and
/// only different pairs are added here.
fn spent(connection: &Connection, name: &str) -> Result<(u64, Amount, Amount), Fault> {
    let mut statement = connection.prepare(
        "SELECT epsilon, delta, count(*), min(sequence) FROM entry WHERE kind = 'charge' AND account = ?1 GROUP BY epsilon, delta",
    )?;
    let mut rows = statement.query([name])?;
    let (mut charges, mut epsilon, mut delta) = (0, Amount::ZERO, Amount::ZERO);
    while let Some(row) = rows.next()? {
        let amount = |column: usize| -> Result<Amount, Fault> {
            let text: Option<String> = row.get(column)?;
            match text.as_deref().and_then(Amount::from_stored) {
                Some(amount) => Ok(amount),
                None => {
                    let entry = u64::try_from(row.get::<_, i64>(3)?).unwrap_or(0);
                    Err(Fault::Broken { entry, breach: Breach::Changed })
                }
            }
        };
        let count = u64::try_from(row.get::<_, i64>(2)?).unwrap_or(0);
        charges += count;
        epsilon = epsilon + &amount(0)?.times(count);
        delta = delta + &amount(1)?.times(count);
    }
    Ok((charges, epsilon, delta))
}
