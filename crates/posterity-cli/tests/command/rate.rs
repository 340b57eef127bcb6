//! A rate within groups names its columns, and a schema or flags declare them; a look at the file comes before.

use serde_json::Value;

use crate::budget::Study;
use crate::{Run, document, posterity};

/// Stays with what files of hospitals have: a semicolon, a blank behind a ward, a capital letter, a decimal comma.
fn stays() -> String {
    let line = |i: usize| {
        let ward = ["Surgery", "Geriatrics", "Geriatrics ", "surgery"]
            [if i.is_multiple_of(40) { 2 + i / 40 % 2 } else { i % 2 }];
        let cured = ["yes", "no", "yes", ""][if i.is_multiple_of(50) { 3 } else { i % 3 }];
        let temperature = if i.is_multiple_of(2) { "36,5" } else { "37" };
        format!("{};{ward};{};{cured};{temperature};2025-{:02}-03\n", i / 2, 18 + i % 70, 1 + i % 12)
    };
    "patient;ward;age;cured;temperature;day\n".to_owned() + &(0..2000).map(line).collect::<String>()
}

const SCHEMA: &str = r#"{"fields": [
    {"name": "ward", "constraints": {"enum": ["Surgery", "Geriatrics"]},
     "aliases": {"Surgery": "surgery", "Geriatrics": "Geriatrics "}},
    {"name": "age", "bins": [0, 40, 65, 120], "whole": true},
    {"name": "cured", "constraints": {"enum": ["yes", "no"]}, "missing": "unknown"},
    {"name": "temperature", "bins": [30, 38, 45]}]}"#;

fn files(study: &Study) -> [String; 2] {
    [study.file("stays.csv", stays()), study.file("stays.schema.json", SCHEMA)]
}

fn refused(args: &[&str]) -> Run {
    let run = posterity(args);
    assert!(matches!(run.code, Some(1 | 2)), "{args:?}: {}{}", run.stdout, run.stderr);
    run
}

/// If this fails, a rate is another question than its columns and its reading, and both are charged.
#[test]
fn a_rate_declares_its_columns() {
    let study = Study::new("1");
    let [file, schema] = files(&study);
    let asked = [
        "release",
        &file,
        "--delimiter",
        ";",
        "--schema",
        &schema,
        "--epsilon",
        "1",
        "--seed",
        "3",
        "--format",
        "json",
    ];
    let rate = "cured=yes | ward, age";
    let columns = ["--column", "ward", "--column", "age", "--column", "cured", "--read", rate];
    let by_rate = document(&[&asked[..], &["--rate", rate]].concat());
    assert_eq!(by_rate, document(&[&asked[..], &columns].concat()));
    assert_eq!(by_rate["readings"][0]["rows"].as_array().map(Vec::len), Some(6));
    // What stands with a column is declared of it, and another reading stands beside the rate.
    let more =
        ["--rate", "cured=yes | ward", "--column", "cured", "--missing", "not known", "--read", "ward"];
    let more = document(&[&asked[..], &more].concat());
    assert_eq!(more["request"]["data"]["columns"][1]["missing"], "not known");
    assert_eq!(more["readings"].as_array().map(Vec::len), Some(2));
    // The plan says it as it was asked, and asks the same.
    let plan = posterity(&[
        "plan",
        "release",
        "stays.csv",
        "--delimiter",
        ";",
        "--schema",
        &schema,
        "--rate",
        rate,
        "--epsilon",
        "1",
    ]);
    assert!(
        plan.code == Some(0) && plan.stdout.contains(&format!("rate = \"{rate}\"")),
        "{}{}",
        plan.stdout,
        plan.stderr
    );
    let plan = study.file("plan.toml", plan.stdout);
    let again = document(&["release", &file, "--plan", &plan, "--seed", "3", "--format", "json"]);
    assert_eq!(again["drawn"], by_rate["drawn"]);
}

#[test]
fn a_rate_that_cannot_be_is_refused() {
    let study = Study::new("1");
    let [file, schema] = files(&study);
    let with = |more: &[&str]| {
        let asked = ["release", &file, "--delimiter", ";", "--schema", &schema, "--epsilon", "1"];
        refused(&[&asked[..], more].concat()).stderr
    };
    for (more, why) in [
        (&["--rate", "cured=yes | wards"][..], "--rate: no categories are declared for the column \"wards\""),
        (&["--rate", "cured=maybe | ward"], "--rate: "),
        (&["--rate", "count"], "--rate: this names no column"),
        (&["--rate", "cured=yes |"], "--rate: "),
        (
            &["--rate", "cured=yes | ward", "--column", "age"],
            "--column: the rate cured=yes | ward does not name \"age\"",
        ),
    ] {
        let said = with(more);
        assert!(said.contains(why), "{more:?}: {said}");
    }
    let plan = "source = \"stays.csv\"\nepsilon = 1\n[columns]\nward = [\"A\", \"B\"]\ncured = [\"yes\", \"no\"]\n[[question]]\n\
        columns = [\"ward\"]\nrate = \"cured | ward\"\n";
    let plan = study.file("both.toml", plan);
    let said = refused(&["release", &file, "--plan", &plan]).stderr;
    assert!(said.contains("rate") && said.contains("leave their names out"), "{said}");
}

/// If this fails, a steward needs another program to clean a file.
#[test]
fn a_look_leads_to_a_schema_that_takes_every_record() {
    let study = Study::new("1");
    let file = study.file("stays.csv", stays());
    let look = posterity(&["check", &file]);
    assert_eq!(look.code, Some(0), "{}", look.stderr);
    for said in [
        "NOT PRIVATE",
        "separated by a semicolon",
        "--delimiter ';'",
        "decimal comma",
        "2025-12-03",
        "Nothing is declared",
    ] {
        assert!(look.stdout.replace('\n', " ").contains(said), "{said}: {}", look.stdout);
    }
    assert!(
        !look.stdout.contains("Geriatrics"),
        "values are for the columns that are asked for: {}",
        look.stdout
    );
    let schema = study.file("stays.schema.json", "");
    std::fs::remove_file(&schema).expect("removed");
    let declared = [
        "check",
        &file,
        "--column",
        "ward",
        "--categories",
        "Surgery,Geriatrics",
        "--column",
        "age",
        "--bins",
        "0,40,65,120",
        "--column",
        "cured",
        "--categories",
        "yes,no",
        "--missing",
        "unknown",
        "--unit",
        "patient",
    ];
    let asked = posterity(&declared);
    for said in [
        "\"Geriatrics \"",
        "perhaps an alias of \"Geriatrics\"",
        "would be refused",
        "--alias 'Geriatrics=Geriatrics '",
        "have several records",
    ] {
        assert!(asked.stdout.replace('\n', " ").contains(said), "{said}: {}", asked.stdout);
    }
    let private = posterity(&[&declared[..], &["--adjacency", "add-remove"]].concat());
    assert!(
        private.stdout.contains("would be left out") && !private.stdout.contains("refused"),
        "{}",
        private.stdout
    );
    let written = posterity(&[&declared[..], &["--accept", "--write-schema", &schema]].concat());
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let text = std::fs::read_to_string(&schema).expect("written");
    let fields: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(fields["fields"][1]["aliases"]["Geriatrics"][0], "Geriatrics ");
    assert_eq!(fields["fields"][0], serde_json::json!({"name": "patient", "type": "integer"}));
    let rate = ["release", &file, "--delimiter", ";", "--schema", &schema, "--rate", "cured=yes | ward, age"];
    let rate = document(
        &[&rate[..], &["--unit", "patient", "--epsilon", "1", "--seed", "1", "--format", "json"]].concat(),
    );
    assert_eq!(rate["n"], 1000);
    // Nothing is left to say, and a schema is not overwritten.
    let again = posterity(&["check", &file, "--delimiter", ";", "--schema", &schema]);
    assert!(
        again.stdout.contains("counts as \"unknown\"") && !again.stdout.contains("refused"),
        "{}",
        again.stdout
    );
    let twice =
        refused(&["check", &file, "--delimiter", ";", "--schema", &schema, "--write-schema", &schema]);
    assert!(twice.stderr.contains("--force"), "{}", twice.stderr);
    let known = ["--known-before", "ward=Hospice", "--force", "--write-schema", &schema];
    let known = posterity(&[&["check", &file, "--delimiter", ";", "--schema", &schema][..], &known].concat());
    assert_eq!(known.code, Some(0), "{}", known.stderr);
    assert!(std::fs::read_to_string(&schema).expect("written").contains("Hospice"));
}

/// If this fails, a number with a decimal comma is counted as another value, and nobody is told.
#[test]
fn decimal_commas_are_told() {
    let study = Study::new("1");
    let [file, schema] = files(&study);
    let asked = [
        "release",
        &file,
        "--delimiter",
        ";",
        "--schema",
        &schema,
        "--column",
        "temperature",
        "--epsilon",
        "1",
        "--seed",
        "1",
    ];
    for other in [&[][..], &["--other", "rest"]] {
        let said = refused(&[&asked[..], other].concat()).stderr;
        assert!(
            said.contains("decimal comma") && said.contains("posterity check") && !said.contains("36,5 "),
            "{said}"
        );
    }
    let private = document(
        &[&asked[..], &["--other", "rest", "--adjacency", "add-remove", "--format", "json"]].concat(),
    );
    assert_eq!(private["private"], false);
    let look =
        posterity(&["check", &file, "--delimiter", ";", "--schema", &schema, "--column", "temperature"]);
    assert!(
        look.stdout.contains("\"36,5\"")
            && look.stdout.contains("1000 values with a decimal comma are no number"),
        "{}",
        look.stdout
    );
}
