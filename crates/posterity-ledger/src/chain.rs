//! The head of the hash chain, and how an entry is appended.

use std::fmt;
use std::str::FromStr;

use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use thiserror::Error;

use crate::entry::{COLUMNS, Event, RawEntry};
use crate::error::Breach;
use crate::hash::Hash;
use crate::store::Fault;
use crate::timestamp::Timestamp;

/// Where a chain ends: how many entries it has, and the hash of the last. Written as `12:<64 hexadecimal digits>`.
///
/// A head noted outside the file shows later that nothing before it was removed or rewritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Head {
    /// The number of entries.
    pub entries: u64,
    /// The hash of the last entry, or [`Hash::START`] if there is none.
    pub hash: Hash,
}

/// Why a text is not a head.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the head is {text:?}; copy it as `posterity budget verify` printed it: a number, a colon, 64 hexadecimal digits"
)]
pub struct HeadError {
    text: String,
}

impl Head {
    /// The head of a chain without entries.
    pub(crate) const START: Self = Self { entries: 0, hash: Hash::START };

    /// The head that the file states, whatever the entries say.
    pub(crate) fn stated(connection: &Connection) -> Result<Self, Fault> {
        let row = connection
            .query_row("SELECT entries, hash FROM head WHERE id = 1", [], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
            })
            .optional()?;
        row.and_then(|(entries, hash)| {
            Some(Self { entries: u64::try_from(entries).ok()?, hash: Hash::from_hex(&hash)? })
        })
        .ok_or(Fault::Broken { entry: 0, breach: Breach::NotTheHead })
    }

    /// The head, after checking it against the last two entries: the last is intact, is the one that the head names, and
    /// follows the one before it. It costs the same for every length of the chain.
    pub(crate) fn checked(connection: &Connection) -> Result<Self, Fault> {
        let head = Self::stated(connection)?;
        let sql = format!("SELECT {COLUMNS} FROM entry ORDER BY sequence DESC LIMIT 2");
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query_map([], RawEntry::from_row)?;
        let Some(last) = rows.next().transpose()? else {
            return if head == Self::START {
                Ok(head)
            } else {
                Err(Fault::Broken { entry: head.entries, breach: Breach::Missing })
            };
        };
        let entry = u64::try_from(last.sequence).unwrap_or(0);
        let before = rows.next().transpose()?.map_or(Hash::START.to_string(), |entry| entry.hash);
        let breach = if !last.is_intact() {
            Breach::Changed
        } else if entry < head.entries {
            return Err(Fault::Broken { entry: head.entries, breach: Breach::Missing });
        } else if entry != head.entries || last.hash != head.hash.to_string() {
            Breach::NotTheHead
        } else if last.previous != before {
            Breach::Unlinked
        } else {
            return Ok(head);
        };
        Err(Fault::Broken { entry, breach })
    }

    /// Appends an entry and moves the head, within the caller's transaction.
    pub(crate) fn append(
        self,
        connection: &Connection,
        at: &Timestamp,
        account: &str,
        event: &Event,
    ) -> Result<Self, Fault> {
        let entry = RawEntry::new(self.entries + 1, self.hash, at, account, event);
        entry.insert(connection)?;
        connection.execute(
            "UPDATE head SET entries = ?1, hash = ?2 WHERE id = 1",
            params![entry.sequence, entry.hash],
        )?;
        Ok(Self { entries: self.entries + 1, hash: entry.digest() })
    }
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.entries, self.hash)
    }
}

impl FromStr for Head {
    type Err = HeadError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let head = text.trim().split_once(':').and_then(|(entries, hash)| {
            Some(Self { entries: entries.parse().ok()?, hash: Hash::from_hex(hash)? })
        });
        head.ok_or_else(|| HeadError { text: text.trim().chars().take(100).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        let head = Head { entries: 12, hash: Hash::of_text("abc") };
        assert_eq!(head.to_string().parse(), Ok(head));
        assert_eq!(format!(" {head}\n").parse(), Ok(head));
    }

    #[test]
    fn rejects() {
        let hash = Hash::START.to_string();
        for text in ["", "12", ":", &hash, &format!("-1:{hash}"), &format!("x:{hash}"), &format!("1:{hash}0")]
        {
            assert_eq!(text.parse::<Head>(), Err(HeadError { text: text.to_owned() }), "{text}");
        }
    }
}
