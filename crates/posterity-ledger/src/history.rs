//! The charges of an account, one by one.

use std::fmt;

use rusqlite::Connection;
use serde::Serialize;

use crate::error::Breach;
use crate::fault::Fault;
use crate::price::Price;
use crate::promise::Promise;
use crate::timestamp::Timestamp;
use crate::unit::Unit;

/// One charge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HistoryLine {
    /// Its sequence number.
    pub entry: u64,
    /// When it was made.
    pub at: Timestamp,
    /// The question.
    pub question: String,
    /// Whom it protects.
    pub unit: Unit,
    /// Its price.
    #[serde(flatten)]
    pub price: Price,
    /// What the release promises by itself.
    pub release: Promise,
    /// What came of it.
    #[serde(flatten)]
    pub status: Status,
}

/// What came of a charge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Status {
    /// A document was recorded.
    Released {
        /// When.
        released: Timestamp,
    },
    /// No document was recorded, because the draw failed. It stays charged: whether a draw fails may depend on the
    /// data.
    NotReleased,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Released { .. } => "released",
            Self::NotReleased => "not released",
        })
    }
}

/// All charges of an account in their order.
pub(crate) fn history(connection: &Connection, account: &str) -> Result<Vec<HistoryLine>, Fault> {
    if !crate::balance::exists(connection, account)? {
        return Err(crate::balance::unknown(connection, account)?);
    }
    let mut statement = connection.prepare(
        "SELECT charged.sequence, charged.at, charged.question, charged.epsilon, charged.delta, recorded.at, \
         charged.unit, charged.parts, charged.rule \
         FROM entry AS charged LEFT JOIN entry AS recorded \
         ON recorded.kind = 'record' AND recorded.charge = charged.sequence \
         WHERE charged.kind = 'charge' AND charged.account = ?1 ORDER BY charged.sequence",
    )?;
    let mut rows = statement.query([account])?;
    let mut lines = Vec::new();
    while let Some(row) = rows.next()? {
        let entry = u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0);
        let broken = || Fault::Broken { entry, breach: Breach::Changed };
        let text = |column: usize| row.get::<_, Option<String>>(column);
        let time = |text: String| text.parse::<Timestamp>().map_err(|_| broken());
        let columns = [text(3)?, text(4)?, text(7)?];
        let price = Price::from_columns(columns.each_ref().map(Option::as_deref)).ok_or_else(broken)?;
        let release = Promise::from_stored(text(8)?.as_deref(), &price).ok_or_else(broken)?;
        lines.push(HistoryLine {
            entry,
            at: time(row.get(1)?)?,
            question: text(2)?.ok_or_else(broken)?,
            unit: text(6)?.and_then(|unit| unit.parse().ok()).ok_or_else(broken)?,
            price,
            release,
            status: match text(5)? {
                Some(at) => Status::Released { released: time(at)? },
                None => Status::NotReleased,
            },
        });
    }
    Ok(lines)
}
