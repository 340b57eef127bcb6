//! Conditions on records.

use std::sync::Arc;

use arrow_array::Int64Array;
use posterity_count::{ColumnHint, DataError, FilterError, Question};

use crate::scratch::{Scratch, about, batch, counts, strings};

fn filtered(filter: &str) -> Question {
    Question { filter: Some(filter.into()), ..about("cured", &["yes", "no"]) }
}

/// Text compared with a number is a number, in every format: 9 is below 30, and 100 above.
#[test]
fn numbers_are_compared_as_numbers() {
    let scratch = Scratch::new();
    let cured = || strings(&[Some("yes"), Some("yes"), Some("no"), Some("no")]);
    let ages = Arc::new(Int64Array::from(vec![Some(9), Some(100), Some(31), None]));
    let text = strings(&[Some("9"), Some("100"), Some("31"), None]);
    let paths = [
        scratch.write("a.csv", "cured,age\nyes,9\nyes,100\nno,31\nno,\n"),
        scratch.parquet("a.parquet", &batch(vec![("cured", cured()), ("age", ages)])),
        scratch.arrow("a.arrow", &batch(vec![("cured", cured()), ("age", text)])),
        scratch.write("a.json", "{\"cured\":\"yes\",\"age\":9}\n{\"cured\":\"yes\",\"age\":100}\n{\"cured\":\"no\",\"age\":31}\n{\"cured\":\"no\"}\n"),
    ];
    for path in paths {
        for filter in [
            "age > 30",
            "30 < age",
            "age BETWEEN 30 AND 200",
            "NOT age <= 30",
            "age >= 30.5",
            "age + 1 > 31",
            "age IN (100, 31, 5)",
            "age <> 9",
            "age > 8 AND age * 2 > 60",
        ] {
            assert_eq!(counts(&path, &filtered(filter)), Ok(vec![1, 1]), "{filter} {path}");
        }
        assert_eq!(counts(&path, &filtered("age IS NULL")), Ok(vec![0, 1]), "{path}");
        assert_eq!(counts(&path, &filtered("true")), Ok(vec![2, 2]), "{path}");
    }
}

#[test]
fn a_filter_sees_the_category_column_too() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "cured,x\nyes,1\nno,2\nmaybe,3\n,4\n");
    assert_eq!(counts(&path, &filtered("cured IN ('yes', 'no')")), Ok(vec![1, 1]));
    assert_eq!(counts(&path, &filtered("cured <> 'maybe'")), Ok(vec![1, 1]));
}

/// The deepest filter that is allowed passes all of planning.
#[test]
fn a_filter_of_many_parts() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "cured,x\nyes,1\nno,2\n");
    let either = (0..125).map(|i| format!("x = {i}")).collect::<Vec<_>>().join(" OR ");
    let sum = format!("{} > 0", vec!["x"; 250].join(" + "));
    for filter in [either, sum] {
        assert_eq!(counts(&path, &filtered(&filter)), Ok(vec![1, 1]));
    }
}

#[test]
fn nothing_left() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "cured,x\nyes,1\n");
    for filter in ["false", "x > 5", "x = 'none'", "NULL = 1"] {
        assert_eq!(counts(&path, &filtered(filter)), Err(DataError::NoRecords), "{filter}");
    }
}

#[test]
fn rejects() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "cured,X\nyes,1\n");
    let other = scratch.write("other.csv", "a\n1\n");
    let from_file = format!("(SELECT count(*) FROM '{other}') > 0");
    let from_table = "EXISTS (SELECT * FROM source)".to_owned();
    let from_schema = "X IN (SELECT table_name FROM information_schema.tables)".to_owned();
    for filter in [
        "X >",
        "",
        "X = 1; DROP TABLE x",
        "nosuch(X)",
        "X = ARRAY[1]",
        "length(X) > 1",
        "CAST(X AS INT) > 1",
        "X || 'y' = '1y'",
        &from_file,
        &from_table,
        &from_schema,
    ] {
        let error = counts(&path, &filtered(filter)).expect_err(filter);
        let fits = matches!(
            &error,
            DataError::Filter { error: FilterError::Invalid { .. } | FilterError::Forbidden { .. }, .. }
        );
        assert!(fits, "{filter}: {error:?}");
    }
    let hint = ColumnHint::Like("X".into());
    let error = FilterError::UnknownColumn { column: "x".into(), hint };
    assert_eq!(counts(&path, &filtered("x > 1")), Err(DataError::Filter { filter: "x > 1".into(), error }));
    let error = FilterError::NotBoolean { kind: "a number" };
    assert_eq!(counts(&path, &filtered("1 + 1")), Err(DataError::Filter { filter: "1 + 1".into(), error }));
}
