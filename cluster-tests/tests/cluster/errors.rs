//! Errors about the data are the same as on this machine, and contain no value.

use std::fs;

use cluster_tests::{CATEGORIES, People, Scratch, SmallCluster, about, cluster, here, there};
use posterity_count::{DataError, FilterError, Format, Question, ReadError, Source};

const SECRET: &str = "Mallory";

#[test]
fn the_same_errors() {
    let scratch = Scratch::new();
    let small = SmallCluster::start(&scratch.path(""), 2).expect("a cluster");
    People { file: 0, rows: 1_000 }.write_parquet(&scratch.path("people.parquet")).expect("written");
    let people = scratch.source("people.parquet");
    let outcome = || about("outcome", &CATEGORIES).with_missing("unknown");
    let filtered = |filter: &str| Question { filter: Some(filter.into()), ..outcome() };
    let wrong = |filter: &str, error| DataError::Filter { filter: filter.into(), error };
    let no_number = || FilterError::NotANumber { column: "age".into() };
    let ages = scratch.write("ages.csv", format!("outcome,age\n{0},31\n{0},{SECRET}\n", CATEGORIES[0]));
    let rows = |row: &str| format!("outcome,age\n{0},31\n{row}\n{0},32\n", CATEGORIES[0]);
    let ragged = scratch.write("ragged.csv", rows(&format!("{},30,{SECRET}", CATEGORIES[0])));
    let mut bytes = rows(&format!("{SECRET}\u{e9},30")).into_bytes();
    let place = bytes.iter().position(|&byte| byte == 0xc3).expect("an accent");
    bytes[place] = 0xff;
    let latin = scratch.write("latin.csv", bytes);
    let table: Vec<(&Source, Question, DataError)> = vec![
        (&people, about("outcome", &CATEGORIES), DataError::Missing { column: "outcome".into() }),
        (
            &people,
            about("outcome", &CATEGORIES[1..]).with_missing("unknown"),
            DataError::Outside { column: "outcome".into() },
        ),
        (
            &people,
            Question { unit: Some("outcome".into()), ..about("Ward.name", &["A", "B, left", "C"]) },
            DataError::MissingUnit { column: "outcome".into() },
        ),
        (&people, filtered("age > 1000"), DataError::NoRecords),
        (&people, filtered("1 = 2"), DataError::NoRecords),
        (&ages, filtered("age > 30"), wrong("age > 30", no_number())),
        (&ages, filtered("age"), wrong("age", FilterError::NotATruth { column: "age".into() })),
        (&ages, filtered("age = 1 OR age > 30"), wrong("age = 1 OR age > 30", no_number())),
        (&ragged, outcome(), DataError::Read(ReadError::FieldCount)),
        (&latin, outcome(), DataError::Read(ReadError::NotUtf8)),
    ];
    let four = cluster(&small.address(), 4);
    for (source, question, expected) in table {
        assert_eq!(here(source, &question), Err(expected.clone()), "here: {question:?}");
        let error = there(source, &question, &four).expect_err("an error");
        assert_eq!(error, expected, "there: {question:?}");
        assert!(!format!("{error} {error:?}").contains(SECRET), "{error:?}");
    }
}

/// The end of the file, which says where everything is, is whole; the pages are not.
#[test]
fn damaged_pages() {
    let scratch = Scratch::new();
    let small = SmallCluster::start(&scratch.path(""), 1).expect("a cluster");
    let path = scratch.path("people.parquet");
    People { file: 0, rows: 50_000 }.write_parquet(&path).expect("written");
    let mut bytes = fs::read(&path).expect("read");
    let pages = bytes.len() - bytes.len() / 4;
    for byte in &mut bytes[100..pages] {
        *byte = !*byte;
    }
    fs::write(&path, bytes).expect("written");
    let question = about("outcome", &CATEGORIES).with_missing("unknown");
    let source = scratch.source("people.parquet");
    let expected = DataError::Read(ReadError::Damaged { format: Format::Parquet });
    assert_eq!(here(&source, &question), Err(expected.clone()));
    assert_eq!(there(&source, &question, &cluster(&small.address(), 4)), Err(expected));
}
