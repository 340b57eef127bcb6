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
    Array, ArrayRef, ArrowPrimitiveType, LargeStringArray, RecordBatch, StringArray, StringViewArray,
    downcast_dictionary_array,
};
use arrow_schema::{DataType, Schema, TimeUnit};
use posterity_core::sampler::BitSource;

use crate::arrow_type::fields;
use crate::ask::Ask;
use crate::column::{ColumnValues, Field, MISSING, Store, Strings, ValueKind};
use crate::column_hint::ColumnHint;
use crate::count::{Counted, Resources, run};
use crate::error::DataError;
use crate::mixed::MixedColumn;
use crate::piece::Piece;
use crate::question::Question;
use crate::value::Value;

/// How many records are counted before it is checked again whether the count was stopped.
const ROWS: usize = 1 << 16;

/// Where the columns that a question needs stand among the columns of these names.
///
/// # Errors
/// [`DataError`] if the question is not valid, or a column is not there or there twice.
pub fn needed_columns(question: &Question, names: &[String]) -> Result<Vec<usize>, DataError> {
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    Ask::new(question)?.find(&borrowed, |_| ColumnHint::Columns(names.to_vec()))
}

/// Counts the records of batches in memory, by the rules that hold for files. The arrays must be valid: see
/// [`Array::to_data`] and its `validate_full` where their producer is not known to have checked them.
///
/// `mixed` are further columns with their names. Each has a value for every record of the batches, in their order.
/// `bits` and `progress` are as in [`count`](crate::count()).
///
/// # Errors
/// [`DataError`]; it contains no value of a record.
pub fn count_batches(
    schema: &Schema,
    batches: &[RecordBatch],
    mixed: &[(String, MixedColumn)],
    question: &Question,
    bits: &mut dyn BitSource,
    resources: &Resources,
    progress: &dyn Fn(u64) -> ControlFlow<()>,
) -> Result<Counted, DataError> {
    let ask = Ask::new(question)?;
    let fields: Vec<Field> = fields(schema).into_iter().chain(mixed.iter().map(mixed_field)).collect();
    let positions = ask.bind(&fields)?;
    let starts = starts(batches);
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    if mixed.iter().any(|(_, column)| column.len() != rows) {
        return Err(DataError::UnequalColumns);
    }
    let typed = schema.fields().len();
    run(&ask, bits, resources, progress, |run| {
        run.in_order(batches.len(), |number| {
            let batch = &batches[number];
            // A dictionary is the same for all pieces of a batch.
            let dictionaries: Vec<Option<Arc<Store>>> = positions
                .iter()
                .map(|&position| batch.columns().get(position).and_then(dictionary))
                .collect();
            run.in_order(batch.num_rows().div_ceil(ROWS), |part| {
                let start = part * ROWS;
                let slice = batch.slice(start, ROWS.min(batch.num_rows() - start));
                let columns = positions.iter().zip(&dictionaries);
                let columns = columns.map(|(&position, dictionary)| match position.checked_sub(typed) {
                    None => FrameColumn::new(slice.column(position), dictionary.as_ref()),
                    Some(position) => FrameColumn::Mixed(&mixed[position].1, starts[number] + start),
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
        BooleanArray, DictionaryArray, Float64Array, Int8Array, Int64Array, NullArray, UInt64Array,
    };
    use posterity_core::sampler::SeededBits;

    use super::*;
    use crate::mixed::MixedValue;
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
        count_batches(&schema, &[batch], &[], &question, &mut bits, &Resources::default(), &go_on)
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

    /// A value of a mixed column belongs to the record of its place, in every part of every batch.
    #[test]
    fn mixed_values_stand_beside_their_records() {
        let rows = ROWS + 3;
        let sexes = |start: usize| {
            let sexes = (start..start + rows).map(|row| if row % 2 == 0 { "f" } else { "m" });
            let array: ArrayRef = Arc::new(StringArray::from_iter_values(sexes));
            RecordBatch::try_from_iter([("sex", array)]).expect("a batch")
        };
        let batches = [sexes(0), sexes(rows)];
        let mut mixed = MixedColumn::default();
        (0..2 * rows).for_each(|row| {
            mixed.push(match row % 4 {
                0 => MixedValue::Decimal("1.50"),
                1 => MixedValue::Text("1.5"),
                2 => MixedValue::Missing,
                _ => MixedValue::Strange,
            });
        });
        let question = Question {
            filter: Some("sex = 'f' AND x = '1.5' OR sex = 'm' AND x IS NOT NULL AND NOT (x IS NULL)".into()),
            ..Question::new(vec![question::Column::new("sex", ["f", "m"])])
        };
        let count = |columns: &[(String, MixedColumn)]| {
            let mut bits = SeededBits::new(1);
            let go_on = |_| ControlFlow::Continue(());
            let schema = batches[0].schema();
            count_batches(&schema, &batches, columns, &question, &mut bits, &Resources::default(), &go_on)
                .map(|counted| counted.counts.as_slice().to_vec())
        };
        let whole = (2 * rows) as u64;
        assert_eq!(count(&[("x".into(), mixed.clone())]), Ok(vec![whole.div_ceil(4), whole / 2]));
        mixed.push(MixedValue::Missing);
        assert_eq!(count(&[("x".into(), mixed)]), Err(DataError::UnequalColumns));
        assert!(matches!(count(&[]), Err(DataError::Filter { .. })));
    }

    #[test]
    fn needed_columns_are_found_or_told() {
        let question = Question {
            unit: Some("who".into()),
            filter: Some("age > 3".into()),
            ..Question::new(vec![question::Column::new("sex", ["f", "m"])])
        };
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(needed_columns(&question, &names(&["age", "x", "who", "sex", "x"])), Ok(vec![3, 0, 2]));
        let unknown = needed_columns(&question, &names(&["age", "sex"]));
        assert!(matches!(unknown, Err(DataError::UnknownColumn { ref column, .. }) if column == "who"));
        let twice = needed_columns(&question, &names(&["age", "sex", "who", "sex"]));
        assert_eq!(twice, Err(DataError::DuplicateColumn { column: "sex".into() }));
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
