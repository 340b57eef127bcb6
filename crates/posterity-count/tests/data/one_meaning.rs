//! A filter means the same of a table in every format, and what DuckDB says of it.
//!
//! The table has types in one file and is text in another. Where a record has no answer, it has none in any format.

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array, RecordBatch,
    StringArray, TimestampMicrosecondArray,
};
use arrow_schema::DataType;
use posterity_core::sampler::SeededBits;
use posterity_count::{Column, DataError, FilterError, Question, count};
use posterity_testkit::{Peer, Random};
use rusqlite::types::Value as Cell;

use crate::scratch::{Scratch, about, alone, batch, cast, counts, go_on, source};

const WORDS: [&str; 8] = ["a", "ab", "b", "B", "ä", "it's", "true", "z"];
const CODES: [&str; 8] = ["01234", "1234", "A1", "9", "10", "1.0", "+5", "2020-01-05"];

/// The days around which all dates lie: from 2020-01-01 on.
const FIRST_DAY: i32 = 18_262;

/// A table with a column of each type: numbers, days, moments, truth values, words, and codes of which some are
/// numbers.
fn table(dice: &mut Random, rows: usize) -> RecordBatch {
    fn some<T>(dice: &mut Random, rows: usize, mut value: impl FnMut(&mut Random) -> T) -> Vec<Option<T>> {
        (0..rows).map(|_| (dice.index(6) > 0).then(|| value(dice))).collect()
    }
    let whole = |dice: &mut Random| dice.index(14) as i64 - 3;
    let day = |dice: &mut Random| FIRST_DAY + dice.index(20) as i32;
    // Half of the moments are the first of their day.
    let moment = |dice: &mut Random| {
        let day = i64::from(FIRST_DAY) + dice.index(20) as i64;
        (day * 86_400 + dice.index(2) as i64 * dice.index(86_400) as i64) * 1_000_000
    };
    let cents = some(dice, rows, |dice| i128::from(whole(dice)) * 25);
    let cents = Decimal128Array::from(cents).with_precision_and_scale(9, 2).expect("it fits");
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from_iter_values(0..rows as i64))),
        ("a", Arc::new(Int64Array::from(some(dice, rows, whole)))),
        ("b", Arc::new(Int64Array::from(some(dice, rows, whole)))),
        ("x", Arc::new(Float64Array::from(some(dice, rows, |dice| whole(dice) as f64 / 2.0)))),
        ("m", Arc::new(cents)),
        ("day", Arc::new(Date32Array::from(some(dice, rows, day)))),
        ("until", Arc::new(Date32Array::from(some(dice, rows, day)))),
        ("ts", Arc::new(TimestampMicrosecondArray::from(some(dice, rows, moment)))),
        ("flag", Arc::new(BooleanArray::from(some(dice, rows, |dice| dice.index(2) == 0)))),
        ("w", Arc::new(StringArray::from(some(dice, rows, |dice| dice.pick(&WORDS))))),
        ("v", Arc::new(StringArray::from(some(dice, rows, |dice| dice.pick(&WORDS))))),
        ("code", Arc::new(StringArray::from(some(dice, rows, |dice| dice.pick(&CODES))))),
    ];
    batch(columns)
}

/// Every value as text, as other programs write it: `30.0`, `1.50`, `2020-01-31T08:00:00`.
fn as_text(table: &RecordBatch) -> RecordBatch {
    let schema = table.schema();
    let columns = schema.fields().iter().zip(table.columns());
    batch(columns.map(|(field, array)| (field.name().as_str(), cast(array, &DataType::Utf8))).collect())
}

/// The field of a row, if it is not missing.
fn field(text: &RecordBatch, column: usize, row: usize) -> Option<&str> {
    let array = text.column(column).as_string::<i32>();
    array.is_valid(row).then(|| array.value(row))
}

fn csv(text: &RecordBatch) -> String {
    let names: Vec<&str> = text.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
    let line = |row: usize| {
        let fields: Vec<&str> =
            (0..names.len()).map(|column| field(text, column, row).unwrap_or_default()).collect();
        fields.join(",")
    };
    let lines = std::iter::once(names.join(",")).chain((0..text.num_rows()).map(line));
    lines.map(|line| line + "\n").collect()
}

/// Numbers and truth values stand by themselves, and all else in quotes.
fn json(table: &RecordBatch, text: &RecordBatch) -> String {
    let schema = table.schema();
    let line = |row: usize| {
        let fields = schema.fields().iter().enumerate().map(|(column, of)| {
            let bare = of.data_type().is_numeric() || *of.data_type() == DataType::Boolean;
            let value = match field(text, column, row) {
                Some(value) if bare => value.to_owned(),
                value => serde_json::json!(value).to_string(),
            };
            format!("\"{}\":{value}", of.name())
        });
        format!("{{{}}}\n", fields.collect::<Vec<_>>().join(","))
    };
    (0..text.num_rows()).map(line).collect()
}

/// Whole and floating-point numbers by their storage class, and all else as text.
fn sqlite(scratch: &Scratch, table: &RecordBatch, text: &RecordBatch) -> String {
    let schema = table.schema();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let cell = |column: usize, row: usize| match (field(text, column, row), schema.field(column).data_type())
    {
        (None, _) => Cell::Null,
        (Some(value), DataType::Int64) => Cell::Integer(value.parse().expect("a number")),
        (Some(value), DataType::Float64) => Cell::Real(value.parse().expect("a number")),
        (Some(value), _) => Cell::Text(value.to_owned()),
    };
    let row = |row: usize| (0..names.len()).map(|column| cell(column, row)).collect();
    scratch.sqlite("mixed.sqlite", &names, &(0..table.num_rows()).map(row).collect::<Vec<_>>())
}

/// A table of the server, of the same types; nothing if there is no server.
#[cfg(feature = "postgres")]
fn postgres(table: &RecordBatch, text: &RecordBatch) -> Option<String> {
    let schema = table.schema();
    let kind = |kind: &DataType| match kind {
        DataType::Int64 => "bigint",
        DataType::Float64 => "float8",
        DataType::Decimal128(..) => "numeric",
        DataType::Date32 => "date",
        DataType::Timestamp(..) => "timestamp",
        DataType::Boolean => "boolean",
        _ => "text",
    };
    let columns = schema.fields().iter().map(|field| format!("{} {}", field.name(), kind(field.data_type())));
    let quoted = |value: &str| format!("'{}'", value.replace('\'', "''"));
    let value = |column, row| field(text, column, row).map_or("NULL".into(), quoted);
    let row = |row| {
        let values: Vec<String> = (0..schema.fields().len()).map(|column| value(column, row)).collect();
        format!("({})", values.join(","))
    };
    let rows: Vec<String> = (0..table.num_rows()).map(row).collect();
    crate::postgres::table(&columns.collect::<Vec<_>>().join(", "), &rows.join(", "))
}

#[cfg(not(feature = "postgres"))]
fn postgres(_table: &RecordBatch, _text: &RecordBatch) -> Option<String> {
    None
}

/// The table in every format. The first file has the types.
fn write(scratch: &Scratch, table: &RecordBatch) -> Vec<String> {
    let text = as_text(table);
    let files = [
        scratch.parquet("typed.parquet", table),
        scratch.arrow("typed.arrow", table),
        scratch.arrow("text.arrow", &text),
        scratch.write("text.csv", csv(&text)),
        scratch.write("text.json", json(table, &text)),
        sqlite(scratch, table, &text),
    ];
    files.into_iter().chain(postgres(table, &text)).collect()
}

/// The records that pass, by their number.
fn passed(path: &str, filter: &str, rows: usize) -> Result<Vec<usize>, DataError> {
    let numbers: Vec<String> = (0..rows.max(2)).map(|row| row.to_string()).collect();
    let question =
        Question { filter: Some(filter.into()), ..Question::new(vec![Column::new("id", numbers)]) };
    match count(&source(path), &question, &mut SeededBits::new(1), &alone(), &go_on) {
        Ok(counted) => {
            let counts = counted.counts.as_slice().iter().enumerate();
            Ok(counts.filter(|(_, count)| **count == 1).map(|(row, _)| row).collect())
        }
        Err(DataError::NoRecords) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// What all formats say of a filter.
fn of_all(paths: &[String], filter: &str, rows: usize) -> Result<Vec<usize>, DataError> {
    let typed = passed(&paths[0], filter, rows);
    for path in &paths[1..] {
        assert_eq!(passed(path, filter, rows), typed, "{filter}\n{path}");
    }
    typed
}

const COMPARISONS: [&str; 6] = ["=", "<>", "<", "<=", ">", ">="];

/// A condition that has an answer for every record, and the same one in DuckDB.
fn answered(dice: &mut Random) -> String {
    let compared = dice.pick(&COMPARISONS);
    let equal = dice.pick(&COMPARISONS[..2]);
    let not = dice.pick(&["", "NOT "]);
    let (first, second) = (dice.pick(&["a", "b", "x", "m"]), dice.pick(&["a", "b", "x", "m"]));
    let whole = dice.pick(&["-2", "0", "3", "7", "9"]);
    let day = format!("DATE '2020-01-{:02}'", 1 + dice.index(21));
    let moment = format!("TIMESTAMP '2020-01-{:02} {:02}:00:00'", 1 + dice.index(21), dice.index(3));
    let time = dice.pick(&["day", "until", "ts"]);
    let word = dice.pick(&["'a'", "'b'", "'m'", "'ä'", "'it''s'", "'true'"]);
    let printed = dice.pick(&["code", "a", "day", "w", "flag"]);
    let text = dice.pick(&["'01234'", "'1234'", "'3'", "'2020-01-05'", "'b'", "'A1'", "'10'"]);
    match dice.index(22) {
        0 | 1 => format!("{first} {compared} {second}"),
        2 => format!("{first} {compared} {whole}"),
        3 => format!("{first} {not}BETWEEN {second} AND {whole}"),
        4 => format!("{first} {not}IN ({whole}, {second})"),
        5 => format!("{first} {equal} '{whole}'"),
        6 => format!("{first} {not}IN ('{whole}', '0', '9')"),
        7 => format!("a + {first} * 2 {compared} {second} - {whole}"),
        8 => format!("{time} {compared} {day}"),
        9 => format!("{time} {compared} {moment}"),
        10 | 11 => format!("{time} {compared} {}", dice.pick(&["day", "until", "ts"])),
        12 => format!("{time} {not}BETWEEN {day} AND {moment}"),
        13 => format!("day {not}IN ({day}, DATE '2020-01-05', NULL)"),
        14 => format!("w {compared} {}", dice.pick(&["v", word])),
        15 => format!("{} {not}IN ({word}, 'b', 'none')", dice.pick(&["w", "code"])),
        16 => {
            format!("{} {not}LIKE '%{}%'", dice.pick(&["w", "day", "TEXT(code)", "TEXT(a)"]), dice.index(3))
        }
        17 => format!("TEXT({printed}) {compared} {text}"),
        18 => format!("TEXT({printed}) {compared} TEXT({})", dice.pick(&["w", "code", "b", "until"])),
        19 => format!("TEXT({printed}) {not}IN ({text}, '9')"),
        20 => {
            dice.pick(&["flag", "flag = TRUE", "flag = 'true'", "flag IS NOT TRUE", "flag <> 'false'"]).into()
        }
        _ => format!("{} IS {not}NULL", dice.pick(&["a", "ts", "w", "TEXT(code)"])),
    }
}

/// A condition that has no answer for some records, or another one than in DuckDB.
fn doubtful(dice: &mut Random) -> String {
    let compared = dice.pick(&COMPARISONS);
    let equal = dice.pick(&COMPARISONS[..2]);
    let any = ["a", "x", "m", "day", "ts", "flag", "w", "code"];
    let (first, second) = (dice.pick(&any), dice.pick(&any));
    match dice.index(9) {
        0..=2 => format!("{first} {compared} {second}"),
        3 => format!("{first} {compared} 'b'"),
        4 => format!("{first} {equal} '{}'", dice.pick(&["1234", "1", "9", "unknown", "true"])),
        5 => format!("{first} IN ('1234', 'A1', {second})"),
        6 => format!("{first} LIKE '{}'", dice.pick(&["1%", "2020-01-%", "%", "a"])),
        7 => format!("{first} {compared} DATE '2020-01-05'"),
        _ => format!("{first} BETWEEN 'a' AND 'c' OR {second} > 3"),
    }
}

/// Conditions joined to one.
fn joined(dice: &mut Random, part: fn(&mut Random) -> String) -> String {
    let by = dice.pick(&[" AND ", " OR "]);
    let one = |dice: &mut Random| {
        let part = part(dice);
        if dice.index(4) == 0 { format!("NOT ({part})") } else { part }
    };
    let parts: Vec<String> = (0..1 + dice.index(3)).map(|_| one(dice)).collect();
    parts.join(by)
}

#[test]
fn every_format_passes_the_same_records() {
    const ROWS: usize = 20;
    let mut dice = Random::new(3);
    let scratch = Scratch::new();
    let mut passing = 0;
    for _ in 0..2 {
        let paths = write(&scratch, &table(&mut dice, ROWS));
        for _ in 0..110 {
            let filter = joined(&mut dice, answered);
            passing += of_all(&paths, &filter, ROWS).expect(&filter).len();
        }
    }
    // Neither all nor none.
    assert!((220 * ROWS / 4..220 * ROWS * 3 / 4).contains(&passing), "{passing}");
}

/// Of one or two records, so that not every filter is refused.
#[test]
fn every_format_refuses_the_same_records() {
    let mut dice = Random::new(4);
    let scratch = Scratch::new();
    let (mut answers, mut refusals) = (0, 0);
    for _ in 0..60 {
        let paths = write(&scratch, &table(&mut dice, 2));
        for _ in 0..4 {
            match of_all(&paths, &joined(&mut dice, doubtful), 2) {
                Ok(_) => answers += 1,
                Err(error) => {
                    let about =
                        matches!(&error, DataError::Filter { error, .. } if error.is_about_a_record());
                    assert!(about, "{error}");
                    refusals += 1;
                }
            }
        }
    }
    assert!(answers > 60 && refusals > 60, "{answers} answers, {refusals} refusals");
}

/// The records that pass in DuckDB, for each filter over the table in a Parquet file.
fn in_duckdb(path: &str, filters: &[String]) -> Vec<Vec<usize>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/duckdb_answers.py");
    let peer = Peer { package: "duckdb==2.0.0" };
    let answers = peer.ask(Path::new(env!("CARGO_TARGET_TMPDIR")), &script, &[path], filters);
    let numbers = |line: &String| line.split_whitespace().map(|id| id.parse().expect("a number")).collect();
    answers.iter().map(numbers).collect()
}

#[test]
#[ignore = "installs DuckDB from the package index"]
fn filters_agree_with_duckdb() {
    const TABLES: usize = 10;
    const FILTERS: usize = 400;
    const ROWS: usize = 60;
    let mut dice = Random::new(5);
    let scratch = Scratch::new();
    for _ in 0..TABLES {
        let paths = write(&scratch, &table(&mut dice, ROWS));
        let filters: Vec<String> = (0..FILTERS).map(|_| joined(&mut dice, answered)).collect();
        let there = in_duckdb(&paths[0], &filters);
        assert_eq!(there.len(), FILTERS);
        for (filter, there) in filters.iter().zip(there) {
            assert_eq!(of_all(&paths, filter, ROWS), Ok(there), "{filter}");
        }
    }
    println!("{TABLES} tables of {ROWS} records in 6 files, {FILTERS} filters each");
}

/// Two numeric columns of a CSV file compared as text, and text in quotes was compared with numbers and dates by its
/// bytes.
#[test]
fn what_used_to_depend_on_the_format() {
    let scratch = Scratch::new();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("cured", Arc::new(StringArray::from(vec!["yes", "no", "no", "yes"]))),
        ("before", Arc::new(Int64Array::from(vec![9, 10, 100, 4]))),
        ("after", Arc::new(Int64Array::from(vec![10, 9, 35, 100]))),
        ("day", Arc::new(Date32Array::from(vec![18_536, 18_535, 18_600, 18_262]))),
        (
            "ts",
            Arc::new(TimestampMicrosecondArray::from(vec![
                1_577_836_800_000_000,
                0,
                0,
                1_577_836_799_999_999,
            ])),
        ),
    ];
    let paths = write(&scratch, &batch(columns));
    for path in &paths {
        let ask = |filter: &str| {
            counts(path, &Question { filter: Some(filter.into()), ..about("cured", &["yes", "no"]) })
        };
        let refused = |filter: &str| {
            let error = ask(filter).expect_err(filter);
            let forbidden = matches!(error, DataError::Filter { error: FilterError::Forbidden { .. }, .. });
            assert!(forbidden, "{filter}: {error:?}");
            error.to_string()
        };
        assert_eq!(ask("before < after"), Ok(vec![2, 0]), "{path}");
        assert_eq!(ask("after > 30"), Ok(vec![1, 1]), "{path}");
        assert_eq!(ask("day < DATE '2020-10-01'"), Ok(vec![1, 1]), "{path}");
        assert_eq!(ask("ts >= TIMESTAMP '2020-01-01T00:00:00'"), Ok(vec![1, 0]), "{path}");
        assert_eq!(ask("after = '9' OR after = '100'"), Ok(vec![1, 1]), "{path}");
        assert!(refused("after > '30'").contains("without quotes"), "{path}");
        assert!(refused("day < '2020-10-1'").contains("DATE '2020-01-31'"), "{path}");
        assert!(refused("ts >= '2020-01-01T00:00:00'").contains("TIMESTAMP"), "{path}");
        let error = ask("cured < after").expect_err("a word is no number");
        let unlike = FilterError::Unlike { left: "cured".into(), right: "after".into() };
        assert_eq!(error, DataError::Filter { filter: "cured < after".into(), error: unlike }, "{path}");
        assert!(error.to_string().contains("TEXT(\"cured\")"), "{error}");
        assert_eq!(ask("TEXT(cured) < TEXT(after)"), Err(DataError::NoRecords), "{path}");
    }
}

/// A refusal by the filter's text alone needs no file.
#[test]
fn quoted_dates_and_numbers_are_refused_before_any_data_is_read() {
    for filter in ["day < '2020-10-1'", "ts >= '2020-01-01T00:00:00'", "age > '30'", "zip = '01234'"] {
        let question = Question { filter: Some(filter.into()), ..about("a", &["x", "y"]) };
        let error = counts("no such file.csv", &question).expect_err(filter);
        let forbidden = matches!(error, DataError::Filter { error: FilterError::Forbidden { .. }, .. });
        assert!(forbidden, "{filter}: {error:?}");
    }
}
