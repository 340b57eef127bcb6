//! What is accepted, and what it counts to.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Int8Array, Int64Array, NullArray, UInt64Array};
use arrow_schema::DataType;
use posterity_count::{Column, DataError, Format, Question, Source};

use crate::scratch::{Scratch, about, answer, batch, cast, counts, strings};

const CSV: &str = "id,cured\n1,yes\n2,no\n3,yes\n";
const JSON: &str =
    "{\"id\":1,\"cured\":\"yes\"}\n{\"id\":2,\"cured\":\"no\"}\n{\"id\":3,\"cured\":\"yes\"}\n";

fn cured() -> Question {
    about("cured", &["yes", "no"])
}

#[test]
fn every_format() {
    let scratch = Scratch::new();
    let table = batch(vec![("cured", strings(&[Some("yes"), Some("no"), Some("yes")]))]);
    let paths = [
        scratch.write("a.csv", CSV),
        scratch.gzip("a.csv.gz", CSV),
        scratch.write("a.json", JSON),
        scratch.write("a.jsonl", JSON.trim_end()),
        scratch.write("a.ndjson", JSON),
        scratch.gzip("a.json.gz", JSON),
        scratch.parquet("a.parquet", &table),
        scratch.arrow("a.arrow", &table),
        scratch.arrow("a.feather", &table),
    ];
    for path in paths {
        let counted = answer(&Source::files(&path), &cured()).expect(&path);
        assert_eq!(counted.counts.as_slice(), [2, 1], "{path}");
        assert_eq!(counted.categories.names(), ["yes", "no"], "{path}");
        assert_eq!(counted.rows_scanned, Some(3), "{path}");
    }
}

#[test]
fn the_format_may_be_given() {
    let scratch = Scratch::new();
    let path = scratch.write("people.txt", CSV.replace(',', ";"));
    let source = Source::files(path).with_format(Format::Csv).with_delimiter(';');
    assert_eq!(answer(&source, &cured()).expect("counted").counts.as_slice(), [2, 1]);
}

#[test]
fn folders_and_globs() {
    let scratch = Scratch::new();
    scratch.write("d/b.csv", "id,cured\n4,no\n");
    scratch.write("d/a.csv", CSV);
    scratch.write("d/_SUCCESS", "");
    scratch.write("d/.hidden.json", "x");
    assert_eq!(counts(&scratch.text("d"), &cured()), Ok(vec![2, 2]));
    assert_eq!(counts(&scratch.text("d/*.csv"), &cured()), Ok(vec![2, 2]));
    assert_eq!(counts(&scratch.text("**/a.csv"), &cured()), Ok(vec![2, 1]));
    assert_eq!(counts(&scratch.text("d/[b].csv"), &cured()), Ok(vec![0, 1]));
}

#[test]
fn names_of_files_are_not_patterns() {
    let scratch = Scratch::new();
    for name in ["a[1].csv", "a b.csv", "50%.csv", "ä#?.csv", "a*.csv", "x%20y.csv"] {
        let path = scratch.write(name, CSV);
        assert_eq!(counts(&path, &cured()), Ok(vec![2, 1]), "{name}");
    }
}

#[test]
fn names_of_columns_are_taken_as_they_are() {
    let scratch = Scratch::new();
    for name in ["Cured", "a.b", "a b", "ä", "select", "unit", "part0", "source.x"] {
        let path = scratch.write("a.csv", format!("unit2,{name}\n1,yes\n2,no\n"));
        let question = Question { unit: Some("unit2".into()), ..about(name, &["yes", "no"]) };
        assert_eq!(counts(&path, &question), Ok(vec![1, 1]), "{name}");
    }
}

#[test]
fn csv_values_are_text() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "x,y\n01,a\n1,a\n\" 1\",a\n1.0,a\nTRUE,a\n");
    let question = about("x", &["01", "1", " 1", "1.0", "TRUE"]);
    assert_eq!(counts(&path, &question), Ok(vec![1; 5]));
}

#[test]
fn csv_quotes_line_breaks_and_marks() {
    let scratch = Scratch::new();
    let text = "\u{feff}\"x\",y\r\n\"a,b\",1\r\n\"c\"\"d\",\"line\nbreak\"\r\n\"c\"\"d\",2";
    let path = scratch.write("a.csv", text);
    assert_eq!(counts(&path, &about("x", &["a,b", "c\"d"])), Ok(vec![1, 2]));
}

/// Large enough that the engine reads pieces of the file in parallel: a break within quotes must not be taken for the
/// end of a record.
#[test]
fn quoted_line_breaks_in_a_large_file() {
    let scratch = Scratch::new();
    let mut text = String::from("x,note\n");
    let records = 300_000_u64;
    for i in 0..records {
        text.push_str(if i % 3 == 0 {
            "yes,\"a\nno,\nno,b\nlong enough to be cut here\"\n"
        } else {
            "no,plain text\n"
        });
    }
    let path = scratch.write("a.csv", text);
    assert_eq!(counts(&path, &about("x", &["yes", "no"])), Ok(vec![records / 3, records - records / 3]));
}

#[test]
fn types_match_their_printed_form() {
    let scratch = Scratch::new();
    let text = strings(&[Some("1"), Some("2"), Some("1")]);
    let dictionary =
        |value: DataType| cast(&text, &DataType::Dictionary(Box::new(DataType::Int16), Box::new(value)));
    let arrays: Vec<ArrayRef> = vec![
        text.clone(),
        cast(&text, &DataType::LargeUtf8),
        cast(&text, &DataType::Utf8View),
        dictionary(DataType::Utf8),
        dictionary(DataType::LargeUtf8),
        dictionary(DataType::Int32),
        Arc::new(Int8Array::from(vec![1, 2, 1])),
        Arc::new(Int64Array::from(vec![1, 2, 1])),
        Arc::new(UInt64Array::from(vec![1, 2, 1])),
    ];
    for array in arrays {
        let table = batch(vec![("x", array.clone())]);
        for path in [scratch.parquet("a.parquet", &table), scratch.arrow("a.arrow", &table)] {
            let kind = array.data_type();
            assert_eq!(counts(&path, &about("x", &["1", "2"])), Ok(vec![2, 1]), "{kind} {path}");
            assert!(counts(&path, &about("x", &["01", "2"])).is_err(), "{kind} {path}");
            let rest = about("x", &["2"]).with_other("rest");
            assert_eq!(counts(&path, &rest), Ok(vec![1, 2]), "{kind} {path}");
        }
    }
    let table = batch(vec![("x", Arc::new(BooleanArray::from(vec![true, false, true])))]);
    let path = scratch.parquet("b.parquet", &table);
    assert_eq!(counts(&path, &about("x", &["true", "false"])), Ok(vec![2, 1]));
    let path = scratch.write("b.json", "{\"x\":true}\n{\"x\":false}\n");
    assert_eq!(counts(&path, &about("x", &["false", "true"])), Ok(vec![1, 1]));
    let path = scratch.write("c.json", "{\"x\":7}\n{\"x\":8}\n{\"x\":7}\n");
    assert_eq!(counts(&path, &about("x", &["7", "8"])), Ok(vec![2, 1]));
}

#[test]
fn missing_values_count_where_they_are_told_to() {
    let scratch = Scratch::new();
    let values = strings(&[Some("x"), None, Some("z"), None]);
    let dictionary = cast(&values, &DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)));
    let paths = [
        scratch.write("a.csv", "i,a\n1,x\n2,\n3,z\n4,\"\"\n"),
        scratch.write("a.json", "{\"a\":\"x\"}\n{\"a\":null}\n{\"a\":\"z\"}\n{}\n"),
        scratch.parquet("a.parquet", &batch(vec![("a", values)])),
        scratch.arrow("a.arrow", &batch(vec![("a", dictionary)])),
    ];
    let ask = |other: Option<&str>, missing: Option<&str>| {
        let (other, missing) = (other.map(Into::into), missing.map(Into::into));
        Question::new(vec![Column { other, missing, ..Column::new("a", ["x", "y"]) }])
    };
    for path in paths {
        assert_eq!(counts(&path, &ask(Some("o"), Some("m"))), Ok(vec![1, 0, 1, 2]), "{path}");
        assert_eq!(counts(&path, &ask(Some("y"), Some("y"))), Ok(vec![1, 3]), "{path}");
        assert_eq!(counts(&path, &ask(Some("o"), Some("x"))), Ok(vec![3, 0, 1]), "{path}");
        assert!(counts(&path, &ask(Some("o"), None)).is_err(), "{path}");
        assert!(counts(&path, &ask(None, Some("m"))).is_err(), "{path}");
    }
    let nulls = batch(vec![("a", Arc::new(NullArray::new(3)))]);
    assert_eq!(counts(&scratch.arrow("n.arrow", &nulls), &ask(None, Some("m"))), Ok(vec![0, 0, 3]));
}

/// If this fails, a value counts in a column by the categories of another one.
#[test]
fn each_column_has_its_own_other_and_missing() {
    let scratch = Scratch::new();
    let (a, b) = (
        strings(&[Some("x"), None, Some("z"), Some("y")]),
        strings(&[Some("u"), Some("v"), Some("u"), None]),
    );
    let table = batch(vec![("a", a), ("b", b)]);
    let paths = [
        scratch.write("a.csv", "a,b\nx,u\n,v\nz,u\ny,\n"),
        scratch.write(
            "a.json",
            "{\"a\":\"x\",\"b\":\"u\"}\n{\"b\":\"v\"}\n{\"a\":\"z\",\"b\":\"u\"}\n{\"a\":\"y\"}\n",
        ),
        scratch.parquet("a.parquet", &table),
        scratch.arrow("a.arrow", &table),
    ];
    let (a, b) = (Column::new("a", ["x", "y"]), Column::new("b", ["u", "v"]));
    let labelled = |column: &Column, other: Option<&str>, missing: Option<&str>| {
        let (other, missing) = (other.map(Into::into), missing.map(Into::into));
        Column { other, missing, ..column.clone() }
    };
    let both = |other: Option<&str>, missing: Option<&str>| labelled(&a, other, missing);
    for path in paths {
        let ask = |a: Column, b: Column| counts(&path, &Question::new(vec![a, b]));
        let own = ask(both(Some("o"), Some("m")), labelled(&b, None, Some("v")));
        assert_eq!(own, Ok(vec![1, 0, 0, 1, 1, 0, 0, 1]), "{path}");
        let refused = ask(both(Some("o"), Some("m")), b.clone());
        assert_eq!(refused, Err(DataError::Missing { column: "b".into() }), "{path}");
        let refused = ask(both(Some("o"), None), labelled(&b, None, Some("v")));
        assert_eq!(refused, Err(DataError::Missing { column: "a".into() }), "{path}");
        let refused = ask(both(None, Some("m")), labelled(&b, Some("o"), Some("v")));
        assert_eq!(refused, Err(DataError::Outside { column: "a".into() }), "{path}");
    }
}

#[test]
fn several_columns_make_cells_in_row_major_order() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "a,b,c\nx,u,1\nx,v,2\ny,u,1\ny,u,9\n");
    let question = Question::new(vec![
        Column::new("a", ["x", "y"]),
        Column::new("c", ["1", "2"]),
        Column::new("b", ["u", "v", "o"]),
    ])
    .with_other("o");
    let counted = answer(&Source::files(path), &question).expect("counted");
    let found: Vec<_> = counted
        .categories
        .names()
        .iter()
        .zip(counted.counts.as_slice())
        .filter(|&(_, &count)| count > 0)
        .map(|(name, count)| format!("{name}:{count}"))
        .collect();
    assert_eq!(found, ["a=x,c=1,b=u:1", "a=x,c=2,b=v:1", "a=y,c=1,b=u:1", "a=y,c=o,b=u:1"]);
    assert_eq!(counted.counts.len(), 3 * 3 * 3);
}
