//! Entries of the chain, and the rows that hold them.

use std::borrow::Cow;

use rusqlite::{Connection, Row, params};
use serde::Serialize;

use crate::adjacency::Adjacency;
use crate::amount::Amount;
use crate::hash::Hash;
use crate::head::Head;
use crate::price::Price;
use crate::promise::Promise;
use crate::rule::Rule;
use crate::schema::FORMAT;
use crate::tally::Tally;
use crate::timestamp::Timestamp;
use crate::unit::Unit;

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
#[non_exhaustive]
pub enum Event {
    /// An account was created.
    Account {
        /// Its budget epsilon.
        epsilon: Amount,
        /// Its budget delta.
        delta: Amount,
        /// Whom it protects and how its charges add up.
        #[serde(flatten)]
        terms: Terms,
    },
    /// A question was charged.
    Charge {
        /// The question.
        question: String,
        /// What was charged.
        #[serde(flatten)]
        price: Price,
        /// What the release promises by itself, from which the price follows.
        release: Box<Promise>,
        /// Whom it protects, and how the account stands.
        #[serde(flatten)]
        state: State,
    },
    /// An account without charges was given another unit.
    Unit {
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
    /// Which data sets look alike.
    pub adjacency: Adjacency,
    /// The population in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<String>,
    /// Why it was opened beside another account for the same people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How its charges add up.
    pub rule: Rule,
}

impl Terms {
    /// The only text under which the rule and the adjacency are stored. An account where n is public has the text of
    /// its rule alone.
    fn stored_rule(&self) -> String {
        match self.adjacency {
            Adjacency::Replace => self.rule.stored(),
            Adjacency::AddRemove => format!("{} {}", self.adjacency, self.rule.stored()),
        }
    }
}

/// Reads what [`Terms::stored_rule`] wrote: the adjacency, and the text of the rule.
fn split_rule(text: &str) -> (Adjacency, &str) {
    text.strip_prefix("add-remove ").map_or((Adjacency::Replace, text), |rule| (Adjacency::AddRemove, rule))
}

/// How an account stands after an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// Whom it protects.
    pub unit: Unit,
    /// The population in words, if it was named after the account was created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<String>,
    /// The entry before it that says how the account stood.
    pub before: u64,
    /// The running total.
    #[serde(rename = "total")]
    pub(crate) tally: Tally,
}

impl Entry {
    /// The entry that follows a head.
    pub(crate) fn after(head: Head, at: &Timestamp, account: &str, event: Event) -> Self {
        let (sequence, previous) = (head.entries + 1, head.hash);
        let (at, account) = (at.clone(), account.to_owned());
        let mut entry = Self { sequence, at, account, event, previous, hash: Hash::START };
        entry.hash = RawEntry::from_entry(&entry).digest();
        entry
    }

    /// The head of the chain after it.
    pub(crate) fn head(&self) -> Head {
        Head { entries: self.sequence, hash: self.hash }
    }
}

/// An entry as the file holds it, before it is checked. Questions and documents may be long, and are not copied.
pub(crate) struct RawEntry<'a> {
    pub(crate) sequence: i64,
    kind: String,
    at: String,
    account: String,
    epsilon: Option<String>,
    delta: Option<String>,
    key: Option<String>,
    charge: Option<i64>,
    unit: Option<String>,
    population: Option<String>,
    rule: Option<String>,
    parts: Option<String>,
    before: Option<i64>,
    tally: Option<String>,
    pub(crate) previous: String,
    pub(crate) hash: String,
    question: Option<Cow<'a, str>>,
    document: Option<Cow<'a, str>>,
}

/// The columns that [`RawEntry::from_row`] reads, in its order.
pub(crate) const COLUMNS: &str = "sequence, kind, at, account, epsilon, delta, key, charge, unit, population, rule, parts, \
                                  before, tally, previous, hash, question, document";

impl<'a> RawEntry<'a> {
    /// The row of an entry.
    pub(crate) fn from_entry(entry: &'a Entry) -> Self {
        let mut row = Self::blank(entry);
        match &entry.event {
            Event::Account { epsilon, delta, terms } => {
                row.kind = "account".to_owned();
                row.epsilon = Some(epsilon.stored());
                row.delta = Some(delta.stored());
                row.unit = Some(terms.unit.to_string());
                row.population.clone_from(&terms.population);
                row.rule = Some(terms.stored_rule());
                // The text of an account is why it was opened, as that of a charge is what was asked.
                row.question = terms.reason.as_deref().map(Cow::Borrowed);
            }
            Event::Charge { question, price, release, state } => {
                row.kind = "charge".to_owned();
                [row.epsilon, row.delta, row.parts] = price.columns();
                row.key = Some(Hash::of_text(question).to_string());
                row.question = Some(Cow::Borrowed(question));
                row.rule = release.stored();
                row.set(state);
            }
            Event::Unit { state } => {
                row.kind = "unit".to_owned();
                row.set(state);
            }
            Event::Record { charge, document } => {
                row.kind = "record".to_owned();
                row.charge = Some(signed(*charge));
                row.document = Some(Cow::Borrowed(document));
            }
        }
        row
    }

    /// The row of an entry, without what happened.
    fn blank(entry: &Entry) -> Self {
        Self {
            sequence: signed(entry.sequence),
            kind: String::new(),
            at: entry.at.as_str().to_owned(),
            account: entry.account.clone(),
            epsilon: None,
            delta: None,
            key: None,
            charge: None,
            unit: None,
            population: None,
            rule: None,
            parts: None,
            before: None,
            tally: None,
            previous: entry.previous.to_string(),
            hash: entry.hash.to_string(),
            question: None,
            document: None,
        }
    }

    fn set(&mut self, state: &State) {
        self.unit = Some(state.unit.to_string());
        self.population.clone_from(&state.population);
        self.before = Some(signed(state.before));
        self.tally = Some(state.tally.stored());
    }

    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        let long = |column: usize| row.get::<_, Option<String>>(column).map(|text| text.map(Cow::Owned));
        Ok(Self {
            sequence: row.get(0)?,
            kind: row.get(1)?,
            at: row.get(2)?,
            account: row.get(3)?,
            epsilon: row.get(4)?,
            delta: row.get(5)?,
            key: row.get(6)?,
            charge: row.get(7)?,
            unit: row.get(8)?,
            population: row.get(9)?,
            rule: row.get(10)?,
            parts: row.get(11)?,
            before: row.get(12)?,
            tally: row.get(13)?,
            previous: row.get(14)?,
            hash: row.get(15)?,
            question: long(16)?,
            document: long(17)?,
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
            self.key,
            self.charge,
            self.unit,
            self.population,
            self.rule,
            self.parts,
            self.before,
            self.tally,
            self.previous,
            self.hash,
            self.question,
            self.document
        ];
        let sql = format!(
            "INSERT INTO entry ({COLUMNS}) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18)"
        );
        connection.execute(&sql, values).map(|_| ())
    }

    /// The hash that the fields give: all columns but the hash itself, in a fixed order, after a text that names the
    /// format.
    fn digest(&self) -> Hash {
        fn text<T: AsRef<str>>(field: Option<&T>) -> Option<&[u8]> {
            field.map(|text| text.as_ref().as_bytes())
        }
        let (sequence, charge) = (self.sequence.to_be_bytes(), self.charge.map(i64::to_be_bytes));
        let before = self.before.map(i64::to_be_bytes);
        let prefix = format!("posterity ledger entry, format {FORMAT}");
        Hash::of_fields(&[
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
            text(self.unit.as_ref()),
            text(self.population.as_ref()),
            text(self.rule.as_ref()),
            text(self.parts.as_ref()),
            before.as_ref().map(<[u8; 8]>::as_slice),
            text(self.tally.as_ref()),
        ])
    }

    /// Whether the fields give the hash.
    pub(crate) fn is_intact(&self) -> bool {
        self.digest().to_string() == self.hash
    }

    /// The entry, if the row is one that [`RawEntry::of`] makes.
    pub(crate) fn entry(mut self) -> Option<Entry> {
        let (sequence, at) = (u64::try_from(self.sequence).ok()?, self.at.parse().ok()?);
        let before = Head { entries: sequence.checked_sub(1)?, hash: Hash::from_hex(&self.previous)? };
        let event = self.event()?;
        // Each event is written in one way only.
        let entry = Entry::after(before, &at, &self.account, event);
        (entry.hash.to_string() == self.hash).then_some(entry)
    }

    /// What happened. The question and the document are taken out of the row.
    fn event(&mut self) -> Option<Event> {
        let amount = |text: &Option<String>| text.as_deref().and_then(Amount::from_stored);
        match self.kind.as_str() {
            "account" => {
                let (epsilon, delta) = (amount(&self.epsilon)?, amount(&self.delta)?);
                let (adjacency, rule) = split_rule(self.rule.as_deref()?);
                let terms = Terms {
                    unit: self.unit.as_deref()?.parse().ok()?,
                    adjacency,
                    population: self.population.clone(),
                    reason: self.question.take().map(Cow::into_owned),
                    rule: Rule::from_stored(rule, &epsilon, &delta)?,
                };
                Some(Event::Account { epsilon, delta, terms })
            }
            "charge" => {
                let columns = [&self.epsilon, &self.delta, &self.parts].map(|text| text.as_deref());
                let price = Price::from_columns(columns)?;
                let release = Promise::from_stored(self.rule.as_deref(), &price)?;
                let question = self.question.take()?.into_owned();
                Some(Event::Charge { question, price, release: Box::new(release), state: self.state()? })
            }
            "unit" => Some(Event::Unit { state: self.state()? }),
            "record" => Some(Event::Record {
                charge: u64::try_from(self.charge?).ok()?,
                document: self.document.take()?.into_owned(),
            }),
            _ => None,
        }
    }

    fn state(&self) -> Option<State> {
        Some(State {
            unit: self.unit.as_deref()?.parse().ok()?,
            population: self.population.clone(),
            before: u64::try_from(self.before?).ok()?,
            tally: Tally::from_stored(self.tally.as_deref()?)?,
        })
    }
}

/// A sequence number as SQLite holds it. A file of 2^63 entries does not exist.
pub(crate) fn signed(sequence: u64) -> i64 {
    i64::try_from(sequence).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::Parts;

    fn amount(text: &str) -> Amount {
        text.parse().expect(text)
    }

    fn entry(event: Event) -> Entry {
        let head = Head { entries: 6, hash: Hash::START };
        Entry::after(head, &Timestamp::from_unix_seconds(0), "survey", event)
    }

    fn state() -> State {
        let tally = Tally::from_stored("1 1/10 0/1 123 -").expect("a tally");
        State { unit: Unit::column("patient").expect("a name"), population: None, before: 3, tally }
    }

    fn charge() -> Event {
        let parts = Parts::new([amount("0.05"), amount("0.05")]);
        let price = Price::Epsilon { epsilon: amount("0.1"), delta: Amount::ZERO, parts };
        let release = Promise { adjacency: Adjacency::Replace, price: price.clone() };
        Event::Charge { question: "q".into(), price, release: Box::new(release), state: state() }
    }

    /// A charge of two releases with private n, at half the price each.
    fn converted() -> Event {
        let Event::Charge { question, price, state, .. } = charge() else { unreachable!("a charge") };
        let parts = Parts::new([amount("0.025"), amount("0.025")]);
        let own = Price::Epsilon { epsilon: amount("0.05"), delta: Amount::ZERO, parts };
        let release = Promise { adjacency: Adjacency::AddRemove, price: own };
        Event::Charge { question, price, release: Box::new(release), state }
    }

    /// A charge in rho, of a release with public or private n to an account with public n.
    fn concentrated(adjacency: Adjacency) -> Event {
        let tally = Tally::from_stored("2 1/10 0/1 123,456 - 10000000000000000").expect("a tally");
        let own = Price::concentrated(amount("0.01"));
        let release = Promise { adjacency, price: own };
        let price = release.price_for(Adjacency::Replace).expect("short");
        let state = State { tally, ..state() };
        Event::Charge { question: "q".into(), price, release: Box::new(release), state }
    }

    fn account(adjacency: Adjacency) -> Event {
        let rule = Rule::for_budget(&amount("1"), &amount("1e-6"));
        let terms = Terms {
            unit: Unit::RECORD,
            adjacency,
            population: Some("all of Köln".into()),
            reason: Some("another study".into()),
            rule,
        };
        Event::Account { epsilon: amount("1"), delta: amount("1e-6"), terms }
    }

    #[test]
    fn round_trip() {
        let accounts = Adjacency::ALL.map(account);
        let unit = Event::Unit { state: State { population: Some("Köln".into()), ..state() } };
        let record = Event::Record { charge: 3, document: "{}".into() };
        let concentrated = Adjacency::ALL.map(concentrated);
        let others = [charge(), converted(), unit, record];
        for event in accounts.into_iter().chain(concentrated).chain(others) {
            let entry = entry(event);
            assert!(RawEntry::from_entry(&entry).is_intact());
            assert_eq!(RawEntry::from_entry(&entry).entry().as_ref(), Some(&entry));
        }
    }

    /// Golden values: tools that read a ledger without this crate rely on them. Computed from the description in
    /// `docs/ledger.md` with Python's hashlib.
    #[test]
    fn the_hash_is_pinned() {
        let record = Event::Record { charge: 3, document: "{}".into() };
        let adjacency = Adjacency::AddRemove;
        let terms = Terms { unit: Unit::RECORD, adjacency, population: None, reason: None, rule: Rule::Sum };
        let account = Event::Account { epsilon: amount("1"), delta: Amount::ZERO, terms };
        for (event, hash) in [
            (charge(), "07f6d657db809588e4f83eaeb3735098c4f466bf8a3669d438cff3ef74dc4ff8"),
            (converted(), "bb41b907a721e87d578fc7e7703ffb8263c2e67a0cfa1a129c0aaf4a692235ad"),
            (account, "8236d4cfe9451bd97ea6f01f465f5c5ca2a7e051fa2801f3282bf2685d4256c5"),
            (
                concentrated(Adjacency::Replace),
                "52f52180b25a4c0b125d1cfff9c2b72eb930c16697fb1e47871c1bdcf39fb2d7",
            ),
            (
                concentrated(Adjacency::AddRemove),
                "32a7e87af700f8a2714b4712e1df8592412faffe08956f9eeda431c6d08cf9ff",
            ),
            (record, "89f0f8a0369eac44fb55b05db952878dfd547ac60c735b0bd44651eec0ca85b5"),
        ] {
            assert_eq!(entry(event).hash.to_string(), hash);
        }
    }

    /// A row whose hash fits is still no entry if its columns are not those of its kind, or are written in another way.
    #[test]
    fn only_what_is_written_is_read() {
        let edits: [fn(&mut RawEntry<'_>); 7] = [
            |row| row.kind = "note".into(),
            |row| row.tally = None,
            |row| row.unit = None,
            |row| row.document = Some("{}".into()),
            |row| row.epsilon = Some("2/20".into()),
            |row| row.key = Some(Hash::START.to_string()),
            |row| row.sequence = 0,
        ];
        for (i, edit) in edits.into_iter().enumerate() {
            let entry = entry(charge());
            let mut row = RawEntry::from_entry(&entry);
            edit(&mut row);
            row.hash = row.digest().to_string();
            assert!(row.is_intact() && row.entry().is_none(), "edit {i}");
        }
    }

    #[test]
    fn every_field_counts() {
        let edits: [fn(&mut RawEntry<'_>); 17] = [
            |row| row.sequence += 1,
            |row| row.kind.push('x'),
            |row| row.at.push('x'),
            |row| row.account.push('x'),
            |row| row.epsilon = Some("1/1000".into()),
            |row| row.delta = None,
            |row| row.question = Some("".into()),
            |row| row.key = None,
            |row| row.charge = Some(0),
            |row| row.document = Some("".into()),
            |row| row.unit = Some("record".into()),
            |row| row.population = Some(String::new()),
            |row| row.rule = Some("sum".into()),
            |row| row.parts = None,
            |row| row.before = Some(4),
            |row| row.tally = Some("0 0/1 0/1  -".into()),
            |row| row.previous = row.previous.replacen('0', "1", 1),
        ];
        for (i, edit) in edits.into_iter().enumerate() {
            let entry = entry(charge());
            let mut row = RawEntry::from_entry(&entry);
            edit(&mut row);
            assert!(!row.is_intact(), "edit {i}");
        }
    }
}
