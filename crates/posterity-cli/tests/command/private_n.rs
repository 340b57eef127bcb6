//! Where n is private, nothing that the command shows depends on n or on one record, but for the draw.

use std::fs;
use std::path::Path;

use posterity::Document;
use posterity_testkit::{Random, trials};
use serde_json::Value;

use crate::{Run, posterity};

/// Records of a file: a patient, a ward, an outcome and an age. Some have no category, no unit or no answer to a filter.
fn record(dice: &mut Random) -> [&'static str; 4] {
    let patients = ["p1", "p2", "p3", "p4", ""];
    let wards = ["A", "B", "C", "D", "", "somewhere else"];
    let outcomes = ["yes", "no", "", "1.50"];
    let ages = ["7", "44", "80", "", "old"];
    [
        patients[dice.index(patients.len())],
        wards[dice.index(wards.len())],
        outcomes[dice.index(outcomes.len())],
        ages[dice.index(ages.len())],
    ]
}

const NAMES: [&str; 4] = ["patient", "ward", "outcome", "age"];

/// Writes records as CSV or as lines of JSON.
fn write(path: &Path, records: &[[&str; 4]], json: bool) {
    let text: String = if json {
        let line = |record: &[&str; 4]| {
            let pairs = NAMES.iter().zip(record).filter(|(_, value)| !value.is_empty());
            let pairs: serde_json::Map<String, Value> =
                pairs.map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
            format!("{}\n", Value::Object(pairs))
        };
        records.iter().map(line).collect()
    } else {
        let lines = records.iter().map(|record| format!("{}\n", record.join(",")));
        std::iter::once(format!("{}\n", NAMES.join(","))).chain(lines).collect()
    };
    fs::write(path, text).expect("written");
}

/// What is asked: flags, and how many records of a unit count.
fn question(dice: &mut Random) -> (Vec<&'static str>, u64) {
    let mut flags = vec!["--column", "ward", "--categories", "A,B,C"];
    if dice.index(2) == 0 {
        flags.extend(["--column", "outcome", "--categories", "yes,no"]);
        if dice.index(2) == 0 {
            flags.extend(["--read", "outcome | ward", "--read", "count | ward"]);
        }
    }
    match dice.index(4) {
        0 => flags.extend(["--where", "age > 30"]),
        1 => flags.extend(["--within", "age > 30"]),
        2 => flags.extend(["--where", "patient <> 'p2' AND ward <> 'C'"]),
        _ => {}
    }
    match dice.index(4) {
        0 => flags.extend(["--other", "elsewhere"]),
        1 => flags.extend(["--missing", "unknown", "--other", "elsewhere"]),
        _ => {}
    }
    let (unit, most): (&[&str], u64) = match dice.index(6) {
        0 => (&["--unit", "patient"], 1),
        1 => (&["--unit", "patient", "--per-unit", "first"], 1),
        2 => (&["--unit", "patient", "--per-unit", "latest age"], 1),
        3 => (&["--unit", "patient", "--per-unit", "all 2"], 2),
        _ => (&[], 1),
    };
    flags.extend(unit);
    (flags, most)
}

fn drawn(document: &Value) -> Vec<i64> {
    serde_json::from_value(document["drawn"].clone()).expect("numbers")
}

/// The document that follows from another draw of the same release.
fn with_draw(document: &Value, drawn: &Value) -> Value {
    let mut changed = document.clone();
    changed["drawn"] = drawn.clone();
    let document: Document = serde_json::from_value(changed).expect("a document");
    serde_json::to_value(&document).expect("serialises")
}

/// Pairs of files, one of which lacks a record, or all records of a patient, released from the same seed.
/// POSTERITY_TRIALS says how many.
#[test]
fn one_record_changes_nothing_but_the_draw() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut dice = Random::new(28);
    let (mut changed, mut empty) = (0, 0);
    for trial in 0..trials(25) {
        let json = dice.index(2) == 0;
        let (flags, most) = question(&mut dice);
        let with_unit = flags.contains(&"--unit");
        let mut records: Vec<[&str; 4]> = (0..dice.index(7)).map(|_| record(&mut dice)).collect();
        // The one that is there or not: a record, or a patient whom nobody else is.
        let mut more = vec![record(&mut dice)];
        if with_unit {
            records.retain(|record| record[0] != "p1");
            more.extend((0..dice.index(4)).map(|_| record(&mut dice)));
            more.iter_mut().for_each(|record| record[0] = "p1");
        }
        // One name for both, so that the release is about the same source.
        let path = folder.path().join(if json { "visits.json" } else { "visits.csv" });
        let name = path.to_string_lossy();
        let release = |records: &[[&str; 4]], format: &str| -> Run {
            write(&path, records, json);
            let mut args = vec!["release", &name, "--epsilon", "0.7", "--adjacency", "add-remove"];
            args.extend(
                ["--seed", "5", "--explain", "--format", format]
                    .iter()
                    .filter(|flag| format == "table" || **flag != "--explain"),
            );
            args.extend(&flags);
            posterity(&args)
        };
        let format = ["json", "csv", "table"][dice.index(3)];
        let more_records: Vec<[&str; 4]> = records.iter().copied().chain(more.iter().copied()).collect();
        let runs = [release(&records, format), release(&more_records, format)];
        let context = format!("{trial}: {flags:?}\n{records:?}\n{more:?}\n{}", runs[1].stderr);
        assert_eq!(runs[0].code, Some(0), "{}", runs[0].stderr);
        assert_eq!((runs[0].code, &runs[0].stderr), (runs[1].code, &runs[1].stderr), "{context}");
        let documents = [&records, &more_records].map(|records| -> Value {
            serde_json::from_str(&release(records, "json").stdout).expect("JSON")
        });
        let distance: u64 =
            drawn(&documents[0]).iter().zip(drawn(&documents[1])).map(|(a, b)| a.abs_diff(b)).sum();
        // Records are drawn from the seed, too: others of the same units may be drawn then.
        if with_unit {
            assert!(distance <= most, "{distance}: {context}");
        } else {
            assert!(distance <= 1, "{distance}: {context}");
        }
        if distance == 0 {
            assert_eq!(runs[0].stdout, runs[1].stdout, "{context}");
        }
        assert_eq!(with_draw(&documents[0], &documents[1]["drawn"]), documents[1], "{context}");
        changed += usize::from(distance > 0);
        empty += usize::from(records.is_empty());
    }
    assert!(changed > 4 && empty > 0, "{changed} changed, {empty} empty");
}

/// A ledger knows the question without n, so that a file with another record is recalled, and an edition tells them apart.
#[test]
fn a_ledger_does_not_know_n() {
    let folder = tempfile::tempdir().expect("a folder");
    let [ledger, file] = ["study.ledger", "visits.csv"].map(|name| folder.path().join(name));
    let [ledger, file] = [&ledger, &file].map(|path| path.to_string_lossy());
    let create =
        ["budget", "create", &ledger, "--account", "a", "--epsilon", "3", "--adjacency", "add-remove"];
    let created = posterity(&create);
    assert_eq!(created.code, Some(0), "{}", created.stderr);
    let release = |records: &[[&str; 4]], more: &[&str]| {
        write(Path::new(&*file), records, false);
        let mut args = vec!["release", &file, "--column", "ward", "--categories", "A,B", "--epsilon", "1"];
        args.extend(["--adjacency", "add-remove", "--ledger", &ledger, "--account", "a", "--format", "json"]);
        args.extend(more);
        posterity(&args)
    };
    let first = release(&[], &[]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let again = release(&[["p1", "A", "yes", "7"], ["p2", "nowhere", "", "x"]], &[]);
    assert_eq!(again.stdout, first.stdout, "{}", again.stderr);
    let next = release(&[["p1", "A", "yes", "7"]], &["--edition", "2027"]);
    assert!(
        next.stdout.contains("\"edition\": \"2027\"") && next.stderr.contains("charged"),
        "{}",
        next.stderr
    );
    // What publishes n is nothing to this account.
    let public = posterity(&[
        "release",
        &file,
        "--column",
        "ward",
        "--categories",
        "A,B",
        "--epsilon",
        "1",
        "--ledger",
        &ledger,
        "--account",
        "a",
    ]);
    assert_eq!(public.code, Some(1));
    assert!(public.stderr.contains("add-remove"), "{}", public.stderr);
    let shown = posterity(&["budget", "show", &ledger]);
    assert!(shown.stdout.contains("add-remove") || shown.stdout.contains("private"), "{}", shown.stdout);
}

/// The owner of the data sees what is left out; nobody else does.
#[test]
fn check_says_what_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("visits.csv");
    write(&path, &[["p1", "A", "yes", "7"], ["p2", "Z", "no", "9"], ["p3", "", "no", "x"]], false);
    let path = path.to_string_lossy();
    let run = posterity(&["check", &path, "--column", "ward", "--categories", "A,B"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for words in ["ward: not declared", "ward: missing", "Z", "1 of 3 records count", "NOT PRIVATE"] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    let json = posterity(&["check", &path, "--column", "ward", "--categories", "A,B", "--format", "json"]);
    let found: Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(
        (&found["records"], &found["counted"], &found["private"]),
        (&3.into(), &1.into(), &false.into())
    );
}

/// Several records of a person count: about the records only, charged once, and recalled.
#[test]
fn several_records_of_a_person() {
    let folder = tempfile::tempdir().expect("a folder");
    let [ledger, file] = ["study.ledger", "visits.csv"].map(|name| folder.path().join(name));
    let records: Vec<[&str; 4]> = (0..40)
        .map(|i| [["p1", "p2", "p3"][i % 3], ["A", "B"][i % 2], ["1", "2", "3"][i % 3], "7"])
        .collect();
    write(&file, &records, false);
    let [ledger, file] = [&ledger, &file].map(|path| path.to_string_lossy());
    let create = ["--account", "a", "--epsilon", "2", "--unit", "patient", "--adjacency", "add-remove"];
    assert_eq!(posterity(&[&["budget", "create", &ledger][..], &create].concat()).code, Some(0));
    let release = |more: &[&str]| {
        let flags =
            ["--column", "ward", "--categories", "A,B", "--column", "outcome", "--categories", "1,2,3"];
        let rule =
            ["--unit", "patient", "--per-unit", "all 2", "--adjacency", "add-remove", "--epsilon", "1"];
        posterity(&[&["release", &file][..], &flags, &rule, more].concat())
    };
    let paid = ["--ledger", &ledger, "--account", "a", "--format", "json", "--compare", "ward: A - B"];
    let first = release(&paid);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    assert_eq!(release(&paid).stdout, first.stdout);
    let document: Value = serde_json::from_str(&first.stdout).expect("JSON");
    assert_eq!(document["request"]["interval_about"], "records");
    crate::schema::check(&document);
    // Nothing about a population is in it.
    assert!(document["readings"][0]["rows"][0].get("credible").is_none(), "{document}");
    assert!(document["comparisons"][0].get("probability_larger").is_none(), "{document}");
    for (more, words) in [
        (vec!["--read", "mean(outcome)"], "depend on each other"),
        (vec!["--compare", "independence(ward, outcome)"], "depend on each other"),
        (vec!["--about", "population"], "--about: several records of a unit count"),
        (vec!["--interval", "credible"], "--about"),
    ] {
        let run = release(&more);
        assert!(run.code != Some(0) && run.stderr.contains(words), "{more:?}: {} {}", run.stdout, run.stderr);
    }
    // A rule in other words is no rule.
    let forged = first.stdout.replace("\"per_unit\": \"all 2\"", "\"per_unit\": \"ALL 2\"");
    assert!(serde_json::from_str::<Document>(&forged).is_err());
}

/// Noise so wide that it is not tabulated says that nothing is known, not that much is.
#[test]
fn wide_noise_says_nothing() {
    let args =
        ["release", "--counts", "3,2", "--epsilon", "1e-6", "--adjacency", "add-remove", "--format", "json"];
    let document = crate::document(&args);
    let drawn: i64 = drawn(&document).iter().sum();
    for table in document["readings"].as_array().expect("readings") {
        for row in table["rows"].as_array().expect("rows") {
            let ends: [f64; 2] = serde_json::from_value(row["interval"].clone()).expect("an interval");
            if table["statistic"] == "count" {
                assert_eq!(row["estimate"].as_f64().expect("a number") as i64, drawn);
                assert!(ends[0] == 0.0 && ends[1] > 1e6, "{row}");
            } else {
                assert_eq!(ends, [0.0, 1.0], "{row}");
            }
        }
    }
}

#[test]
fn rejects() {
    let release = |flags: &[&str]| {
        let mut args = vec!["release", "--counts", "1,2", "--epsilon", "1"];
        args.extend(flags);
        posterity(&args)
    };
    let private = ["--adjacency", "add-remove"];
    for (flags, words) in [
        (vec!["--mechanism", "lattice"], "--mechanism: lattice takes the number of records for public"),
        (vec!["--mechanism", "geometric(consistent)"], "takes the number of records for public"),
        (vec!["--prior", "1"], "--prior: the parameters of the prior sum to 2"),
        (vec!["--decode", "best"], "--decode: the decoder best needs the number of records"),
        (vec!["--most", "0"], "--most"),
    ] {
        let run = release(&[&private[..], &flags].concat());
        assert_eq!(run.code, Some(2), "{flags:?} {}", run.stderr);
        assert!(run.stderr.contains(words), "{flags:?} {}", run.stderr);
    }
    let most = release(&["--most", "9"]);
    assert!(most.code == Some(2) && most.stderr.contains("n is public here"), "{}", most.stderr);
    let other = release(&["--adjacency", "removed"]);
    assert!(other.code == Some(2) && other.stderr.contains("add-remove"), "{}", other.stderr);
    assert_eq!(release(&[&private[..], &["--prior", "0.5"]].concat()).code, Some(0));
}
