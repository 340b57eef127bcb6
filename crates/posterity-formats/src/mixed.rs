//! Columns in memory whose values have each a type of its own.

use crate::column::Strings;
use crate::exact_number::Number;
use crate::value::Value;

/// A column in which every value has a type of its own, such as a column of Python objects.
///
/// Arrow gives such a column one type, which depends on all of its values: one date among moments takes the time from
/// all of them. Here a value is what it is by itself (docs/proofs/stability.md).
///
/// ```
/// use posterity_formats::{MixedColumn, MixedValue};
/// let mut column = MixedColumn::default();
/// column.push(MixedValue::Text("yes"));
/// column.push(MixedValue::Decimal("1.50"));
/// assert_eq!(column.len(), 2);
/// ```
#[derive(Clone, Default)]
pub struct MixedColumn {
    /// Each value in bytes behind the byte of its kind; a missing one has none.
    written: Strings,
}

/// A value of a [`MixedColumn`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MixedValue<'a> {
    /// No value.
    Missing,
    /// Text.
    Text(&'a str),
    /// Bytes that need not be text.
    Bytes(&'a [u8]),
    /// True or false.
    Boolean(bool),
    /// A whole number of any size, in decimal digits without zeros before them.
    Integer(&'a str),
    /// A decimal as it prints, such as `1.50` or `1E+2`. How many zeros stand at its end does not matter.
    Decimal(&'a str),
    /// A floating-point number of 32 bits.
    Single(f32),
    /// A floating-point number of 64 bits.
    Double(f64),
    /// Days since 1970-01-01.
    Day(i32),
    /// Microseconds since 1970-01-01 00:00:00, and nanoseconds, fewer than a thousand, after them.
    Instant {
        /// The microseconds.
        microseconds: i64,
        /// The nanoseconds after them.
        nanoseconds: u16,
    },
    /// A value of any other type. It can only be seen to be there.
    Strange,
}

const TEXT: u8 = 0;
const BYTES: u8 = 1;
const BOOLEAN: u8 = 2;
const INTEGER: u8 = 3;
const DECIMAL: u8 = 4;
const SINGLE: u8 = 5;
const DOUBLE: u8 = 6;
const DAY: u8 = 7;
const MICROSECONDS: u8 = 8;
const NANOSECONDS: u8 = 9;
const STRANGE: u8 = 10;

/// Hides the values.
impl std::fmt::Debug for MixedColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MixedColumn").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl MixedColumn {
    /// Adds a value. A decimal or a moment beyond what typed columns hold is [`MixedValue::Strange`].
    pub fn push(&mut self, value: MixedValue<'_>) {
        match value {
            MixedValue::Missing => self.written.push(&[]),
            MixedValue::Text(text) => self.write(TEXT, text.as_bytes()),
            MixedValue::Bytes(bytes) => self.write(BYTES, bytes),
            MixedValue::Boolean(truth) => self.write(BOOLEAN, &[u8::from(truth)]),
            MixedValue::Integer(digits) => self.write(INTEGER, digits.as_bytes()),
            MixedValue::Decimal(text) => match shortest(text) {
                Some((mantissa, scale)) => {
                    self.write(DECIMAL, &[&mantissa.to_le_bytes()[..], &scale.to_le_bytes()].concat());
                }
                None => self.write(STRANGE, &[]),
            },
            MixedValue::Single(number) => self.write(SINGLE, &number.to_le_bytes()),
            MixedValue::Double(number) => self.write(DOUBLE, &number.to_le_bytes()),
            MixedValue::Day(day) => self.write(DAY, &day.to_le_bytes()),
            MixedValue::Instant { microseconds, nanoseconds: 0 } => {
                self.write(MICROSECONDS, &microseconds.to_le_bytes());
            }
            MixedValue::Instant { microseconds, nanoseconds } => {
                let all = microseconds.checked_mul(1_000).and_then(|all| all.checked_add(nanoseconds.into()));
                match all {
                    Some(all) => self.write(NANOSECONDS, &all.to_le_bytes()),
                    None => self.write(STRANGE, &[]),
                }
            }
            MixedValue::Strange => self.write(STRANGE, &[]),
        }
    }

    /// How many values there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.written.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls a function with the value at a position that exists.
    pub fn with_value<T>(&self, row: usize, then: impl FnOnce(Value<'_>) -> T) -> T {
        then(self.get(row))
    }

    /// The value at a position that exists.
    pub(crate) fn get(&self, row: usize) -> Value<'_> {
        let Some((&kind, rest)) = self.written.get(row).split_first() else { return Value::Missing };
        let instant = |per_second| {
            taken(rest).map(|ticks| Value::Instant { ticks: i64::from_le_bytes(ticks), per_second })
        };
        let value = match kind {
            TEXT => Some(Value::Text(rest)),
            BYTES => Some(Value::Bytes(rest)),
            BOOLEAN => Some(Value::Boolean(rest == [1])),
            INTEGER => Some(Value::Literal(rest)),
            DECIMAL => rest.split_last_chunk().and_then(|(mantissa, scale)| {
                let mantissa = i128::from_le_bytes(taken(mantissa)?);
                Some(Value::Decimal { mantissa, scale: i32::from_le_bytes(*scale) })
            }),
            SINGLE => taken(rest).map(|bytes| Value::Single(f32::from_le_bytes(bytes))),
            DOUBLE => taken(rest).map(|bytes| Value::Double(f64::from_le_bytes(bytes))),
            DAY => taken(rest).map(|bytes| Value::Day(i32::from_le_bytes(bytes))),
            MICROSECONDS => instant(1_000_000),
            NANOSECONDS => instant(1_000_000_000),
            _ => None,
        };
        value.unwrap_or(Value::Strange)
    }

    fn write(&mut self, kind: u8, rest: &[u8]) {
        self.written.bytes.push(kind);
        self.written.push(rest);
    }
}

fn taken<const WIDTH: usize>(bytes: &[u8]) -> Option<[u8; WIDTH]> {
    bytes.try_into().ok()
}

/// The mantissa and the scale of a decimal without zeros at its end, so that equal numbers have equal ones.
fn shortest(text: &str) -> Option<(i128, i32)> {
    let number = Number::parse(text.as_bytes())?.digits()?;
    if number.digits.is_empty() {
        return Some((0, 0));
    }
    let mantissa: i128 = number.digits.parse().ok()?;
    let scale = i32::try_from(number.digits.len() as i64 - number.point).ok()?;
    Some((if number.negative { -mantissa } else { mantissa }, scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_given_back() {
        let decimal = |mantissa, scale| Value::Decimal { mantissa, scale };
        let instant = |microseconds, nanoseconds| MixedValue::Instant { microseconds, nanoseconds };
        let table: [(MixedValue<'_>, Value<'_>); 23] = [
            (MixedValue::Missing, Value::Missing),
            (MixedValue::Text(""), Value::Text(b"")),
            (MixedValue::Text("\0 ä"), Value::Text("\0 ä".as_bytes())),
            (MixedValue::Bytes(b""), Value::Bytes(b"")),
            (MixedValue::Bytes(b"\xff\n"), Value::Bytes(b"\xff\n")),
            (MixedValue::Boolean(true), Value::Boolean(true)),
            (MixedValue::Boolean(false), Value::Boolean(false)),
            (MixedValue::Integer("-7"), Value::Literal(b"-7")),
            (MixedValue::Decimal("1.5"), decimal(15, 1)),
            (MixedValue::Decimal("1.50"), decimal(15, 1)),
            (MixedValue::Decimal("-0.00"), decimal(0, 0)),
            (MixedValue::Decimal("1E+2"), decimal(1, -2)),
            (MixedValue::Decimal("-1.2E-30"), decimal(-12, 31)),
            (MixedValue::Decimal("Infinity"), Value::Strange),
            (MixedValue::Decimal("1E+401"), Value::Strange),
            (MixedValue::Single(0.1), Value::Single(0.1)),
            (MixedValue::Double(-0.5), Value::Double(-0.5)),
            (MixedValue::Day(-1), Value::Day(-1)),
            (instant(-5, 0), Value::Instant { ticks: -5, per_second: 1_000_000 }),
            (instant(-5, 7), Value::Instant { ticks: -4_993, per_second: 1_000_000_000 }),
            (instant(i64::MAX, 0), Value::Instant { ticks: i64::MAX, per_second: 1_000_000 }),
            (instant(i64::MAX, 1), Value::Strange),
            (MixedValue::Strange, Value::Strange),
        ];
        let mut column = MixedColumn::default();
        assert!(column.is_empty());
        table.iter().for_each(|(value, _)| column.push(*value));
        assert_eq!(column.len(), table.len());
        for (row, (given, value)) in table.iter().enumerate() {
            assert_eq!(column.get(row), *value, "{given:?}");
        }
    }

    #[test]
    fn long_decimals_are_only_there() {
        let mut column = MixedColumn::default();
        let digits = "7".repeat(39);
        for text in [&digits[..38], &digits] {
            column.push(MixedValue::Decimal(text));
        }
        assert!(matches!(column.get(0), Value::Decimal { scale: 0, .. }));
        // It is more than 128 bits hold.
        assert_eq!(column.get(1), Value::Strange);
    }
}
