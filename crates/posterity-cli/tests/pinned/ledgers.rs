//! Questions and prices as a ledger records them. The question is the key of a charge: if its text changes, nothing that
//! was charged is recalled.

use std::fmt::Write as _;

use insta::assert_snapshot;
use serde_json::Value;

use crate::{Desk, lasting};

/// The name, the account, the question. `{pay}` stands for the ledger and the account.
const CHARGES: [(&str, &str, &str); 22] = [
    ("table", "", "release stays.csv --column ward --categories A,B,C --epsilon 1 {pay}"),
    (
        "table with readings",
        "",
        "release stays.csv --column ward --categories A,B,C --column cured --categories yes,no --read 'cured | ward' --level 0.9 --epsilon 0.5 {pay}",
    ),
    (
        "mechanism",
        "",
        "release stays.csv --column cured --categories yes,no --epsilon 1 --mechanism ehds(gamma=0.5) {pay}",
    ),
    (
        "decoder",
        "",
        "release stays.csv --column ward --categories A,B,C --epsilon 1 --decode projection {pay}",
    ),
    ("prior", "", "release stays.csv --column ward --categories A,B,C --epsilon 1 --prior 0.5 {pay}"),
    (
        "mhg pays twice",
        "",
        "release stays.csv --column ward --categories A,B,C --epsilon 1 --mechanism mhg {pay}",
    ),
    ("where", "", "release stays.csv --column ward --categories A,B,C --where 'age >= 40' --epsilon 1 {pay}"),
    (
        "within",
        "",
        "release stays.csv --column ward --categories A,B,C --within 'age >= 40' --epsilon 1 {pay}",
    ),
    ("edition", "", "release stays.csv --column ward --categories A,B,C --edition 2026 --epsilon 1 {pay}"),
    (
        "other and missing",
        "",
        "release unknown.csv --column ward --categories A,B,C --other elsewhere --column cured --categories yes,no --missing unknown --epsilon 1 {pay}",
    ),
    ("bins", "", "release stays.csv --column age --bins 18,40,65,88 --epsilon 1 {pay}"),
    ("counts", "", "release --counts 48,42 --categories cured,not --epsilon 1 {pay}"),
    ("tight", "", "release --counts 18,12 --epsilon 1 --mechanism tight(ehds) {pay}"),
    ("certified", "", "release --counts 18,12 --epsilon 1 --mechanism mh --certificate mh.json {pay}"),
    ("unit", "--unit id", "release stays.csv --column ward --categories A,B,C --unit id --epsilon 1 {pay}"),
    (
        "latest",
        "--unit id",
        "release stays.csv --column ward --categories A,B,C --unit id --per-unit 'latest age' --epsilon 1 {pay}",
    ),
    (
        "add-remove",
        "--adjacency add-remove",
        "release stays.csv --column ward --categories A,B,C --adjacency add-remove --epsilon 1 {pay}",
    ),
    (
        "add-remove, of an account with public n",
        "",
        "release stays.csv --column ward --categories A,B,C --adjacency add-remove --epsilon 1 {pay}",
    ),
    (
        "all records of a unit",
        "--unit id --adjacency add-remove",
        "release stays.csv --column ward --categories A,B,C --adjacency add-remove --unit id --per-unit 'all 3' --epsilon 1 {pay}",
    ),
    (
        "margins",
        "--delta 1e-6",
        "margins stays.csv --schema stays.schema.json --column ward --column sex --column cured --sets 2 --epsilon 1 --delta 1e-9 {pay}",
    ),
    (
        "discovered",
        "--delta 1e-6 --adds-up --adjacency add-remove",
        "discover stays.csv --column ward --one-record-per-person --epsilon 1 --delta 1e-9 {pay}",
    ),
    ("study", "--delta 1e-6", "study plan.toml --out results"),
];

/// What a document says of its promise and its price. What was drawn differs from run to run.
const SAID: [&str; 8] = ["request", "promise", "epsilon", "delta", "rho", "private", "guarantee", "charge"];

/// If this fails, a question that was charged is charged again, has another price, or promises something else.
#[test]
fn questions_and_prices_are_what_they_were() {
    let mut all = String::new();
    for (name, account, line) in CHARGES {
        let desk = Desk::new();
        desk.done(&format!("budget create study.ledger --account office --epsilon 9 {account}"));
        if line.contains("mh.json") {
            desk.done("audit --n 30 --k 2 --epsilon 1 --mechanism mh --certificate mh.json");
        }
        let line = line.replace("{pay}", "--ledger study.ledger --account office --format json");
        let said = desk.done(&line);
        let exported = desk.done("budget export study.ledger");
        let exported: Value = serde_json::from_str(&exported.stdout).expect("JSON");
        writeln!(all, "== {name}\n$ posterity {line}\n{}", said.stderr.trim_end()).expect("text");
        let entries = exported["entries"].as_array().expect("entries");
        for entry in entries.iter().filter(|entry| entry["kind"] == "charge") {
            // Times, hashes and draws differ from run to run.
            let parts = ["question", "epsilon", "delta", "rho", "parts", "release", "unit", "total"];
            for part in parts.iter().filter(|part| entry.get(part).is_some()) {
                writeln!(all, "{part}: {}", entry[part]).expect("text");
            }
        }
        if let Ok(Value::Object(document)) = serde_json::from_str(&said.stdout) {
            for part in SAID.iter().filter(|part| document.contains_key(**part)) {
                writeln!(all, "document.{part}: {}", document[*part]).expect("text");
            }
            // What a public registry is told has no number that was drawn.
            if ["table", "unit", "add-remove", "margins", "discovered", "certified"].contains(&name) {
                desk.write("document.json", &said.stdout);
                let record = desk.done("describe document.json --ledger study.ledger --as registry");
                assert_snapshot!(format!("registry-{name}"), lasting(&record.stdout));
            }
        }
        // The same question is answered again, and nothing is charged. Counts have no name.
        let before = desk.ledger("study.ledger");
        desk.done(&line);
        assert_eq!(
            desk.ledger("study.ledger") == before,
            !line.contains("--counts"),
            "{name}: charged again?"
        );
    }
    assert_snapshot!("ledgers", lasting(&all));
}

/// How the path to one file is written.
const PATHS: [&str; 4] = ["stays.csv", "./stays.csv", "FOLDER/stays.csv", "../DESK/stays.csv"];

/// If this fails, a file is known by another path than before, or a question about it is refused or charged otherwise.
#[test]
fn paths_to_a_file_are_known_as_they_were() {
    let mut all = String::new();
    for (name, account, line) in CHARGES {
        let ["table" | "margins" | "discovered"] = [name] else { continue };
        let desk = Desk::new();
        desk.done(&format!("budget create study.ledger --account office --epsilon 9 {account}"));
        let line = line.replace("{pay}", "--ledger study.ledger --account office");
        for path in PATHS {
            let folder = desk.path().to_string_lossy();
            let own = desk.path().file_name().expect("a name").to_string_lossy();
            let real = path.replace("FOLDER", &folder).replace("DESK", &own);
            let said = desk.run(&line.replacen("stays.csv", &real, 1));
            let said_of_it = format!("{} {}", said.code, said.stderr.trim_end().replace('\n', "\n    "));
            writeln!(all, "{name}: {path}\n  {said_of_it}").expect("text");
        }
    }
    assert_snapshot!("paths", lasting(&all));
}
