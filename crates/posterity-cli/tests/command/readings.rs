//! Readings and comparisons through the command.

use serde_json::{Value, json};

use crate::budget::Study;
use crate::{document, posterity, typed};

/// A table of two columns in a folder of its own.
struct Visits {
    folder: tempfile::TempDir,
}

impl Visits {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut text = "ward,outcome\n".to_owned();
        for i in 0..300 {
            text += ["A", "B", "C"][i % 3];
            text += if i % 10 < 3 + 2 * (i % 3) { ",yes\n" } else { ",no\n" };
        }
        std::fs::write(folder.path().join("visits.csv"), text).expect("written");
        Self { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_string_lossy().into_owned()
    }

    fn release<'a>(csv: &'a str, more: &[&'a str]) -> Vec<&'a str> {
        let columns =
            ["--column", "ward", "--categories", "A,B,C", "--column", "outcome", "--categories", "yes,no"];
        [&["release", csv, "--epsilon", "1", "--seed", "4"], &columns[..], more].concat()
    }

    /// A stored document.
    fn document(&self) -> String {
        let (csv, path) = (self.path("visits.csv"), self.path("visits.json"));
        let run = posterity(&Self::release(&csv, &["--format", "json"]));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        std::fs::write(&path, run.stdout).expect("written");
        path
    }
}

fn rows(table: &Value) -> Vec<(Value, Value)> {
    let rows = table["rows"].as_array().expect("rows");
    rows.iter().map(|row| (row["given"].clone(), row["cell"].clone())).collect()
}

/// Readings of a release and of its document are the same numbers.
#[test]
fn a_release_and_its_document_have_the_same_readings() {
    let visits = Visits::new();
    let (csv, stored) = (visits.path("visits.csv"), visits.document());
    let asked = ["--read", "outcome | ward", "--compare", "outcome=yes | ward: A - B", "--format", "json"];
    let released = document(&Visits::release(&csv, &asked));
    let read = document(&[&["read", &stored], &asked[..]].concat());
    assert_eq!(released["readings"], read["readings"]);
    assert_eq!(released["comparisons"], read["comparisons"]);
    let table = &read["readings"][0];
    assert_eq!((&table["of"], &table["given"]), (&json!(["outcome"]), &json!(["ward"])));
    assert_eq!((&table["method"], &table["level"]), (&json!("measured"), &json!(0.95)));
    assert_eq!(rows(table)[3], (json!({ "ward": "B" }), json!({ "outcome": "no" })));
    assert!(read["comparisons"][0]["probability_larger"].as_f64().is_some_and(|larger| larger < 0.5));
}

/// If this fails, readers see codes where words were declared, or a label that they see cannot be asked for.
#[test]
fn labels_stand_beside_values_and_stand_for_them() {
    let visits = Visits::new();
    let (csv, picture) = (visits.path("visits.csv"), visits.path("visits.svg"));
    let columns = [
        "--column",
        "ward",
        "--categories",
        "A,B,C",
        "--label",
        "A=Surgery",
        "--label",
        "B=Children",
        "--column",
        "outcome",
        "--categories",
        "yes,no",
        "--label",
        "yes=cured",
    ];
    let ask = |more: &[&str]| {
        let run =
            posterity(&[&["release", &csv, "--epsilon", "1", "--seed", "4"], &columns[..], more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    let read = ["--read", "outcome=cured | ward", "--read", "ward in {B, Surgery}"];
    let compare = ["--compare", "outcome=cured | ward: Surgery - {Children, C}"];
    let shown = ask(&[&read[..], &compare].concat());
    assert!(ask(&[]).contains("ward=A (Surgery),outcome=yes (cured)"), "joint cells");
    for words in [
        "B (Children)",
        "{B, A} (Children, Surgery)",
        "yes (cured) | A (Surgery)",
        "yes (cured) | {B, C} (Children, C)",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    // A document has the categories: labels stand in it with the columns.
    let written: Value = serde_json::from_str(&ask(&[&["--format", "json"], &read[..], &compare].concat()))
        .expect("a document");
    assert_eq!(rows(&written["readings"][0])[1], (json!({ "ward": "B" }), json!({ "outcome": "yes" })));
    assert_eq!(rows(&written["readings"][1])[0], (json!({}), json!({ "ward": "{B, A}" })));
    assert_eq!(written["comparisons"][0]["second"]["given"], json!({ "ward": "{B, C}" }));
    ask(&["--plot", &picture, "--read", "outcome=cured | ward"]);
    let drawn = std::fs::read_to_string(&picture).expect("a picture");
    assert!(drawn.contains("A (Surgery)") && drawn.contains("B (Children)"), "{drawn}");
    ask(&["--plot", &picture, "--force"]);
    let drawn = std::fs::read_to_string(&picture).expect("a picture");
    // Longer names are shortened.
    assert!(drawn.contains("ward=A (Surgery),outcome=no"), "{drawn}");
    let wide: Vec<&str> =
        ["margins", &csv, "--epsilon", "9", "--delta", "1e-9", "--sets", "2", "--seed", "4"].into();
    let run = posterity(&[&wide[..], &columns, &read[..2], &compare].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for words in ["A (Surgery)", "yes (cured) | {B, C} (Children, C)"] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    let wrong = ["release", &csv, "--epsilon", "1", "--read", "outcome=Cured"];
    let run = posterity(&[&wrong[..], &columns].concat());
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    assert!(run.stderr.contains("--read: ") && run.stderr.contains("no value \"Cured\""), "{}", run.stderr);
}

/// By default a release of several columns has the joint cells and the marginals of single columns.
#[test]
fn usual_readings() {
    let visits = Visits::new();
    let stored = visits.document();
    let released: Value =
        serde_json::from_str(&std::fs::read_to_string(&stored).expect("there")).expect("JSON");
    let texts = |document: &Value| -> Vec<Value> {
        let readings = document["readings"].as_array().expect("a list");
        readings.iter().map(|table| table["reading"].clone()).collect()
    };
    assert_eq!(texts(&released), ["ward, outcome", "ward", "outcome"]);
    let again = document(&["read", &stored, "--format", "json"]);
    assert_eq!(again["readings"], released["readings"]);
    let wide = document(&["read", &stored, "--level", "0.99", "--format", "json"]);
    assert_eq!(wide["readings"][0]["level"], 0.99);
    // One column is one reading like any other.
    let one = document(&["release", "--counts", "4,5", "--epsilon", "1", "--format", "json"]);
    assert_eq!(texts(&one), ["category"]);
    let row = &one["readings"][0]["rows"][0];
    assert_eq!(row["interval"], row["confidence"]);
    // With a prior that was stated, credible intervals are those of its posterior.
    let credible = ["--prior", "1,1", "--interval-kind", "credible"];
    let one = document(
        &[&["release", "--counts", "4,5", "--epsilon", "1", "--format", "json"][..], &credible].concat(),
    );
    let row = &one["readings"][0]["rows"][0];
    assert_eq!(row["interval"], row["credible"]);
    assert_eq!(row["interval"], one["noise_aware"]["intervals"][0]);
}

/// What is asked of intervals when a release is made or read is in the document, the tables and the notes.
#[test]
fn intervals_of_every_kind() {
    let visits = Visits::new();
    let stored = visits.document();
    let read = |more: &[&str]| {
        document(&[&["read", &stored, "--read", "outcome | ward", "--format", "json"][..], more].concat())
            ["readings"][0]
            .clone()
    };
    let (confidence, credible) = (read(&[]), read(&["--interval-kind", "credible"]));
    assert_eq!(
        (&confidence["interval_kind"], &confidence["about"]),
        (&json!("confidence"), &json!("population"))
    );
    assert_eq!(credible["interval_kind"], "credible");
    for (one, other) in
        confidence["rows"].as_array().expect("rows").iter().zip(credible["rows"].as_array().expect("rows"))
    {
        assert_eq!((&one["interval"], &other["interval"]), (&one["confidence"], &one["credible"]));
        assert_eq!((&one["estimate"], &one["mean"]), (&other["estimate"], &other["mean"]));
    }
    let width = |table: &Value, row: usize| {
        let end = |end: usize| table["rows"][row]["interval"][end].as_f64().expect("a number");
        end(1) - end(0)
    };
    let shortest = read(&["--interval-kind", "shortest"]);
    let (of_records, at_once) = (read(&["--about", "records"]), read(&["--simultaneous"]));
    for row in 0..6 {
        assert!(width(&shortest, row) <= width(&credible, row));
        assert!(width(&of_records, row) < width(&confidence, row), "no sampling error");
        assert!(width(&at_once, row) > width(&confidence, row));
    }
    let records = ["read", &stored, "--about", "records"];
    let page = posterity(&records).stdout;
    assert!(
        page.contains("95 % confidence interval") && page.contains("About the records themselves"),
        "{page}"
    );
    let page = posterity(&[&records[..], &["--explain"]].concat()).stdout.replace("\n      ", " ");
    assert!(
        page.contains("at least 95 of 100 such intervals would hold the share of these records"),
        "{page}"
    );
    let credible = posterity(&["read", &stored, "--interval-kind", "credible"]).stdout;
    assert!(credible.contains("mean  95 % credible interval"), "{credible}");
    for (more, problem) in [
        (
            &["--interval-kind", "credible", "--about", "records"][..],
            "--about: credible intervals are about the population",
        ),
        (&["--interval-kind", "wide"], "[possible values: confidence, credible, shortest]"),
        (&["--about", "everyone"], "[possible values: population, records]"),
    ] {
        let refused = posterity(&[&["read", &stored][..], more].concat());
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{more:?}");
        assert!(refused.stderr.contains(problem), "{}", refused.stderr);
    }
}

/// The counts of units of which one record is drawn are not those of all records.
#[test]
fn random_records_have_no_intervals_of_their_own() {
    let visits = Visits::new();
    let source = visits.path("visits.csv");
    let asked = ["release", &source, "--column", "outcome", "--categories", "yes,no", "--unit", "ward"];
    let asked = [&asked[..], &["--epsilon", "1", "--about", "records"]].concat();
    let refused = posterity(&asked);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{}", refused.stderr);
    assert!(refused.stderr.contains("--about: each unit counts by one of its records"), "{}", refused.stderr);
    let counted = posterity(&[&asked[..], &["--per-unit", "mode"]].concat());
    assert_eq!(counted.code, Some(0), "{}", counted.stderr);
    assert!(counted.stdout.contains("About the records themselves"), "{}", counted.stdout);
}

#[test]
fn rows_as_comma_separated_values() {
    let visits = Visits::new();
    let stored = visits.document();
    let args = [
        "read",
        &stored,
        "--read",
        "outcome | ward",
        "--compare",
        "outcome=yes | ward: A / B",
        "--format",
        "csv",
    ];
    let run = posterity(&args);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 8, "{}", run.stdout);
    assert_eq!(
        lines[0],
        "reading,ward,outcome,measure,estimate,mean,low,high,interval_kind,level,about,confidence_low,confidence_high,credible_low,\
         credible_high,mostly_prior,may_be_empty,median,probability_larger,method,error,private"
    );
    assert!(lines[1].starts_with("outcome | ward,A,yes,share,0."), "{}", lines[1]);
    assert!(lines[1].contains(",confidence,0.95,population,"), "{}", lines[1]);
    let ratio: Vec<&str> = lines[7].split(',').collect();
    assert_eq!((ratio[0], ratio[3], ratio[5]), ("outcome=yes | ward: A / B", "ratio", ""), "{}", lines[7]);
}

#[test]
fn tables_for_a_reader() {
    let visits = Visits::new();
    let stored = visits.document();
    let table =
        |more: &[&str]| posterity(&[&["read", &stored], more].concat()).stdout.replace(&visits.path(""), "");
    insta::assert_snapshot!(
        "read-table",
        table(&["--read", "outcome | ward", "--compare", "outcome=yes | ward: A - B"])
    );
    insta::assert_snapshot!("read-usual", table(&[]));
}

#[test]
fn rejects() {
    let visits = Visits::new();
    let (csv, stored) = (visits.path("visits.csv"), visits.document());
    for (more, code, message) in [
        (
            ["--read", "outcomes"],
            2,
            "the release has no column \"outcomes\"; its columns are \"ward\", \"outcome\"",
        ),
        (
            ["--read", "outcome | ward=D"],
            2,
            "the column \"ward\" has no value \"D\"; its values are \"A\", \"B\", \"C\"",
        ),
        (["--read", "outcome |"], 2, "a name is missing at the end"),
        (["--read", "mean(ward)"], 2, "the value \"A\" of the column \"ward\" is no number"),
        (["--compare", "outcome=yes | ward: A-B"], 2, "with spaces around it"),
        (["--compare", "independence(ward, age)"], 2, "the release has no column \"age\""),
    ] {
        // Before anything is drawn, and the same for a document.
        for args in [Visits::release(&csv, &more), [&["read", &stored], &more[..]].concat()] {
            let run = posterity(&args);
            assert_eq!(run.code, Some(code), "{args:?}");
            assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
            assert!(run.stdout.is_empty());
        }
    }
    let run = posterity(&["read", &csv]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("is no release document"), "{}", run.stderr);
    assert_eq!(posterity(&["read", "no-such-file.json"]).code, Some(1));
}

/// If this fails, advice assumes other sizes of groups than an earlier release has, or takes them from private data.
#[test]
fn sizes_of_groups_come_from_an_earlier_release() {
    let study = Study::new("1");
    let file = study.file("visits.csv", "ward,cured\nA,yes\nA,no\nA,yes\nB,yes\n");
    let wards = "release {} --column ward --categories A,B --epsilon 1000 --format json";
    let released = |line: &str| study.file("wards.json", &posterity(&typed(line, &[&file])).stdout);
    let earlier = released(wards);
    let advice = "advise --columns ward=2,cured=2 --read {} --n 300 --epsilon 1 --format json";
    let advised = |more: &[&str]| posterity(&[&typed(advice, &["cured | ward"]), more].concat());
    let taken = advised(&["--shape-from", &earlier, "--shape", "cured=1,1"]);
    assert_eq!(
        (taken.code, taken.stdout),
        (Some(0), advised(&["--shape", "ward=3,1", "--shape", "cured=1,1"]).stdout)
    );
    let lacking = advised(&["--shape-from", &earlier]);
    let other = posterity(&typed(
        "advise --columns ward=3,cured=2 --n 300 --epsilon 1 --shape cured=1,1 --shape-from {}",
        &[&earlier],
    ));
    let experiment = released(&format!("{wards} --seed 1"));
    let seeded = advised(&["--shape-from", &experiment, "--shape", "cured=1,1"]);
    for (run, words) in [
        (lacking, "no column \"cured\"; its columns are ward. Give the expected shares of cured"),
        (other, "has 2 values, and here it has 3; give its expected shares"),
        (seeded, "is not private"),
    ] {
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{}", run.stderr);
        assert!(run.stderr.contains("--shape-from: ") && run.stderr.contains(words), "{}", run.stderr);
    }
}
