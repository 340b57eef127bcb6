//! Dictionaries: lists of values that the keys of columns refer to.
//!
//! A list can grow with later messages, and in a stream it can be replaced. As it only grows at its end, all batches
//! before the next replacement share one list, of which earlier batches may use only the part that was there.

use std::sync::Arc;

use super::container::{Batch, Container, DictionaryBatch};
use super::form::Form;
use super::message::Header;
use super::pieces::pieces;
use super::schema::Parts;
use super::snapshot::Snapshot;
use super::wanted::Wanted;
use crate::column::{ColumnValues, MISSING, Store};
use crate::flaw::Flaw;
use crate::memory_limit::{Held, MemoryLimit};
use crate::positional_file::PositionalFile;

/// A dictionary in the course of a file.
#[derive(Debug)]
pub(super) struct Dictionary {
    /// What it is from a batch on, in the order of batches.
    snapshots: Vec<(usize, Snapshot)>,
    held: Vec<Held>,
}

impl Dictionary {
    /// Reads all messages of a dictionary of values of this form, of which text that is not UTF-8 is refused if this is
    /// strict.
    pub(super) fn read(
        source: &PositionalFile,
        container: &Container,
        id: i64,
        (form, strict): (&Form, bool),
        memory: &MemoryLimit,
    ) -> Result<Self, Flaw> {
        let mut dictionary = Self { snapshots: Vec::new(), held: Vec::new() };
        let mut list: Option<List> = None;
        for message in container.dictionaries.iter().filter(|message| message.id == id) {
            match &mut list {
                None if message.delta => return Err(Flaw::Damaged),
                Some(_) if !message.delta && !container.streamed => return Err(Flaw::Damaged),
                Some(list) if message.delta => list.read(source, message, (form, strict), memory)?,
                _ => {
                    if let Some(list) = list.take() {
                        dictionary.close(list);
                    }
                    let mut started = List::default();
                    started.read(source, message, (form, strict), memory)?;
                    list = Some(started);
                }
            }
        }
        if let Some(list) = list {
            dictionary.close(list);
        }
        Ok(dictionary)
    }

    /// The dictionary as a batch sees it, if there is one by then.
    pub(super) fn at(&self, batch: usize) -> Option<&Snapshot> {
        let known = self.snapshots.partition_point(|(since, _)| *since <= batch);
        Some(&self.snapshots.get(known.checked_sub(1)?)?.1)
    }

    /// Adds a list that does not grow any more.
    fn close(&mut self, list: List) {
        let values = Arc::new(list.values.unwrap_or(Store::Missing(0)));
        let valid = list.valid.map(Arc::new);
        let snapshot = |(since, len)| (since, Snapshot::new(Arc::clone(&values), valid.clone(), len));
        self.snapshots.extend(list.lengths.into_iter().map(snapshot));
        self.held.extend(list.held);
    }
}

/// A list while it grows.
#[derive(Debug, Default)]
struct List {
    values: Option<Store>,
    valid: Option<Vec<bool>>,
    /// From which batch on it had how many values.
    lengths: Vec<(usize, usize)>,
    held: Vec<Held>,
}

impl List {
    /// Adds the values of a message.
    fn read(
        &mut self,
        source: &PositionalFile,
        message: &DictionaryBatch,
        (form, strict): (&Form, bool),
        memory: &MemoryLimit,
    ) -> Result<(), Flaw> {
        let rows = {
            let metadata = message.place.metadata(source, memory)?;
            let buffer = metadata.flatbuffer();
            let Header::Dictionary { values, .. } = Header::read(&buffer)? else { return Err(Flaw::Damaged) };
            values.rows()
        };
        // Keys are numbers of 32 bits, one of which stands for missing values.
        let len = self.values.as_ref().map_or(0, Store::len) as u64;
        if len.checked_add(rows).is_none_or(|len| len >= u64::from(MISSING)) {
            return Err(Flaw::TooLarge);
        }
        let batch = Batch { place: message.place, rows };
        let wanted = [Wanted { form, before: Parts::default(), dictionary: None, strict }];
        pieces(source, &batch, Parts::of(form), &wanted, memory, &mut |columns| {
            self.append(columns, memory)
        })?;
        self.lengths.push((message.since, self.values.as_ref().map_or(0, Store::len)));
        Ok(())
    }

    fn append(&mut self, columns: &[ColumnValues], memory: &MemoryLimit) -> Result<(), Flaw> {
        let [ColumnValues::Plain { values, valid }] = columns else { return Err(Flaw::Damaged) };
        // What grows may take twice what it holds.
        self.held.push(memory.take(size(values).saturating_mul(2))?);
        let before = self.values.as_ref().map_or(0, Store::len);
        if valid.is_some() || self.valid.is_some() {
            let all = self.valid.get_or_insert_with(|| vec![true; before]);
            match valid {
                Some(valid) => all.extend_from_slice(valid),
                None => all.resize(before + values.len(), true),
            }
        }
        match &mut self.values {
            None => self.values = Some(values.clone()),
            Some(all) => extend(all, values)?,
        }
        Ok(())
    }
}

/// The memory that values and their validity take.
fn size(values: &Store) -> usize {
    let each = match values {
        Store::Missing(_) | Store::Strange(_) => 0,
        Store::Booleans(_) => 1,
        Store::Singles(_) | Store::Days(_) => 4,
        Store::Integers(_) | Store::Unsigned(_) | Store::Doubles(_) | Store::Instants { .. } => 8,
        Store::Decimals { .. } => 16,
        Store::Text(strings) | Store::Bytes(strings) | Store::BytesOrText(strings) => {
            return strings.bytes.len() + strings.ends.len() * (1 + size_of::<usize>());
        }
    };
    values.len() * (each + 1)
}

/// Adds values of the same form.
fn extend(all: &mut Store, more: &Store) -> Result<(), Flaw> {
    // One message of text may have bytes that are none.
    if let (Store::Text(text), Store::BytesOrText(_)) = (&mut *all, more) {
        *all = Store::BytesOrText(std::mem::take(text));
    }
    match (all, more) {
        (Store::Booleans(all), Store::Booleans(more)) => all.extend(more),
        (Store::Integers(all), Store::Integers(more)) => all.extend(more),
        (Store::Unsigned(all), Store::Unsigned(more)) => all.extend(more),
        (Store::Decimals { mantissas: all, .. }, Store::Decimals { mantissas: more, .. }) => all.extend(more),
        (Store::Singles(all), Store::Singles(more)) => all.extend(more),
        (Store::Doubles(all), Store::Doubles(more)) => all.extend(more),
        (Store::Days(all), Store::Days(more)) => all.extend(more),
        (Store::Instants { ticks: all, .. }, Store::Instants { ticks: more, .. }) => all.extend(more),
        (Store::Text(all), Store::Text(more))
        | (Store::Bytes(all), Store::Bytes(more))
        | (Store::BytesOrText(all), Store::Text(more) | Store::BytesOrText(more)) => {
            let start = all.bytes.len();
            all.bytes.extend_from_slice(&more.bytes);
            all.ends.extend(more.ends.iter().map(|end| start + end));
        }
        _ => return Err(Flaw::Damaged),
    }
    Ok(())
}
