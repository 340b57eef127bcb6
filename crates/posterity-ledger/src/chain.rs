//! The hash chain in the file: how its head is read and checked, and how an entry is appended.

use rusqlite::{Connection, OptionalExtension, params};

use crate::entry::{COLUMNS, Entry, Event, RawEntry};
use crate::error::Breach;
use crate::fault::Fault;
use crate::hash::Hash;
use crate::head::Head;
use crate::timestamp::Timestamp;

impl Head {
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

    /// The head, after checking it against the last two entries: the last is intact, is the one that the head names,
    /// and follows the one before it. It costs the same for every length of the chain.
    pub(crate) fn checked(connection: &Connection) -> Result<Self, Fault> {
        let head = Self::stated(connection)?;
        let sql = format!("SELECT {COLUMNS} FROM entry ORDER BY sequence DESC LIMIT 1");
        let Some(last) = connection.query_row(&sql, [], RawEntry::from_row).optional()? else {
            return if head == Self::START {
                Ok(head)
            } else {
                Err(Fault::Broken { entry: head.entries, breach: Breach::Missing })
            };
        };
        let entry = u64::try_from(last.sequence).unwrap_or(0);
        let sql = "SELECT hash FROM entry ORDER BY sequence DESC LIMIT 1 OFFSET 1";
        let before: Option<String> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
        let breach = if !last.is_intact() {
            Breach::Changed
        } else if entry < head.entries {
            return Err(Fault::Broken { entry: head.entries, breach: Breach::Missing });
        } else if entry != head.entries || last.hash != head.hash.to_string() {
            Breach::NotTheHead
        } else if last.previous != before.unwrap_or_else(|| Hash::START.to_string()) {
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
        event: Event,
    ) -> Result<Entry, Fault> {
        let entry = Entry::after(self, at, account, event);
        let row = RawEntry::from_entry(&entry);
        row.insert(connection)?;
        connection.execute(
            "UPDATE head SET entries = ?1, hash = ?2 WHERE id = 1",
            params![row.sequence, row.hash],
        )?;
        if !matches!(entry.event, Event::Record { .. }) {
            connection.execute(
                "INSERT INTO standing (account, entry, hash) VALUES (?1, ?2, ?3) \
                 ON CONFLICT (account) DO UPDATE SET entry = excluded.entry, hash = excluded.hash",
                params![account, row.sequence, row.hash],
            )?;
        }
        Ok(entry)
    }
}
