//! Every output that comes from a draw, or shows data, says whether it is private: tables, comma-separated values, JSON, and
//! standard error.

use std::fs;
use std::path::Path;

use crate::{Run, posterity};

/// The outputs: a name for people, the command line, and whether it is from a draw, which can be private.
const OUTPUTS: [(&str, &str, bool); 17] = [
    ("`release`", "release stays.csv --column cured --categories yes,no --epsilon 1 DRAW", true),
    (
        "`release --read`",
        "release stays.csv --schema stays.schema.json --column ward --column cured --epsilon 1 --read cured~|~ward --compare \
         cured=yes~|~ward:~A~-~B DRAW",
        true,
    ),
    (
        "`margins`",
        "margins stays.csv --schema stays.schema.json --sets 2 --delta 1e-9 --epsilon 1 --read cured~|~ward DRAW",
        true,
    ),
    ("`discover`", "discover stays.csv --column ward --unit id --delta 1e-9 --epsilon 1 DRAW", true),
    ("`read` of a posterior", "read posterior.json", true),
    ("`read --read`", "read posterior.json --read cured", true),
    ("`read` of tables of many columns", "read margins.json --read cured~|~ward", true),
    ("`read` of discovered categories", "read discovered.json", true),
    ("`rows`", "rows margins.json --rows 50 --out rows.csv --non-negative tables.csv --force", true),
    ("`rows --explain`", "rows margins.json --rows 50 --out rows.csv --force --explain", true),
    ("`inspect`", "inspect --counts 3,4 --epsilon 1", false),
    ("`compare`", "compare --counts 3,4 --epsilon 1", false),
    ("`compare --runs`", "compare --counts 3,4 --epsilon 1 --runs 20", false),
    ("`audit --counts`", "audit --counts 3,4 --epsilon 1 --mechanism ehds", false),
    ("`check`", "check stays.csv --column ward --categories A,B", false),
    ("`check` with values that are not declared", "check stays.csv --column ward --categories A,C", false),
    ("`release` without a guarantee", "release --counts 3,4 --epsilon 1 --mechanism mh --not-private", false),
];

/// How a line begins that says that something is not private.
const ALARM: &str = "NOT PRIVATE";

/// Everything that the command lines need.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: String =
        (0..400).map(|id| format!("{id},{},{}\n", ["A", "B"][id % 2], ["yes", "no"][id % 3 % 2])).collect();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("stays.csv", &format!("id,ward,cured\n{rows}"));
    write(
        "stays.schema.json",
        r#"{"fields": [{"name": "ward", "constraints": {"enum": ["A", "B"]}}, {"name": "cured", "constraints": {"enum": ["yes", "no"]}}]}"#,
    );
    write(
        "plan.toml",
        "source = 'stays.csv'\nepsilon = 1\ndelta = 1e-9\n[columns]\nward = ['A', 'B']\ncured = ['yes', 'no']\n\
         [[question]]\ncolumns = ['ward', 'cured']\nread = ['cured | ward']\ncompare = ['cured=yes | ward: A - B']\n\
         [[margins]]\nsets = 2\nread = ['cured | ward']\n[[require]]\nread = 'cured | ward'\npoints = 40\n",
    );
    folder
}

/// Runs a command line, whose files are in the folder. `~` stands for a blank within a word.
fn run(folder: &Path, line: &str, draw: &str, more: &[&str]) -> Run {
    let files = ["stays.csv", "stays.schema.json", "posterity.json", "plan.toml", "rows.csv", "tables.csv"];
    let is_file = |word: &str| files.contains(&word) || word.ends_with(".json") || word == "results";
    let words = line.replace("DRAW", draw);
    let words: Vec<String> = (words.split(' ').filter(|word| !word.is_empty()))
        .map(|word| {
            if is_file(word) {
                folder.join(word).to_string_lossy().into_owned()
            } else {
                word.replace('~', " ")
            }
        })
        .collect();
    let mut args: Vec<&str> = words.iter().map(String::as_str).collect();
    args.extend(more);
    posterity(&args)
}

/// The documents that are read, drawn from a seed or from the system.
fn documents(folder: &Path, draw: &str) {
    for (name, line) in [("posterior", OUTPUTS[0].1), ("margins", OUTPUTS[2].1), ("discovered", OUTPUTS[3].1)]
    {
        let made = run(folder, line, draw, &["--format", "json"]);
        assert_eq!(made.code, Some(0), "{line}: {}", made.stderr);
        fs::write(folder.join(format!("{name}.json")), made.stdout).expect("written");
    }
}

/// What stands in the column `private` of every row of a table of comma-separated values: nothing if there is no such
/// column, or if rows disagree. It is the last column.
fn column(csv: &str) -> Option<bool> {
    let mut lines = csv.lines();
    assert!(lines.next()?.ends_with(",private"), "{csv}");
    let marks: Vec<bool> = lines.map(|line| line.rsplit(',').next() == Some("true")).collect();
    let first = *marks.first()?;
    marks.iter().all(|mark| *mark == first).then_some(first)
}

/// If this fails, an experiment or the data itself is published as if it were private: nothing that is copied out of the
/// output says that it is not.
#[test]
fn every_output_says_whether_it_is_private() {
    let folder = folder();
    let folder = folder.path();
    let mut shown = String::from(
        "| output | CSV: column `private` | JSON: `private` | text: a line | standard error: a line |\n|---|---|---|---|---|\n",
    );
    for (draw, private) in [("--seed 7", false), ("", true)] {
        documents(folder, draw);
        for (name, line, is_drawn) in OUTPUTS {
            let private = private && is_drawn;
            let text = run(folder, line, draw, &[]);
            assert_eq!(text.code, Some(0), "{line}: {}", text.stderr);
            assert_eq!(text.stdout.contains(ALARM), !private, "{line}: {}", text.stdout);
            assert_eq!(text.stderr.contains(ALARM), !private, "{line}: {}", text.stderr);
            let json = run(folder, line, draw, &["--format", "json"]);
            let found: serde_json::Value = serde_json::from_str(&json.stdout).expect("one JSON document");
            assert_eq!(found["private"], private, "{line}: {}", json.stdout);
            assert_eq!(json.stderr.contains(ALARM), !private, "{line}: {}", json.stderr);
            let csv = run(folder, line, draw, &["--format", "csv"]);
            let is_empty = csv.stdout.lines().count() == 1;
            assert!(is_empty || column(&csv.stdout) == Some(private), "{line}: {}", csv.stdout);
            assert!(csv.stdout.lines().next().expect("a head").ends_with(",private"), "{line}");
            assert_eq!(csv.stderr.contains(ALARM), !private, "{line}: {}", csv.stderr);
            if line.starts_with("rows") {
                // Rows have the column only where it says that they are not private: their other columns are the data's.
                let rows = fs::read_to_string(folder.join("rows.csv")).expect("rows");
                assert!(
                    rows.starts_with(if private { "ward,cured\n" } else { "ward,cured,private\n" }),
                    "{rows}"
                );
                assert!(private || column(&rows) == Some(false), "{rows}");
                let tables = fs::read_to_string(folder.join("tables.csv")).expect("tables");
                assert_eq!(column(&tables), Some(private), "{tables}");
            }
            if draw.is_empty() {
                let marks = if is_drawn { ["true or false", "true or false"] } else { ["false"; 2] };
                let line = if is_drawn { "if it is not" } else { "always" };
                shown += &format!("| {name} | {} | {} | {line} | {line} |\n", marks[0], marks[1]);
            }
        }
    }
    let docs =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/publishing.md")).expect("docs");
    assert!(docs.contains(&shown), "docs/publishing.md has another table than this one:\n{shown}");
}

/// If this fails, a table of an experiment's study says that it is private, or nothing.
#[test]
fn every_file_of_a_study_says_whether_it_is_private() {
    let folder = folder();
    for (draw, private) in [("--seed 7", false), ("", true)] {
        let out = folder.path().join(format!("results-{private}"));
        let study = run(
            folder.path(),
            "study plan.toml DRAW --out",
            draw,
            &[out.to_str().expect("UTF-8"), "--format", "csv"],
        );
        assert_eq!(study.code, Some(0), "{}", study.stderr);
        assert_eq!(study.stderr.contains(ALARM), !private, "{}", study.stderr);
        assert_eq!(column(&study.stdout), Some(private), "{}", study.stdout);
        let mut tables = 0;
        for entry in fs::read_dir(&out).expect("a folder") {
            let path = entry.expect("a file").path();
            let text = fs::read_to_string(&path).expect("text");
            let shown = path.display();
            match path.extension().and_then(|end| end.to_str()) {
                Some("csv") => {
                    assert_eq!(column(&text), Some(private), "{shown}: {text}");
                    tables += 1;
                }
                Some("json") => {
                    let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
                    assert_eq!(found["private"], private, "{shown}");
                }
                _ => assert_eq!(text.contains(ALARM), !private, "{shown}"),
            }
        }
        assert!(tables >= 5, "cells, readings, comparisons, readings of margins and requirements: {tables}");
    }
}
