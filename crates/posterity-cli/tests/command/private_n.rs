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
    if dice.index(6) == 0 {
        return [BROKEN, ["0", "1", "2", "3", "4", "5"][dice.index(6)], "", ""];
    }
    [
        patients[dice.index(patients.len())],
        wards[dice.index(wards.len())],
        outcomes[dice.index(outcomes.len())],
        ages[dice.index(ages.len())],
    ]
}

const NAMES: [&str; 4] = ["patient", "ward", "outcome", "age"];

/// What stands in place of the patient of a record that is none of its format. The next field tells which.
const BROKEN: &str = "!";

/// Lines that are no objects, and those that are no records of four fields.
const NO_OBJECTS: [&[u8]; 6] = [
    b"{\"patient\":\"p2\",\"age\":NaN}",
    b"{\"patient\":\"p2\",\"ward\":\"A\",\"name\":\"caf\xe9\"}",
    b"{\"patient\":\"p2\",\"ward\":\"A\",\"name\":\"\t\"}",
    b"{\"patient\":\"p2\",\"ward\":\"A\",\"name\":\"\\ud83d\"}",
    b"[\"p2\"]",
    b"{\"patient\":\"p2\",\"ward\":\"A\"",
];
const NO_RECORDS: [&[u8]; 6] =
    [b"p2", b"p2,A", b"p2,A,yes,44,1", b"p2,A,yes,\"44\n\",1", b"\xff,A,yes", b"p2,A,yes,44,"];

/// How records are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Csv,
    Json,
    /// Lines of JSON, each record in the folder of its ward.
    Folder,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Self::Csv => "visits.csv",
            Self::Json => "visits.json",
            Self::Folder => "visits",
        }
    }
}

/// Writes records.
fn write(path: &Path, records: &[[&str; 4]], form: Form) {
    let broken = |record: &[&str; 4], table: [&[u8]; 6]| -> Option<Vec<u8>> {
        (record[0] == BROKEN).then(|| table[record[1].parse::<usize>().expect("a place")].to_vec())
    };
    let object = |record: &[&str; 4]| {
        let pairs = NAMES.iter().zip(record).filter(|(_, value)| !value.is_empty());
        let pairs: serde_json::Map<String, Value> =
            pairs.map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
        broken(record, NO_OBJECTS).unwrap_or_else(|| Value::Object(pairs).to_string().into_bytes())
    };
    let lines = |lines: Vec<Vec<u8>>| [lines.join(&b'\n'), b"\n".to_vec()].concat();
    match form {
        Form::Csv => {
            let record = |record: &[&str; 4]| {
                broken(record, NO_RECORDS).unwrap_or_else(|| record.join(",").into_bytes())
            };
            let records = records.iter().map(record);
            let all = std::iter::once(NAMES.join(",").into_bytes()).chain(records).collect();
            fs::write(path, lines(all)).expect("written");
        }
        Form::Json => fs::write(path, lines(records.iter().map(object).collect())).expect("written"),
        Form::Folder => {
            if path.exists() {
                fs::remove_dir_all(path).expect("removed");
            }
            fs::create_dir(path).expect("a folder");
            for (ward, place) in
                [("A", "A"), ("B", "B"), ("C", "C"), ("", "__HIVE_DEFAULT_PARTITION__"), ("D", "%FF")]
            {
                let is_there = |record: &&[&str; 4]| record[1] == ward || record[0] == BROKEN && ward == "A";
                let mut there: Vec<[&str; 4]> = records.iter().filter(is_there).copied().collect();
                // The ward stands in the name.
                there.iter_mut().filter(|record| record[0] != BROKEN).for_each(|record| record[1] = "");
                let folder = path.join(format!("ward={place}"));
                fs::create_dir(&folder).expect("a folder");
                if !there.is_empty() {
                    fs::write(folder.join("part.jsonl"), lines(there.iter().map(object).collect()))
                        .expect("written");
                }
            }
        }
    }
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
    let (mut changed, mut empty, mut broken) = (0, 0, 0);
    let many = trials(40);
    for trial in 0..many {
        let form = [Form::Csv, Form::Json, Form::Folder][dice.index(3)];
        let (flags, most) = question(&mut dice);
        let with_unit = flags.contains(&"--unit");
        // Another folder moves the places by which records of others are drawn: docs/proofs/stability.md couples them.
        let form = if with_unit && form == Form::Folder { Form::Json } else { form };
        let mut records: Vec<[&str; 4]> = (0..dice.index(7)).map(|_| record(&mut dice)).collect();
        // The one that is there or not: a record, or a patient whom nobody else is.
        let mut more = vec![record(&mut dice)];
        if with_unit {
            records.retain(|record| record[0] != "p1");
            more.extend((0..dice.index(4)).map(|_| record(&mut dice)));
            more.iter_mut().filter(|record| record[0] != BROKEN).for_each(|record| record[0] = "p1");
        }
        broken += usize::from(more[0][0] == BROKEN);
        // One name for both, so that the release is about the same source.
        let path = folder.path().join(form.name());
        let name = path.to_string_lossy();
        let release = |records: &[[&str; 4]], format: &str| -> Run {
            write(&path, records, form);
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
    println!("{many} pairs: {changed} changed, {empty} with one record or none, {broken} with a broken one");
    assert!(changed > 4 && empty > 0 && broken > 0, "{changed} changed, {empty} empty, {broken} broken");
}

/// What one record holds, and what becomes of a folder without it. If this fails, it decides whether anything is released.
#[test]
fn nothing_that_one_record_holds_is_refused() {
    let scratch = tempfile::tempdir().expect("a folder");
    let release = |path: &str, flags: &[&str]| {
        let path = scratch.path().join(path);
        let args = ["release", &path.to_string_lossy(), "--epsilon", "1000", "--seed", "5"];
        posterity(&[&args[..], &["--adjacency", "add-remove", "--format", "json"], flags].concat())
    };
    let counted = |run: &Run| -> Vec<i64> {
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        drawn(&serde_json::from_str(&run.stdout).expect("JSON"))
    };
    let asked = ["--column", "c", "--categories", "x,y", "--missing", "none"];
    for line in NO_OBJECTS {
        let text = [b"{\"c\":\"x\"}\n", line, b"\n{\"c\":\"y\"}\n"].concat();
        fs::write(scratch.path().join("a.jsonl"), text).expect("written");
        assert_eq!(counted(&release("a.jsonl", &asked)), [1, 1, 1], "{}", String::from_utf8_lossy(line));
    }
    let folder = scratch.path().join("visits/c=x");
    fs::create_dir_all(&folder).expect("a folder");
    for pattern in ["visits", "visits/*/*.csv"] {
        assert_eq!(counted(&release(pattern, &asked)), [0, 0, 0], "{pattern}");
    }
    fs::write(folder.join("part.csv"), "id\n1\n").expect("written");
    for pattern in ["visits", "visits/*/*.csv"] {
        assert_eq!(counted(&release(pattern, &asked)), [1, 0, 0], "{pattern}");
    }
    let named = scratch.path().join("visits/c=%FF");
    fs::create_dir(&named).expect("a folder");
    fs::write(named.join("part.csv"), "id\n1\n").expect("written");
    assert_eq!(counted(&release("visits", &asked)), [1, 0, 1]);
    let most = 1_000_000_000_000;
    for (typed, counts) in [
        ("1000000000000,0", [most, 0]),
        ("1000000000000,1", [most, 1]),
        ("1000000000001,1", [most, 1]),
        ("18446744073709551615,0", [most, 0]),
        ("18446744073709551616,0", [most, 0]),
    ] {
        let args = ["release", "--counts", typed, "--epsilon", "1000", "--seed", "5", "--format", "json"];
        let run = posterity(&[&args[..], &["--adjacency", "add-remove"]].concat());
        assert_eq!(counted(&run), counts, "{typed}");
        let public = posterity(&args);
        assert_eq!(public.code == Some(0), typed == "1000000000000,0", "{typed} {}", public.stderr);
    }
    // What is refused as a whole is in the promise.
    let run = release("visits", &asked);
    let document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert!(document["guarantee"]["statement"].is_string(), "{document}");
    let path = scratch.path().join("visits");
    let unseeded =
        ["release", &path.to_string_lossy(), "--epsilon", "1", "--adjacency", "add-remove", "--explain"];
    let run = posterity(&[&unseeded[..], &asked].concat());
    assert!(run.stdout.contains("refused as a whole"), "{}", run.stdout);
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
        write(Path::new(&*file), records, Form::Csv);
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
    write(&path, &[["p1", "A", "yes", "7"], ["p2", "Z", "no", "9"], ["p3", "", "no", "x"]], Form::Csv);
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
    write(&file, &records, Form::Csv);
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
    assert_eq!(document["request"]["about"], "records");
    crate::schema::check(&document);
    // Nothing about a population is in it.
    assert!(document["readings"][0]["rows"][0].get("credible").is_none(), "{document}");
    assert!(document["comparisons"][0].get("probability_larger").is_none(), "{document}");
    for (more, words) in [
        (vec!["--compare", "independence(ward, outcome)"], "depend on each other"),
        (vec!["--about", "population"], "--about: several records of a unit count"),
        (vec!["--interval-kind", "credible"], "--about"),
    ] {
        let run = release(&more);
        assert!(run.code != Some(0) && run.stderr.contains(words), "{more:?}: {} {}", run.stdout, run.stderr);
    }
    // The mean has an interval about the records.
    let mean = release(&["--read", "mean(outcome)"]);
    assert!(mean.code == Some(0) && mean.stdout.contains("About the records themselves"), "{}", mean.stderr);
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
