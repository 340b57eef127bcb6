//! Arrow arrays that are in memory already.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, LargeStringArray, RecordBatch, StringArray, StringViewArray,
    downcast_dictionary_array,
};
use arrow_schema::{DataType, Schema, TimeUnit};

use crate::arrow_type::fields;
use crate::column::{ColumnValues, Field, MISSING, Store, Strings, ValueKind};
use crate::in_order::in_order;
use crate::mixed::MixedColumn;
use crate::piece::Piece;
use crate::read_error::ReadError;
use crate::value::Value;
use crate::visitor::{Visitor, Wanted};

/// How many records a piece has at most.
const MAX_ROWS: usize = 1 << 16;

/// Hands the records of batches in memory to a visitor, as those of files. The arrays must be valid: see
/// [`Array::to_data`] and its `validate_full` where their producer is not known to have checked them.
///
/// `mixed` are further columns with their names. Each has a value for every record of the batches, in their order.
///
/// # Errors
/// If columns differ in length, or what the visitor refuses.
pub fn read_batches<V: Visitor>(
    schema: &Schema,
    batches: &[RecordBatch],
    mixed: &[(String, MixedColumn)],
    visitor: &V,
) -> Result<(), V::Error> {
    let fields: Vec<Field> = fields(schema).into_iter().chain(mixed.iter().map(mixed_field)).collect();
    let positions = visitor.wanted().bind(&fields)?;
    let starts = starts(batches);
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    if mixed.iter().any(|(_, column)| column.len() != rows) {
        return Err(ReadError::UnequalColumns.into());
    }
    let typed = schema.fields().len();
    in_order(batches.len(), |number| {
        let batch = &batches[number];
        // A dictionary is the same for all pieces of a batch.
        let dictionaries: Vec<Option<Arc<Store>>> =
            positions.iter().map(|&position| batch.columns().get(position).and_then(dictionary)).collect();
        in_order(batch.num_rows().div_ceil(MAX_ROWS), |part| {
            let start = part * MAX_ROWS;
            let slice = batch.slice(start, MAX_ROWS.min(batch.num_rows() - start));
            let columns = positions.iter().zip(&dictionaries);
            let columns = columns.map(|(&position, dictionary)| match position.checked_sub(typed) {
                None => FrameColumn::new(slice.column(position), dictionary.as_ref()),
                Some(position) => FrameColumn::Mixed(&mixed[position].1, starts[number] + start),
            });
            let piece = FramePiece { columns: columns.collect(), rows: slice.num_rows() };
            visitor.piece(&mut visitor.part(number as u32, part as u32), &piece)
        })
    })
}

/// Records of a batch.
struct FramePiece<'a> {
    columns: Vec<FrameColumn<'a>>,
    rows: usize,
}

/// How many records stand before each batch.
fn starts(batches: &[RecordBatch]) -> Vec<usize> {
    let before = batches.iter().scan(0, |sum, batch| {
        let start = *sum;
        *sum += batch.num_rows();
        Some(start)
    });
    before.collect()
}

fn mixed_field((name, _): &(String, MixedColumn)) -> Field {
    Field { name: name.clone(), kind: ValueKind::Mixed, described: "objects".into() }
}

/// A column: text and mixed values stay where they are, and all other values are copied.
enum FrameColumn<'a> {
    Text(&'a StringArray),
    LargeText(&'a LargeStringArray),
    TextView(&'a StringViewArray),
    /// The column, and which of its values is the first.
    Mixed(&'a MixedColumn, usize),
    Held(ColumnValues),
}

impl Piece for FramePiece<'_> {
    fn rows(&self) -> usize {
        self.rows
    }

    #[inline]
    fn value(&self, column: usize, row: usize) -> Value<'_> {
        match &self.columns[column] {
            FrameColumn::Text(array) => text(array.is_null(row), || array.value(row)),
            FrameColumn::LargeText(array) => text(array.is_null(row), || array.value(row)),
            FrameColumn::TextView(array) => text(array.is_null(row), || array.value(row)),
            FrameColumn::Mixed(column, start) => column.get(start + row),
            FrameColumn::Held(column) => column.get(row),
        }
    }

    fn column(&self, column: usize) -> Option<&ColumnValues> {
        match &self.columns[column] {
            FrameColumn::Held(column) => Some(column),
            _ => None,
        }
    }
}

#[inline]
fn text<'a>(missing: bool, value: impl FnOnce() -> &'a str) -> Value<'a> {
    if missing { Value::Missing } else { Value::Text(value().as_bytes()) }
}

impl<'a> FrameColumn<'a> {
    fn new(array: &'a dyn Array, dictionary: Option<&Arc<Store>>) -> Self {
        match (array.data_type(), dictionary) {
            (DataType::Utf8, _) => Self::Text(array.as_string()),
            (DataType::LargeUtf8, _) => Self::LargeText(array.as_string()),
            (DataType::Utf8View, _) => Self::TextView(array.as_string_view()),
            (DataType::Dictionary(..), Some(values)) => Self::Held(keyed(array, values)),
            _ => Self::Held(plain(array)),
        }
    }
}

/// The values of a dictionary.
fn dictionary(array: &ArrayRef) -> Option<Arc<Store>> {
    downcast_dictionary_array!(
        array => Some(Arc::new(store(array.values()))),
        _ => None
    )
}

/// A column of keys into the values of a dictionary.
fn keyed(array: &dyn Array, values: &Arc<Store>) -> ColumnValues {
    let key = |key: Option<usize>, values_missing: &dyn Array| match key {
        Some(key) if key < values.len() && !values_missing.is_null(key) => key as u32,
        _ => MISSING,
    };
    let keys = downcast_dictionary_array!(
        array => {
            let missing = array.values();
            (0..array.len()).map(|row| key(array.key(row), missing)).collect()
        },
        _ => Vec::new()
    );
    ColumnValues::Keyed { keys, values: Arc::clone(values) }
}

fn plain(array: &dyn Array) -> ColumnValues {
    let valid = array.logical_nulls().filter(|nulls| nulls.null_count() > 0);
    ColumnValues::Plain { values: store(array), valid: valid.map(|nulls| nulls.iter().collect()) }
}

fn primitive<T: ArrowPrimitiveType, N>(array: &dyn Array, of: impl Fn(T::Native) -> N) -> Vec<N> {
    array.as_primitive::<T>().values().iter().map(|value| of(*value)).collect()
}

/// The values of an array, copied. What stands in place of a missing value does not matter.
fn store(array: &dyn Array) -> Store {
    let ticks = |unit: &TimeUnit| match unit {
        TimeUnit::Second => (primitive::<TimestampSecondType, _>(array, i64::from), 1),
        TimeUnit::Millisecond => (primitive::<TimestampMillisecondType, _>(array, i64::from), 1_000),
        TimeUnit::Microsecond => (primitive::<TimestampMicrosecondType, _>(array, i64::from), 1_000_000),
        TimeUnit::Nanosecond => (primitive::<TimestampNanosecondType, _>(array, i64::from), 1_000_000_000),
    };
    match array.data_type() {
        DataType::Null => Store::Missing(array.len()),
        DataType::Boolean => Store::Booleans(array.as_boolean().values().iter().collect()),
        DataType::Int8 => Store::Integers(primitive::<Int8Type, _>(array, i64::from)),
        DataType::Int16 => Store::Integers(primitive::<Int16Type, _>(array, i64::from)),
        DataType::Int32 => Store::Integers(primitive::<Int32Type, _>(array, i64::from)),
        DataType::Int64 => Store::Integers(primitive::<Int64Type, _>(array, i64::from)),
        DataType::UInt8 => Store::Unsigned(primitive::<UInt8Type, _>(array, u64::from)),
        DataType::UInt16 => Store::Unsigned(primitive::<UInt16Type, _>(array, u64::from)),
        DataType::UInt32 => Store::Unsigned(primitive::<UInt32Type, _>(array, u64::from)),
        DataType::UInt64 => Store::Unsigned(primitive::<UInt64Type, _>(array, u64::from)),
        DataType::Float16 => Store::Singles(primitive::<Float16Type, _>(array, f32::from)),
        DataType::Float32 => Store::Singles(primitive::<Float32Type, _>(array, f32::from)),
        DataType::Float64 => Store::Doubles(primitive::<Float64Type, _>(array, f64::from)),
        DataType::Decimal32(_, scale) => Store::Decimals {
            mantissas: primitive::<Decimal32Type, _>(array, i128::from),
            scale: i32::from(*scale),
        },
        DataType::Decimal64(_, scale) => Store::Decimals {
            mantissas: primitive::<Decimal64Type, _>(array, i128::from),
            scale: i32::from(*scale),
        },
        DataType::Decimal128(_, scale) => Store::Decimals {
            mantissas: primitive::<Decimal128Type, _>(array, i128::from),
            scale: i32::from(*scale),
        },
        DataType::Date32 => Store::Days(primitive::<Date32Type, _>(array, i32::from)),
        DataType::Date64 => {
            Store::Instants { ticks: primitive::<Date64Type, _>(array, i64::from), per_second: 1_000 }
        }
        DataType::Timestamp(unit, _) => {
            let (ticks, per_second) = ticks(unit);
            Store::Instants { ticks, per_second }
        }
        DataType::Utf8 => Store::Text(strings(array.as_string::<i32>().iter().map(bytes_of_text))),
        DataType::LargeUtf8 => Store::Text(strings(array.as_string::<i64>().iter().map(bytes_of_text))),
        DataType::Utf8View => Store::Text(strings(array.as_string_view().iter().map(bytes_of_text))),
        DataType::Binary => Store::Bytes(strings(array.as_binary::<i32>().iter())),
        DataType::LargeBinary => Store::Bytes(strings(array.as_binary::<i64>().iter())),
        DataType::BinaryView => Store::Bytes(strings(array.as_binary_view().iter())),
        DataType::FixedSizeBinary(_) => Store::Bytes(strings(array.as_fixed_size_binary().iter())),
        _ => Store::Strange(array.len()),
    }
}

fn bytes_of_text(text: Option<&str>) -> Option<&[u8]> {
    text.map(str::as_bytes)
}

fn strings<'a>(values: impl Iterator<Item = Option<&'a [u8]>>) -> Strings {
    let mut strings = Strings::default();
    values.for_each(|value| strings.push(value.unwrap_or_default()));
    strings
}
