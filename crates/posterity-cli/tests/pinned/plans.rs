//! What is asked by flags, by a plan in TOML, by one in JSON and by a study is one thing.

use std::fs;

use posterity::Table;
use posterity::discovery::Discovered;
use posterity::document::Kind;
use posterity::hexadecimal::hex;
use posterity::margins::Margins;
use posterity::plan::{FIELDS, Field, Form, Place};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::documents::{ALL, line};
use crate::{Desk, words};

/// The same questions for all fronts: what `plans/README.md` describes.
pub(crate) const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pinned/plans");

/// The files that these questions are about.
const FILES: [&str; 4] = ["stays.csv", "unknown.csv", "stays.ndjson", "stays.schema.json"];

/// The text of a document, as fronts compare it: without the blanks at its end and the number of the version.
pub(crate) fn letters(document: &str) -> String {
    let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    assert!(document.contains(version), "{document}");
    document.trim_end().replacen(version, "\"version\": \"\"", 1)
}

/// Compares a file of the fixture with what it should be, or writes it if `POSTERITY_UPDATE` is set.
fn fixed(name: &str, text: &str) {
    let path = format!("{FIXTURE}/{name}");
    if std::env::var_os("POSTERITY_UPDATE").is_some() {
        fs::write(&path, text).expect("written");
    }
    let known = fs::read_to_string(&path).expect("a file of the fixture");
    assert_eq!(known, text, "{name} has changed; if that is meant, run this test with POSTERITY_UPDATE=1");
}

/// If this fails, a front reads a plan in another way than the others do, or the fixture that Python, R and the pages read is
/// not what the command says.
#[test]
fn flags_plans_and_studies_give_the_same_document() {
    let desk = Desk::new();
    for file in FILES {
        fixed(file, &fs::read_to_string(desk.path().join(file)).expect("a file"));
    }
    let of_files = ALL.iter().copied().flatten().filter(|(_, question, _)| !question.contains("--counts"));
    let mut compared = 0;
    let mut entries = Vec::new();
    for (index, asked) in of_files.enumerate() {
        let line = line(*asked);
        let question = line.trim_end_matches(" --seed 7 --format json").replace(" --not-private", "");
        let printed = desk.done(&line).stdout;
        let document: Value = serde_json::from_str(&printed).expect("a document");
        let in_json = desk.done(&format!("plan {question} --spelling json")).stdout;
        let digest = hex(&Sha256::digest(letters(&printed).as_bytes()));
        entries.push(entry(asked.0, &question, &in_json, &digest, line.contains("--not-private")));
        let spelling = ["toml", "json"][index % 2];
        let plan = format!("asked.{spelling}");
        desk.write(&plan, &desk.done(&format!("plan {question} --spelling {spelling}")).stdout);
        let command = line.split(' ').next().expect("a command");
        let more = if line.contains("--not-private") { " --not-private" } else { "" };
        let again = desk.done(&format!("{command} --plan {plan} --seed 7 --format json{more}"));
        assert_eq!(serde_json::from_str::<Value>(&again.stdout).expect("a document"), document, "{line}");
        // A study does not carry out what promises nothing, and it draws pictures, which takes longer.
        if index % 3 == 0 && more.is_empty() {
            desk.done(&format!("study {plan} --out results --seed 7 --again").replace(" --again", ""));
            let found = fs::read_dir(desk.path().join("results")).expect("results").filter_map(|entry| {
                let path = entry.expect("read").path();
                let is_answer =
                    path.extension().is_some_and(|end| end == "json") && !path.ends_with("study.json");
                is_answer.then(|| fs::read_to_string(path).expect("read"))
            });
            let answers: Vec<Value> = found.map(|text| serde_json::from_str(&text).expect("JSON")).collect();
            assert_eq!(answers, [document], "{line}");
        }
        compared += 1;
    }
    assert!(compared >= 40, "{compared}");
    fixed("plans.json", &format!("[\n{}\n]\n", entries.join(",\n")));
}

/// A line of the fixture. The plan stands there as it is printed, because its numbers keep their digits.
fn entry(name: &str, question: &str, plan: &str, digest: &str, not_private: bool) -> String {
    let mut arguments = words(question);
    let command = arguments.remove(0);
    let parts = [
        ("name", Value::from(name).to_string()),
        ("command", Value::from(command).to_string()),
        ("arguments", Value::from(arguments).to_string()),
        ("not_private", not_private.to_string()),
        ("seed", "7".to_owned()),
        ("plan", plan.trim_end().to_owned()),
        ("digest", Value::from(digest).to_string()),
    ];
    let parts = parts.map(|(key, value)| format!("{}: {value}", Value::from(key)));
    format!("{{{}}}", parts.join(", "))
}

/// A field as it is typed, with what else must be typed for it, and a text that is none.
struct Typed {
    value: &'static str,
    beside: &'static str,
    wrong: &'static str,
}

/// How each field is typed. A new field is added here, or the test below fails.
fn typed(field: &Field) -> Option<Typed> {
    let (value, beside) = match field.name {
        "input-format" => ("csv", ""),
        "table" => ("stays", ""),
        "view" => ("stays", "--unit id"),
        "delimiter" => (";", ""),
        "encoding" => ("utf-16", ""),
        "edition" => ("spring", ""),
        "where" | "within" => ("age > 30", ""),
        "unit" => ("id", ""),
        "per-unit" => ("random", "--unit id"),
        "adjacency" => ("add-remove", ""),
        "most" => ("1000", "--adjacency add-remove"),
        "sets" => ("1", ""),
        "epsilon" => ("0.5", ""),
        "delta" => ("1e-7", ""),
        "allow-large-delta" | "one-record-per-person" | "simultaneous" => ("", ""),
        "total-epsilon" => ("0.25", ""),
        "prior" => ("0.5", ""),
        "prior-outside" => ("2", "--within 'age > 30'"),
        "mechanism" => ("geometric", ""),
        "decode" => ("mean", ""),
        "read" => ("ward", ""),
        "compare" => ("ward: A - B", ""),
        "test" => ("share: ward=A = 0.5", ""),
        "level" => ("0.9", ""),
        "interval-kind" => ("credible", ""),
        "about" => ("records", ""),
        _ => return None,
    };
    let wrong = match field.form {
        Form::Text | Form::Texts | Form::List => "",
        _ => "nonsense",
    };
    Some(Typed { value, beside, wrong })
}

/// If this fails, the command lacks a field, reads it as something else, or does not say that it is wrong.
#[test]
fn the_command_asks_for_every_field() {
    let desk = Desk::new();
    let columns = "stays.csv --column ward --categories A,B,C";
    let commands = [
        (Table::NAME, format!("release {columns}"), "--epsilon 1"),
        (Margins::NAME, format!("margins {columns}"), "--epsilon 1 --delta 1e-9 --sets 1"),
        (
            Discovered::NAME,
            "discover stays.csv --column ward".to_owned(),
            "--epsilon 1 --delta 1e-9 --unit id",
        ),
    ];
    // Flags that belong to a column or to the source, and words, which a single release has not.
    let by_hand = [
        "title",
        "description",
        "source",
        "name",
        "share",
        "shape",
        "column",
        "columns",
        "categories",
        "bins",
        "other",
        "missing",
    ];
    let of_flags = |field: &&Field| !by_hand.contains(&field.name) && field.places != [Place::Column];
    for field in FIELDS.iter().filter(of_flags) {
        let name = field.name;
        let Typed { value, beside, wrong } = typed(field).expect(name);
        for (kind, question, usual) in &commands {
            let beside = if field.is_of(kind) { beside } else { "" };
            let ask = |value: &str| {
                let given = if matches!(field.form, Form::Truth) {
                    format!("--{name}{}", if value.is_empty() { String::new() } else { format!("={value}") })
                } else {
                    format!("--{name} '{value}'")
                };
                let given = format!("{beside} {given}");
                // What is given replaces what is usual; one unit is enough, and no unit is needed beside one record.
                let kept = usual.split(" --").map(|flag| format!("--{}", flag.trim_start_matches("--")));
                let kept = kept.filter(|flag| {
                    let flag = flag.split(' ').next().unwrap_or_default().to_owned();
                    let names_people = name == "one-record-per-person" && flag == "--unit";
                    !given.contains(&flag) && !names_people
                });
                desk.run(&format!("plan {question} {} {given}", kept.collect::<Vec<_>>().join(" ")))
            };
            let said = ask(value);
            if !field.is_of(kind) {
                assert_eq!(said.code, 2, "{name}: {kind}");
                assert!(said.stderr.contains(&format!("--{name}")), "{name}: {kind}: {}", said.stderr);
                continue;
            }
            // Tables of many columns read credible intervals of some readings only, and choose no mechanism.
            assert_eq!(said.code, 0, "{name}: {kind}: {}", said.stderr);
            let shown = if value.is_empty() { "true" } else { value };
            let is_there = said
                .stdout
                .lines()
                .any(|line| line.starts_with(&format!("{name} = ")) && line.contains(shown));
            assert!(is_there, "{name}: {}", said.stdout);
            let refused = ask(wrong);
            let told = if matches!(field.form, Form::Truth) && wrong.is_empty() { continue } else { refused };
            assert_eq!(told.code, 2, "{name}: {kind}: {}", told.stdout);
            assert!(told.stderr.contains(&format!("--{name}")), "{name}: {}", told.stderr);
        }
    }
}

/// If this fails, a flag behind a column says something else than the key of a plan.
#[test]
fn what_belongs_to_a_column_is_said_behind_it() {
    let desk = Desk::new();
    let asked = "plan release stays.csv --column ward --categories A,B,C --alias A=a --alias 'A=A ' --label 'B=Ward B' --ordered \
                 --column age --bins 0,18,65 --whole --epsilon 1";
    let plan = desk.done(asked).stdout;
    let ward = r#"ward = { categories = ["A", "B", "C"], aliases = ["A=a", "A=A "], labels = ["B=Ward B"], ordered = true }"#;
    assert!(plan.contains(ward), "{plan}");
    assert!(plan.contains("age = { bins = [0, 18, 65], whole = true }"), "{plan}");
    for (wrong, why) in [
        (
            "--column ward --categories A,B --alias B=A",
            "--alias: the alias \"A\" of \"B\" is itself a category",
        ),
        ("--column ward --categories A,B --alias A", "--alias: write the category before an equals sign"),
        ("--alias A=a --column ward --categories A,B", "--alias: write this after the --column"),
        ("--column ward --categories A,B --label C=x", "--label: \"C\" has a label and is no category"),
        (
            "--column ward --categories A,B --ordered --ordered",
            "--ordered: this is given twice for one column",
        ),
        ("--column age --bins 0,18 --alias 1=2", "--alias: bins have no aliases"),
    ] {
        let refused = desk.run(&format!("plan release stays.csv {wrong} --epsilon 1"));
        assert_eq!(refused.code, 2, "{wrong}: {}", refused.stdout);
        assert!(refused.stderr.contains(why), "{wrong}: {}", refused.stderr);
    }
}

/// A plan is public: it says nothing of counts, of users, of this machine, of who pays or of the seed.
#[test]
fn a_plan_holds_nothing_private() {
    let desk = Desk::new();
    let path = desk.path().join("stays.csv");
    let bound = "--epsilon 1 --ledger office.ledger --account clinic --sign secret.key";
    let of_file = format!("plan release {} --column ward --categories A,B,C {bound}", path.display());
    let of_counts = "plan release --counts 4711,815 --categories yes,no --epsilon 1 --seed 90125".to_owned();
    let of_server =
        "plan release postgres://ada@db.example/clinic --table stays --password-file word.txt --column ward \
                     --categories A,B,C --epsilon 1"
            .to_owned();
    for line in [of_file, of_counts, of_server] {
        let plan = desk.done(&line).stdout;
        let folder = desk.path().to_string_lossy().into_owned();
        for private in
            ["4711", "815", "ada", "office", "secret", "90125", "word.txt", folder.as_str(), "FOLDER"]
        {
            assert!(!plan.contains(private), "{private}: {plan}");
        }
    }
}
