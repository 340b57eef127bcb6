//! Types of columns that were not named once: days, whole decimals, bytes that are text, and integers of several widths.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Decimal128Array, Int32Array, Int64Array, UInt8Array};
use arrow_schema::DataType;
use posterity_count::{DataError, Question, ReadError};

use crate::scratch::{Scratch, about, batch, cast, counts, strings};

fn both(scratch: &Scratch, array: &ArrayRef) -> [String; 2] {
    let table = batch(vec![("a", array.clone())]);
    [scratch.parquet("a.parquet", &table), scratch.arrow("a.arrow", &table)]
}

#[test]
fn days_are_named_as_they_print() {
    let scratch = Scratch::new();
    let days = cast(
        &strings(&[Some("2020-01-31"), None, Some("1969-12-31"), Some("2020-01-31")]),
        &DataType::Date32,
    );
    for path in both(&scratch, &days) {
        let question = about("a", &["2020-01-31", "1969-12-31"]).with_missing("none");
        assert_eq!(counts(&path, &question), Ok(vec![2, 1, 1]), "{path}");
    }
}

#[test]
fn whole_decimals_are_named_by_their_digits() {
    let scratch = Scratch::new();
    let whole = Decimal128Array::from(vec![7, -10, 7]).with_precision_and_scale(20, 0).expect("it fits");
    let whole: ArrayRef = Arc::new(whole);
    for path in both(&scratch, &whole) {
        assert_eq!(counts(&path, &about("a", &["7", "-10"])), Ok(vec![2, 1]), "{path}");
    }
    let hundreds = Decimal128Array::from(vec![7, -1, 7]).with_precision_and_scale(20, -2).expect("it fits");
    let path = scratch.arrow("b.arrow", &batch(vec![("a", Arc::new(hundreds))]));
    let refused = counts(&path, &about("a", &["700", "-100"]));
    assert!(matches!(refused, Err(DataError::UnsupportedType { .. })), "{refused:?}");
}

/// Older writers left out that bytes are text. Each value is text by itself, or has no name.
#[test]
fn bytes_of_parquet_are_text_if_they_are_utf_8() {
    let scratch = Scratch::new();
    let bytes = |values: Vec<&[u8]>| batch(vec![("a", Arc::new(BinaryArray::from_vec(values)) as ArrayRef)]);
    let path = scratch.parquet("a.parquet", &bytes(vec![b"yes", "nö".as_bytes(), b"yes"]));
    assert_eq!(counts(&path, &about("a", &["yes", "nö"])), Ok(vec![2, 1]));
    let filtered = Question { filter: Some("a = 'yes'".into()), ..about("a", &["yes", "nö"]) };
    assert_eq!(counts(&path, &filtered), Ok(vec![2, 0]));
    let path = scratch.parquet("b.parquet", &bytes(vec![b"yes", b"\xff"]));
    assert_eq!(counts(&path, &about("a", &["yes", "no"])), Err(DataError::Unnamed { column: "a".into() }));
}

#[test]
fn integers_of_all_widths_are_one_type() {
    let scratch = Scratch::new();
    let file = |name: &str, array: ArrayRef| scratch.parquet(name, &batch(vec![("a", array)]));
    file("d/1.parquet", Arc::new(Int32Array::from(vec![1, 2])));
    file("d/2.parquet", Arc::new(Int64Array::from(vec![2, 2])));
    file("d/3.parquet", Arc::new(UInt8Array::from(vec![1])));
    let by_unit = Question { unit: Some("a".into()), ..about("a", &["1", "2"]) };
    assert_eq!(counts(&scratch.text("d"), &about("a", &["1", "2"])), Ok(vec![2, 3]));
    // If this fails, one person counts once for each width of their number.
    assert_eq!(counts(&scratch.text("d"), &by_unit), Ok(vec![1, 1]));
    file("d/4.parquet", cast(&strings(&[Some("1")]), &DataType::Decimal128(9, 0)));
    assert_eq!(
        counts(&scratch.text("d"), &by_unit),
        Ok(vec![1, 1]),
        "digits without a point are whole numbers"
    );
    file("d/5.parquet", cast(&strings(&[Some("1")]), &DataType::Decimal128(9, 1)));
    let mixed = counts(&scratch.text("d"), &by_unit);
    assert!(matches!(mixed, Err(DataError::Read(ReadError::MixedColumns { .. }))), "{mixed:?}");
}

/// What pandas makes of whole numbers with missing ones has no exact name, and the message says what to do.
#[test]
fn floats_name_their_remedy() {
    let scratch = Scratch::new();
    let floats = cast(&strings(&[Some("1"), None]), &DataType::Float64);
    for path in both(&scratch, &floats) {
        let error = counts(&path, &about("a", &["1", "2"])).expect_err("refused").to_string();
        assert!(error.contains("astype(\"Int64\")"), "{error}");
    }
}
