//! The charges of an account, one by one.

use std::fmt;

use rusqlite::Connection;
use serde::Serialize;

use crate::amount::Amount;
use crate::error::{Breach, LedgerError};
use crate::fault::Fault;
use crate::timestamp::Timestamp;

/// One charge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HistoryLine {
    /// Its sequence number.
    pub entry: u64,
    /// When it was made.
    pub at: Timestamp,
    /// The question.
    pub question: String,
    /// Its price in epsilon.
    pub epsilon: Amount,
    /// Its price in delta.
    pub delta: Amount,
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
    /// No document was recorded: the process that charged it failed, was stopped, or is still running. It stays charged, because
    /// nobody can know what was drawn.
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
        let existing = crate::balance::names(connection)?;
        return Err(LedgerError::UnknownAccount { name: account.to_owned(), existing }.into());
    }
    let mut statement = connection.prepare(
        "SELECT charged.sequence, charged.at, charged.question, charged.epsilon, charged.delta, recorded.at \
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
        let amount = |column: usize| -> Result<Amount, Fault> {
            text(column)?.as_deref().and_then(Amount::from_stored).ok_or_else(broken)
        };
        let time = |text: String| text.parse::<Timestamp>().map_err(|_| broken());
        lines.push(HistoryLine {
            entry,
            at: time(row.get(1)?)?,
            question: text(2)?.ok_or_else(broken)?,
            epsilon: amount(3)?,
            delta: amount(4)?,
            status: match text(5)? {
                Some(at) => Status::Released { released: time(at)? },
                None => Status::NotReleased,
            },
        });
    }
    Ok(lines)
}
