//! Seeded documents of every kind. What they hold is what people store, so their form and their numbers are pinned.

use insta::assert_snapshot;
use serde_json::Value;

use crate::{Desk, lasting};

const TABLE: &str = "release stays.csv --column ward --categories A,B,C --epsilon 1";
/// Few records, for mechanisms that list all possible outcomes.
const FEW: &str = "release stays.csv --column ward --categories A,B,C --where 'age < 30' --epsilon 1";
const JOINT: &str = "release stays.csv --schema stays.schema.json --column ward --column cured --epsilon 1";
const UNKNOWN: &str = "release unknown.csv --column ward --categories A,B,C --other elsewhere --column cured --categories yes,no --missing unknown --epsilon 1";
const UNKNOWN_PAIRS: &str = "margins unknown.csv --column ward --categories A,B,C --other elsewhere --column cured --categories yes,no --missing unknown --epsilon 1 --sets 2 --delta 1e-9";
const PAIRS: &str = "margins stays.csv --schema stays.schema.json --column ward --column sex --column age --column cured --sets 2 --epsilon 1 --delta 1e-9";
const LABELS: &str = "release stays.csv --column ward --categories A,B --alias B=C --label A=Surgery --label 'B=All others' --column score --categories 0,1,2,3 --label 0=none --label 3=worst --ordered --epsilon 1";
const LABELLED_PAIRS: &str = "margins stays.csv --column ward --categories A,B --alias B=C --label A=Surgery --column age --bins 18,40,65,88 --whole --column cured --categories yes,no --epsilon 1 --sets 2 --delta 1e-9";
const NAMES: &str = "discover stays.csv --column ward --epsilon 1 --delta 1e-9";

/// The name of a snapshot, the question, and what is added to it.
pub(crate) type Asked = (&'static str, &'static str, &'static str);

const TABLES: [Asked; 20] = [
    ("table", TABLE, ""),
    ("table-levels", TABLE, "--level 0.9 --simultaneous"),
    ("table-credible", TABLE, "--interval-kind credible"),
    ("table-shortest", TABLE, "--interval-kind shortest"),
    ("table-records", TABLE, "--about records"),
    ("table-prior", TABLE, "--prior 0.5,1,2"),
    ("table-where", TABLE, "--where 'age >= 40'"),
    ("table-within", TABLE, "--within 'age >= 40'"),
    ("table-unit", TABLE, "--unit id"),
    ("table-unit-first", TABLE, "--unit id --per-unit first"),
    ("table-unit-mode", TABLE, "--unit id --per-unit mode"),
    ("table-unit-latest", TABLE, "--unit id --per-unit 'latest age'"),
    ("table-edition", TABLE, "--edition 2026"),
    ("table-small-epsilon", TABLE, "--epsilon 0.1"),
    ("table-add-remove", TABLE, "--adjacency add-remove"),
    ("table-add-remove-count", TABLE, "--adjacency add-remove --read count --read ward"),
    ("table-add-remove-all", TABLE, "--adjacency add-remove --unit id --per-unit 'all 3'"),
    ("table-add-remove-where", TABLE, "--adjacency add-remove --where 'age >= 40'"),
    ("table-json", "release stays.ndjson --column cured --categories yes,no --epsilon 1", ""),
    ("table-bins", "release stays.csv --column age --bins 18,40,65,88 --epsilon 1", ""),
];

const MECHANISMS: [Asked; 20] = [
    ("geometric", TABLE, "--mechanism geometric"),
    ("geometric-consistent", TABLE, "--mechanism geometric(consistent)"),
    ("lshist", TABLE, "--mechanism lshist"),
    ("lsdim", TABLE, "--mechanism lsdim"),
    ("lsdim-consistent", TABLE, "--mechanism lsdim(consistent)"),
    ("lszhang", TABLE, "--mechanism lszhang"),
    ("ehd", FEW, "--mechanism ehd"),
    ("ehds", FEW, "--mechanism ehds(gamma=0.5)"),
    ("ehds-angle", FEW, "--mechanism ehds(score=angle)"),
    ("ehdl", FEW, "--mechanism ehdl --not-private"),
    ("mhg", FEW, "--mechanism mhg"),
    ("decode-none", TABLE, "--decode none"),
    ("decode-mean", TABLE, "--decode mean"),
    ("decode-moments", TABLE, "--decode moments"),
    ("decode-best", "release --counts 8,4 --epsilon 1", "--decode best"),
    ("counts", "release --counts 48,42 --categories cured,not --epsilon 1", ""),
    ("optimal", "release --counts 8,4 --epsilon 1", "--mechanism optimal"),
    ("simplex", "release --counts 30,12,8 --epsilon 1", "--mechanism simplex"),
    ("tight", "release --counts 18,12 --epsilon 1", "--mechanism tight(ehds)"),
    ("certified", "release --counts 18,12 --epsilon 1", "--mechanism mh --certificate mh.json"),
];

const JOINT_TABLES: [Asked; 12] = [
    ("joint", JOINT, ""),
    ("joint-readings", JOINT, "--read 'cured=yes | ward' --read 'ward in {A, B}'"),
    ("joint-comparison", JOINT, "--compare 'cured=yes | ward: A - B'"),
    ("joint-independence", JOINT, "--compare 'independence(cured, ward)'"),
    ("joint-credible", JOINT, "--read 'cured=yes | ward' --interval-kind credible"),
    ("joint-within", JOINT, "--within 'age >= 40' --read 'cured=yes | ward'"),
    ("joint-add-remove", JOINT, "--adjacency add-remove --read 'cured=yes | ward'"),
    (
        "joint-mean",
        "release stays.csv --column sex --categories f,m --column score --categories 0,1,2 --where 'age < 30' --epsilon 1",
        "--read 'mean(score) | sex'",
    ),
    ("joint-unknown", UNKNOWN, "--read 'cured=yes | ward' --read 'cured=yes of all | ward'"),
    ("joint-unknown-within", UNKNOWN, "--within 'age >= 40' --read 'cured=yes | ward'"),
    ("joint-labels", LABELS, "--read 'score=none | ward' --compare 'score=none | ward: Surgery - B'"),
    ("joint-unknown-add-remove", UNKNOWN, "--adjacency add-remove --read 'cured=yes | ward'"),
];

const WIDE: [Asked; 14] = [
    ("margins", PAIRS, ""),
    ("margins-readings", PAIRS, "--read 'cured | ward' --compare 'cured=yes | ward: A - B'"),
    ("margins-credible", PAIRS, "--read 'cured | ward' --interval-kind credible"),
    ("margins-records", PAIRS, "--read 'cured | ward' --about records"),
    (
        "margins-sets",
        "margins stays.csv --schema stays.schema.json --column ward --column age --column cured --epsilon 1 --delta 1e-9",
        "--sets 'ward,cured; age,cured=3'",
    ),
    ("margins-unit", PAIRS, "--unit id"),
    ("margins-where", PAIRS, "--where 'age >= 40' --read 'cured | ward'"),
    ("margins-unknown", UNKNOWN_PAIRS, "--read 'cured | ward'"),
    ("margins-labels", LABELLED_PAIRS, "--read 'cured | age=\"40 to 64\"' --read 'cured=yes | ward'"),
    ("margins-add-remove", PAIRS, "--adjacency add-remove"),
    ("discovered", NAMES, "--one-record-per-person"),
    ("discovered-unit", NAMES, "--unit id"),
    ("discovered-total", NAMES, "--unit id --total-epsilon 0.5"),
    ("discovered-where", NAMES, "--unit id --where 'age >= 40'"),
];

/// All questions.
pub(crate) const ALL: [&[Asked]; 4] = [&TABLES, &MECHANISMS, &JOINT_TABLES, &WIDE];

/// The line of a question. A flag that is given again replaces that of the question.
pub(crate) fn line((_, question, more): Asked) -> String {
    let mut parts = question.split(" --");
    let mut kept = vec![parts.next().unwrap_or_default().to_owned()];
    let repeated = |part: &&str| {
        let flag = part.split(' ').next().unwrap_or_default();
        !more.contains(&format!("--{flag} "))
    };
    kept.extend(parts.filter(repeated).map(|part| format!("--{part}")));
    let line = format!("{} {more} --seed 7 --format json", kept.join(" "));
    line.replace("  ", " ")
}

/// Asks each question, and pins the document.
fn pin(documents: &[Asked]) {
    let desk = Desk::new();
    desk.done("audit --n 30 --k 2 --epsilon 1 --mechanism mh --certificate mh.json");
    for asked in documents {
        let line = line(*asked);
        let said = desk.done(&line);
        let document: Value = serde_json::from_str(&said.stdout).expect("one document");
        assert!(document["version"].is_string(), "{line}");
        let (stdout, stderr) = (lasting(&said.stdout), lasting(&said.stderr));
        assert_snapshot!(asked.0, format!("$ posterity {line}\n{stdout}--- stderr\n{stderr}"));
        // A document verifies as it stands.
        desk.write("document.json", &said.stdout);
        desk.done("verify document.json");
    }
}

/// If this fails, a document that somebody stored is read differently, or a seed gives other numbers.
#[test]
fn tables_are_what_they_were() {
    pin(&TABLES);
}

/// If this fails, a mechanism or a decoder gives other numbers, or a document says something else of it.
#[test]
fn mechanisms_release_what_they_released() {
    pin(&MECHANISMS);
}

/// If this fails, a table of several columns is read differently.
#[test]
fn joint_tables_are_what_they_were() {
    pin(&JOINT_TABLES);
}

/// If this fails, tables of many columns or discovered categories are drawn or read differently.
#[test]
fn margins_and_discovered_categories_are_what_they_were() {
    pin(&WIDE);
}
