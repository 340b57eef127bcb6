//! Entries of the chain, and the rows that hold them.

use rusqlite::{Connection, Row, params};
use serde::Serialize;

use crate::amount::Amount;
use crate::hash::Hash;
use crate::timestamp::Timestamp;

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its place, from 1 on without gaps.
    pub sequence: u64,
    /// When it was made, by the clock of the caller.
    pub at: Timestamp,
    /// The account that it is about.
    pub account: String,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
    /// The hash of the entry before it.
    pub previous: Hash,
    /// Its own hash.
    pub hash: Hash,
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Event {
    /// An account was created.
    Account {
        /// Its budget epsilon.
        epsilon: Amount,
        /// Its budget delta.
        delta: Amount,
    },
    /// A question was charged.
    Charge {
        /// The question.
        question: String,
        /// Its price in epsilon.
        epsilon: Amount,
        /// Its price in delta.
        delta: Amount,
    },
    /// A release document was recorded.
    Record {
        /// The sequence number of its charge.
        charge: u64,
        /// The document.
        document: String,
    },
}

/// An entry as the file holds it, before it is checked.
pub(crate) struct RawEntry {
    pub(crate) sequence: i64,
    kind: String,
    at: String,
    account: String,
    epsilon: Option<String>,
    delta: Option<String>,
    question: Option<String>,
    key: Option<String>,
    charge: Option<i64>,
    document: Option<String>,
    pub(crate) previous: String,
    pub(crate) hash: String,
}

/// The columns that [`RawEntry::from_row`] reads, in its order.
pub(crate) const COLUMNS: &str =
    "sequence, kind, at, account, epsilon, delta, question, key, charge, document, previous, hash";

impl RawEntry {
    /// The entry that follows a hash, with its own hash.
    pub(crate) fn new(sequence: u64, previous: Hash, at: &Timestamp, account: &str, event: &Event) -> Self {
        let mut entry = Self {
            // A file of 2^63 entries does not exist.
            sequence: i64::try_from(sequence).unwrap_or(i64::MAX),
            kind: String::new(),
            at: at.as_str().to_owned(),
            account: account.to_owned(),
            epsilon: None,
            delta: None,
            question: None,
            key: None,
            charge: None,
            document: None,
            previous: previous.to_string(),
            hash: String::new(),
        };
        match event {
            Event::Account { epsilon, delta } => {
                entry.kind = "account".to_owned();
                entry.epsilon = Some(epsilon.stored());
                entry.delta = Some(delta.stored());
            }
            Event::Charge { question, epsilon, delta } => {
                entry.kind = "charge".to_owned();
                entry.epsilon = Some(epsilon.stored());
                entry.delta = Some(delta.stored());
                entry.key = Some(Hash::of_text(question).to_string());
                entry.question = Some(question.clone());
            }
            Event::Record { charge, document } => {
                entry.kind = "record".to_owned();
                entry.charge = Some(i64::try_from(*charge).unwrap_or(i64::MAX));
                entry.document = Some(document.clone());
            }
        }
        entry.hash = entry.digest().to_string();
        entry
    }

    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            sequence: row.get(0)?,
            kind: row.get(1)?,
            at: row.get(2)?,
            account: row.get(3)?,
            epsilon: row.get(4)?,
            delta: row.get(5)?,
            question: row.get(6)?,
            key: row.get(7)?,
            charge: row.get(8)?,
            document: row.get(9)?,
            previous: row.get(10)?,
            hash: row.get(11)?,
        })
    }

    pub(crate) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let values = params![
            self.sequence,
            self.kind,
            self.at,
            self.account,
            self.epsilon,
            self.delta,
            self.question,
            self.key,
            self.charge,
            self.document,
            self.previous,
            self.hash
        ];
        let sql = format!("INSERT INTO entry ({COLUMNS}) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12)");
        connection.execute(&sql, values).map(|_| ())
    }

    /// The hash that the fields give: all columns but the hash itself, in a fixed order, after a fixed text.
    pub(crate) fn digest(&self) -> Hash {
        let (sequence, charge) = (self.sequence.to_be_bytes(), self.charge.map(i64::to_be_bytes));
        Hash::of_fields(&[
            Some(b"posterity ledger entry, format 1"),
            Some(self.previous.as_bytes()),
            Some(&sequence),
            Some(self.kind.as_bytes()),
            Some(self.at.as_bytes()),
            Some(self.account.as_bytes()),
            self.epsilon.as_deref().map(str::as_bytes),
            self.delta.as_deref().map(str::as_bytes),
            self.question.as_deref().map(str::as_bytes),
            self.key.as_deref().map(str::as_bytes),
            charge.as_ref().map(<[u8; 8]>::as_slice),
            self.document.as_deref().map(str::as_bytes),
        ])
    }

    /// Whether the fields give the hash.
    pub(crate) fn is_intact(&self) -> bool {
        self.digest().to_string() == self.hash
    }

    /// The entry, if the row is one that [`RawEntry::new`] makes.
    pub(crate) fn entry(self) -> Option<Entry> {
        let event =
            match (self.kind.as_str(), self.epsilon, self.delta, self.question, self.charge, self.document) {
                ("account", Some(epsilon), Some(delta), None, None, None) if self.key.is_none() => {
                    Event::Account {
                        epsilon: Amount::from_stored(&epsilon)?,
                        delta: Amount::from_stored(&delta)?,
                    }
                }
                ("charge", Some(epsilon), Some(delta), Some(question), None, None)
                    if self.key == Some(Hash::of_text(&question).to_string()) =>
                {
                    Event::Charge {
                        question,
                        epsilon: Amount::from_stored(&epsilon)?,
                        delta: Amount::from_stored(&delta)?,
                    }
                }
                ("record", None, None, None, Some(charge), Some(document)) if self.key.is_none() => {
                    Event::Record { charge: u64::try_from(charge).ok()?, document }
                }
                _ => return None,
            };
        Some(Entry {
            sequence: u64::try_from(self.sequence).ok()?,
            at: self.at.parse().ok()?,
            account: self.account,
            event,
            previous: Hash::from_hex(&self.previous)?,
            hash: Hash::from_hex(&self.hash)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(event: &Event) -> RawEntry {
        let at = Timestamp::from_unix_seconds(0);
        RawEntry::new(7, Hash::START, &at, "survey", event)
    }

    fn charge() -> Event {
        Event::Charge { question: "q".into(), epsilon: "0.1".parse().expect("a number"), delta: Amount::ZERO }
    }

    #[test]
    fn round_trip() {
        let account = Event::Account { epsilon: "1".parse().expect("a number"), delta: Amount::ZERO };
        for event in [account, charge(), Event::Record { charge: 3, document: "{}".into() }] {
            assert!(raw(&event).is_intact());
            assert_eq!(raw(&event).entry().expect("an entry").event, event);
        }
    }

    /// Golden value: tools that read a ledger without this crate rely on it. Computed from the description in
    /// `docs/ledger.md` with Python's hashlib.
    #[test]
    fn the_hash_is_pinned() {
        assert_eq!(raw(&charge()).hash, "33fd7e1154adf0c9d8179dd87dacd1a92f1094e286da80a651158424b347cd84");
    }

    #[test]
    fn every_field_counts() {
        let edits: [fn(&mut RawEntry); 11] = [
            |e| e.sequence += 1,
            |e| e.kind.push('x'),
            |e| e.at.push('x'),
            |e| e.account.push('x'),
            |e| e.epsilon = Some("1/1000".into()),
            |e| e.delta = None,
            |e| e.question = Some(String::new()),
            |e| e.key = None,
            |e| e.charge = Some(0),
            |e| e.document = Some(String::new()),
            |e| e.previous = e.previous.replacen('0', "1", 1),
        ];
        for (i, edit) in edits.into_iter().enumerate() {
            let mut entry = raw(&charge());
            edit(&mut entry);
            assert!(!entry.is_intact(), "edit {i}");
        }
    }
}
