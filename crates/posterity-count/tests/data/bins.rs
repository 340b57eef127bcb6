//! Numbers in declared bins.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array};
use arrow_schema::DataType;
use posterity_count::{Bins, Column, DataError, Question};

use crate::scratch::{Scratch, batch, cast, counts, strings};

fn ages(edges: &[&str]) -> Question {
    Question::new(vec![Column::binned("age", Bins::new(edges).expect("valid"))])
}

#[test]
fn every_format_sorts_alike() {
    let scratch = Scratch::new();
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![0, 17, 18, 39, 64]));
    let floats: ArrayRef = Arc::new(Float64Array::from(vec![0.0, 17.999, 18.0, 39.5, 64.0]));
    let text = strings(&[Some("0"), Some("17.999"), Some("18.0"), Some("3.9e1"), Some("64")]);
    let table = |array: &ArrayRef| batch(vec![("age", array.clone())]);
    let paths = [
        scratch.write("a.csv", "i,age\n1,0\n2,17.999\n3,18\n4,39\n5,64\n"),
        scratch.write(
            "a.json",
            "{\"age\":0}\n{\"age\":17.999}\n{\"age\":\"18\"}\n{\"age\":3.9e1}\n{\"age\":64}\n",
        ),
        scratch.parquet("a.parquet", &table(&numbers)),
        scratch.parquet("b.parquet", &table(&floats)),
        scratch.parquet("c.parquet", &table(&cast(&floats, &DataType::Decimal128(9, 3)))),
        scratch.arrow("a.arrow", &table(&numbers)),
        scratch.arrow("b.arrow", &table(&floats)),
        scratch.arrow("c.arrow", &table(&text)),
    ];
    for path in paths {
        assert_eq!(counts(&path, &ages(&["0", "18", "40", "65"])), Ok(vec![2, 2, 1]), "{path}");
        let outside = Err(DataError::OutsideBins { column: "age".into() });
        assert_eq!(counts(&path, &ages(&["0", "18", "64"])), outside, "the upper edge is outside: {path}");
        let other = ages(&["0", "18"]).with_other("rest");
        assert_eq!(counts(&path, &other), Ok(vec![2, 3]), "{path}");
    }
}

#[test]
fn what_is_no_number() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "age,x\n5,1\nold,2\n,3\n");
    let rest = ages(&["0", "9"]).with_other("rest").with_missing("none");
    assert_eq!(counts(&path, &rest), Ok(vec![1, 1, 1]));
    let strict = ages(&["0", "9"]).with_missing("none");
    assert_eq!(counts(&path, &strict), Err(DataError::OutsideBins { column: "age".into() }));
    let dates = cast(&strings(&[Some("2020-01-01")]), &DataType::Date32);
    let path = scratch.parquet("a.parquet", &batch(vec![("age", dates)]));
    assert!(matches!(counts(&path, &rest), Err(DataError::UnsupportedType { .. })));
}

#[test]
fn bins_beside_categories() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "age,cured\n5,yes\n5,no\n20,yes\n");
    let question = Question::new(vec![
        Column::binned("age", Bins::new(["0", "18", "40"]).expect("valid")),
        Column::new("cured", ["yes", "no"]),
    ]);
    assert_eq!(counts(&path, &question), Ok(vec![1, 1, 1, 0]));
}
