//! Units, compositions and where documents come from, as users meet them.

use serde_json::Value;

use crate::budget::Study;
use crate::{document, posterity, typed};

const VISITS: &str = "patient,cured\n1,yes\n1,no\n2,yes\n3,no\n";

fn release<'a>(file: &'a str, study: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let start = ["release", file, "--column", "cured", "--categories", "yes,no", "--epsilon", "1/3"];
    let paid = ["--ledger", study, "--account", "a", "--format", "json"];
    start.into_iter().chain(paid).chain(more.iter().copied()).collect()
}

/// If this fails, promises to records and to patients are added up.
#[test]
fn an_account_takes_its_own_unit_only() {
    let study = Study::new("1");
    let (file, ledger) = (study.file("visits.csv", VISITS), study.ledger());
    let refused = posterity(&release(&file, &ledger, &["--unit", "patient"]));
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("protects each record, and this release protects each patient"),
        "{}",
        refused.stderr
    );
    assert_eq!(study.spent(), "0");
    let changed =
        posterity(&["budget", "unit", &ledger, "--account", "a", "--unit", "patient", "--population", "all"]);
    assert_eq!(changed.code, Some(0), "{}", changed.stderr);
    assert!(changed.stdout.contains("Population of a: all."), "{}", changed.stdout);
    document(&release(&file, &ledger, &["--unit", "patient"]));
    let shown = document(&["budget", "show", &ledger, "--format", "json", "--releases-of", "1/3"]);
    assert_eq!((&shown[0]["unit"], &shown[0]["spent_epsilon"]), (&"patient".into(), &"1/3".into()));
    assert_eq!(shown[0]["more_releases"]["releases"], 2);
    let late = posterity(&["budget", "unit", &ledger, "--account", "a", "--unit", "record"]);
    assert_eq!(late.code, Some(2), "{}", late.stderr);
    let history = document(&["budget", "history", &ledger, "--account", "a", "--format", "json"]);
    assert_eq!(history[0]["unit"], "patient");
}

#[test]
fn a_delta_lets_more_releases_in() {
    let study = Study::new("1");
    let ledger = study.ledger();
    let create = |name: &str, more: &[&str]| {
        let start =
            typed("budget create {} --account {} --epsilon 5 --delta 1e-6 --format json", &[&ledger, name]);
        document(&start.into_iter().chain(more.iter().copied()).collect::<Vec<_>>())
    };
    assert_eq!(create("filter", &[])[0]["more_releases"]["releases"], 97);
    assert_eq!(create("sums", &["--adds-up"])[0]["more_releases"]["releases"], 50);
    for (flag, value) in [("--releases-of", "0"), ("--releases-of", "x")] {
        assert_eq!(posterity(&["budget", "show", &ledger, flag, value]).code, Some(2), "{flag} {value}");
    }
}

/// A study with a signed release in it.
fn signed(study: &Study) -> (String, String) {
    let (file, ledger) = (study.file("visits.csv", VISITS), study.ledger());
    assert_eq!(posterity(&["budget", "keygen", &study.path("office")]).code, Some(0));
    let secret = study.path("office.secret");
    let asked = ["--sign", &secret, "--read", "cured", "--compare", "cured: yes - no"];
    let made = posterity(&release(&file, &ledger, &asked));
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    (study.file("release.json", &made.stdout), study.path("office.public"))
}

#[test]
fn a_document_is_verified_with_the_ledger_and_with_a_key() {
    let study = Study::new("1");
    let (kept, public) = signed(&study);
    let (file, ledger) = (study.path("visits.csv"), study.ledger());
    let twice = posterity(&["budget", "keygen", &study.path("office")]);
    assert_eq!(twice.code, Some(1), "a key is never written over");
    let verified = document(&["verify", &kept, "--ledger", &ledger, "--key", &public, "--format", "json"]);
    assert_eq!(
        (&verified["holds"], &verified["documents"][0]["charge"]["account"]),
        (&true.into(), &"a".into())
    );
    assert_eq!(verified["not_checked"], serde_json::json!([]));
    let reading = posterity(&release(&file, &ledger, &["--level", "0.5"]));
    let other = study.file("reading.json", &reading.stdout);
    let said = posterity(&["verify", &other, "--ledger", &ledger]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("the ones that the ledger charged and recorded"), "{}", said.stdout);
    assert_eq!(posterity(&["verify", &other, "--key", &public]).code, Some(1), "it is not signed");
    assert_eq!(verified["differences"], serde_json::json!([]));
    assert!(verified["checked"].as_array().is_some_and(|checked| checked.len() > 4), "{verified}");
    // Nobody knows from the document alone who made it, and the ledger does not know whose signature it has.
    let alone = posterity(&["verify", &kept]);
    assert_eq!((alone.code, alone.stderr.as_str()), (Some(3), ""));
    let charged = posterity(&["verify", &kept, "--ledger", &ledger]);
    assert_eq!(charged.code, Some(3), "{}", charged.stderr);
    assert!(charged.stdout.contains("Not checked: whose signature it has (--key)"), "{}", charged.stdout);
    assert!(alone.stdout.contains("Not checked: whether it was charged (--ledger)"), "{}", alone.stdout);
    let secret = study.path("office.secret");
    assert_eq!(
        posterity(&["verify", &kept, "--key", &secret]).code,
        Some(1),
        "a secret key is no public one"
    );
}

/// Replaces every number below a value.
fn set_numbers(value: &mut Value, number: f64) {
    match value {
        Value::Number(_) => *value = serde_json::json!(number),
        Value::Array(list) => list.iter_mut().for_each(|one| set_numbers(one, number)),
        Value::Object(object) => object.values_mut().for_each(|one| set_numbers(one, number)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// If this fails, `verify` calls a forgery genuine.
#[test]
fn forgeries_are_refused_and_named() {
    let study = Study::new("1");
    let (kept, public) = signed(&study);
    let ledger = study.ledger();
    let genuine: Value = serde_json::from_str(&std::fs::read_to_string(&kept).expect("there")).expect("JSON");
    type Forge = fn(&mut Value);
    let forgeries: [(&str, Forge); 5] = [
        ("readings[0]", |all| set_numbers(&mut all["readings"], 0.99)),
        ("comparisons[0]", |all| set_numbers(&mut all["comparisons"], 0.99)),
        ("guarantee.statement is not", |all| {
            all["recalled"] = serde_json::json!({ "drawn": "2026-01-01T00:00:00Z" });
            all["guarantee"]["statement"] = "0.0001-differential privacy".into();
            all["notes"] = serde_json::json!([]);
        }),
        ("surprise does not belong there", |all| all["surprise"] = 1.into()),
        ("digest does not match", |all| {
            all["request"]["level"] = 0.95.into();
            all["provenance"]["drawn"] = "2020-01-01T00:00:00Z".into();
        }),
    ];
    for (named, forge) in forgeries {
        let mut forged = genuine.clone();
        forge(&mut forged);
        let forged = study.file("forged.json", forged.to_string());
        for way in [&["--ledger", &ledger][..], &["--key", &public], &[]] {
            let run = posterity(&[&["verify", &forged][..], way].concat());
            assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{named}: {}", run.stderr);
            assert!(run.stderr.contains(named), "{named}: {}", run.stderr);
        }
    }
    // What is read from a forgery is what was drawn.
    let mut forged = genuine.clone();
    set_numbers(&mut forged["readings"], 0.99);
    let forged = study.file("forged.json", forged.to_string());
    let read =
        |file: &str| document(&["read", file, "--read", "cured", "--format", "json"])["readings"].clone();
    assert_eq!(read(&forged), read(&kept));
}
