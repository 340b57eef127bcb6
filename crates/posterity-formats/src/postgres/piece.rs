//! Records of a table.

use crate::column::{ColumnValues, Store, Strings};
use crate::mixed::{MixedColumn, MixedValue};
use crate::piece::Piece;
use crate::postgres_fault::PostgresFault;
use crate::value::Value;
use crate::waves::{PIECE, PIECE_BYTES};

use super::column_type::ColumnType;
use super::numeric::{decimal, whole};

/// Records of a table.
pub(super) struct PostgresPiece {
    pub(super) columns: Vec<PieceColumn>,
    pub(super) rows: usize,
    pub(super) bytes: usize,
}

/// A column, which is filled value by value.
pub(super) struct PieceColumn {
    kind: ColumnType,
    values: Values,
}

enum Values {
    Typed(ColumnValues),
    /// Decimals, of which each has a scale of its own.
    Mixed(MixedColumn),
}

impl PostgresPiece {
    /// No records yet, of columns of these types.
    pub(super) fn new(kinds: &[ColumnType]) -> Self {
        Self { columns: kinds.iter().copied().map(PieceColumn::new).collect(), rows: 0, bytes: 0 }
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows >= PIECE || self.bytes >= PIECE_BYTES
    }
}

impl Piece for PostgresPiece {
    fn rows(&self) -> usize {
        self.rows
    }

    fn value(&self, column: usize, row: usize) -> Value<'_> {
        match &self.columns[column].values {
            Values::Typed(values) => values.get(row),
            Values::Mixed(values) => values.get(row),
        }
    }

    fn column(&self, column: usize) -> Option<&ColumnValues> {
        match &self.columns[column].values {
            Values::Typed(values) => Some(values),
            Values::Mixed(_) => None,
        }
    }
}

impl PieceColumn {
    fn new(kind: ColumnType) -> Self {
        let typed =
            |values| Values::Typed(ColumnValues::Plain { values, valid: Some(Vec::with_capacity(PIECE)) });
        let values = match kind {
            ColumnType::Boolean => typed(Store::Booleans(Vec::new())),
            ColumnType::Integer | ColumnType::Oid => typed(Store::Integers(Vec::new())),
            ColumnType::Single => typed(Store::Singles(Vec::new())),
            ColumnType::Double => typed(Store::Doubles(Vec::new())),
            // A database of the encoding SQL_ASCII may hold any bytes.
            ColumnType::Text | ColumnType::Padded | ColumnType::Uuid => {
                typed(Store::BytesOrText(Strings::default()))
            }
            ColumnType::Bytes => typed(Store::Bytes(Strings::default())),
            ColumnType::Day => typed(Store::Days(Vec::new())),
            ColumnType::Instant => {
                typed(Store::Instants { ticks: Vec::new(), per_second: MICROSECONDS as u32 })
            }
            ColumnType::Whole | ColumnType::Decimal => Values::Mixed(MixedColumn::default()),
            ColumnType::Other => typed(Store::Strange(0)),
        };
        Self { kind, values }
    }

    /// Adds a value as the server sends it, or a missing one.
    pub(super) fn push(&mut self, field: Option<&[u8]>) -> Result<(), PostgresFault> {
        match &mut self.values {
            Values::Mixed(values) => push_decimal(values, field, self.kind == ColumnType::Whole),
            Values::Typed(ColumnValues::Plain { values, valid: Some(valid) }) => {
                valid.push(field.is_some());
                push_typed(values, field, self.kind)
            }
            // No column is made in another way.
            Values::Typed(_) => Err(PostgresFault::NotPostgres),
        }
    }
}

fn push_decimal(values: &mut MixedColumn, field: Option<&[u8]>, is_whole: bool) -> Result<(), PostgresFault> {
    let Some(field) = field else {
        values.push(MixedValue::Missing);
        return Ok(());
    };
    let text = decimal(field).map_err(|_| PostgresFault::NotPostgres)?;
    let digits = text.as_deref().filter(|_| is_whole).and_then(whole);
    values.push(match (&text, &digits) {
        (_, Some(digits)) => MixedValue::Integer(digits),
        (Some(text), None) if !is_whole => MixedValue::Decimal(text),
        _ => MixedValue::Strange,
    });
    Ok(())
}

/// The days and the microseconds from 1970-01-01 to 2000-01-01, from which the server counts. Its infinities are the
/// first and the last number, and remain beyond all others.
const DAYS: i32 = 10_957;
const MICROSECONDS: i64 = 1_000_000;
const TICKS: i64 = DAYS as i64 * 86_400 * MICROSECONDS;

fn push_typed(values: &mut Store, field: Option<&[u8]>, kind: ColumnType) -> Result<(), PostgresFault> {
    match values {
        Store::Booleans(values) => {
            values.push(field.map(fixed::<1>).transpose()?.is_some_and(|[byte]| byte != 0))
        }
        Store::Integers(values) => values.push(field.map_or(Ok(0), |field| integer(field, kind))?),
        Store::Singles(values) => values.push(field.map(fixed).transpose()?.map_or(0.0, f32::from_be_bytes)),
        Store::Doubles(values) => values.push(field.map(fixed).transpose()?.map_or(0.0, f64::from_be_bytes)),
        Store::Days(values) => {
            let day = |bytes| i32::from_be_bytes(bytes).saturating_add(DAYS);
            values.push(field.map(fixed).transpose()?.map_or(0, day));
        }
        Store::Instants { ticks, .. } => {
            let instant = |bytes| i64::from_be_bytes(bytes).saturating_add(TICKS);
            ticks.push(field.map(fixed).transpose()?.map_or(0, instant));
        }
        Store::BytesOrText(strings) => match (kind, field.unwrap_or_default()) {
            (ColumnType::Padded, text) => strings.push(without_blanks(text)),
            (ColumnType::Uuid, bytes) if field.is_some() => strings.push(uuid(fixed(bytes)?).as_bytes()),
            (_, text) => strings.push(text),
        },
        Store::Bytes(strings) => strings.push(field.unwrap_or_default()),
        Store::Strange(many) => *many += 1,
        _ => return Err(PostgresFault::NotPostgres),
    }
    Ok(())
}

fn fixed<const WIDTH: usize>(field: &[u8]) -> Result<[u8; WIDTH], PostgresFault> {
    field.try_into().map_err(|_| PostgresFault::NotPostgres)
}

fn integer(field: &[u8], kind: ColumnType) -> Result<i64, PostgresFault> {
    match (field.len(), kind) {
        (4, ColumnType::Oid) => Ok(u32::from_be_bytes(fixed(field)?).into()),
        (2, ColumnType::Integer) => Ok(i16::from_be_bytes(fixed(field)?).into()),
        (4, ColumnType::Integer) => Ok(i32::from_be_bytes(fixed(field)?).into()),
        (8, ColumnType::Integer) => Ok(i64::from_be_bytes(fixed(field)?)),
        _ => Err(PostgresFault::NotPostgres),
    }
}

/// The text of an identifier, as the server prints it.
fn uuid(bytes: [u8; 16]) -> String {
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// Text without the blanks at its end.
fn without_blanks(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only value of a column that was sent so.
    fn sent(kind: ColumnType, field: &[u8]) -> Result<String, PostgresFault> {
        let mut piece = PostgresPiece::new(&[kind]);
        piece.columns[0].push(Some(field))?;
        piece.columns[0].push(None)?;
        assert_eq!(piece.value(0, 1), Value::Missing);
        Ok(format!("{:?}", piece.value(0, 0)))
    }

    fn given(value: Value<'_>) -> Result<String, PostgresFault> {
        Ok(format!("{value:?}"))
    }

    #[test]
    fn values_of_every_type() {
        let instant = |ticks| Value::Instant { ticks, per_second: 1_000_000 };
        let one = [0, 1, 0, 0, 0, 0, 0, 0, 0, 1];
        let table: [(ColumnType, &[u8], Value<'_>); 19] = [
            (ColumnType::Boolean, &[1], Value::Boolean(true)),
            (ColumnType::Integer, &[0xff, 0xfe], Value::Integer(-2)),
            (ColumnType::Integer, &7_i32.to_be_bytes(), Value::Integer(7)),
            (ColumnType::Integer, &i64::MIN.to_be_bytes(), Value::Integer(i64::MIN.into())),
            (ColumnType::Oid, &[0xff; 4], Value::Integer(u32::MAX.into())),
            (ColumnType::Single, &0.5_f32.to_be_bytes(), Value::Single(0.5)),
            (ColumnType::Double, &0.1_f64.to_be_bytes(), Value::Double(0.1)),
            (ColumnType::Text, b" a ", Value::Text(b" a ")),
            (ColumnType::Text, b"\xff", Value::Bytes(b"\xff")),
            (ColumnType::Padded, b" a  ", Value::Text(b" a")),
            (ColumnType::Padded, b"  ", Value::Text(b"")),
            (ColumnType::Uuid, &[0xab; 16], Value::Text(b"abababab-abab-abab-abab-abababababab")),
            (ColumnType::Bytes, b"a", Value::Bytes(b"a")),
            (ColumnType::Day, &0_i32.to_be_bytes(), Value::Day(10_957)),
            (ColumnType::Day, &i32::MAX.to_be_bytes(), Value::Day(i32::MAX)),
            (ColumnType::Instant, &(-1_i64).to_be_bytes(), instant(946_684_799_999_999)),
            (ColumnType::Whole, &one, Value::Literal(b"1")),
            (ColumnType::Decimal, &one, Value::Decimal { mantissa: 1, scale: 0 }),
            (ColumnType::Other, &[1], Value::Strange),
        ];
        for (kind, field, value) in table {
            assert_eq!(sent(kind, field), given(value), "{kind:?}");
        }
    }

    #[test]
    fn values_of_a_wrong_width() {
        let kinds = [
            ColumnType::Boolean,
            ColumnType::Integer,
            ColumnType::Oid,
            ColumnType::Single,
            ColumnType::Double,
            ColumnType::Uuid,
            ColumnType::Day,
            ColumnType::Instant,
            ColumnType::Whole,
            ColumnType::Decimal,
        ];
        for kind in kinds {
            assert_eq!(sent(kind, &[0; 3]), Err(PostgresFault::NotPostgres), "{kind:?}");
        }
    }
}
