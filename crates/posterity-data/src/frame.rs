//! Counting Arrow arrays that are in memory already.

use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Float16Type, Float32Type,
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrowPrimitiveType, LargeStringArray, RecordBatch, StringArray, StringViewArray,
    downcast_dictionary_array,
};
use arrow_schema::{DataType, Schema, TimeUnit};
use posterity_core::sampler::BitSource;

use crate::arrow_type::fields;
use crate::ask::Ask;
use crate::column::{ColumnValues, MISSING, Store, Strings};
use crate::count::{Counted, Resources, run};
use crate::error::DataError;
use crate::piece::Piece;
use crate::question::Question;
use crate::value::Value;

/// How many records are counted before it is checked again whether the count was stopped.
const ROWS: usize = 1 << 16;

/// Counts the records of batches in memory, by the rules that hold for files. The arrays must be valid: see
/// [`Array::to_data`] and its `validate_full` where their producer is not known to have checked them.
///
/// `bits` and `progress` are as in [`count`](crate::count()).
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub fn count_batches(
    schema: &Schema,
    batches: &[RecordBatch],
    question: &Question,
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Counted, DataError> {
    let ask = Ask::new(question)?;
    let positions = ask.bind(&fields(schema))?;
    run(&ask, bits, resources, progress, |run| {
        run.in_order(batches.len(), |number| {
            let batch = &batches[number];
            // A dictionary is the same for all pieces of a batch.
            let dictionaries: Vec<Option<Arc<Store>>> =
                positions.iter().map(|&position| dictionary(batch.column(position))).collect();
            run.in_order(batch.num_rows().div_ceil(ROWS), |part| {
                let start = part * ROWS;
                let slice = batch.slice(start, ROWS.min(batch.num_rows() - start));
                let columns = positions.iter().zip(&dictionaries);
                let columns = columns.map(|(&position, dictionary)| {
                    FrameColumn::new(slice.column(position), dictionary.as_ref())
                });
                let piece = FramePiece { columns: columns.collect(), rows: slice.num_rows() };
                // Ranks belong to a place: the batch and the part of it.
                let place = (number as u32, part as u32);
                let mut ranks = run.ranks(place);
                run.add(&piece, place, ranks.as_mut())
            })
        })
    })
    .map(|mut counted| counted.remove(0))
}

/// Records of a batch.
struct FramePiece<'a> {
    columns: Vec<FrameColumn<'a>>,
    rows: usize,
}

/// A column: text stays in its array, and all other values are copied.
enum FrameColumn<'a> {
    Text(&'a StringArray),
    LargeText(&'a LargeStringArray),
    TextView(&'a StringViewArray),
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
fn dictionary(array: &dyn Array) -> Option<Arc<Store>> {
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

/// The values of an array, copied. What stands in the place of a missing value does not matter.
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

#[cfg(test)]
mod tests {
    use arrow_array::{
        ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int8Array, Int64Array, NullArray, UInt64Array,
    };
    use posterity_core::sampler::SeededBits;

    use super::*;
    use crate::question;

    fn counted(
        array: ArrayRef,
        values: &[&str],
        other: Option<&str>,
        missing: Option<&str>,
    ) -> Result<Vec<u64>, DataError> {
        let batch = RecordBatch::try_from_iter_with_nullable([("data", array, true)]).expect("a batch");
        let question = Question {
            other: other.map(Into::into),
            missing: missing.map(Into::into),
            ..Question::new(vec![question::Column::new("data", values.iter().copied())])
        };
        let go_on = |_| ControlFlow::Continue(());
        let mut bits = SeededBits::new(1);
        let schema = batch.schema();
        count_batches(&schema, &[batch], &question, &mut bits, &Resources::default(), &go_on)
            .map(|counted| counted.counts.as_slice().to_vec())
    }

    #[test]
    fn every_kind_of_text_counts_alike() {
        let long = "a label of more than twelve bytes";
        let words = vec![Some("yes"), None, Some("no"), Some("yes"), Some(long)];
        let keys = Int8Array::from(vec![Some(0), None, Some(1), Some(0), Some(2)]);
        let values: ArrayRef = Arc::new(StringArray::from(vec!["yes", "no", long, "unused"]));
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(words.clone())),
            Arc::new(LargeStringArray::from(words.clone())),
            Arc::new(StringViewArray::from(words.clone())),
            Arc::new(words.iter().copied().collect::<DictionaryArray<UInt32Type>>()),
            Arc::new(DictionaryArray::<Int8Type>::new(keys, values)),
        ];
        for array in arrays {
            let kind = array.data_type().clone();
            let count = |array| counted(array, &["no", "yes"], Some("else"), Some("gone"));
            assert_eq!(count(array.clone()), Ok(vec![1, 2, 1, 1]), "{kind}");
            // An offset is respected.
            assert_eq!(count(array.slice(2, 2)), Ok(vec![1, 1, 0, 0]), "{kind}");
        }
    }

    #[test]
    fn numbers_match_as_they_are_printed() {
        let integers: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), Some(-2), None, Some(1)]));
        assert_eq!(counted(integers.clone(), &["1", "-2"], None, Some("-2")), Ok(vec![2, 2]));
        assert_eq!(counted(integers, &["01", "-2"], Some("rest"), Some("rest")), Ok(vec![0, 1, 3]));
        let large: ArrayRef = Arc::new(UInt64Array::from(vec![u64::MAX, 0]));
        assert_eq!(counted(large, &["18446744073709551615", "0"], None, None), Ok(vec![1, 1]));
        let flags: ArrayRef = Arc::new(BooleanArray::from(vec![Some(true), None, Some(false), Some(true)]));
        assert_eq!(counted(flags, &["true", "false"], None, Some("none")), Ok(vec![2, 1, 1]));
        let nothing: ArrayRef = Arc::new(NullArray::new(3));
        assert_eq!(counted(nothing, &["a", "b"], None, Some("a")), Ok(vec![3, 0]));
    }

    #[test]
    fn rejects() {
        let floats: ArrayRef = Arc::new(Float64Array::from(vec![1.0]));
        let refused = counted(floats, &["yes", "no"], None, None);
        assert!(matches!(refused, Err(DataError::UnsupportedType { .. })), "{refused:?}");
        let empty: ArrayRef = Arc::new(StringArray::from(Vec::<&str>::new()));
        assert_eq!(counted(empty, &["yes", "no"], None, None), Err(DataError::NoRecords));
    }
}
