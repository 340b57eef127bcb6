//! Tables of many columns: from a file and its schema to readings, pictures and rows.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Run, posterity};

/// A survey of 3000 people with its schema, of four columns that can be released and one that cannot.
fn survey(folder: &Path) -> [String; 2] {
    let mut text = "id,ward,sex,smokes,cured\n".to_owned();
    for id in 0..3000 {
        let word = |yes: bool| if yes { "yes" } else { "no" };
        let (ward, sex) = (["A", "B", "C"][id % 3], if id % 5 < 2 { "f" } else { "m" });
        writeln!(text, "{id},{ward},{sex},{},{}", word(id % 7 < 2), word(id % 4 > 0)).expect("text");
    }
    let schema = r#"{"fields": [
        {"name": "id", "type": "integer"},
        {"name": "ward", "type": "string", "constraints": {"enum": ["A", "B", "C"]}},
        {"name": "sex", "type": "string", "constraints": {"enum": ["f", "m"]}},
        {"name": "smokes", "type": "string", "constraints": {"enum": ["yes", "no"]}},
        {"name": "cured", "type": "string", "constraints": {"enum": ["yes", "no"]}}]}"#;
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    };
    [write("survey.csv", &text), write("survey.schema.json", schema)]
}

fn release([file, schema]: &[String; 2], more: &[&str]) -> Run {
    let mut args = vec!["margins", file, "--schema", schema, "--epsilon", "1"];
    args.extend(more);
    posterity(&args)
}

fn json(run: &Run) -> Value {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("one JSON document")
}

/// If this fails, the way from a file to readings and rows is broken.
#[test]
fn from_a_file_to_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = survey(folder.path());
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for adjacency in ["replace", "add-remove"] {
        let run = release(
            &files,
            &["--sets", "2", "--delta", "1e-9", "--adjacency", adjacency, "--seed", "3", "--format", "json"],
        );
        let document = json(&run);
        crate::schema::check(&document);
        assert_eq!((&document["kind"], &document["private"]), (&"margins".into(), &false.into()));
        assert_eq!(document.get("n").is_some(), adjacency == "replace");
        let columns: Vec<&Value> =
            document["readings"].as_array().expect("readings").iter().map(|one| &one["reading"]).collect();
        assert_eq!(columns, ["ward", "sex", "smokes", "cured"]);
        let saved = path("survey.json");
        fs::write(&saved, &run.stdout).expect("written");
        let read = json(&posterity(&[
            "read",
            &saved,
            "--read",
            "cured | ward",
            "--about",
            "records",
            "--format",
            "json",
        ]));
        let rows = read["readings"][0]["rows"].as_array().expect("rows");
        assert_eq!(rows.len(), 6);
        assert!((rows[0]["estimate"].as_f64().expect("a number") - 0.75).abs() < 0.15, "{}", rows[0]);
        // One of both ways at each adjacency.
        let kind = if adjacency == "replace" { "credible" } else { "shortest" };
        let asked =
            ["--read", "cured | ward", "--compare", "cured=yes | ward: A - B", "--interval-kind", kind];
        let credible = json(&posterity(&[&["read", &saved, "--format", "json"], &asked[..]].concat()));
        crate::schema::check(&credible);
        assert_eq!(credible["request"]["interval_kind"], kind);
        let compared = &credible["comparisons"][0];
        let measured = &compared["measures"][0];
        assert_eq!((&compared["method"], &compared["seed"]), (&"draws".into(), &1.into()));
        assert_eq!(measured["interval"], measured["credible"]);
        let shown = posterity(&[&["read", &saved], &asked[..]].concat());
        let said = shown.stdout + &shown.stderr;
        assert!(said.contains("Comparisons come from 32,768 draws of seed 1"), "{said}");
        let held = posterity(&["verify", &saved]);
        assert_eq!(held.code, Some(0), "{}", held.stderr);
        let plot = path("cured.svg");
        let drawn = posterity(&["read", &saved, "--read", "cured | ward", "--plot", &plot, "--force"]);
        assert_eq!(drawn.code, Some(0), "{}", drawn.stderr);
        assert!(fs::read_to_string(&plot).expect("a picture").contains("tables of many columns"));
        let compared = json(&posterity(&["read", &saved, "--compare", "sex: m - f", "--format", "json"]));
        crate::schema::check(&compared);
        assert_eq!(compared["readings"].as_array().map(Vec::len), Some(0));
        let difference = &compared["comparisons"][0]["measures"][0]["estimate"];
        assert!((difference.as_f64().expect("a number") - 0.2).abs() < 0.1, "{difference}");
        let (out, tables) = (path("rows.csv"), path("tables.csv"));
        let fit = ["rows", &saved, "--rows", "500", "--out", &out, "--non-negative", &tables, "--force"];
        let fitted = json(&posterity(&[&fit[..], &["--format", "json"]].concat()));
        let text = fs::read_to_string(&tables).expect("tables");
        let singles = |column: &str| -> u64 {
            let lines = text.lines().filter(|line| line.starts_with(&format!("{column}=")));
            lines.map(|line| line.split(',').nth(1).expect("a count").parse::<u64>().expect("whole")).sum()
        };
        assert_eq!((text.lines().next(), singles("ward")), (Some("cell,rows,share,private"), 500));
        assert!(text.lines().any(|line| line.starts_with("\"ward=A, sex=f\",")), "{text}");
        assert_eq!((&fitted["rows"], fitted["tables"].as_array().map(Vec::len)), (&500.into(), Some(10)));
        let text = fs::read_to_string(&out).expect("rows");
        assert_eq!((text.lines().next(), text.lines().count()), (Some("ward,sex,smokes,cured,private"), 501));
        assert!(text.lines().skip(1).all(|line| line.starts_with(['A', 'B', 'C'])));
        let parquet = path("rows.parquet");
        let run = posterity(&["rows", &saved, "--rows", "500", "--out", &parquet, "--force"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        // The same rows in both files.
        let count = |file: &str| {
            let args = ["release", file, "--schema", &files[1], "--column", "ward", "--column", "cured"];
            json(&posterity(&[&args[..], &["--epsilon", "1", "--seed", "1", "--format", "json"]].concat()))["drawn"].clone()
        };
        assert_eq!(count(&parquet), count(&out));
        let usual = json(&posterity(&["rows", &saved, "--out", &out, "--force", "--format", "json"]));
        let rows = usual["rows"].as_u64().expect("a number");
        assert!(if adjacency == "replace" { rows == 3000 } else { rows.abs_diff(3000) < 300 }, "{rows}");
    }
}

/// If this fails, a release is charged twice, or more than it promises.
#[test]
fn a_ledger_counts_in_rho() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = survey(folder.path());
    let ledger = folder.path().join("a.ledger").to_string_lossy().into_owned();
    let create = ["budget", "create", &ledger, "--account", "study", "--epsilon", "5", "--delta", "1e-6"];
    assert_eq!(posterity(&create).code, Some(0));
    let asked = |margins: &str| {
        let more = [
            "--sets",
            margins,
            "--delta",
            "1e-9",
            "--ledger",
            &ledger,
            "--account",
            "study",
            "--format",
            "json",
        ];
        release(&files, &more)
    };
    let first = asked("2; ward,sex=5");
    assert!(first.stderr.contains("charged rho 0.01497"), "{}", first.stderr);
    let again = asked("sex,ward=5; 2");
    assert!(again.stderr.contains("nothing was charged"), "{}", again.stderr);
    assert_eq!(json(&first)["drawn"], json(&again)["drawn"]);
    let saved = folder.path().join("release.json").to_string_lossy().into_owned();
    fs::write(&saved, &first.stdout).expect("written");
    let held = posterity(&["verify", &saved, "--ledger", &ledger]);
    let said = held.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(held.code == Some(0) && said.contains("rho 0.01497"), "{said}{}", held.stderr);
    let forged = first.stdout.replacen("\"private\": true", "\"private\": false", 1);
    assert_ne!(forged, first.stdout);
    fs::write(&saved, forged).expect("written");
    assert_eq!(posterity(&["verify", &saved]).code, Some(1));
}

#[test]
fn sets_alone_take_their_columns_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = survey(folder.path());
    let run =
        release(&files, &["--sets", "cured,ward", "--delta", "1e-9", "--seed", "1", "--format", "json"]);
    let names: Vec<Value> = json(&run)["request"]["data"]["columns"]
        .as_array()
        .expect("columns")
        .iter()
        .map(|column| column["name"].clone())
        .collect();
    assert_eq!(names, ["ward", "cured"]);
    let flags = ["--sets", "1", "--column", "sex", "--delta", "1e-9", "--seed", "1", "--format", "csv"];
    let run = release(&files, &flags);
    assert_eq!(run.stdout.lines().count(), 3, "{}", run.stdout);
    let table = release(&files, &["--sets", "2", "--delta", "1e-9"]);
    assert!(
        table.stdout.contains("4 of 1 column") && table.stdout.contains("6 of 2 columns"),
        "{}",
        table.stdout
    );
    assert!(
        table.stdout.contains("(1, 0.000000001)-") || table.stdout.contains("(1, 1e-9)-"),
        "{}",
        table.stdout
    );
}

#[test]
fn rejects() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = survey(folder.path());
    for (more, said) in [
        (&["--sets", "2"][..], "--delta: tables of many columns"),
        (&["--delta", "1e-9"], "--sets: this is required"),
        (&["--sets", "2", "--delta", "0"], "--delta: "),
        (&["--sets", "9", "--delta", "1e-9"], "--sets: tables of 9 columns were asked for"),
        (
            &["--sets", "ward,age", "--delta", "1e-9"],
            "--sets: no categories are declared for the column \"age\"",
        ),
        (
            &["--sets", "2", "--column", "id", "--delta", "1e-9"],
            "--column: no categories are declared for the column \"id\"",
        ),
        (
            &["--sets", "2", "--delta", "1e-9", "--read", "cured | ward, sex"],
            "no released table has ward, sex, cured together",
        ),
        (
            &["--sets", "2", "--delta", "1e-9", "--read", "mean(ward)"],
            "--read: the value \"A\" of the column \"ward\" is no number",
        ),
        (
            &["--sets", "2", "--delta", "1e-9", "--compare", "independence(sex, ward)"],
            "--compare: a release of many tables has no measure of independence",
        ),
        (
            &["--sets", "2", "--delta", "1e-9", "--interval-kind", "credible", "--read", "count"],
            "--interval-kind: a release of many tables has credible intervals of shares, means and comparisons, but not of numbers",
        ),
        (
            &["--sets", "2", "--delta", "1e-9", "--mechanism", "lattice"],
            "--mechanism: this is for `posterity release`",
        ),
        (&["--sets", "2", "--delta", "1e-9", "--within", "id > 3"], "--within: "),
        (&["--sets", "2", "--delta", "1e-9", "--plot", "a.svg"], "--plot: say what to draw"),
        (&["--sets", "a;;b", "--delta", "1e-9"], "does not say which tables"),
        (&["--sets", "blood type,sex", "--delta", "1e-9"], "Put names with blanks"),
        (
            &["--sets", "2", "--delta", "1e-9", "--categories", "A,B"],
            "--categories: with --schema, write this after the --column that it is for",
        ),
    ] {
        let run = release(&files, more);
        assert!(run.code == Some(2) && run.stderr.contains(said), "{more:?}: {:?} {}", run.code, run.stderr);
    }
    let ordinary =
        posterity(&["release", "--counts", "3,4", "--epsilon", "1", "--seed", "1", "--format", "json"]);
    let saved = folder.path().join("other.json").to_string_lossy().into_owned();
    fs::write(&saved, ordinary.stdout).expect("written");
    let out = folder.path().join("rows.csv").to_string_lossy().into_owned();
    let run = release(&files, &["--sets", "1", "--delta", "1e-9", "--seed", "1", "--format", "json"]);
    let margins = folder.path().join("margins.json").to_string_lossy().into_owned();
    fs::write(&margins, run.stdout).expect("written");
    for name in ["rows.json", "rows.csv.gz", "rows.arrow"] {
        let run = posterity(&["rows", &margins, "--out", name]);
        assert!(
            run.code == Some(2) && run.stderr.contains("--out: rows are written as CSV or Parquet"),
            "{}",
            run.stderr
        );
    }
    let refused = posterity(&["rows", &saved, "--out", &out]);
    assert!(
        refused.code == Some(1) && refused.stderr.contains("no release of many tables"),
        "{}",
        refused.stderr
    );
}

/// If this fails, a column whose name has such signs cannot be asked for.
#[test]
fn names_are_quoted_as_in_readings() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("people.csv").to_string_lossy().into_owned();
    let records: String =
        (0..60).map(|id| format!("{},{},{}\n", ["x", "y"][id % 2], id % 3, id % 2)).collect();
    fs::write(&file, format!("blood type,\"a,b;c=d\",ward\n{records}")).expect("written");
    let args = [
        "margins",
        &file,
        "--column",
        "blood type",
        "--categories",
        "x,y",
        "--column",
        "a,b;c=d",
        "--categories",
        "0,1,2",
        "--column",
        "ward",
        "--categories",
        "0,1",
        "--sets",
        "'blood type',\"a,b;c=d\"; ward=2",
        "--epsilon",
        "1",
        "--delta",
        "1e-9",
        "--seed",
        "1",
        "--read",
        "\"blood type\" | \"a,b;c=d\"",
        "--format",
        "json",
    ];
    let sets = &json(&posterity(&args))["request"]["margins"]["sets"];
    assert_eq!(sets[1]["columns"], serde_json::json!(["blood type", "a,b;c=d"]), "{sets}");
}

/// If this fails, somebody pays for tables of noise without a word, or a private n is told by a warning.
#[test]
fn tables_of_noise_are_told_before_the_charge_and_in_the_document() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = survey(folder.path());
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let told =
        |text: &str| text.contains("is noise: ") && text.contains("all 6 tables of 2 columns (L1 error ");
    for (adjacency, epsilon) in
        [("replace", "0.003"), ("replace", "1"), ("add-remove", "0.003"), ("add-remove", "1")]
    {
        let noisy = epsilon != "1";
        let run = posterity(&[
            "margins",
            &files[0],
            "--schema",
            &files[1],
            "--sets",
            "2",
            "--epsilon",
            epsilon,
            "--delta",
            "1e-9",
            "--adjacency",
            adjacency,
            "--seed",
            "3",
            "--format",
            "json",
        ]);
        let document = json(&run);
        // Where n is private, nothing is known before the draw.
        assert_eq!(told(&run.stderr), noisy && adjacency == "replace", "{}", run.stderr);
        let notes = document["notes"].as_array().expect("notes");
        let noted = notes
            .iter()
            .filter_map(Value::as_str)
            .any(|note| note.starts_with("Warning: nearly all") && told(note));
        assert_eq!(noted, noisy, "{notes:?}");
        let saved = path("noise.json");
        fs::write(&saved, &run.stdout).expect("written");
        assert_eq!(posterity(&["verify", &saved]).code, Some(0));
        // The note follows from the rest: a document without it, or with another, is found.
        if noisy {
            let without = Value::Array(notes.iter().skip(1).cloned().collect());
            let edited = Value::Object(
                document
                    .as_object()
                    .expect("an object")
                    .iter()
                    .map(|(key, value)| {
                        (key.clone(), if key == "notes" { without.clone() } else { value.clone() })
                    })
                    .collect(),
            );
            fs::write(&saved, edited.to_string()).expect("written");
            assert_ne!(posterity(&["verify", &saved]).code, Some(0));
        }
        // A guess of n tells before anything is read.
        let plan = posterity(&[
            "advise",
            "--schema",
            &files[1],
            "--sets",
            "2",
            "--epsilon",
            epsilon,
            "--delta",
            "1e-9",
            "--adjacency",
            adjacency,
            "--n",
            "3000",
            "--format",
            "json",
        ]);
        assert_eq!(
            (told(&plan.stderr), json(&plan).get("warning").is_some()),
            (noisy, noisy),
            "{}",
            plan.stderr
        );
    }
}

fn advise(more: &[&str]) -> Run {
    posterity(&[&["advise", "--epsilon", "1"], more].concat())
}

/// If this fails, a plan is not the one that a release has, or its neighbours are missing.
#[test]
fn a_plan_is_shown_without_data() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, schema] = survey(folder.path());
    let asked = ["--schema", &schema, "--sets", "2", "--delta", "1e-9"];
    for adjacency in ["replace", "add-remove"] {
        let more = ["--n", "3000", "--adjacency", adjacency, "--format", "json"];
        let plan = json(&advise(&[&asked[..], &more].concat()));
        let shown: Vec<&Value> =
            plan["plans"].as_array().expect("plans").iter().map(|one| &one["margins"]).collect();
        assert_eq!(shown, ["2", "1", "3"]);
        let pairs = &plan["plans"][0]["levels"][1];
        assert_eq!((&pairs["columns"], &pairs["tables"]), (&2.into(), &6.into()));
        assert_eq!(plan["plans"][0]["price"]["exact"], Value::Bool(true));
        assert!(plan["plans"][0]["price"]["rho"].as_f64() <= plan["rho"].as_f64());
        let [file, schema] = [&file, &schema];
        let more = ["--sets", "2", "--delta", "1e-9", "--seed", "1", "--format", "json"];
        let released =
            release(&[file.clone(), schema.clone()], &[&more[..], &["--adjacency", adjacency]].concat());
        let stated = &json(&released)["tables"][1]["expected_l1"];
        assert!(adjacency == "add-remove" || *stated == pairs["expected_l1"], "{stated} {pairs}");
    }
    // The same columns in other words.
    let of = |columns: &[&str]| {
        let more = ["--n", "3000", "--sets", "2", "--delta", "1e-9", "--format", "json"];
        json(&advise(&[columns, &more].concat()))["plans"].clone()
    };
    let by_schema = of(&["--schema", &schema]);
    assert_eq!(of(&["--columns", "ward=3,sex=2,smokes=2,cured=2"]), by_schema);
    let bins = ["--column", "ward", "--bins", "0,1,2,3", "--column", "sex", "--categories", "f,m"];
    let rest = ["--column", "smokes", "--categories", "y,n", "--column", "cured", "--categories", "y"];
    let one_more = ["--missing", "unknown"];
    assert_eq!(of(&[&bins[..], &rest, &one_more].concat()), by_schema);
    let table = advise(&[&asked[..], &["--n", "3000"]].concat());
    assert!(table.stdout.contains("No data was read"), "{}{}", table.stdout, table.stderr);
    let csv = advise(&[&asked[..], &["--n", "3000", "--format", "csv"]].concat()).stdout;
    // Two levels, one, and three; two shares, about two things.
    assert_eq!(csv.lines().count(), 1 + (2 + 1 + 3) * 4, "{csv}");
}

#[test]
fn plans_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let [_, schema] = survey(folder.path());
    let margins = ["--schema", &schema, "--n", "3000", "--sets", "2", "--delta", "1e-9"];
    let with = |more: &[&str]| advise(&[&margins[..], more].concat());
    let of = |more: &[&str]| advise(more);
    for (run, said) in [
        (of(&["--schema", &schema, "--sets", "2", "--delta", "1e-9"]), "--n <N>"),
        (
            of(&["--schema", &schema, "--n", "0", "--sets", "2", "--delta", "1e-9"]),
            "--n: the number of records is 0",
        ),
        (
            of(&["--schema", &schema, "--n", "9", "--sets", "5", "--delta", "1e-9"]),
            "--sets: tables of 5 columns",
        ),
        (
            of(&["--schema", &schema, "--n", "9", "--sets", "ward,age", "--delta", "1e-9"]),
            "no values of \"age\"",
        ),
        (of(&["--schema", &schema, "--n", "9", "--sets", "2"]), "--delta: tables of many columns"),
        (of(&["--n", "9", "--sets", "2", "--delta", "1e-9"]), "--schema: name the Table Schema"),
        (of(&["--k", "3", "--n", "9", "--delta", "1e-9"]), "--delta: this is for --sets"),
        (with(&["--column", "id"]), "--column: no categories are declared for the column \"id\""),
        (with(&["--k", "2"]), "--k: this does not go with --sets"),
        (with(&["--columns", "2,2"]), "--columns: --schema declares the values"),
        (with(&["--read", "ward"]), "--read: this does not go with --sets"),
        (with(&["--prior", "1"]), "--prior: this does not go with --sets"),
        (with(&["--mechanisms", "lattice"]), "--mechanisms: this does not go with --sets"),
        (with(&["--shape", "1,2"]), "--shape: this does not go with --sets"),
        (with(&["--half-width", "0.1"]), "cannot be used with"),
    ] {
        assert!(run.code == Some(2) && run.stderr.contains(said), "{said}: {:?} {}", run.code, run.stderr);
    }
    let goal = ["advise", "--schema", &schema, "--n", "9", "--sets", "2", "--half-width", "0.1"];
    let run = posterity(&goal);
    assert!(run.code == Some(2) && run.stderr.contains("give --epsilon instead"), "{}", run.stderr);
}
