//! Categories that nobody declared: values that few people have are named nowhere.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use posterity_testkit::{Random, trials};
use serde_json::Value;

use crate::{Run, posterity};

const FLAGS: [&str; 8] = ["--column", "drug", "--epsilon", "1", "--delta", "1e-9", "--total-epsilon", "0.5"];

/// A file of patients and their drugs.
fn write(folder: &Path, records: &[(String, &str)]) -> PathBuf {
    let mut text = "patient,drug,age\n".to_owned();
    for (index, (patient, drug)) in records.iter().enumerate() {
        writeln!(text, "{patient},{drug},{}", 20 + index % 60).expect("text");
    }
    let path = folder.join("visits.csv");
    fs::write(&path, text).expect("written");
    path
}

/// Two common drugs, and some that one patient each has.
fn visits() -> Vec<(String, &'static str)> {
    let drug = |index: usize| match index {
        0 => "Secretazepam",
        1 => "Hushumab",
        index if index % 3 == 0 => "Ibuprofen",
        _ => "Metformin",
    };
    (0..600).map(|index| (format!("p{index}"), drug(index))).collect()
}

fn release(path: &Path, more: &[&str]) -> Run {
    let name = path.to_string_lossy();
    let mut args = vec!["discover", &name];
    args.extend(FLAGS);
    args.extend(more);
    posterity(&args)
}

fn shown(document: &Value) -> Vec<(String, u64)> {
    serde_json::from_value(document["drawn"]["shown"].clone()).expect("pairs")
}

/// If this fails, a value that one person alone has is printed, drawn or stored.
#[test]
fn rare_values_are_named_nowhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, ledger) = (write(folder.path(), &visits()), folder.path().join("a.ledger"));
    let ledger = ledger.to_string_lossy();
    let created = posterity(&[
        "budget",
        "create",
        &ledger,
        "--account",
        "study",
        "--epsilon",
        "5",
        "--delta",
        "1e-6",
        "--adds-up",
        "--adjacency",
        "add-remove",
        "--unit",
        "patient",
    ]);
    assert_eq!(created.code, Some(0), "{}", created.stderr);
    let picture = folder.path().join("drugs.svg");
    let (plot, charged) =
        (picture.to_string_lossy(), ["--unit", "patient", "--ledger", &ledger, "--account", "study"]);
    let mut outputs = Vec::new();
    for format in ["table", "csv", "json"] {
        let run = release(&path, &[&charged[..], &["--format", format, "--plot", &plot, "--force"]].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("Ibuprofen") && run.stdout.contains("Metformin"), "{}", run.stdout);
        outputs.push(run);
    }
    // The second and the third are the first, read again.
    assert!(outputs[0].stderr.contains("charged epsilon 1.5 and delta 1e-9"), "{}", outputs[0].stderr);
    assert!(outputs[2].stderr.contains("nothing was charged"), "{}", outputs[2].stderr);
    let bytes = [fs::read(&*ledger).expect("there"), fs::read(&picture).expect("there")];
    let printed = outputs.iter().flat_map(|run| [run.stdout.clone(), run.stderr.clone()]);
    let stored = bytes.iter().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    for text in printed.chain(stored) {
        assert!(!text.contains("Secretazepam") && !text.contains("Hushumab"), "{text}");
    }
    crate::schema::check(&serde_json::from_str(&outputs[2].stdout).expect("JSON"));
    let document = folder.path().join("drugs.json");
    fs::write(&document, &outputs[2].stdout).expect("written");
    let document = document.to_string_lossy();
    let verified = posterity(&["verify", &document, "--ledger", &ledger]);
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
    let read = posterity(&["read", &document, "--level", "0.5", "--format", "json"]);
    assert_eq!(read.code, Some(0), "{}", read.stderr);
    let width = |text: &str| {
        let document: Value = serde_json::from_str(text).expect("JSON");
        let ends: [f64; 2] =
            serde_json::from_value(document["readings"][0]["rows"][0]["interval"].clone()).expect("ends");
        ends[1] - ends[0]
    };
    assert!(width(&read.stdout) < width(&outputs[2].stdout));
}

/// Pairs of files, one of which has one patient more. POSTERITY_TRIALS says how many.
#[test]
fn one_patient_changes_nothing_but_the_draw() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut dice = Random::new(29);
    let drugs = ["A", "B", "C", "", "D"];
    for trial in 0..trials(8) {
        let size = [0, 1, 40, 300][dice.index(4)];
        let mut records: Vec<(String, &str)> =
            (0..size).map(|index| (format!("p{}", index % 200), drugs[dice.index(drugs.len())])).collect();
        let more = [
            ["--unit", "patient"].as_slice(),
            &["--unit", "patient", "--where", "age > 30"],
            &["--one-record-per-person"],
            &["--unit", "patient", "--missing", "none"],
        ];
        let more = more[dice.index(more.len())];
        let format = ["json", "csv", "table"][dice.index(3)];
        let run = |records: &[(String, &str)]| {
            let path = write(folder.path(), records);
            release(&path, &[more, &["--seed", "3", "--format", format]].concat())
        };
        let without = run(&records);
        records.push(("new".to_owned(), "Rare"));
        let with = run(&records);
        assert_eq!((without.code, &without.stderr), (with.code, &with.stderr), "{trial}");
        assert_eq!(with.code, Some(0), "{}", with.stderr);
        assert!(!with.stdout.contains("Rare"), "{}", with.stdout);
    }
}

/// If this fails, no value that many people have is found, or its count is wrong by more than noise.
#[test]
fn common_values_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), &visits());
    let run = release(&path, &["--one-record-per-person", "--seed", "1", "--format", "json"]);
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    crate::schema::check(&document);
    let found = shown(&document);
    assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["Ibuprofen", "Metformin"]);
    for ((_, noisy), truth) in found.iter().zip([199, 399]) {
        assert!(noisy.abs_diff(truth) < 25, "{noisy} {truth}");
    }
    assert_eq!(document["private"], false);
    let empty = write(folder.path(), &[]);
    let run = release(&empty, &["--one-record-per-person", "--seed", "1"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("No value passed the threshold"), "{}", run.stdout);
}

#[test]
fn rejects() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), &visits());
    let name = path.to_string_lossy().into_owned();
    let unit = ["--unit", "patient"];
    let table: [(&[&str], &str); 9] = [
        (&[], "--unit: a value that one person alone has must not be named"),
        (&["--unit", "patient", "--per-unit", "all 3"], "--per-unit"),
        (&["--unit", "patient", "--mechanism", "geometric"], "--mechanism: this is for `posterity release`"),
        (&["--unit", "patient", "--read", "drug"], "--read"),
        (&["--unit", "patient", "--within", "age > 3"], "--within"),
        (&["--unit", "patient", "--other", "rest"], "--other"),
        (&["--unit", "patient", "--interval-kind", "credible"], "--interval-kind"),
        (&["--unit", "patient", "--one-record-per-person"], "one record for each person beside a unit"),
        (&["--unit", "patient", "--column", "age"], "--column: categories are discovered in one column"),
    ];
    for (more, expected) in table {
        let run = release(&path, more);
        assert_eq!(run.code, Some(2), "{more:?}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{more:?}: {}", run.stderr);
    }
    let asked = |flags: &[&str]| {
        posterity(&[&["discover", &name, "--column", "drug", "--epsilon", "1"], flags, &unit[..]].concat())
    };
    for flags in [&[][..], &["--delta", "0"], &["--delta", "1"], &["--delta", "1e-9", "--categories", "a,b"]]
    {
        let run = asked(flags);
        assert_eq!(run.code, Some(2), "{flags:?}: {}", run.stderr);
        let named = if flags.len() > 2 { "--categories: this has no meaning" } else { "--delta" };
        assert!(run.stderr.contains(named), "{flags:?}: {}", run.stderr);
    }
    let without_file = posterity(&["discover", "--column", "drug", "--epsilon", "1", "--delta", "1e-9"]);
    assert!(without_file.stderr.contains("FILE: name the file"), "{}", without_file.stderr);
}

/// If this fails, a forged document verifies.
#[test]
fn forged_documents_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), &visits());
    let run = release(&path, &["--one-record-per-person", "--format", "json"]);
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    crate::schema::check(&document);
    let file = folder.path().join("forged.json");
    let verify = |document: &Value| {
        fs::write(&file, document.to_string()).expect("written");
        posterity(&["verify", &file.to_string_lossy()])
    };
    assert_eq!(verify(&document).code, Some(0));
    type Forge = fn(&mut Value);
    let forgeries: [Forge; 7] = [
        |document| document["drawn"]["shown"][0][1] = Value::from(3),
        |document| document["drawn"]["shown"][0][0] = Value::from("Zolpidem"),
        |document| document["promise"]["delta"] = Value::from("1/10000000000"),
        |document| document["promise"]["epsilon"] = Value::from("1"),
        |document| document["request"]["delta"] = Value::from("1/10"),
        |document| document["readings"][0]["rows"][0]["interval"][0] = Value::from(1),
        |document| document["threshold"] = Value::from(2),
    ];
    for (index, forge) in forgeries.into_iter().enumerate() {
        let mut forged = document.clone();
        forge(&mut forged);
        assert_ne!(forged, document, "{index}");
        assert_eq!(verify(&forged).code, Some(1), "{index}");
    }
}
