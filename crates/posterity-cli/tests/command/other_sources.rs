//! Standard input, other encodings, and folders whose names hold values.

use std::fs::File;
use std::process::Command;

use crate::budget::Study;
use crate::{Run, document, posterity, run, typed};

const QUESTION: &str = "--column cured --categories yes,no";

/// Runs the command with a file as its standard input.
fn piped(file: &str, line: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_posterity"));
    run(command.args(line).stdin(File::open(file).expect("readable")))
}

fn released(run: &Run) -> serde_json::Value {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("a document")
}

#[test]
fn standard_input_is_counted() {
    let study = Study::new("1");
    let lines = study.file("a.json", "{\"cured\":\"yes\"}\n{\"cured\":\"no\"}\n{\"cured\":\"yes\"}\n");
    let csv = study.file("a.csv", "id,cured\n1,yes\n2,no\n3,yes\n");
    let tsv = study.file("a.tsv", "id\tcured\n1\tyes\n2\tno\n3\tyes\n");
    for (file, format) in [(&lines, "json"), (&csv, "csv"), (&tsv, "tsv")] {
        let line = format!("release - --input-format {format} {QUESTION} --epsilon 1000 --format json");
        let found = released(&piped(file, &typed(&line, &[])));
        assert_eq!(found["released_counts"], serde_json::json!([2, 1]), "{format}");
        assert_eq!(found["request"]["data"]["source"], serde_json::Value::Null);
    }
    let unknown = piped(&csv, &typed(&format!("release - {QUESTION} --epsilon 1"), &[]));
    assert!(unknown.code == Some(2) && unknown.stderr.contains("--input-format"), "{}", unknown.stderr);
    let parquet =
        piped(&csv, &typed(&format!("release - --input-format parquet {QUESTION} --epsilon 1"), &[]));
    assert!(parquet.code == Some(2) && parquet.stderr.contains("save it to a file"), "{}", parquet.stderr);
}

/// If this fails, the same records are charged twice, or other questions about them not at all.
#[test]
fn standard_input_is_charged_by_its_name() {
    let study = Study::new("3");
    let (csv, ledger) = (study.file("a.csv", "id,cured\n1,yes\n2,no\n3,yes\n"), study.ledger());
    let line = |more: &str| {
        format!("release - --input-format csv --epsilon 1 --ledger {{}} --account a --format json {more}")
    };
    let ask = |more: &str| piped(&csv, &typed(&line(more), &[&ledger]));
    let unnamed = ask(QUESTION);
    assert!(unnamed.code == Some(2) && unnamed.stderr.contains("--name"), "{}", unnamed.stderr);
    assert_eq!(study.spent(), "0");
    let first = ask(&format!("{QUESTION} --name trial-7"));
    assert_eq!(study.spent(), "1");
    let again = ask(&format!("{QUESTION} --name trial-7"));
    assert_eq!((study.spent().as_str(), &again.stdout), ("1", &first.stdout));
    assert!(again.stderr.contains("--again"), "{}", again.stderr);
    assert_eq!(released(&first)["request"]["data"]["source"], "trial-7");
    ask("--column id --categories 1,2,3 --name trial-7");
    assert_eq!(study.spent(), "2", "another question");
    ask(&format!("{QUESTION} --name trial-8"));
    assert_eq!(study.spent(), "3", "other records");
    let file = posterity(&typed(&format!("release {{}} {QUESTION} --epsilon 1 --name x"), &[&csv]));
    assert!(file.code == Some(2) && file.stderr.contains("known by its path"), "{}", file.stderr);
}

/// A database of two tables and a view over them.
fn database(study: &Study) -> String {
    let path = study.path("visits.sqlite");
    let database = rusqlite::Connection::open(&path).expect("a database");
    let statements =
        "CREATE TABLE visits (patient, cured); INSERT INTO visits VALUES (1, 'yes'), (1, 'yes'), (2, 'no');
        CREATE TABLE other (patient, cured); INSERT INTO other VALUES (1, 'no');
        CREATE VIEW both AS SELECT visits.patient, visits.cured FROM visits, other";
    database.execute_batch(statements).expect("made");
    path
}

#[test]
fn tables_of_a_database() {
    let study = Study::new("4");
    let (file, ledger) = (database(&study), study.ledger());
    let ask = |more: &str| {
        let line = format!("release {{}} {QUESTION} --epsilon 1000 --format json {more}");
        posterity(&typed(line.trim_end(), &[&file]))
    };
    let found = released(&ask("--table visits"));
    assert_eq!(found["released_counts"], serde_json::json!([2, 1]));
    assert_eq!(found["request"]["data"]["source"], format!("{file}, table visits"));
    let unnamed = ask("");
    assert!(unnamed.code == Some(2) && unnamed.stderr.contains("--table"), "{}", unnamed.stderr);
    assert!(unnamed.stderr.contains("\"other\", \"visits\""), "{}", unnamed.stderr);
    let view = ask("--table both");
    assert!(view.code == Some(2) && view.stderr.contains("is a view"), "{}", view.stderr);
    let alone = ask("--view both");
    assert!(alone.code == Some(2) && alone.stderr.contains("--unit"), "{}", alone.stderr);
    let view = released(&ask("--view both --unit patient"));
    assert_eq!(view["released_counts"], serde_json::json!([1, 1]));
    let promise = view["guarantee"]["statement"].as_str().expect("a statement");
    assert!(
        promise.contains("if each row of the view depends on one patient only and never fails"),
        "{promise}"
    );
    crate::schema::check(&view);
    let line = format!("release {{}} {QUESTION} --epsilon 1 --view both --unit patient");
    let table = posterity(&typed(&line, &[&file]));
    let shown = table.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        shown.contains("n is public, if each row of the view depends on one patient only and never fails"),
        "{shown}"
    );
    // The ledger knows the table.
    let charged = |table: &str| {
        let line = format!("release {{}} {QUESTION} --epsilon 1 --table {table} --ledger {{}} --account a");
        posterity(&typed(&line, &[&file, &ledger]))
    };
    let spent = ["visits", "visits", "other"].map(|table| {
        assert_eq!(charged(table).code, Some(0));
        study.spent()
    });
    assert_eq!(spent, ["1", "1", "2"]);
}

/// If this fails, a password stands in a history or in a message.
#[test]
fn addresses_of_servers() {
    let ask = |address: &str, more: &str| {
        posterity(&typed(format!("release {{}} {QUESTION} --epsilon 1 {more}").trim_end(), &[address]))
    };
    for (address, words) in [
        ("postgres://ada:Mallory4711@db.example/clinic", "PGPASSWORD"),
        ("postgres://ada@db.example/clinic?password=Mallory4711", "PGPASSWORD"),
        ("postgres://ada@db.example/clinic?sslmode=prefer", "verify-full"),
        ("postgres://ada@db.example", "postgres://USER@HOST:5432/DATABASE"),
    ] {
        let wrong = ask(address, "--table visits");
        assert!(wrong.code == Some(2) && wrong.stderr.contains(words), "{}", wrong.stderr);
        assert!(!wrong.stderr.contains("Mallory"), "{}", wrong.stderr);
    }
    let file = ask("visits.csv", "--password-file x");
    assert!(file.code == Some(2) && file.stderr.contains("leave it out"), "{}", file.stderr);
    let named = ask("postgres://ada@db.example/clinic", "--table visits --name x");
    assert!(named.code == Some(2) && named.stderr.contains("--name"), "{}", named.stderr);
}

#[cfg(not(feature = "postgres"))]
#[test]
fn a_command_without_postgresql_says_so() {
    let line = format!("release postgres://ada@db.example/clinic --table visits {QUESTION} --epsilon 1");
    let refused = posterity(&typed(&line, &[]));
    let words = "this command was built without PostgreSQL; build it with --features postgres";
    assert!(refused.code == Some(1) && refused.stderr.contains(words), "{}", refused.stderr);
}

#[test]
fn encodings_and_folders_of_values() {
    let study = Study::new("1");
    let line = format!("release {{}} {QUESTION} --epsilon 1000 --format json");
    let windows = study.file("w.csv", b"id,cured\n\xe4,yes\n2,no\n");
    let refused = posterity(&typed(&line, &[&windows]));
    assert!(refused.code == Some(1) && refused.stderr.contains("--encoding"), "{}", refused.stderr);
    let found = document(&typed(&format!("{line} --encoding windows-1252"), &[&windows]));
    assert_eq!(found["released_counts"], serde_json::json!([1, 1]));
    let wrong = posterity(&typed(&format!("{line} --encoding latin-1"), &[&windows]));
    assert!(wrong.code == Some(2) && wrong.stderr.contains("windows-1252"), "{}", wrong.stderr);
    let semicolons = study.file("s.csv", "id;cured\n1;yes\n");
    let refused = posterity(&typed(&line, &[&semicolons]));
    assert!(
        refused.code == Some(2) && refused.stderr.contains("--delimiter: there is"),
        "{}",
        refused.stderr
    );
    let place = study.path("data/cured=yes");
    std::fs::create_dir_all(&place).expect("a folder");
    study.file("data/cured=yes/a.csv", "id\n1\n2\n");
    let document = document(&typed(&line, &[&study.path("data")]));
    assert_eq!(document["released_counts"], serde_json::json!([2, 0]));
    assert!(!document.to_string().contains("cured=yes"), "{document}");
}
