//! Other spellings of categories, in every format.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int64Array};
use posterity_count::{Adjacency, CellsError, Column, DataError, Question, SpellingError};
use rusqlite::types::Value as Cell;

use crate::scratch::{Scratch, batch, counts, strings};

/// A word longer than what the lookup of short ones holds.
const LONG: &str = "geriatrics and rehabilitation";

fn wards() -> Column {
    let ward = Column { missing: Some("unknown".into()), ..Column::new("ward", ["Geriatrics", "9"]) };
    let ward = ward
        .with_alias("Geriatrics", "GER")
        .with_alias("Geriatrics", "Geriatrics ")
        .with_alias("Geriatrics", LONG);
    ward.with_alias("9", "nine").with_alias("unknown", "-1")
}

/// If this fails, an alias counts in one format and not in another.
#[test]
fn every_format_takes_them() {
    let scratch = Scratch::new();
    let values = [
        Some("Geriatrics"),
        Some("GER"),
        Some("Geriatrics "),
        Some(LONG),
        Some("nine"),
        Some("9"),
        Some("-1"),
        None,
    ];
    let text = strings(&values);
    let words: DictionaryArray<Int32Type> = values.into_iter().collect();
    let words: ArrayRef = Arc::new(words);
    let table = |array: &ArrayRef| batch(vec![("ward", array.clone())]);
    let cells = values.map(|value| vec![value.map_or(Cell::Null, |value| Cell::Text(value.to_owned()))]);
    let line = |value: &Option<&str>| match value {
        Some(value) => format!("{{\"ward\":{value:?}}}\n"),
        None => "{\"ward\":null}\n".to_owned(),
    };
    let paths = [
        scratch.write(
            "a.csv",
            "i,ward\n".to_owned()
                + &values.map(|value| format!("1,{}\n", value.unwrap_or_default())).concat(),
        ),
        scratch.write("a.json", values.iter().map(line).collect::<String>()),
        scratch.parquet("a.parquet", &table(&text)),
        scratch.parquet("words.parquet", &table(&words)),
        scratch.arrow("a.arrow", &table(&text)),
        scratch.arrow("words.arrow", &table(&words)),
        scratch.sqlite("a.sqlite", &["ward"], &cells),
    ];
    for path in paths {
        assert_eq!(counts(&path, &Question::new(vec![wards()])), Ok(vec![4, 2, 2]), "{path}");
        let plain = Column { missing: Some("unknown".into()), ..Column::new("ward", ["Geriatrics", "9"]) };
        let private = Question { adjacency: Adjacency::AddRemove, ..Question::new(vec![plain]) };
        assert_eq!(counts(&path, &private), Ok(vec![1, 1, 1]), "without aliases: {path}");
    }
}

/// A whole number is matched by the alias of its digits, in columns of numbers too.
#[test]
fn numbers_have_aliases() {
    let scratch = Scratch::new();
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1, 11, 2, -9, 100_000]));
    let path = scratch.parquet("a.parquet", &batch(vec![("state", numbers)]));
    let state = Column { missing: Some("unknown".into()), ..Column::new("state", ["1", "2"]) };
    let near = state.with_alias("1", "11").with_alias("unknown", "-9");
    let far = near.clone().with_alias("2", "100000");
    assert_eq!(counts(&path, &Question::new(vec![far])), Ok(vec![2, 2, 1]));
    assert_eq!(counts(&path, &Question::new(vec![near])), Err(DataError::Outside { column: "state".into() }));
    let json =
        scratch.write("a.json", "{\"state\":11}\n{\"state\":11.0}\n{\"state\":\"11\"}\n{\"state\":2}\n");
    let state = Column::new("state", ["1", "2"]).with_alias("1", "11");
    assert_eq!(counts(&json, &Question::new(vec![state])), Ok(vec![3, 1]));
}

#[test]
fn what_is_no_alias_is_refused() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "i,ward\n1,A\n");
    let wrong = Column::new("ward", ["A", "B"]).with_alias("A", "x").with_alias("B", "x");
    let error = SpellingError::RepeatedAlias { alias: "x".into() };
    let refused = counts(&path, &Question::new(vec![wrong]));
    assert_eq!(refused, Err(DataError::Cells(CellsError::Spelling { column: "ward".into(), error })));
}
