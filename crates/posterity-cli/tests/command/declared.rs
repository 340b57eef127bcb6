//! Columns that a schema declares, in releases of one table and in advice.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Run, posterity};

/// People with their schema.
fn people(folder: &Path) -> [String; 2] {
    let records: String = (0..300)
        .map(|id| format!("{},{},{}\n", id % 90, ["A", "B", "C"][id % 3], ["true", "false"][id % 2]))
        .collect();
    let schema = r#"{"fields": [
        {"name": "age", "type": "integer", "bins": [0, 18, 65, 120]},
        {"name": "ward", "type": "string", "constraints": {"enum": ["A", "B", "C"]}},
        {"name": "cured", "type": "boolean"},
        {"name": "id", "type": "integer"}]}"#;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    };
    [write("people.csv", &format!("age,ward,cured\n{records}")), write("people.schema.json", schema)]
}

fn release(file: &str, more: &[&str]) -> Run {
    let args = ["release", file, "--epsilon", "1", "--seed", "4", "--format", "json"];
    posterity(&[&args[..], more].concat())
}

fn json(run: &Run) -> Value {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("one JSON document")
}

/// If this fails, a schema declares something else than the flags that say the same.
#[test]
fn a_schema_says_what_flags_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, schema] = people(folder.path());
    let flags =
        ["--column", "age", "--bins", "0,18,65,120", "--column", "cured", "--categories", "true,false"];
    let by_flags = json(&release(&file, &flags));
    let columns = ["--schema", &schema, "--column", "age", "--column", "cured"];
    assert_eq!(json(&release(&file, &columns)), by_flags);
    // What stands after a column comes before the schema, and labels are for all columns or for one.
    let mixed = [
        "--schema",
        &schema,
        "--missing",
        "unknown",
        "--column",
        "ward",
        "--categories",
        "A,B",
        "--other",
        "rest",
    ];
    let document = json(&release(&file, &[&mixed[..], &["--column", "cured"]].concat()));
    let values: Vec<&Value> = document["request"]["data"]["columns"]
        .as_array()
        .expect("columns")
        .iter()
        .map(|one| &one["values"])
        .collect();
    assert_eq!(
        values,
        [&serde_json::json!(["A", "B", "rest", "unknown"]), &serde_json::json!(["true", "false", "unknown"])]
    );
    let checked = posterity(&["check", &file, "--schema", &schema, "--column", "age"]);
    assert_eq!(checked.code, Some(0), "{}", checked.stderr);
}

/// If this fails, someone pays twice for one answer.
#[test]
fn a_ledger_knows_the_question_in_both_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, schema] = people(folder.path());
    let ledger = folder.path().join("a.ledger").to_string_lossy().into_owned();
    let create = ["budget", "create", &ledger, "--account", "own", "--epsilon", "2"];
    assert_eq!(posterity(&create).code, Some(0));
    let charged = |more: &[&str]| {
        let args = ["release", &file, "--epsilon", "1", "--ledger", &ledger, "--account", "own"];
        posterity(&[&args[..], more].concat()).stderr
    };
    let first = charged(&["--schema", &schema, "--column", "ward"]);
    assert!(first.contains("charged"), "{first}");
    let again = charged(&["--column", "ward", "--categories", "A,B,C"]);
    assert!(again.contains("nothing was charged"), "{again}");
}

/// If this fails, advice is for another number of categories than a release has.
#[test]
fn advice_takes_columns_from_a_schema() {
    let folder = tempfile::tempdir().expect("a folder");
    let [_, schema] = people(folder.path());
    let advised = |more: &[&str]| {
        let args = ["advise", "--n", "300", "--epsilon", "1", "--format", "json"];
        json(&posterity(&[&args[..], more].concat()))
    };
    assert_eq!(advised(&["--schema", &schema, "--column", "ward"]), advised(&["--k", "3"]));
    let two = ["--schema", &schema, "--column", "ward", "--column", "cured", "--read", "cured=true | ward"];
    let table = advised(&two);
    assert_eq!(table["designs"][0]["readings"][0]["reading"], "cured=true | ward");
    assert_eq!(table["columns"][0]["values"], 3);
    let private = ["--schema", &schema, "--column", "ward", "--adjacency", "add-remove"];
    assert_eq!(advised(&private)["columns"][0]["name"], "ward");
}

#[test]
fn rejects() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, schema] = people(folder.path());
    let advise = |more: &[&str]| {
        let args = ["advise", "--n", "300", "--epsilon", "1", "--schema", &schema];
        posterity(&[&args[..], more].concat())
    };
    let with = |more: &[&str]| release(&file, &[&["--schema", &schema], more].concat());
    for (run, said) in [
        (
            with(&[]),
            "--column: say which column holds the categories; the schema declares \"age\", \"ward\", \"cured\"",
        ),
        (with(&["--column", "id"]), "--column: no categories are declared for the column \"id\""),
        (
            with(&["--categories", "A,B", "--column", "ward"]),
            "--categories: with --schema, write this after the --column",
        ),
        (
            with(&["--column", "ward", "--categories", "A", "--bins", "0,1"]),
            "--bins: the values of \"ward\" are declared twice",
        ),
        (
            with(&["--column", "ward", "--categories", "discover"]),
            "--categories: `posterity discover FILE --column NAME` names the values",
        ),
        (
            posterity(&["release", "--counts", "3,4", "--epsilon", "1", "--schema", &schema]),
            "--schema: this is for files",
        ),
        (advise(&["--column", "ward", "--k", "3"]), "--k: --column declares the values"),
        (
            advise(&["--column", "ward", "--column", "cured", "--prior", "1"]),
            "--prior: this is for one column",
        ),
        (advise(&["--column", "ward", "--categories", "discover"]), "--categories: `posterity discover FILE"),
    ] {
        assert!(run.code == Some(2) && run.stderr.contains(said), "{said}: {:?} {}", run.code, run.stderr);
    }
}
