//! The categories of the values of one column, record by record.

use std::ops::{BitOr, Range};
use std::sync::Arc;

use posterity_formats::{ColumnValues, Piece, Store, Value};

use crate::checked_questions::Coding;
use crate::value_coder::UNNAMED;

/// Some records of a piece: those of a range, or those that were chosen.
#[derive(Clone, Debug)]
pub(crate) enum Rows<'a> {
    /// All records of a range.
    All(Range<usize>),
    /// These.
    Chosen(&'a [u32]),
}

impl Rows<'_> {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::All(range) => range.len(),
            Self::Chosen(rows) => rows.len(),
        }
    }

    /// The place of one of them in the piece.
    #[inline]
    pub(crate) fn row(&self, index: usize) -> usize {
        match self {
            Self::All(range) => range.start + index,
            Self::Chosen(rows) => rows[index] as usize,
        }
    }
}

/// The codes of one coding for some records, and those of a dictionary that was seen last.
///
/// ColumnCodes of few categories take two bytes each, so that combining them is fast.
#[derive(Debug)]
pub(crate) enum ColumnCodes {
    /// Of at most [`NARROW`] categories.
    Narrow(Coded<u16>),
    /// Of any number.
    Wide(Coded<u32>),
}

/// The most categories whose codes take two bytes: those above stand for values without a category.
const NARROW: usize = 1 << 15;

/// ColumnCodes of one width.
#[derive(Debug)]
pub(crate) struct Coded<C> {
    /// The codes of the records.
    pub(crate) codes: Vec<C>,
    /// The dictionary that was seen last.
    values: Option<Arc<Store>>,
    /// The codes of its values, and last that of a missing one.
    known: Vec<C>,
}

/// A number that holds codes. What is cut off a code that stands for no category leaves it larger than all others.
pub(crate) trait Code: Copy + Default + Ord + BitOr<Output = Self> {
    fn new(code: u32) -> Self;
    fn code(self) -> u32;
}

impl Code for u16 {
    fn new(code: u32) -> Self {
        code as Self
    }

    fn code(self) -> u32 {
        // The highest codes are those of values without a category, in both widths.
        let code = u32::from(self);
        if usize::from(self) > NARROW { code | !u32::from(Self::MAX) } else { code }
    }
}

impl Code for u32 {
    fn new(code: u32) -> Self {
        code
    }

    fn code(self) -> u32 {
        self
    }
}

impl ColumnCodes {
    /// No codes yet, for this many categories.
    pub(crate) fn new(categories: usize) -> Self {
        if categories <= NARROW { Self::Narrow(Coded::default()) } else { Self::Wide(Coded::default()) }
    }

    /// Multiplies places by the number of categories and adds the codes, where both stand for something.
    pub(crate) fn extend(&self, places: &mut [u32], categories: u32) {
        match self {
            Self::Narrow(coded) => extend(places, categories, &coded.codes),
            Self::Wide(coded) => extend(places, categories, &coded.codes),
        }
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Narrow(coded) => coded.codes.len(),
            Self::Wide(coded) => coded.codes.len(),
        }
    }

    /// The code of a record.
    #[inline]
    pub(crate) fn code(&self, record: usize) -> u32 {
        match self {
            Self::Narrow(coded) => coded.codes[record].code(),
            Self::Wide(coded) => coded.codes[record].code(),
        }
    }

    /// Adds the code of one more record.
    #[inline]
    pub(crate) fn push(&mut self, code: u32) {
        match self {
            Self::Narrow(coded) => coded.codes.push(Code::new(code)),
            Self::Wide(coded) => coded.codes.push(Code::new(code)),
        }
    }

    /// Forgets all records.
    pub(crate) fn clear(&mut self) {
        match self {
            Self::Narrow(coded) => coded.codes.clear(),
            Self::Wide(coded) => coded.codes.clear(),
        }
    }

    /// Says of records without a category here that they are not known.
    pub(crate) fn mark(&self, known: &mut [bool]) {
        for (record, known) in known.iter_mut().enumerate() {
            *known &= self.code(record) < UNNAMED;
        }
    }

    /// Keeps those records that are known.
    pub(crate) fn retain(&mut self, known: &[bool]) {
        match self {
            Self::Narrow(coded) => retain(&mut coded.codes, known),
            Self::Wide(coded) => retain(&mut coded.codes, known),
        }
    }

    /// Finds the codes of these records. Those that stand for no category are told, each with the row of its record.
    pub(crate) fn fill<P: Piece + ?Sized>(
        &mut self,
        coding: &Coding,
        piece: &P,
        rows: &Rows<'_>,
        flaw: impl FnMut(u32, usize),
    ) {
        match self {
            Self::Narrow(coded) => coded.fill(coding, piece, rows, flaw),
            Self::Wide(coded) => coded.fill(coding, piece, rows, flaw),
        }
    }
}

/// The place of a record that has none.
pub(crate) const NOWHERE: u32 = u32::MAX;

fn extend<C: Code>(places: &mut [u32], categories: u32, codes: &[C]) {
    for (place, code) in places.iter_mut().zip(codes) {
        let code = code.code();
        let known = *place != NOWHERE && code < UNNAMED;
        *place = if known { *place * categories + code } else { NOWHERE };
    }
}

fn retain<C>(codes: &mut Vec<C>, known: &[bool]) {
    let mut known = known.iter();
    codes.retain(|_| known.next().is_some_and(|known| *known));
}

impl<C> Default for Coded<C> {
    fn default() -> Self {
        Self { codes: Vec::new(), values: None, known: Vec::new() }
    }
}

impl<C: Code> Coded<C> {
    fn fill<P: Piece + ?Sized>(
        &mut self,
        coding: &Coding,
        piece: &P,
        rows: &Rows<'_>,
        mut flaw: impl FnMut(u32, usize),
    ) {
        let code = |value: Value<'_>| C::new(coding.coder.code(value));
        self.codes.clear();
        match piece.column(coding.column) {
            Some(ColumnValues::Keyed { keys, values }) => {
                self.learn(values, code);
                let known = self.known.as_slice();
                // A missing value has the largest key, and the last place.
                let of = |key: u32| known[(key as usize).min(known.len() - 1)];
                match rows {
                    Rows::All(range) => self.codes.extend(keys[range.clone()].iter().map(|&key| of(key))),
                    Rows::Chosen(rows) => self.codes.extend(rows.iter().map(|&row| of(keys[row as usize]))),
                }
            }
            Some(plain) => match (plain, coding.coder.of_integers(), coding.coder.of_doubles()) {
                // Categories are often small whole numbers.
                (ColumnValues::Plain { values: Store::Integers(numbers), valid: None }, Some(code), _) => {
                    self.extend_by(numbers, rows, |number| C::new(code(*number)));
                }
                // And what is sorted into bins is often measured.
                (
                    ColumnValues::Plain { values: Store::Doubles(numbers), valid: None },
                    _,
                    Some((bins, code)),
                ) => match rows {
                    Rows::All(range) => {
                        let numbers = &numbers[range.clone()];
                        bins.extend_with_doubles(numbers, |bin| C::new(code(bin)), &mut self.codes);
                    }
                    Rows::Chosen(_) => {
                        self.extend_by(numbers, rows, |number| C::new(code(bins.find_double(*number))));
                    }
                },
                _ => self.codes.extend((0..rows.len()).map(|index| code(plain.get(rows.row(index))))),
            },
            None => {
                let value = |index: usize| piece.value(coding.column, rows.row(index));
                self.codes.extend((0..rows.len()).map(|index| code(value(index))));
            }
        }
        let first = C::new(UNNAMED);
        // No code is larger than the bits of all together, which takes less time to find than the largest.
        let bits = self.codes.iter().fold(C::default(), |bits, &code| bits | code);
        if bits >= first {
            let flaws = self.codes.iter().enumerate().filter(|(_, code)| **code >= first);
            flaws.for_each(|(index, code)| flaw(code.code(), rows.row(index)));
        }
    }

    /// Adds the codes of values that are held one after the other.
    fn extend_by<T>(&mut self, values: &[T], rows: &Rows<'_>, code: impl Fn(&T) -> C) {
        match rows {
            Rows::All(range) => self.codes.extend(values[range.clone()].iter().map(code)),
            Rows::Chosen(rows) => self.codes.extend(rows.iter().map(|&row| code(&values[row as usize]))),
        }
    }

    /// Finds the codes of a dictionary, unless they are those that were found last. Each depends on its own value only,
    /// and a value that no record has is not counted.
    fn learn(&mut self, values: &Arc<Store>, code: impl Fn(Value<'_>) -> C) {
        if self.values.as_ref().is_some_and(|known| Arc::ptr_eq(known, values)) {
            return;
        }
        self.known.clear();
        self.known.extend((0..values.len()).map(|index| code(values.get(index))));
        self.known.push(code(Value::Missing));
        self.values = Some(Arc::clone(values));
    }
}
