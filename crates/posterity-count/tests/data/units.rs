//! One record per unit.

use std::sync::Arc;

use arrow_array::Int64Array;
use arrow_schema::DataType;
use posterity_count::{Column, DataError, PerUnit, Question};

use crate::scratch::{Scratch, about, batch, cast, counts, strings};

fn by_id(question: Question) -> Question {
    Question { unit: Some("id".into()), per_unit: PerUnit::First, ..question }
}

const ROWS: &str = "id,cured,year\na,no,1\na,yes,2\nb,no,1\nb,no,3\nc,yes,1\nd,no,2\n";

#[test]
fn the_category_declared_first_is_kept() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", ROWS);
    assert_eq!(counts(&path, &by_id(about("cured", &["yes", "no"]))), Ok(vec![2, 2]));
    assert_eq!(counts(&path, &by_id(about("cured", &["no", "yes"]))), Ok(vec![3, 1]));
}

#[test]
fn the_filter_comes_first() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", ROWS);
    let question = Question { filter: Some("year = 1".into()), ..by_id(about("cured", &["yes", "no"])) };
    assert_eq!(counts(&path, &question), Ok(vec![1, 2]));
}

#[test]
fn a_bad_record_is_an_error_even_if_another_would_be_kept() {
    let scratch = Scratch::new();
    let question = by_id(about("cured", &["yes", "no"]));
    let path = scratch.write("a.csv", "id,cured\na,yes\na,maybe\nb,no\n");
    assert_eq!(counts(&path, &question), Err(DataError::Outside { column: "cured".into() }));
    let path = scratch.write("b.csv", "id,cured\na,yes\na,\nb,no\n");
    assert_eq!(counts(&path, &question), Err(DataError::Missing { column: "cured".into() }));
}

#[test]
fn units_of_any_exact_type() {
    let scratch = Scratch::new();
    let numbers = Arc::new(Int64Array::from(vec![1, 1, 2, 3])) as _;
    let text = strings(&[Some("1"), Some("1"), Some("2"), Some("3")]);
    let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    for unit in [
        cast(&numbers, &DataType::Date32),
        cast(&numbers, &DataType::Decimal128(12, 2)),
        cast(&text, &DataType::Utf8View),
        cast(&text, &DataType::BinaryView),
        cast(&text, &dictionary),
        numbers,
    ] {
        let kind = unit.data_type().clone();
        let cured = strings(&[Some("no"), Some("yes"), Some("no"), Some("no")]);
        let table = batch(vec![("id", unit), ("cured", cured)]);
        for path in [scratch.parquet("a.parquet", &table), scratch.arrow("a.arrow", &table)] {
            assert_eq!(counts(&path, &by_id(about("cured", &["yes", "no"]))), Ok(vec![1, 2]), "{kind}");
        }
    }
}

#[test]
fn several_columns_keep_the_first_cell() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "id,a,b\n1,y,u\n1,x,v\n2,y,v\n");
    let question = Question::new(vec![Column::new("a", ["x", "y"]), Column::new("b", ["u", "v"])]);
    assert_eq!(counts(&path, &by_id(question)), Ok(vec![0, 1, 0, 1]));
}

/// Each rule keeps another record of the same unit.
#[test]
fn the_rule_says_which_record_counts() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "id,cured,day\na,no,2\na,no,10\na,yes,9\nb,yes,1\n");
    let ask = |rule: PerUnit| Question { per_unit: rule, ..by_id(about("cured", &["yes", "no"])) };
    assert_eq!(counts(&path, &ask(PerUnit::First)), Ok(vec![2, 0]));
    assert_eq!(counts(&path, &ask(PerUnit::Mode)), Ok(vec![1, 1]));
    // 10 comes after 9, although the text does not.
    assert_eq!(counts(&path, &ask(PerUnit::Latest("day".into()))), Ok(vec![1, 1]));
    let unknown = counts(&path, &ask(PerUnit::Latest("date".into())));
    assert!(matches!(unknown, Err(DataError::UnknownColumn { .. })), "{unknown:?}");
}

/// A number and the text of its digits are one unit, and so are true and the text of it.
#[test]
fn units_of_json_are_told_apart_by_their_printed_form() {
    let scratch = Scratch::new();
    let record = |id: &str, cured: &str| format!("{{\"id\":{id},\"cured\":\"{cured}\"}}\n");
    let text = [record("1", "no"), record("\"1\"", "yes"), record("\"01\"", "no"), record("true", "no")];
    let path = scratch.write("a.json", text.concat());
    assert_eq!(counts(&path, &by_id(about("cured", &["yes", "no"]))), Ok(vec![1, 2]));
    for id in ["1.5", "{}", "[1]"] {
        let path = scratch.write("b.json", record(id, "no"));
        let refused = counts(&path, &by_id(about("cured", &["yes", "no"])));
        assert_eq!(refused, Err(DataError::Unnamed { column: "id".into() }), "{id}");
    }
}
