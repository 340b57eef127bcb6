//! Documents that were released before.

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

use crate::charge::Charge;
use crate::entry::{COLUMNS, Entry, Event, RawEntry, signed};
use crate::error::Breach;
use crate::fault::Fault;
use crate::hash::Hash;
use crate::head::Head;
use crate::price::Price;
use crate::promise::Promise;
use crate::timestamp::Timestamp;
use crate::unit::Unit;

/// A recorded release document with its charge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredRelease {
    /// The account that paid.
    pub account: String,
    /// The sequence number of the charge.
    pub entry: u64,
    /// When it was charged.
    pub charged: Timestamp,
    /// When it was recorded.
    pub recorded: Timestamp,
    /// The head of the ledger after the charge.
    pub head: Head,
    /// Whom it protects.
    pub unit: Unit,
    /// The question.
    pub question: String,
    /// What was charged.
    #[serde(flatten)]
    pub price: Price,
    /// What the release promises by itself.
    pub release: Promise,
    /// The document, as it was recorded.
    pub document: String,
}

/// The last recorded document for a question that fits, with the promise and for the unit of a charge if one is given.
/// The documents are read one by one, the newest first.
pub(crate) fn find(
    connection: &Connection,
    account: &str,
    question: &str,
    asked: Option<&Charge>,
    mut fits: impl FnMut(&StoredRelease) -> bool,
) -> Result<Option<StoredRelease>, Fault> {
    let key = Hash::of_text(question).to_string();
    let [epsilon, delta, parts] = asked.map(|c| c.promise().price.columns()).unwrap_or_default();
    let unit = asked.map(|c| c.protects().to_string());
    // A promise that is stored beside the price says all of it; otherwise the price is the promise.
    let promise = asked.and_then(|c| c.promise().stored());
    let mut statement = connection.prepare(
        "SELECT charged.sequence, recorded.sequence FROM entry AS charged JOIN entry AS recorded \
         ON recorded.kind = 'record' AND recorded.charge = charged.sequence \
         WHERE charged.kind = 'charge' AND charged.account = ?1 AND charged.key = ?2 AND (?6 IS NULL \
         OR charged.unit = ?6 AND charged.rule IS ?7 \
         AND (?7 IS NOT NULL OR charged.epsilon IS ?3 AND charged.delta IS ?4 AND charged.parts IS ?5)) \
         ORDER BY charged.sequence DESC",
    )?;
    let mut rows = statement.query(params![account, key, epsilon, delta, parts, unit, promise])?;
    while let Some(row) = rows.next()? {
        let found = release(intact(connection, row.get(0)?)?, intact(connection, row.get(1)?)?)?;
        // The index said so; now the entries must say it too.
        if found.account != account || found.question != question {
            return Err(Fault::Broken { entry: found.entry, breach: Breach::Impossible });
        }
        if fits(&found) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The document of a charge, by the number of its entry.
pub(crate) fn at(connection: &Connection, charge: u64) -> Result<Option<StoredRelease>, Fault> {
    let charged = signed(charge);
    let recorded: Option<i64> = connection
        .query_row("SELECT sequence FROM entry WHERE kind = 'record' AND charge = ?1", [charged], |row| {
            row.get(0)
        })
        .optional()?;
    match recorded {
        None => Ok(None),
        Some(recorded) => release(intact(connection, charged)?, intact(connection, recorded)?).map(Some),
    }
}

/// Reads an entry that must exist and be as it was written, so that an edited document is never given out.
pub(crate) fn intact(connection: &Connection, sequence: i64) -> Result<Entry, Fault> {
    let broken = |breach| Fault::Broken { entry: u64::try_from(sequence).unwrap_or(0), breach };
    let sql = format!("SELECT {COLUMNS} FROM entry WHERE sequence = ?1");
    let raw = connection.query_row(&sql, [sequence], RawEntry::from_row).optional()?;
    let raw = raw.ok_or_else(|| broken(Breach::Missing))?;
    if !raw.is_intact() || raw.sequence != sequence {
        return Err(broken(Breach::Changed));
    }
    raw.entry().ok_or_else(|| broken(Breach::Impossible))
}

/// Joins a charge and its document.
pub(crate) fn release(charged: Entry, recorded: Entry) -> Result<StoredRelease, Fault> {
    let broken = Fault::Broken { entry: recorded.sequence, breach: Breach::Impossible };
    let head = charged.head();
    match (charged.event, recorded.event) {
        (Event::Charge { question, price, release, state }, Event::Record { charge, document })
            if charge == charged.sequence && recorded.account == charged.account =>
        {
            Ok(StoredRelease {
                head,
                account: charged.account,
                entry: charged.sequence,
                unit: state.unit,
                charged: charged.at,
                recorded: recorded.at,
                question,
                price,
                release: *release,
                document,
            })
        }
        _ => Err(broken),
    }
}
