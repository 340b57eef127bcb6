//! What a reader says of a column, value by value, so that two readers can be compared.

use std::fs::File;

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};

use crate::column::ValueKind;
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::parquet::{ParquetFile, Spares};
use crate::value::Value;

/// A value, owned; floating-point numbers by their bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Seen {
    Missing,
    Text(String),
    Bytes(Vec<u8>),
    Boolean(bool),
    Integer(i128),
    Decimal(i128, i32),
    Single(u32),
    Double(u64),
    Day(i32),
    Instant(i64, u32),
    Strange,
}

impl From<Value<'_>> for Seen {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Missing => Self::Missing,
            Value::Text(text) => Self::Text(std::str::from_utf8(text).unwrap().to_owned()),
            Value::Bytes(bytes) => Self::Bytes(bytes.to_vec()),
            Value::Boolean(value) => Self::Boolean(value),
            Value::Integer(value) => Self::Integer(value),
            Value::Literal(_) => unreachable!("a typed file has no literals"),
            Value::Decimal { mantissa, scale } => Self::Decimal(mantissa, scale),
            Value::Single(value) => Self::Single(value.to_bits()),
            Value::Double(value) => Self::Double(value.to_bits()),
            Value::Day(value) => Self::Day(value),
            Value::Instant { ticks, per_second } => Self::Instant(ticks, per_second),
            Value::Strange => Self::Strange,
        }
    }
}

/// All columns of a file, as the reader here gives them; none of a nested column.
pub(super) fn read_all(file: File, memory: &MemoryLimit) -> Result<Vec<Vec<Seen>>, Flaw> {
    let file = ParquetFile::open(file, memory)?;
    let nested = |column: &usize| {
        let described = file.fields()[*column].described.as_str();
        file.fields()[*column].kind == ValueKind::Strange && ["Struct", "List", "Map"].contains(&described)
    };
    let columns: Vec<usize> = (0..file.fields().len()).filter(|column| !nested(column)).collect();
    let spares = Spares::default();
    let mut all = vec![Vec::new(); file.fields().len()];
    for group in 0..file.groups() {
        let before: Vec<usize> = all.iter().map(Vec::len).collect();
        file.read::<Flaw>(group, &columns, memory, &spares, &mut |pieces| {
            let rows = pieces[0].len();
            assert!(rows > 0 && rows <= 65_536);
            for (piece, column) in pieces.iter().zip(&columns) {
                assert_eq!(piece.len(), rows);
                all[*column].extend((0..rows).map(|row| Seen::from(piece.get(row))));
            }
            Ok(())
        })?;
        for column in &columns {
            assert_eq!((all[*column].len() - before[*column]) as u64, file.group_rows(group));
        }
    }
    Ok(all)
}

/// What an Arrow array holds.
pub(super) fn of_array(array: &ArrayRef) -> Vec<Seen> {
    (0..array.len()).map(|row| if array.is_null(row) { Seen::Missing } else { cell(array, row) }).collect()
}

fn cell(array: &ArrayRef, row: usize) -> Seen {
    macro_rules! primitive {
        ($type:ty) => {
            array.as_primitive::<$type>().value(row)
        };
    }
    match array.data_type() {
        DataType::Null => Seen::Missing,
        DataType::Boolean => Seen::Boolean(array.as_boolean().value(row)),
        DataType::Int8 => Seen::Integer(primitive!(Int8Type).into()),
        DataType::Int16 => Seen::Integer(primitive!(Int16Type).into()),
        DataType::Int32 => Seen::Integer(primitive!(Int32Type).into()),
        DataType::Int64 => Seen::Integer(primitive!(Int64Type).into()),
        DataType::UInt8 => Seen::Integer(primitive!(UInt8Type).into()),
        DataType::UInt16 => Seen::Integer(primitive!(UInt16Type).into()),
        DataType::UInt32 => Seen::Integer(primitive!(UInt32Type).into()),
        DataType::UInt64 => Seen::Integer(primitive!(UInt64Type).into()),
        DataType::Float16 => Seen::Single(primitive!(Float16Type).to_f32().to_bits()),
        DataType::Float32 => Seen::Single(primitive!(Float32Type).to_bits()),
        DataType::Float64 => Seen::Double(primitive!(Float64Type).to_bits()),
        DataType::Date32 => Seen::Day(primitive!(Date32Type)),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            Seen::Instant(primitive!(TimestampMillisecondType), 1_000)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Seen::Instant(primitive!(TimestampMicrosecondType), 1_000_000)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            Seen::Instant(primitive!(TimestampNanosecondType), 1_000_000_000)
        }
        DataType::Decimal128(_, 0) => Seen::Integer(primitive!(Decimal128Type)),
        DataType::Decimal128(_, scale) => Seen::Decimal(primitive!(Decimal128Type), i32::from(*scale)),
        DataType::Utf8 => Seen::Text(array.as_string::<i32>().value(row).to_owned()),
        DataType::LargeUtf8 => Seen::Text(array.as_string::<i64>().value(row).to_owned()),
        // The file does not say what these bytes are, so each value is text if it is UTF-8.
        DataType::Binary => match array.as_binary::<i32>().value(row) {
            bytes if std::str::from_utf8(bytes).is_ok() => {
                Seen::Text(String::from_utf8(bytes.to_vec()).unwrap())
            }
            bytes => Seen::Bytes(bytes.to_vec()),
        },
        DataType::FixedSizeBinary(_) => Seen::Bytes(array.as_fixed_size_binary().value(row).to_vec()),
        DataType::Decimal256(..) | DataType::Time32(_) | DataType::Time64(_) => Seen::Strange,
        other => unreachable!("no test writes {other}"),
    }
}
