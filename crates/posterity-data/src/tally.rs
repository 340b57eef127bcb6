//! Counting the records of a piece.
//!
//! Every record is looked at by itself: the filter, the categories and the unit are functions of its own values. Only
//! the results for values of a dictionary are kept from one record to the next.

use std::sync::Arc;

use posterity_core::model::Counts;

use crate::ask::Ask;
use crate::coder::{MISSING, OUTSIDE, UNNAMED, whole};
use crate::column::{self, ColumnValues, Store};
use crate::error::DataError;
use crate::filter::EvaluationError;
use crate::order::order_key;
use crate::piece::Piece;
use crate::unit::{OrderedRows, Ranks, UnitHash, UnitRow, Units};
use crate::value::{Record, Value};

/// Where a piece stands in its source: the number of its file, and its own within that.
pub(crate) type PiecePlace = (u32, u32);

/// The counts and flaws of the records that one thread has read.
#[derive(Debug)]
pub(crate) struct Tally {
    counts: Vec<u64>,
    rows: u64,
    flaws: Flaws,
    work: Work,
}

/// Which kinds of values without a category were found. The first of them in a fixed order is told, so that the answer does
/// not depend on threads.
#[derive(Debug, Default)]
struct Flaws {
    /// The first record for which the filter has no answer.
    evaluation: Option<(PiecePlace, EvaluationError)>,
    /// For each dimension: a value outside, missing, without a name.
    dimensions: Vec<[bool; 3]>,
    missing_unit: bool,
    unnamed_unit: bool,
    unordered: bool,
}

/// Buffers, and what was found for the values of dictionaries.
#[derive(Debug, Default)]
struct Work {
    chosen: Vec<u32>,
    cells: Vec<u32>,
    rows: Vec<UnitRow>,
    ordered: OrderedRows,
    ranks: Vec<u64>,
    filter: Memo<Truth>,
    codes: Vec<Memo<u32>>,
    units: Memo<u128>,
}

/// What a filter said of a value.
type Truth = Result<bool, EvaluationError>;

/// Answers for the values of a dictionary, each asked for when it occurs first.
#[derive(Debug)]
struct Memo<T> {
    values: Option<Arc<Store>>,
    known: Vec<Option<T>>,
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Self { values: None, known: Vec::new() }
    }
}

impl<T: Clone> Memo<T> {
    /// Remembers for this dictionary; forgets what was remembered for another.
    fn of(&mut self, values: &Arc<Store>) -> &mut Vec<Option<T>> {
        if !self.values.as_ref().is_some_and(|known| Arc::ptr_eq(known, values)) {
            self.known.clear();
            self.known.resize(values.len(), None);
            self.values = Some(Arc::clone(values));
        }
        &mut self.known
    }
}

/// The units of a count, and how they are told apart.
#[derive(Debug)]
pub(crate) struct UnitCount {
    pub(crate) units: Units,
    pub(crate) hash: UnitHash,
}

/// One record of a piece.
struct Seen<'a, P: ?Sized> {
    piece: &'a P,
    row: usize,
    columns: &'a [usize],
}

impl<P: Piece + ?Sized> Record for Seen<'_, P> {
    #[inline]
    fn value(&self, column: usize) -> Value<'_> {
        self.piece.value(self.columns[column], self.row)
    }
}

/// Stands for the cell of a record that has none.
const NOWHERE: u32 = u32::MAX;

impl Tally {
    /// An empty tally.
    pub(crate) fn new(ask: &Ask<'_>) -> Self {
        let dimensions = ask.dimensions.len();
        let mut work = Work::default();
        work.codes.resize_with(dimensions, Memo::default);
        Self {
            counts: vec![0; ask.cells.len()],
            rows: 0,
            flaws: Flaws { dimensions: vec![[false; 3]; dimensions], ..Flaws::default() },
            work,
        }
    }

    /// Counts the records of a piece. With units they go to `units`, each with the next of the `ranks`.
    pub(crate) fn add<P: Piece + ?Sized>(
        &mut self,
        ask: &Ask<'_>,
        piece: &P,
        place: PiecePlace,
        units: Option<&UnitCount>,
        ranks: Option<&mut Ranks>,
    ) -> Result<(), DataError> {
        let rows = piece.rows();
        self.rows += rows as u64;
        if let ([(column, coder)], None, None) = (ask.dimensions.as_slice(), &ask.filter, units)
            && let Some(ColumnValues::Keyed { keys, values }) = piece.column(*column)
        {
            let seen = occurrences(keys, values.len());
            for (key, &times) in seen.iter().enumerate().filter(|(_, times)| **times > 0) {
                let value = if key == values.len() { Value::Missing } else { values.get(key) };
                match coder.code(value) {
                    code if code < UNNAMED => self.counts[code as usize] += times,
                    code => self.flaws.note(0, code),
                }
            }
            return Ok(());
        }
        let mut work = std::mem::take(&mut self.work);
        let filtered = ask.filter.is_some();
        if filtered {
            self.choose(ask, piece, place, &mut work);
        }
        let chosen = filtered.then_some(work.chosen.as_slice());
        let many = chosen.map_or(rows, <[u32]>::len);
        work.cells.clear();
        work.cells.resize(many, 0);
        for (position, ((column, coder), dimension)) in
            ask.dimensions.iter().zip(ask.cells.dimensions()).enumerate()
        {
            let width = dimension.len as u32;
            let flaws = &mut self.flaws;
            let place = |cell: &mut u32, code: u32| {
                if code >= UNNAMED {
                    flaws.note(position, code);
                    *cell = NOWHERE;
                } else if *cell != NOWHERE {
                    *cell = *cell * width + code;
                }
            };
            let code = |value: Value<'_>| coder.code(value);
            each(piece, *column, chosen, &mut work.codes[position], &mut work.cells, code, place);
        }
        if let Some(units) = units {
            self.hand_over(ask, piece, units, ranks, &mut work)?;
        } else {
            for &cell in work.cells.iter().filter(|cell| **cell != NOWHERE) {
                self.counts[cell as usize] += 1;
            }
        }
        self.work = work;
        Ok(())
    }

    /// Lists the records that the filter lets pass.
    fn choose<P: Piece + ?Sized>(&mut self, ask: &Ask<'_>, piece: &P, place: PiecePlace, work: &mut Work) {
        let Some((filter, columns)) = &ask.filter else { return };
        work.chosen.clear();
        let ask_filter = |row: usize| filter.matches(&Seen { piece, row, columns });
        let only = match columns.as_slice() {
            [column] => piece.column(*column),
            _ => None,
        };
        for row in 0..piece.rows() {
            let truth = match only {
                Some(ColumnValues::Keyed { keys, values }) if keys[row] != column::MISSING => {
                    let known = work.filter.of(values);
                    *known[keys[row] as usize].get_or_insert_with(|| ask_filter(row))
                }
                _ => ask_filter(row),
            };
            match truth {
                Ok(true) => work.chosen.push(row as u32),
                Ok(false) => {}
                Err(error) => {
                    let first = self.flaws.evaluation.as_ref().is_none_or(|(known, _)| place < *known);
                    if first {
                        self.flaws.evaluation = Some((place, error));
                    }
                }
            }
        }
    }

    /// Hands the records to their units.
    fn hand_over<P: Piece + ?Sized>(
        &mut self,
        ask: &Ask<'_>,
        piece: &P,
        count: &UnitCount,
        ranks: Option<&mut Ranks>,
        work: &mut Work,
    ) -> Result<(), DataError> {
        let Some(column) = ask.unit else { return Ok(()) };
        let chosen = ask.filter.is_some().then_some(work.chosen.as_slice());
        let flaws = &mut self.flaws;
        let mut hashes = vec![0_u128; work.cells.len()];
        let hash = |value: Value<'_>| match key(value) {
            Key::Of(tag, bytes) => count.hash.hash(tag, bytes.as_ref()),
            Key::Missing => NOBODY,
            Key::Unnamed => UNNAMED_UNIT,
        };
        each(piece, column, chosen, &mut work.units, &mut hashes, hash, |slot, hash| *slot = hash);
        for (hash, cell) in hashes.iter().zip(&mut work.cells) {
            match *hash {
                NOBODY => flaws.missing_unit = true,
                UNNAMED_UNIT => flaws.unnamed_unit = true,
                _ => continue,
            }
            *cell = NOWHERE;
        }
        let row = |index: usize| chosen.map_or(index, |chosen| chosen[index] as usize);
        let records = hashes.iter().zip(&work.cells).enumerate();
        let records = records.filter(|(_, (_, cell))| **cell != NOWHERE);
        if let Some(order) = ask.order {
            for (index, (&unit, &cell)) in records {
                match order_key(piece.value(order, row(index))) {
                    Some(key) => work.ordered.push(unit, &key, cell)?,
                    None => flaws.unordered = true,
                }
            }
            count.units.add_ordered(&mut work.ordered)?;
        } else {
            // Every record of the piece has a rank, also those that the filter leaves out: so the rank of a record does not
            // depend on what others hold.
            work.ranks.clear();
            if let Some(ranks) = ranks {
                work.ranks.extend((0..piece.rows()).map(|_| ranks.next_rank()));
            }
            let rank = |index: usize| work.ranks.get(row(index)).copied().unwrap_or_default();
            work.rows.extend(records.map(|(index, (&unit, &cell))| UnitRow {
                unit,
                cell,
                rank: rank(index),
            }));
            count.units.add(&mut work.rows)?;
        }
        Ok(())
    }

    /// Adds what another thread has found.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (sum, found) in self.counts.iter_mut().zip(&other.counts) {
            *sum = sum.saturating_add(*found);
        }
        self.rows += other.rows;
        self.flaws.absorb(other.flaws);
    }

    /// How many records were looked at.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// The counts, or `by_unit` in their place, unless some record had no place.
    pub(crate) fn finish(
        self,
        ask: &Ask<'_>,
        by_unit: impl FnOnce() -> Result<Option<Vec<u64>>, DataError>,
    ) -> Result<Counts, DataError> {
        self.flaws.check(ask)?;
        let counts = by_unit()?.unwrap_or(self.counts);
        Ok(Counts::new(counts)?)
    }
}

/// Finds something for the value of every chosen record in a column, and hands it to the slot of that record. What is found
/// for a value of a dictionary is kept for the next record that has it.
fn each<P: Piece + ?Sized, S, T: Clone>(
    piece: &P,
    column: usize,
    chosen: Option<&[u32]>,
    memo: &mut Memo<T>,
    slots: &mut [S],
    find: impl Fn(Value<'_>) -> T,
    mut put: impl FnMut(&mut S, T),
) {
    let row = |index: usize| chosen.map_or(index, |chosen| chosen[index] as usize);
    match piece.column(column) {
        Some(ColumnValues::Keyed { keys, values }) => {
            let known = memo.of(values);
            for (index, slot) in slots.iter_mut().enumerate() {
                let key = keys[row(index)];
                if key == column::MISSING {
                    put(slot, find(Value::Missing));
                } else {
                    let key = key as usize;
                    put(slot, known[key].get_or_insert_with(|| find(values.get(key))).clone());
                }
            }
        }
        Some(plain) => {
            for (index, slot) in slots.iter_mut().enumerate() {
                put(slot, find(plain.get(row(index))));
            }
        }
        None => {
            for (index, slot) in slots.iter_mut().enumerate() {
                put(slot, find(piece.value(column, row(index))));
            }
        }
    }
}

/// How often each key occurs; the last place is that of missing values.
fn occurrences(keys: &[u32], values: usize) -> Vec<u64> {
    // Four lists, because repeated additions to one place wait for each other.
    let mut lists = vec![0_u32; 4 * (values + 1)];
    let (quads, rest) = keys.as_chunks::<4>();
    let place = |key: u32| (key as usize).min(values);
    for quad in quads {
        for (list, &key) in quad.iter().enumerate() {
            lists[4 * place(key) + list] += 1;
        }
    }
    for &key in rest {
        lists[4 * place(key)] += 1;
    }
    let (lists, _) = lists.as_chunks::<4>();
    lists.iter().map(|list| list.iter().map(|&times| u64::from(times)).sum()).collect()
}

impl Flaws {
    #[cold]
    fn note(&mut self, dimension: usize, code: u32) {
        let kind = match code {
            OUTSIDE => 0,
            MISSING => 1,
            _ => 2,
        };
        self.dimensions[dimension][kind] = true;
    }

    fn absorb(&mut self, other: Self) {
        let first = match (self.evaluation.take(), other.evaluation) {
            (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
            (a, b) => a.or(b),
        };
        self.evaluation = first;
        for (sum, found) in self.dimensions.iter_mut().zip(other.dimensions) {
            for (sum, found) in sum.iter_mut().zip(found) {
                *sum |= found;
            }
        }
        self.missing_unit |= other.missing_unit;
        self.unnamed_unit |= other.unnamed_unit;
        self.unordered |= other.unordered;
    }

    fn check(&self, ask: &Ask<'_>) -> Result<(), DataError> {
        if let (Some((_, error)), Some((filter, _))) = (&self.evaluation, &ask.filter) {
            let text = ask.question.filter.clone().unwrap_or_default();
            return Err(DataError::Filter { filter: text, error: filter.explain(*error) });
        }
        for (flaws, dimension) in self.dimensions.iter().zip(ask.cells.dimensions()) {
            let column = dimension.column.clone();
            match flaws {
                [true, ..] => return Err(DataError::Outside { column }),
                [_, true, _] => return Err(DataError::Missing { column }),
                [_, _, true] => return Err(DataError::Unnamed { column }),
                _ => {}
            }
        }
        let named = |position: Option<usize>| {
            position.map(|position| ask.columns[position].clone()).unwrap_or_default()
        };
        if self.missing_unit {
            return Err(DataError::MissingUnit { column: named(ask.unit) });
        }
        if self.unnamed_unit {
            return Err(DataError::Unnamed { column: named(ask.unit) });
        }
        if self.unordered {
            return Err(DataError::Unordered { column: named(ask.order) });
        }
        Ok(())
    }
}

/// Hashes that stand for no unit. A unit has one of them with a probability of 2^-127, and would then be refused.
const NOBODY: u128 = u128::MAX;
const UNNAMED_UNIT: u128 = u128::MAX - 1;

/// The value by which units are told apart.
enum Key<'a> {
    Of(u8, Bytes<'a>),
    Missing,
    Unnamed,
}

enum Bytes<'a> {
    Borrowed(&'a [u8]),
    Number([u8; 20]),
}

impl AsRef<[u8]> for Bytes<'_> {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Number(bytes) => bytes,
        }
    }
}

/// The unit that a value names. A whole number of JSON is the same unit as the text of its digits.
fn key(value: Value<'_>) -> Key<'_> {
    let number = |tag: u8, number: i128, more: i32| {
        let mut bytes = [0; 20];
        bytes[..16].copy_from_slice(&number.to_le_bytes());
        bytes[16..].copy_from_slice(&more.to_le_bytes());
        Key::Of(tag, Bytes::Number(bytes))
    };
    match value {
        Value::Missing => Key::Missing,
        Value::Text(text) => Key::Of(0, Bytes::Borrowed(text)),
        Value::Literal(literal) => match whole(literal) {
            Some(digits) => Key::Of(0, Bytes::Borrowed(digits)),
            None => Key::Unnamed,
        },
        Value::Bytes(bytes) => Key::Of(1, Bytes::Borrowed(bytes)),
        Value::Boolean(truth) => Key::Of(0, Bytes::Borrowed(crate::coder::truth_name(truth))),
        Value::Integer(value) => number(2, value, 0),
        Value::Decimal { mantissa, scale } => number(3, mantissa, scale),
        Value::Day(day) => number(4, day.into(), 0),
        Value::Instant { ticks, per_second } => number(5, ticks.into(), per_second as i32),
        Value::Single(_) | Value::Double(_) | Value::Strange => Key::Unnamed,
    }
}
