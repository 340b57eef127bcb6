//! Columns of a piece of a typed file.

use std::sync::Arc;

use crate::value::Value;

/// Values of one type, one after the other.
#[derive(Clone, Debug)]
pub enum Store {
    /// Missing values only, and how many.
    Missing(usize),
    /// Truth values.
    Booleans(Vec<bool>),
    /// Whole numbers of up to 64 bits with a sign.
    Integers(Vec<i64>),
    /// Whole numbers of up to 64 bits without one.
    Unsigned(Vec<u64>),
    /// Decimals of one scale.
    Decimals {
        /// The digits of each.
        mantissas: Vec<i128>,
        /// How many of them stand behind the point.
        scale: i32,
    },
    /// Floating-point numbers of 32 bits (and those of 16, which are among them).
    Singles(Vec<f32>),
    /// Floating-point numbers of 64 bits.
    Doubles(Vec<f64>),
    /// Days since 1970-01-01.
    Days(Vec<i32>),
    /// Moments since 1970-01-01 00:00:00.
    Instants {
        /// The ticks of each.
        ticks: Vec<i64>,
        /// How many ticks make a second.
        per_second: u32,
    },
    /// Text, each value up to its end; checked to be UTF-8, value by value.
    Text(Strings),
    /// Bytes.
    Bytes(Strings),
    /// Bytes of which nothing is known: each value is text if it is UTF-8.
    BytesOrText(Strings),
    /// Values of a type that is not read, and how many.
    Strange(usize),
}

/// Strings of bytes, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Strings {
    /// All bytes.
    pub bytes: Vec<u8>,
    /// Where each string ends; it begins where the one before ends.
    pub ends: Vec<usize>,
}

impl Strings {
    /// Adds a string.
    pub fn push(&mut self, string: &[u8]) {
        self.bytes.extend_from_slice(string);
        self.ends.push(self.bytes.len());
    }

    /// The string at a position that exists.
    #[inline]
    pub fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.bytes[start..self.ends[index]]
    }
}

impl Store {
    /// How many values there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Missing(len) | Self::Strange(len) => *len,
            Self::Booleans(values) => values.len(),
            Self::Integers(values) => values.len(),
            Self::Unsigned(values) => values.len(),
            Self::Decimals { mantissas, .. } => mantissas.len(),
            Self::Singles(values) => values.len(),
            Self::Doubles(values) => values.len(),
            Self::Days(values) => values.len(),
            Self::Instants { ticks, .. } => ticks.len(),
            Self::Text(strings) | Self::Bytes(strings) | Self::BytesOrText(strings) => strings.ends.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value at a position that exists.
    #[inline]
    pub fn get(&self, index: usize) -> Value<'_> {
        match self {
            Self::Missing(_) => Value::Missing,
            Self::Booleans(values) => Value::Boolean(values[index]),
            Self::Integers(values) => Value::Integer(i128::from(values[index])),
            Self::Unsigned(values) => Value::Integer(i128::from(values[index])),
            // Digits without a point are whole numbers, and mean the same as those of other columns.
            Self::Decimals { mantissas, scale: 0 } => Value::Integer(mantissas[index]),
            Self::Decimals { mantissas, scale } => {
                Value::Decimal { mantissa: mantissas[index], scale: *scale }
            }
            Self::Singles(values) => Value::Single(values[index]),
            Self::Doubles(values) => Value::Double(values[index]),
            Self::Days(values) => Value::Day(values[index]),
            Self::Instants { ticks, per_second } => {
                Value::Instant { ticks: ticks[index], per_second: *per_second }
            }
            Self::Text(strings) => Value::Text(strings.get(index)),
            Self::Bytes(strings) => Value::Bytes(strings.get(index)),
            Self::BytesOrText(strings) => match strings.get(index) {
                text if std::str::from_utf8(text).is_ok() => Value::Text(text),
                bytes => Value::Bytes(bytes),
            },
            Self::Strange(_) => Value::Strange,
        }
    }
}

/// The key of a missing value.
pub const MISSING: u32 = u32::MAX;

/// One column of some records.
#[derive(Clone, Debug)]
pub enum ColumnValues {
    /// A value for each record; what stands for a missing one does not matter.
    Plain {
        /// The values.
        values: Store,
        /// Whether each is there; all are if this is absent.
        valid: Option<Vec<bool>>,
    },
    /// A key for each record into a list of values, or [`MISSING`]. Keys lie within the list.
    Keyed {
        /// The keys.
        keys: Vec<u32>,
        /// The values that keys stand for.
        values: Arc<Store>,
    },
}

impl ColumnValues {
    /// How many records there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Plain { values, .. } => values.len(),
            Self::Keyed { keys, .. } => keys.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a record that exists.
    #[inline]
    pub fn get(&self, row: usize) -> Value<'_> {
        match self {
            Self::Plain { values, valid } => match valid {
                Some(valid) if !valid[row] => Value::Missing,
                _ => values.get(row),
            },
            Self::Keyed { keys, values } => match keys[row] {
                MISSING => Value::Missing,
                key => values.get(key as usize),
            },
        }
    }
}

/// A column that a typed file declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: ValueKind,
    /// The type in words, for messages and to see whether two files agree: `Utf8`, `Int64`, `Decimal(9, 2)`.
    pub described: String,
}

/// What the values of a typed column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Only missing values.
    Missing,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// Truth values.
    Boolean,
    /// Whole numbers.
    Integer,
    /// Decimals.
    Decimal,
    /// Floating-point numbers.
    Float,
    /// Days.
    Day,
    /// Moments.
    Instant,
    /// Of every kind, each value of its own.
    Mixed,
    /// Anything else: nested values, times of day, intervals. Of these only whether they are missing is read.
    Strange,
}
