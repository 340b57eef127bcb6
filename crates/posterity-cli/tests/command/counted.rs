//! Counts that another program made, and the query by which it made them.

use std::fs;

use tempfile::tempdir;

use crate::{document, posterity, typed};

const ASKED: &str = "release visits.parquet --column ward --categories A,B --epsilon 1";

/// If this fails, a document does not say that another program counted, or a ledger forgets what it answered.
#[test]
fn counts_of_another_program_are_released_charged_and_recalled() {
    let folder = tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (counts, query, ledger) = (path("counts.csv"), path("ward.sql"), path("a.ledger"));
    fs::write(&counts, "ward,posterity,count\nA,,48\nB,,42\n").expect("written");
    let printed = posterity(&typed(&format!("sql --dialect duckdb {ASKED}"), &[]));
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert!(printed.stdout.contains("FROM \"visits.parquet\""), "{}", printed.stdout);
    fs::write(&query, &printed.stdout).expect("written");
    let budget = "budget create {} --account survey --epsilon 3";
    assert_eq!(posterity(&typed(budget, &[&ledger])).code, Some(0));
    let ask = format!("{ASKED} --counted {{}} --query {{}} --ledger {{}} --account survey --format json");
    let values = [counts.as_str(), query.as_str(), ledger.as_str()];
    let first = document(&typed(&ask, &values));
    let digest = first["request"]["data"]["counted_by"].as_str().expect("a digest");
    assert_eq!(digest.len(), 64, "{first}");
    assert!(first["notes"].to_string().contains("Another program counted"), "{}", first["notes"]);
    assert_eq!(first["n"], 90);
    let again = document(&typed(&ask, &values));
    assert_eq!((&again["noisy_counts"], &again["request"]), (&first["noisy_counts"], &first["request"]));
    let log = posterity(&typed("budget show {} --account survey", &[&ledger]));
    assert!(log.stdout.contains("visits.parquet"), "{}", log.stdout);
    let saved = path("release.json");
    fs::write(&saved, first.to_string()).expect("written");
    let verified = posterity(&typed("verify {} --ledger {}", &[&saved, &ledger]));
    assert_eq!(verified.code, Some(0), "{} {}", verified.stdout, verified.stderr);
}

/// If this fails, wrong counts are charged, or a message shows what they hold.
#[test]
fn wrong_counts_cost_nothing() {
    let folder = tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (counts, ledger) = (path("counts.csv"), path("a.ledger"));
    assert_eq!(posterity(&typed("budget create {} --account survey --epsilon 3", &[&ledger])).code, Some(0));
    let ask = format!("{ASKED} --counted {{}} --ledger {{}} --account survey");
    for (text, told) in [
        ("ward,count\nA,48\nC4711,42\n", "a value of \"ward\" is no category"),
        ("ward,count\nA,48\nA,4711\n", "one cell twice"),
        ("ward,number\nA,48\n", "no column \"count\""),
        ("ward,posterity,count\nA,,48\n,undeclared,4711\n", "values that are not declared"),
    ] {
        fs::write(&counts, text).expect("written");
        let run = posterity(&typed(&ask, &[&counts, &ledger]));
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains(told) && run.stderr.contains("nothing was charged"), "{}", run.stderr);
        assert!(!run.stderr.contains("4711"), "{}", run.stderr);
    }
    let shown = posterity(&typed("budget show {} --account survey --format json", &[&ledger]));
    assert!(!shown.stdout.contains("visits.parquet"), "{}", shown.stdout);
    for (line, told) in [
        (format!("{ASKED} --query a.sql"), "--counted"),
        ("release --counts 1,2 --counted a.csv --epsilon 1".to_owned(), "--counted"),
        (format!("sql --dialect oracle {ASKED}"), "there is no dialect \"oracle\""),
        (format!("sql --dialect duckdb --stored ward {ASKED}"), "--stored"),
        (format!("sql --dialect duckdb --stored ward=money {ASKED}"), "there is no type \"money\""),
        (format!("sql --dialect duckdb {ASKED} --unit id --per-unit {{}}"), "--stored"),
    ] {
        let run = posterity(&typed(&line, &["latest day"]));
        assert_eq!(run.code, Some(2), "{line}: {}", run.stderr);
        assert!(run.stderr.contains(told), "{line}: {}", run.stderr);
    }
    let drawn = posterity(&typed(&format!("sql --dialect sqlite {ASKED} --unit id"), &[]));
    assert_eq!(drawn.code, Some(1), "{}", drawn.stderr);
    assert!(drawn.stderr.contains("no hash by which records could be drawn"), "{}", drawn.stderr);
}
