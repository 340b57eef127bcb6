//! Entries of the chain, and the rows that hold them.

use rusqlite::{Connection, Row, params};
use serde::Serialize;

use crate::amount::Amount;
use crate::hash::Hash;
use crate::parts::Parts;
use crate::rule::Rule;
use crate::schema::{FIRST_FORMAT, FORMAT};
use crate::tally::Tally;
use crate::timestamp::Timestamp;
use crate::unit::Unit;

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Its place, from 1 on without gaps.
    pub sequence: u64,
    /// The format in which it was written: 1 or 2.
    pub format: i32,
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
#[non_exhaustive]
pub enum Event {
    /// An account was created.
    Account {
        /// Its budget epsilon.
        epsilon: Amount,
        /// Its budget delta.
        delta: Amount,
        /// Whom it protects and how its charges add up; nothing in format 1.
        #[serde(flatten)]
        terms: Option<Terms>,
    },
    /// A question was charged.
    Charge {
        /// The question.
        question: String,
        /// Its price in epsilon.
        epsilon: Amount,
        /// Its price in delta.
        delta: Amount,
        /// The releases that it pays for, if it is a batch.
        #[serde(skip_serializing_if = "Option::is_none")]
        parts: Option<Parts>,
        /// Whom it protects, and how the account stands; nothing in format 1.
        #[serde(flatten)]
        state: Option<State>,
    },
    /// The unit of an account was decided, or an account of format 1 was upgraded.
    Unit {
        /// The units of its charges, if they differ and its owner has not decided.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        among: Vec<String>,
        /// Whom it protects, and how the account stands.
        #[serde(flatten)]
        state: State,
    },
    /// A release document was recorded.
    Record {
        /// The sequence number of its charge.
        charge: u64,
        /// The document.
        document: String,
    },
}

/// What an account is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Terms {
    /// Whom it protects.
    pub unit: Unit,
    /// The population in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<String>,
    /// How its charges add up.
    pub rule: Rule,
}

/// How an account stands after an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// The unit; nothing if it is undecided.
    pub unit: Option<Unit>,
    /// The population in words, if it was named after the account was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<String>,
    /// The entry before it that says how the account stood.
    pub before: u64,
    /// The running total.
    #[serde(rename = "total")]
    pub(crate) tally: Tally,
}

/// An entry as the file holds it, before it is checked.
pub(crate) struct RawEntry {
    pub(crate) sequence: i64,
    pub(crate) format: i32,
    kind: String,
    at: String,
    account: String,
    epsilon: Option<String>,
    delta: Option<String>,
    question: Option<String>,
    key: Option<String>,
    charge: Option<i64>,
    document: Option<String>,
    unit: Option<String>,
    among: Option<String>,
    population: Option<String>,
    rule: Option<String>,
    parts: Option<String>,
    before: Option<i64>,
    tally: Option<String>,
    pub(crate) previous: String,
    pub(crate) hash: String,
}

/// The columns that [`RawEntry::from_row`] reads, in its order.
pub(crate) const COLUMNS: &str = "sequence, format, kind, at, account, epsilon, delta, question, key, charge, document, unit, \
                                  among, population, rule, parts, before, tally, previous, hash";

impl RawEntry {
    /// The entry that follows a hash, with its own hash.
    pub(crate) fn new(sequence: u64, previous: Hash, at: &Timestamp, account: &str, event: &Event) -> Self {
        let mut entry = Self::blank(sequence, previous, at, account);
        match event {
            Event::Account { epsilon, delta, terms } => {
                entry.kind = "account".to_owned();
                entry.epsilon = Some(epsilon.stored());
                entry.delta = Some(delta.stored());
                if let Some(terms) = terms {
                    entry.unit = Some(terms.unit.to_string());
                    entry.population.clone_from(&terms.population);
                    entry.rule = Some(terms.rule.stored());
                }
            }
            Event::Charge { question, epsilon, delta, parts, state } => {
                entry.kind = "charge".to_owned();
                entry.epsilon = Some(epsilon.stored());
                entry.delta = Some(delta.stored());
                entry.key = Some(Hash::of_text(question).to_string());
                entry.question = Some(question.clone());
                entry.parts = parts.as_ref().map(Parts::stored);
                if let Some(state) = state {
                    entry.set(state);
                }
            }
            Event::Unit { among, state } => {
                entry.kind = "unit".to_owned();
                entry.among = (!among.is_empty()).then(|| among.join("\n"));
                entry.set(state);
            }
            Event::Record { charge, document } => {
                entry.kind = "record".to_owned();
                entry.charge = Some(signed(*charge));
                entry.document = Some(document.clone());
            }
        }
        entry.hash = entry.digest().to_string();
        entry
    }

    /// An entry of this format that says nothing yet.
    fn blank(sequence: u64, previous: Hash, at: &Timestamp, account: &str) -> Self {
        Self {
            sequence: signed(sequence),
            format: FORMAT,
            kind: String::new(),
            at: at.as_str().to_owned(),
            account: account.to_owned(),
            epsilon: None,
            delta: None,
            question: None,
            key: None,
            charge: None,
            document: None,
            unit: None,
            among: None,
            population: None,
            rule: None,
            parts: None,
            before: None,
            tally: None,
            previous: previous.to_string(),
            hash: String::new(),
        }
    }

    fn set(&mut self, state: &State) {
        self.unit = state.unit.as_ref().map(ToString::to_string);
        self.population.clone_from(&state.population);
        self.before = Some(signed(state.before));
        self.tally = Some(state.tally.stored());
    }

    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            sequence: row.get(0)?,
            format: row.get(1)?,
            kind: row.get(2)?,
            at: row.get(3)?,
            account: row.get(4)?,
            epsilon: row.get(5)?,
            delta: row.get(6)?,
            question: row.get(7)?,
            key: row.get(8)?,
            charge: row.get(9)?,
            document: row.get(10)?,
            unit: row.get(11)?,
            among: row.get(12)?,
            population: row.get(13)?,
            rule: row.get(14)?,
            parts: row.get(15)?,
            before: row.get(16)?,
            tally: row.get(17)?,
            previous: row.get(18)?,
            hash: row.get(19)?,
        })
    }

    pub(crate) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let values = params![
            self.sequence,
            self.format,
            self.kind,
            self.at,
            self.account,
            self.epsilon,
            self.delta,
            self.question,
            self.key,
            self.charge,
            self.document,
            self.unit,
            self.among,
            self.population,
            self.rule,
            self.parts,
            self.before,
            self.tally,
            self.previous,
            self.hash
        ];
        let sql = format!(
            "INSERT INTO entry ({COLUMNS}) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20)"
        );
        connection.execute(&sql, values).map(|_| ())
    }

    /// The hash that the fields give: all columns but the hash itself, in a fixed order, after a text that names the format. Format 1
    /// had fewer columns.
    pub(crate) fn digest(&self) -> Hash {
        fn text(field: Option<&String>) -> Option<&[u8]> {
            field.map(|text| text.as_bytes())
        }
        let (sequence, charge) = (self.sequence.to_be_bytes(), self.charge.map(i64::to_be_bytes));
        let before = self.before.map(i64::to_be_bytes);
        let prefix = format!("posterity ledger entry, format {}", self.format);
        let mut fields = vec![
            Some(prefix.as_bytes()),
            Some(self.previous.as_bytes()),
            Some(&sequence),
            Some(self.kind.as_bytes()),
            Some(self.at.as_bytes()),
            Some(self.account.as_bytes()),
            text(self.epsilon.as_ref()),
            text(self.delta.as_ref()),
            text(self.question.as_ref()),
            text(self.key.as_ref()),
            charge.as_ref().map(<[u8; 8]>::as_slice),
            text(self.document.as_ref()),
        ];
        if self.format != FIRST_FORMAT {
            fields.extend([
                text(self.unit.as_ref()),
                text(self.among.as_ref()),
                text(self.population.as_ref()),
                text(self.rule.as_ref()),
                text(self.parts.as_ref()),
                before.as_ref().map(<[u8; 8]>::as_slice),
                text(self.tally.as_ref()),
            ]);
        }
        Hash::of_fields(&fields)
    }

    /// Whether the fields give the hash. What the hash of format 1 does not cover must be absent there.
    pub(crate) fn is_intact(&self) -> bool {
        let later = [&self.unit, &self.among, &self.population, &self.rule, &self.parts, &self.tally];
        let uncovered = self.before.is_some() || later.into_iter().any(Option::is_some);
        (self.format != FIRST_FORMAT || !uncovered) && self.digest().to_string() == self.hash
    }

    /// The entry, if the row is one that [`RawEntry::new`] makes, or that format 1 made.
    pub(crate) fn entry(self) -> Option<Entry> {
        let event = self.event()?;
        let (sequence, at) = (u64::try_from(self.sequence).ok()?, self.at.parse().ok()?);
        let (previous, hash) = (Hash::from_hex(&self.previous)?, Hash::from_hex(&self.hash)?);
        // Each event is written in one way only.
        let mut again = Self::new(sequence, previous, &at, &self.account, &event);
        if self.format == FIRST_FORMAT {
            again.format = FIRST_FORMAT;
            again.hash = again.digest().to_string();
        }
        let known = self.format == FORMAT || self.format == FIRST_FORMAT;
        (known && again.hash == self.hash).then_some(Entry {
            sequence,
            format: self.format,
            at,
            account: self.account,
            event,
            previous,
            hash,
        })
    }

    fn event(&self) -> Option<Event> {
        let first = self.format == FIRST_FORMAT;
        let amount = |text: &Option<String>| text.as_deref().and_then(Amount::from_stored);
        match self.kind.as_str() {
            "account" => {
                let (epsilon, delta) = (amount(&self.epsilon)?, amount(&self.delta)?);
                let terms = if first {
                    None
                } else {
                    Some(Terms {
                        unit: self.unit.as_deref()?.parse().ok()?,
                        population: self.population.clone(),
                        rule: Rule::from_stored(self.rule.as_deref()?, &epsilon, &delta)?,
                    })
                };
                Some(Event::Account { epsilon, delta, terms })
            }
            "charge" => Some(Event::Charge {
                question: self.question.clone()?,
                epsilon: amount(&self.epsilon)?,
                delta: amount(&self.delta)?,
                parts: match &self.parts {
                    Some(text) => Some(Parts::from_stored(text)?),
                    None => None,
                },
                state: if first { None } else { Some(self.state()?) },
            }),
            "unit" if !first => Some(Event::Unit {
                among: self
                    .among
                    .as_ref()
                    .map(|text| text.split('\n').map(ToOwned::to_owned).collect())
                    .unwrap_or_default(),
                state: self.state()?,
            }),
            "record" => Some(Event::Record {
                charge: u64::try_from(self.charge?).ok()?,
                document: self.document.clone()?,
            }),
            _ => None,
        }
    }

    fn state(&self) -> Option<State> {
        let unit = match &self.unit {
            Some(text) => Some(text.parse().ok()?),
            None => None,
        };
        let before = u64::try_from(self.before?).ok()?;
        let tally = Tally::from_stored(self.tally.as_deref()?)?;
        Some(State { unit, population: self.population.clone(), before, tally })
    }
}

/// A sequence number as SQLite holds it. A file of 2^63 entries does not exist.
pub(crate) fn signed(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        text.parse().expect(text)
    }

    fn raw(event: &Event) -> RawEntry {
        let at = Timestamp::from_unix_seconds(0);
        RawEntry::new(7, Hash::START, &at, "survey", event)
    }

    fn state() -> State {
        let tally = Tally::from_stored("1 1/10 0/1 123 -").expect("a tally");
        State { unit: Some(Unit::column("patient").expect("a name")), population: None, before: 3, tally }
    }

    fn charge(state: Option<State>) -> Event {
        let parts = state.as_ref().and_then(|_| Parts::new([amount("0.05"), amount("0.05")]));
        Event::Charge { question: "q".into(), epsilon: amount("0.1"), delta: Amount::ZERO, parts, state }
    }

    #[test]
    fn round_trip() {
        let rule = Rule::for_budget(&amount("1"), &amount("1e-6"));
        let terms = Terms { unit: Unit::RECORD, population: Some("all of Köln".into()), rule };
        let account = Event::Account { epsilon: amount("1"), delta: amount("1e-6"), terms: Some(terms) };
        let among = vec!["record".to_owned(), "patient".to_owned()];
        let population = Some("Köln".into());
        let undecided = Event::Unit { among, state: State { unit: None, population, ..state() } };
        let record = Event::Record { charge: 3, document: "{}".into() };
        for event in [account, charge(Some(state())), undecided, record] {
            assert!(raw(&event).is_intact());
            assert_eq!(raw(&event).entry().expect("an entry").event, event);
        }
    }

    /// Golden values: tools that read a ledger without this crate rely on them. Computed from the description in
    /// `docs/ledger.md` with Python's hashlib.
    #[test]
    fn the_hash_is_pinned() {
        assert_eq!(
            raw(&charge(Some(state()))).hash,
            "e1b53bf0d518ab15277f910f505922fb4b90761102e41ad50d3fb2590b4b877d"
        );
        let mut first = raw(&charge(None));
        first.format = FIRST_FORMAT;
        let hash = first.digest().to_string();
        assert_eq!(hash, "33fd7e1154adf0c9d8179dd87dacd1a92f1094e286da80a651158424b347cd84");
        first.hash = hash;
        assert_eq!(first.entry().map(|entry| (entry.format, entry.event)), Some((1, charge(None))));
    }

    /// An entry of format 1 has nothing of format 2, and the other way round.
    #[test]
    fn formats_do_not_mix() {
        let mut entry = raw(&charge(Some(state())));
        entry.format = FIRST_FORMAT;
        entry.hash = entry.digest().to_string();
        assert!(!entry.is_intact());
        let mut entry = raw(&charge(None));
        assert!(entry.is_intact());
        entry.format = 3;
        entry.hash = entry.digest().to_string();
        assert!(entry.entry().is_none());
        assert!(raw(&charge(None)).entry().is_none(), "format 2 has a state in each charge");
    }

    #[test]
    fn every_field_counts() {
        let edits: [fn(&mut RawEntry); 19] = [
            |e| e.sequence += 1,
            |e| e.format = FIRST_FORMAT,
            |e| e.kind.push('x'),
            |e| e.at.push('x'),
            |e| e.account.push('x'),
            |e| e.epsilon = Some("1/1000".into()),
            |e| e.delta = None,
            |e| e.question = Some(String::new()),
            |e| e.key = None,
            |e| e.charge = Some(0),
            |e| e.document = Some(String::new()),
            |e| e.unit = Some("record".into()),
            |e| e.among = Some(String::new()),
            |e| e.population = Some(String::new()),
            |e| e.rule = Some("sum".into()),
            |e| e.parts = None,
            |e| e.before = Some(4),
            |e| e.tally = Some("0 0/1 0/1  -".into()),
            |e| e.previous = e.previous.replacen('0', "1", 1),
        ];
        for (i, edit) in edits.into_iter().enumerate() {
            let mut entry = raw(&charge(Some(state())));
            edit(&mut entry);
            assert!(!entry.is_intact(), "edit {i}");
        }
    }
}
