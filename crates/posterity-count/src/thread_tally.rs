//! Counting the records of a piece.
//!
//! Every record is looked at by itself: the filter, the categories and the unit are functions of its own values. Only
//! the results for values of a dictionary are kept from one record to the next.

use std::ops::Range;
use std::sync::Arc;

use posterity_formats::{ColumnValues, Piece, Store, Value};

use crate::cell_table::{CellTable, Places};
use crate::checked_questions::{CheckedQuestions, Coding};
use crate::column_codes::{ColumnCodes, NOWHERE, Rows};
use crate::error::DataError;
use crate::filter::Record;
use crate::filter::{EvaluationError, Filter};
use crate::order_key::order_key;
use crate::question_group::QuestionGroup;
use crate::resemblance::Resemblance;
use crate::unit::{MAX_ORDER, OrderedRows, Ranks, RecordRows, UnitRow};
use crate::unit_count::{KeptUnits, UnitCount};
use crate::value_coder::{MISSING, OUTSIDE, UNNAMED, digits};
use crate::whole_number::whole_number;

/// Where a piece stands in its source: the number of its file, and its own within that.
pub(crate) type PiecePlace = (u32, u32);

/// The counts and flaws of the records that one thread has read.
#[derive(Debug)]
pub(crate) struct ThreadTally {
    /// One for each group of questions.
    counters: Vec<CellTable>,
    rows: u64,
    flaws: Flaws,
    work: Work,
}

/// Which kinds of values without a category were found. The first of them in a fixed order is told, so that the answer
/// does not depend on threads. Where such records are left out, there are no flaws.
#[derive(Debug, Default)]
struct Flaws {
    /// Whether there are any. Then the questions are refused, and nothing needs to be counted any more.
    any: bool,
    /// The first record for which the filter has no answer.
    filter: Unanswered,
    /// The same for the private filter.
    within: Unanswered,
    /// For each coding: a value outside, missing, without a name.
    codings: Vec<[bool; 3]>,
    /// For each coding the least of what values outside resemble.
    resembled: Vec<Option<Resemblance>>,
    missing_unit: bool,
    unnamed_unit: bool,
    unordered: bool,
}

/// The first piece with a record for which a filter has no answer, and why.
type Unanswered = Option<(PiecePlace, EvaluationError)>;

/// Buffers, and what was found for the values of dictionaries.
#[derive(Debug, Default)]
struct Work {
    chosen: Vec<u32>,
    inside: Vec<u32>,
    outside: Vec<u32>,
    codes: Vec<ColumnCodes>,
    /// For each coding, whether some of its codes stand for no category.
    strays: Vec<bool>,
    /// Where a record counts in all tables or in none: for each record whether it counts, or nothing if all do.
    known: Vec<bool>,
    places: Places,
    rows: Vec<UnitRow>,
    ordered: OrderedRows,
    records: RecordRows,
    ranks: Vec<u64>,
    hashes: Vec<u128>,
    filter: Memo<Truth>,
    within: Memo<Truth>,
    units: Memo<u128>,
}

/// What a filter said of a value.
pub(crate) type Truth = Result<bool, EvaluationError>;

/// How many records are looked at together, so that all that is known of them stays in fast memory.
const TOGETHER: usize = 4096;

/// The same for many tables of the same records, which take turns in fast memory.
const TOGETHER_IN_MANY: usize = 4 * TOGETHER;

/// Answers for the values of a dictionary, each asked for when it occurs first.
#[derive(Debug)]
pub(crate) struct Memo<T> {
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

impl ThreadTally {
    /// An empty tally.
    pub(crate) fn new(checked: &CheckedQuestions<'_>, groups: &[QuestionGroup]) -> Self {
        let codes = checked.codings.iter().map(|coding| ColumnCodes::new(coding.dimension.len)).collect();
        // With a unit, the counts are made of the units at the end.
        let counted = if checked.unit.is_none() { groups } else { &[] };
        Self {
            counters: counted.iter().map(|group| CellTable::new(checked, group)).collect(),
            rows: 0,
            flaws: Flaws {
                codings: vec![[false; 3]; checked.codings.len()],
                resembled: vec![None; checked.codings.len()],
                ..Flaws::default()
            },
            work: Work { codes, strays: vec![false; checked.codings.len()], ..Work::default() },
        }
    }

    /// Counts the records of a piece. With units they go to `units`, each with the next of the `ranks`.
    pub(crate) fn add<P: Piece + ?Sized>(
        &mut self,
        checked: &CheckedQuestions<'_>,
        groups: &[QuestionGroup],
        piece: &P,
        place: PiecePlace,
        units: Option<&UnitCount>,
        mut ranks: Option<&mut Ranks>,
    ) -> Result<(), DataError> {
        let rows = piece.rows();
        self.rows += rows as u64;
        let whole: Vec<bool> = groups
            .iter()
            .enumerate()
            .map(|(index, group)| units.is_none() && self.by_keys(checked, index, group, piece))
            .collect();
        let rest = || groups.iter().zip(&whole).enumerate().filter(|(_, (_, whole))| !**whole);
        if rest().next().is_none() {
            return Ok(());
        }
        let needed: Vec<usize> = (0..checked.codings.len())
            .filter(|coding| checked.whole || rest().any(|(_, (group, _))| group.codings.contains(coding)))
            .collect();
        let mut work = std::mem::take(&mut self.work);
        // Units are added in large batches.
        let together = match units {
            Some(_) => rows.max(1),
            None if checked.whole => TOGETHER_IN_MANY,
            None => TOGETHER,
        };
        for start in (0..rows).step_by(together) {
            let range = start..rows.min(start + together);
            work.ranks.clear();
            if let Some(ranks) = ranks.as_deref_mut() {
                // Every record has a rank, also those that the filter leaves out: so the rank of a record does not
                // depend on what others hold.
                ranks.next_ranks(range.len(), &mut work.ranks);
            }
            self.choose(checked, piece, place, range.clone(), &mut work);
            let inside = match (&checked.filter, &checked.within) {
                (_, Some(_)) => Rows::Chosen(&work.inside),
                (Some(_), None) => Rows::Chosen(&work.chosen),
                (None, None) => Rows::All(range.clone()),
            };
            for &coding in &needed {
                let (flaws, stray) = (&mut self.flaws, &mut work.strays[coding]);
                *stray = false;
                let of = &checked.codings[coding];
                let note = |code, row| {
                    *stray = true;
                    if !checked.leaves_out() {
                        flaws.note(coding, code);
                        flaws.note_resemblance(coding, of, code, || piece.value(of.column, row));
                    }
                };
                work.codes[coding].fill(of, piece, &inside, note);
            }
            if self.flaws.any {
                continue;
            }
            if checked.whole {
                work.mark_known(inside.len());
            }
            if let Some(units) = units {
                self.hand_over(checked, groups, piece, range, units, &mut work)?;
                continue;
            }
            work.leave_unknown_out();
            for (index, (group, _)) in rest() {
                let counter = &mut self.counters[index];
                if group.codings.iter().any(|&coding| work.strays[coding]) {
                    counter.add_known(checked, group, &work.codes, &mut work.places);
                } else {
                    counter.add(checked, group, &work.codes, &mut work.places);
                }
                if checked.within.is_some() {
                    counter.add_many(group.cells, work.outside.len() as u64);
                }
            }
        }
        self.work = work;
        Ok(())
    }

    /// Counts a group of one column by the keys of a dictionary, if all records count and there is one.
    fn by_keys<P: Piece + ?Sized>(
        &mut self,
        checked: &CheckedQuestions<'_>,
        index: usize,
        group: &QuestionGroup,
        piece: &P,
    ) -> bool {
        let &[coding] = group.codings.as_slice() else { return false };
        if checked.filter.is_some() || checked.within.is_some() || checked.whole {
            return false;
        }
        let Some(ColumnValues::Keyed { keys, values }) = piece.column(checked.codings[coding].column) else {
            return false;
        };
        let seen = occurrences(keys, values.len());
        for (key, &times) in seen.iter().enumerate().filter(|(_, times)| **times > 0) {
            let value = if key == values.len() { Value::Missing } else { values.get(key) };
            match checked.codings[coding].coder.code(value) {
                code if code < UNNAMED => self.counters[index].add_many(code as usize, times),
                _ if checked.leaves_out() => {}
                code => {
                    self.flaws.note(coding, code);
                    self.flaws.note_resemblance(coding, &checked.codings[coding], code, || value);
                }
            }
        }
        true
    }

    /// Lists the records that the filter lets pass, and divides them by the private filter. Where records are left out
    /// that have no answer, a filter is not true of them.
    fn choose<P: Piece + ?Sized>(
        &mut self,
        checked: &CheckedQuestions<'_>,
        piece: &P,
        place: PiecePlace,
        range: Range<usize>,
        work: &mut Work,
    ) {
        let Work { chosen, inside, outside, filter, within, .. } = work;
        let mut note = |flaw: &mut Unanswered, error: EvaluationError| {
            self.flaws.any = true;
            if flaw.as_ref().is_none_or(|(known, _)| place < *known) {
                *flaw = Some((place, error));
            }
        };
        if let Some((condition, columns)) = &checked.filter {
            chosen.clear();
            if !chosen_at_once(condition, columns, piece, range.clone(), chosen) {
                for row in range.clone() {
                    match truth(condition, columns, piece, row, filter) {
                        Ok(true) => chosen.push(row as u32),
                        Ok(false) => {}
                        Err(_) if checked.leaves_out() => {}
                        Err(error) => note(&mut self.flaws.filter, error),
                    }
                }
            }
        }
        if let Some((condition, columns)) = &checked.within {
            inside.clear();
            outside.clear();
            let mut divide = |row: usize| match truth(condition, columns, piece, row, within) {
                Ok(true) => inside.push(row as u32),
                Ok(false) => outside.push(row as u32),
                Err(_) if checked.leaves_out() => outside.push(row as u32),
                Err(error) => note(&mut self.flaws.within, error),
            };
            if checked.filter.is_some() {
                chosen.iter().for_each(|&row| divide(row as usize));
            } else {
                range.for_each(divide);
            }
        }
    }

    /// Hands the records to their units: those inside with their cells, then those outside. Where records are left out
    /// that have no unit, no category or no order, they go to no unit.
    fn hand_over<P: Piece + ?Sized>(
        &mut self,
        checked: &CheckedQuestions<'_>,
        groups: &[QuestionGroup],
        piece: &P,
        range: Range<usize>,
        count: &UnitCount,
        work: &mut Work,
    ) -> Result<(), DataError> {
        let Some(column) = checked.unit else { return Ok(()) };
        let start = range.start;
        let (rows, inside) = match (&checked.filter, &checked.within) {
            (_, Some(_)) => {
                let inside = work.inside.len();
                work.inside.extend_from_slice(&work.outside);
                (Rows::Chosen(&work.inside), inside)
            }
            (Some(_), None) => (Rows::Chosen(&work.chosen), work.chosen.len()),
            (None, None) => (Rows::All(range.clone()), range.len()),
        };
        let hashes = &mut work.hashes;
        hashes.resize(rows.len(), 0);
        let hash = |value: Value<'_>| match key(value) {
            Key::Of(tag, bytes) => count.hash.hash(tag, bytes.as_ref()),
            Key::Missing => NOBODY,
            Key::Unnamed => UNNAMED_UNIT,
        };
        each(piece, column, &rows, &mut work.units, hashes, hash);
        let orders: Option<Vec<_>> = checked.order.map(|order| {
            (0..rows.len()).map(|index| order_key(piece.value(order, rows.row(index)))).collect()
        });
        if !checked.leaves_out() {
            self.flaws.missing_unit |= hashes.contains(&NOBODY);
            self.flaws.unnamed_unit |= hashes.contains(&UNNAMED_UNIT);
            self.flaws.unordered |= orders.as_ref().is_some_and(|orders| orders.iter().any(Option::is_none));
            self.flaws.any |= self.flaws.missing_unit || self.flaws.unnamed_unit || self.flaws.unordered;
            if self.flaws.any {
                return Ok(());
            }
        }
        let of_each_group = match &count.kept {
            KeptUnits::Cells(units) => units,
            KeptUnits::Records(kept, packing) => {
                let named = |&(index, &unit): &(usize, &u128)| {
                    unit != NOBODY && unit != UNNAMED_UNIT && work.known.get(index).is_none_or(|known| *known)
                };
                for (index, &unit) in hashes.iter().enumerate().filter(named) {
                    // By the rule `random` the least rank counts, so that it is the greatest order.
                    let rank = work.ranks.get(rows.row(index) - start).map(|rank| (!rank).to_be_bytes());
                    let order = match &orders {
                        None => rank.as_ref().map(<[u8; 8]>::as_slice).unwrap_or_default(),
                        Some(orders) => match &orders[index] {
                            Some(key) if !(checked.leaves_out() && key.len() > MAX_ORDER) => key,
                            _ => continue,
                        },
                    };
                    work.records.push(unit, order, |to| packing.pack(&work.codes, index, to))?;
                }
                return Ok(kept.add(&mut work.records)?);
            }
        };
        for (group, units) in groups.iter().zip(of_each_group) {
            let cells = if group.codings.iter().any(|&coding| work.strays[coding]) {
                work.places.known(checked, group, &work.codes)
            } else {
                work.places.wide(checked, group, &work.codes)
            };
            let cells =
                cells.iter().copied().chain(std::iter::repeat_n(group.cells as u32, rows.len() - inside));
            let counts = |&(_, (&unit, cell)): &(usize, (&u128, u32))| {
                unit != NOBODY && unit != UNNAMED_UNIT && cell != NOWHERE
            };
            let records = hashes.iter().zip(cells).enumerate().filter(counts);
            if let Some(orders) = &orders {
                for (index, (&unit, cell)) in records {
                    match &orders[index] {
                        Some(key) if !(checked.leaves_out() && key.len() > MAX_ORDER) => {
                            work.ordered.push(unit, key, cell)?;
                        }
                        _ => {}
                    }
                }
                units.add_ordered(&mut work.ordered)?;
            } else {
                let ranks = &work.ranks;
                let rank = |index: usize| ranks.get(rows.row(index) - start).copied().unwrap_or_default();
                work.rows.extend(records.map(|(index, (&unit, cell))| UnitRow {
                    unit,
                    cell,
                    rank: rank(index),
                }));
                units.add(&mut work.rows)?;
            }
        }
        Ok(())
    }

    /// Adds what another thread has found.
    pub(crate) fn absorb(&mut self, other: Self) {
        for (sum, found) in self.counters.iter_mut().zip(other.counters) {
            sum.absorb(found);
        }
        self.rows += other.rows;
        self.flaws.absorb(other.flaws);
    }

    /// How many records were looked at.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// The counts of each group, unless some record had no place. With a unit, `by_unit` gives them.
    pub(crate) fn finish(
        self,
        checked: &CheckedQuestions<'_>,
        by_unit: impl FnOnce() -> Result<Option<Vec<Vec<u64>>>, DataError>,
    ) -> Result<Vec<Vec<u64>>, DataError> {
        self.flaws.check(checked)?;
        Ok(match by_unit()? {
            Some(counts) => counts,
            None => self.counters.into_iter().map(CellTable::finish).collect(),
        })
    }
}

impl Work {
    /// Says of each of the records, which are so many, whether it has a category in every column.
    fn mark_known(&mut self, records: usize) {
        self.known.clear();
        if self.strays.contains(&true) {
            self.known.resize(records, true);
            self.codes.iter().for_each(|codes| codes.mark(&mut self.known));
        }
    }

    /// Leaves those records out of all columns that are not known.
    fn leave_unknown_out(&mut self) {
        if !self.known.is_empty() {
            self.codes.iter_mut().for_each(|codes| codes.retain(&self.known));
            self.strays.fill(false);
        }
    }
}

/// Lists the records of which a filter is true, if it compares a whole column at once; otherwise returns `false`.
fn chosen_at_once<P: Piece + ?Sized>(
    filter: &Filter,
    columns: &[usize],
    piece: &P,
    range: Range<usize>,
    chosen: &mut Vec<u32>,
) -> bool {
    let (Some(condition), [column]) = (filter.at_once(), columns) else { return false };
    piece.column(*column).is_some_and(|column| condition.choose(column, range, chosen))
}

/// What a filter says of a record. What it said of a value of a dictionary is kept, if it looks at that value only.
pub(crate) fn truth<P: Piece + ?Sized>(
    filter: &Filter,
    columns: &[usize],
    piece: &P,
    row: usize,
    memo: &mut Memo<Truth>,
) -> Truth {
    let ask_filter = || filter.matches(&Seen { piece, row, columns });
    let only = match columns {
        [column] => piece.column(*column),
        _ => None,
    };
    match only {
        Some(ColumnValues::Keyed { keys, values }) if keys[row] != posterity_formats::MISSING => {
            *memo.of(values)[keys[row] as usize].get_or_insert_with(ask_filter)
        }
        _ => ask_filter(),
    }
}

/// Finds something for the value of every one of some records in a column, and puts it into the slot of that record.
/// What is found for a value of a dictionary is kept for the next record that has it.
fn each<P: Piece + ?Sized, T: Clone>(
    piece: &P,
    column: usize,
    rows: &Rows<'_>,
    memo: &mut Memo<T>,
    slots: &mut [T],
    find: impl Fn(Value<'_>) -> T,
) {
    match piece.column(column) {
        Some(ColumnValues::Keyed { keys, values }) => {
            let known = memo.of(values);
            for (index, slot) in slots.iter_mut().enumerate() {
                let key = keys[rows.row(index)];
                *slot = if key == posterity_formats::MISSING {
                    find(Value::Missing)
                } else {
                    let key = key as usize;
                    known[key].get_or_insert_with(|| find(values.get(key))).clone()
                };
            }
        }
        Some(plain) => {
            for (index, slot) in slots.iter_mut().enumerate() {
                *slot = find(plain.get(rows.row(index)));
            }
        }
        None => {
            for (index, slot) in slots.iter_mut().enumerate() {
                *slot = find(piece.value(column, rows.row(index)));
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
    fn note(&mut self, coding: usize, code: u32) {
        let kind = match code {
            OUTSIDE => 0,
            MISSING => 1,
            _ => 2,
        };
        self.any = true;
        self.codings[coding][kind] = true;
    }

    /// Notes which category a value outside resembles, of which the least is told.
    #[cold]
    fn note_resemblance<'a>(
        &mut self,
        coding: usize,
        of: &Coding,
        code: u32,
        value: impl FnOnce() -> Value<'a>,
    ) {
        if code == OUTSIDE
            && let Some(found) = of.resembled(value())
        {
            let least = &mut self.resembled[coding];
            *least = Some(least.map_or(found, |least| least.min(found)));
        }
    }

    fn absorb(&mut self, other: Self) {
        let first = |own: Unanswered, other: Unanswered| match (own, other) {
            (Some(a), Some(b)) => Some(if b.0 < a.0 { b } else { a }),
            (a, b) => a.or(b),
        };
        self.any |= other.any;
        self.filter = first(self.filter.take(), other.filter);
        self.within = first(self.within.take(), other.within);
        for (sum, found) in self.codings.iter_mut().zip(other.codings) {
            for (sum, found) in sum.iter_mut().zip(found) {
                *sum |= found;
            }
        }
        for (least, found) in self.resembled.iter_mut().zip(other.resembled) {
            *least = [*least, found].into_iter().flatten().min();
        }
        self.missing_unit |= other.missing_unit;
        self.unnamed_unit |= other.unnamed_unit;
        self.unordered |= other.unordered;
    }

    fn check(&self, checked: &CheckedQuestions<'_>) -> Result<(), DataError> {
        let text = |filter: &Option<String>| filter.clone().unwrap_or_default();
        if let (Some((_, error)), Some((filter, _))) = (&self.filter, &checked.filter) {
            return Err(DataError::Filter {
                filter: text(&checked.question.filter),
                error: filter.explain(*error),
            });
        }
        if let (Some((_, error)), Some((filter, _))) = (&self.within, &checked.within) {
            return Err(DataError::Within {
                filter: text(&checked.question.within),
                error: filter.explain(*error),
            });
        }
        for ((flaws, resembled), coding) in self.codings.iter().zip(&self.resembled).zip(&checked.codings) {
            let column = coding.dimension.column.clone();
            match flaws {
                [true, ..] => return Err(coding.outside(*resembled)),
                [_, true, _] => return Err(DataError::Missing { column }),
                [_, _, true] => return Err(DataError::Unnamed { column }),
                _ => {}
            }
        }
        let named = |position: Option<usize>| {
            position.map(|position| checked.columns[position].clone()).unwrap_or_default()
        };
        if self.missing_unit {
            return Err(DataError::MissingUnit { column: named(checked.unit) });
        }
        if self.unnamed_unit {
            return Err(DataError::Unnamed { column: named(checked.unit) });
        }
        if self.unordered {
            return Err(DataError::Unordered { column: named(checked.order) });
        }
        Ok(())
    }
}

/// Hashes that stand for no unit. A unit has one of them with a probability of 2^-127, and would then be refused.
const NOBODY: u128 = u128::MAX;
const UNNAMED_UNIT: u128 = u128::MAX - 1;

/// The value by which units are told apart.
pub(crate) enum Key<'a> {
    Of(u8, Bytes<'a>),
    Missing,
    Unnamed,
}

pub(crate) enum Bytes<'a> {
    Borrowed(&'a [u8]),
    Owned(Vec<u8>),
    Number([u8; 20]),
    Small([u8; 8]),
}

impl AsRef<[u8]> for Bytes<'_> {
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Owned(bytes) => bytes,
            Self::Number(bytes) => bytes,
            Self::Small(bytes) => bytes,
        }
    }
}

/// The unit that a value names. Where values have types of their own, a whole number is the same unit as the text of its
/// digits, whatever stores it.
pub(crate) fn key(value: Value<'_>) -> Key<'_> {
    let number = |tag: u8, number: i128, more: i32| {
        let mut bytes = [0; 20];
        bytes[..16].copy_from_slice(&number.to_le_bytes());
        bytes[16..].copy_from_slice(&more.to_le_bytes());
        Key::Of(tag, Bytes::Number(bytes))
    };
    match value {
        Value::Missing => Key::Missing,
        Value::Text(text) => Key::Of(0, Bytes::Borrowed(text)),
        Value::Literal(literal) => match digits(literal) {
            Some(digits) => Key::Of(0, Bytes::Borrowed(digits)),
            None => whole(value),
        },
        Value::Bytes(bytes) => Key::Of(1, Bytes::Borrowed(bytes)),
        Value::Boolean(truth) => Key::Of(0, Bytes::Borrowed(crate::value_coder::truth_name(truth))),
        // Fewer bytes are hashed faster, and none of these numbers has another form.
        Value::Integer(value) => match i64::try_from(value) {
            Ok(small) => Key::Of(2, Bytes::Small(small.to_le_bytes())),
            Err(_) => number(2, value, 0),
        },
        Value::Decimal { mantissa, scale } => match whole(value) {
            Key::Unnamed => number(3, mantissa, scale),
            whole => whole,
        },
        Value::Day(day) => number(4, day.into(), 0),
        Value::Instant { ticks, per_second } => number(5, ticks.into(), per_second as i32),
        Value::Single(_) | Value::Double(_) => whole(value),
        Value::Strange => Key::Unnamed,
    }
}

/// The unit that a whole number names which is not stored as one.
fn whole<'a>(value: Value<'_>) -> Key<'a> {
    match whole_number(value) {
        Some(number) => Key::Of(0, Bytes::Owned(number.to_string().into_bytes())),
        None => Key::Unnamed,
    }
}
