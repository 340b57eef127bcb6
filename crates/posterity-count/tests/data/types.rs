//! Types of columns that were not named once: days, whole decimals, bytes that are text, and integers of several widths.

use std::sync::Arc;

use arrow_array::{ArrayRef, BinaryArray, Decimal128Array, Float64Array, Int32Array, Int64Array, UInt8Array};
use arrow_schema::DataType;
use posterity_count::{Adjacency, DataError, Question, ReadError};
use rusqlite::types::Value as Cell;

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
    assert_eq!(counts(&path, &about("a", &["700", "-100"])), Ok(vec![2, 1]));
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

/// One rule for all readers: a number that is whole has the name of its digits, whatever type stores it, and text stays
/// text. If this fails, the same table has other counts in another format.
#[test]
fn whole_numbers_are_whole_in_every_type() {
    let scratch = Scratch::new();
    let whole = Float64Array::from(vec![Some(1.0), Some(-0.0), None, Some(1.0)]);
    let typed = |array: ArrayRef| both(&scratch, &array);
    let question = about("a", &["1", "0"]).with_missing("none");
    let array: ArrayRef = Arc::new(whole);
    let stored: Vec<Vec<Cell>> =
        [Cell::Real(1.0), Cell::Integer(0), Cell::Null, Cell::Text("1".into())].map(|cell| vec![cell]).into();
    let mut paths = vec![
        scratch.write("a.json", "{\"a\":1.0}\n{\"a\":-0.0}\n{\"a\":null}\n{\"a\":1e0}\n"),
        scratch.sqlite("a.sqlite", &["a"], &stored),
    ];
    for kind in [DataType::Float32, DataType::Decimal128(9, 2), DataType::Int8] {
        paths.extend(typed(cast(&array, &kind)).map(|path| {
            let (folder, name) = path.rsplit_once('/').expect("a folder");
            let kept = format!("{folder}/{}-{name}", kind.to_string().replace(['(', ')', ' ', ','], ""));
            std::fs::rename(&path, &kept).expect("renamed");
            kept
        }));
    }
    paths.extend(typed(array));
    for path in &paths {
        assert_eq!(counts(path, &question), Ok(vec![2, 1, 1]), "{path}");
        // Each is the same unit as the whole number that it is.
        let units = Question {
            unit: Some("a".into()),
            filter: Some("a IS NOT NULL".into()),
            ..about("a", &["1", "0"])
        };
        assert_eq!(counts(path, &units), Ok(vec![1, 1]), "{path}");
    }
    // A CSV file has text only, and an alias takes it.
    let text = scratch.write("a.csv", "i,a\n1,1.0\n2,0\n3,\n4,1\n");
    let refused = counts(&text, &question).expect_err("text").to_string();
    assert!(refused.contains("differs from \"1\" only in how a number is written"), "{refused}");
    let mut aliased = question.clone();
    aliased.columns[0] = aliased.columns[0].clone().with_alias("1", "1.0");
    assert_eq!(counts(&text, &aliased), Ok(vec![2, 1, 1]));
}

/// A fraction has no exact name. If this fails, one is counted as the whole number beside it.
#[test]
fn fractions_have_no_name() {
    let scratch = Scratch::new();
    for fraction in [1.5, 1e16, f64::NAN] {
        let floats: ArrayRef = Arc::new(Float64Array::from(vec![1.0, fraction]));
        for path in both(&scratch, &floats) {
            let unnamed = Err(DataError::Unnamed { column: "a".into() });
            assert_eq!(counts(&path, &about("a", &["1", "2"])), unnamed, "{fraction}");
            let unit = Question { unit: Some("a".into()), ..about("a", &["1", "2"]).with_other("rest") };
            assert_eq!(counts(&path, &unit), unnamed, "{fraction}");
            let private = Question { adjacency: Adjacency::AddRemove, ..about("a", &["1", "2"]) };
            assert_eq!(counts(&path, &private), Ok(vec![1, 0]), "{fraction}");
            // Where no whole number is declared, no record has a category, and the type says so without a look at them.
            let error = counts(&path, &about("a", &["yes", "1.5"])).expect_err("refused").to_string();
            assert!(error.contains("no category is a whole number"), "{error}");
        }
    }
}
