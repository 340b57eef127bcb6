//! Counts that another program made, and the query by which it made them.

use crate::budget::Study;
use crate::{document, posterity, typed};

const ASKED: &str = "release visits.parquet --column ward --categories A,B --epsilon 1";

/// If this fails, a document does not say that another program counted, or a ledger forgets what it answered.
#[test]
fn counts_of_another_program_are_released_charged_and_recalled() {
    let study = Study::new("3");
    let counts = study.file("counts.csv", "ward,posterity,count\nA,,48\nB,,42\n");
    let printed = posterity(&typed(&format!("sql --dialect duckdb {ASKED}"), &[]));
    assert_eq!(printed.code, Some(0), "{}", printed.stderr);
    assert!(printed.stdout.contains("FROM \"visits.parquet\""), "{}", printed.stdout);
    let (query, ledger) = (study.file("ward.sql", &printed.stdout), study.ledger());
    let ask = format!("{ASKED} --counted {{}} --query {{}} --ledger {{}} --account a --format json");
    let values = [counts.as_str(), query.as_str(), ledger.as_str()];
    let first = document(&typed(&ask, &values));
    let digest = first["request"]["data"]["counted_by"].as_str().expect("a digest");
    assert_eq!(digest.len(), 64, "{first}");
    assert!(first["notes"].to_string().contains("Another program counted"), "{}", first["notes"]);
    assert_eq!(first["n"], 90);
    let again = document(&typed(&ask, &values));
    assert_eq!((&again["noisy_counts"], &again["request"]), (&first["noisy_counts"], &first["request"]));
    assert_eq!(study.spent(), "1");
    let saved = study.file("release.json", first.to_string());
    let verified = posterity(&typed("verify {} --ledger {}", &[&saved, &ledger]));
    assert_eq!(verified.code, Some(0), "{} {}", verified.stdout, verified.stderr);
}

/// If this fails, wrong counts are charged, or a message shows what they hold.
#[test]
fn wrong_counts_cost_nothing() {
    let study = Study::new("3");
    let ask = format!("{ASKED} --counted {{}} --ledger {{}} --account a");
    for (text, told) in [
        ("ward,count\nA,48\nC4711,42\n", "a value of \"ward\" is no category"),
        ("ward,count\nA,48\nA,4711\n", "one cell twice"),
        ("ward,number\nA,48\n", "no column \"count\""),
        ("ward,posterity,count\nA,,48\n,undeclared,4711\n", "values that are not declared"),
    ] {
        let counts = study.file("counts.csv", text);
        let run = posterity(&typed(&ask, &[&counts, &study.ledger()]));
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains(told) && run.stderr.contains("nothing was charged"), "{}", run.stderr);
        assert!(!run.stderr.contains("4711"), "{}", run.stderr);
    }
    assert_eq!(study.spent(), "0");
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
