//! What people have in their tables: bins, several columns, units and their rules; and what is noticed before a charge.

use std::process::{Command, Stdio};

use crate::budget::Study;
use crate::{document, posterity, typed};

const VISITS: &str = "person,cured,age,day\n1,no,17,1\n1,no,17,2\n1,yes,18,10\n2,no,40,1\n3,yes,64.5,1\n";

/// A release with so much budget that the noise is zero.
fn exact<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut line = vec!["release", file, "--epsilon", "1000", "--format", "json"];
    line.extend_from_slice(more);
    line
}

#[test]
fn numbers_in_bins_beside_categories_in_the_order_of_the_flags() {
    let study = Study::new("1");
    let file = study.file("visits.csv", VISITS);
    let bins = document(&exact(&file, &["--column", "age", "--bins", "0,18,40,65"]));
    assert_eq!(bins["posterior"]["categories"], serde_json::json!(["[0,18)", "[18,40)", "[40,65)"]));
    assert_eq!(bins["released_counts"], serde_json::json!([2, 1, 2]));
    let both = ["--column", "age", "--column", "cured", "--bins", "0,18,65", "--categories", "yes,no"];
    let joint = document(&exact(&file, &both));
    assert_eq!(joint["posterior"]["categories"][0], "age=[0,18),cured=yes");
    assert_eq!(joint["released_counts"], serde_json::json!([0, 2, 2, 1]));
    let turned = ["--column", "cured", "--column", "age", "--categories", "yes,no", "--bins", "0,18,65"];
    assert_eq!(document(&exact(&file, &turned))["released_counts"], serde_json::json!([0, 2, 2, 1]));
    let outside = posterity(&exact(&file, &["--column", "age", "--bins", "0,10,18"]));
    assert_eq!((outside.code, outside.stdout.as_str()), (Some(1), ""));
    assert!(outside.stderr.contains("--bins") && outside.stderr.contains("--other"), "{}", outside.stderr);
    for edges in ["0", "0,x", "5,5", ""] {
        let run = posterity(&exact(&file, &["--column", "age", "--bins", edges]));
        assert_eq!(run.code, Some(2), "{edges}: {}", run.stderr);
        assert!(run.stderr.contains("--bins"), "{}", run.stderr);
    }
}

/// If this fails, a column has a category for missing values that none of its records can have, or a missing value is
/// counted where nobody declared it.
#[test]
fn other_and_missing_belong_to_the_column_before_them() {
    let study = Study::new("1");
    let file = study.file("visits.csv", "ward,cured\nA,yes\n,no\nC,yes\nB,\n");
    let (ward, cured) = ("--column ward --categories A,B", "--column cured --categories yes,no");
    let counted = |flags: &str| {
        let found = document(&exact(&file, &typed(flags, &[])));
        (found["posterior"]["categories"].to_string(), found["released_counts"].to_string())
    };
    let own = counted(&format!("{ward} --other else --missing none {cured} --missing no"));
    assert!(own.0.contains("ward=none,cured=no") && !own.0.contains("cured=none"), "{}", own.0);
    assert_eq!(own.1, "[1,0,0,1,1,0,0,1]");
    // Before the first column they are for all columns, and a column's own comes first.
    let all = counted(&format!("--other else --missing none {ward} {cured}"));
    assert_eq!(
        all,
        counted(&format!("{ward} --missing none --other else {cured} --missing none --other else"))
    );
    assert_eq!(own.1, counted(&format!("--missing no {ward} --other else --missing none {cured}")).1);
    assert_eq!(all.1, "[1,0,0,0,0,0,0,1,1,0,0,0,0,1,0,0]");
    // With one column the order does not matter.
    let one = counted("--column cured --categories yes,no --missing none");
    assert_eq!(one, counted("--missing none --column cured --categories yes,no"));
    for (flags, code, words) in [
        (format!("{ward} --other else {cured} --missing no"), 1, "column \"ward\" has missing values"),
        (format!("{ward} --missing none --other else {cured}"), 1, "column \"cured\" has missing values"),
        (format!("--missing a --missing b {ward} {cured}"), 2, "twice for all columns"),
        (format!("{ward} --missing a --missing b {cured}"), 2, "twice for \"ward\""),
    ] {
        let run = posterity(&exact(&file, &typed(&flags, &[])));
        assert_eq!((run.code, run.stdout.as_str()), (Some(code), ""), "{flags}: {}", run.stderr);
        assert!(run.stderr.contains("--missing") && run.stderr.contains(words), "{}", run.stderr);
    }
}

#[test]
fn a_comma_between_columns_is_explained() {
    let study = Study::new("1");
    let file = study.file("visits.csv", VISITS);
    for lists in [&["--categories", "yes,no"][..], &["--categories", "yes,no", "--bins", "0,65"]] {
        let run = posterity(&exact(&file, &[&["--column", "cured,age"], lists].concat()));
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains("--column cured --column age"), "{}", run.stderr);
    }
}

#[test]
fn every_rule_for_units_is_said_in_words() {
    let study = Study::new("1");
    let file = study.file("visits.csv", VISITS);
    let unit = ["--column", "cured", "--categories", "yes,no", "--unit", "person"];
    for (rule, counts, words) in [
        ("first", [2, 1], "declared first"),
        ("mode", [1, 2], "most of its records"),
        ("latest day", [2, 1], "by \"day\""),
    ] {
        let release = document(&exact(&file, &[&unit[..], &["--per-unit", rule]].concat()));
        assert_eq!(release["released_counts"], serde_json::json!(counts), "{rule}");
        assert!(release["per_unit"].as_str().is_some_and(|text| text.contains(words)), "{release}");
    }
    // One of three visits of person 1 says yes: the others are the same whichever visit is drawn.
    let drawn = document(&exact(&file, &unit));
    assert!([serde_json::json!([1, 2]), serde_json::json!([2, 1])].contains(&drawn["released_counts"]));
    let words = "each value of \"person\" counts once, by one of its records drawn at random";
    assert_eq!(drawn["per_unit"], words);
    let picture = study.path("a.svg");
    let table = posterity(
        &[&["release", &file, "--epsilon", "1", "--seed", "1", "--plot", &picture][..], &unit].concat(),
    );
    let said: Vec<&str> = table.stdout.split_whitespace().collect();
    assert!(said.join(" ").contains(words), "{}", table.stdout);
    let drawn = std::fs::read_to_string(picture).expect("a picture");
    assert!(drawn.contains("drawn at random"));
    let seeded = |seed: u32| {
        let seed = seed.to_string();
        document(&exact(&file, &[&unit[..], &["--seed", &seed]].concat()))["released_counts"].clone()
    };
    assert_eq!(seeded(3), seeded(3), "a seed draws the same records too");
    assert!((0..64).any(|seed| seeded(seed) != seeded(3)));
    for (more, message) in [
        (&["--per-unit", "first"][..], "--unit"),
        (&["--unit", "person", "--per-unit", "latest"], "latest COLUMN"),
        (&["--unit", "person", "--per-unit", "latest date"], "date"),
    ] {
        let run = posterity(&exact(&file, &[&unit[..4], more].concat()));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

/// A release says what it is about, of what n is the number, and what is not protected; a filter is named everywhere.
#[test]
fn a_release_says_what_it_is_about() {
    let study = Study::new("1");
    let file = study.file("visits.csv", VISITS);
    let asked = ["--column", "cured", "--categories", "yes,no", "--where", "age < 40"];
    let release = document(&exact(&file, &asked));
    assert_eq!(release["request"]["data"]["source"], file);
    assert_eq!(release["request"]["data"]["columns"][0]["name"], "cured");
    assert_eq!(release["request"]["data"]["where"], "age < 40");
    let promise = release["guarantee"]["statement"].as_str().expect("words");
    assert!(
        promise.contains("n = 3, which is the number of records for which age < 40, published exactly"),
        "{promise}"
    );
    let picture = study.path("a.svg");
    let line = [&["release", &file, "--epsilon", "1", "--plot", &picture][..], &asked].concat();
    // Long lines are wrapped.
    let table = posterity(&line).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(table.contains("About: cured of") && table.contains("where age < 40"), "{table}");
    assert!(table.contains("if people have several records, use --unit"), "{table}");
    assert!(std::fs::read_to_string(&picture).expect("a picture").contains("where age &lt; 40"));
    let csv = posterity(&[&line[..4], &["--format", "csv"], &asked].concat()).stdout;
    assert!(
        csv.lines()
            .nth(1)
            .is_some_and(|row| row.contains("where age < 40") && row.contains("published exactly")),
        "{csv}"
    );
    let seeded = document(&exact(&file, &[&asked[..], &["--seed", "1"]].concat()));
    assert_eq!(seeded["guarantee"]["kind"], "none");
}

/// The first line of a file without a header is a record.
#[test]
fn no_record_is_printed() {
    let study = Study::new("1");
    let json = study.file("people.json", "{\"name\":\"Mallory\",\"cured\":\"yes\"}\n");
    let csv = study.file("people.csv", "Mallory,yes\nEve,no\n");
    let question = ["--column", "cured", "--categories", "yes,no", "--input-format", "csv"];
    for file in [&json, &csv] {
        let run = posterity(&exact(file, &question));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(!run.stderr.contains("Mallory") && run.stderr.contains("header"), "{}", run.stderr);
    }
    let run = posterity(&exact(&csv, &[&question[..], &["--where", "length(name) > 2"]].concat()));
    assert!(run.stderr.contains("function length") && run.code == Some(2), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn files_without_an_end_are_refused() {
    let study = Study::new("1");
    let fifo = study.path("pipe");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let file = study.file("visits.csv", VISITS);
    for endless in ["/dev/zero", &fifo] {
        let run = posterity(&exact(&file, &["--column", "cured", "--categories-file", endless]));
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        assert!(run.stderr.contains("no regular file"), "{}", run.stderr);
        let certified =
            ["release", "--counts", "3,4", "--epsilon", "1", "--mechanism", "mh", "--certificate", endless];
        let run = posterity(&certified);
        assert!(run.code == Some(1) && run.stderr.contains("no regular file"), "{}", run.stderr);
    }
    // Every command that takes the name of a small file.
    let key =
        ["release", "--counts", "3,4", "--epsilon", "1", "--sign", &fifo, "--ledger", "x", "--account", "a"];
    for line in [
        &["read", &fifo][..],
        &["verify", &fifo, "--ledger", "x"],
        &["verify", &file, "--key", &fifo],
        &["study", &fifo],
        &["reproduce", "--experiments", &fifo, "--list"],
        &["budget", "show", &fifo],
        &[
            "release",
            &fifo,
            "--column",
            "a",
            "--categories",
            "b,c",
            "--epsilon",
            "1",
            "--input-format",
            "csv",
        ],
        &key,
    ] {
        let run = posterity(line);
        assert!(matches!(run.code, Some(1 | 2)), "{line:?}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{line:?}");
    }
    let run = posterity(&["read", &fifo]);
    assert!(run.stderr.contains("no regular file; save its content to a file first"), "{}", run.stderr);
    let picture = study.path("pipe.svg");
    assert!(Command::new("mkfifo").arg(&picture).status().expect("mkfifo").success());
    let run = posterity(&["release", "--counts", "3,4", "--epsilon", "1", "--plot", &picture]);
    assert!(run.code == Some(1) && run.stderr.contains("it is a pipe"), "{}", run.stderr);
}

/// What can be known to fail afterwards is refused before.
#[cfg(unix)]
#[test]
fn a_release_that_nobody_could_see_is_not_charged() {
    let study = Study::new("2");
    let (file, ledger) = (study.file("visits.csv", VISITS), study.ledger());
    let line = typed(
        "release {} --column cured --categories yes,no --epsilon 1 --ledger {} --account a",
        &[&file, &ledger],
    );
    let run = posterity(&[&line[..], &["--plot", &study.path("no/such/folder.svg")]].concat());
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{}", run.stderr);
    assert_eq!(study.spent(), "0");
    // The reader of the pipe is gone before the command starts.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_posterity"))
        .args(&line)
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("standard output is closed"), "{said}");
    assert_eq!(study.spent(), "0");
    // Standard output is closed when the command begins, and something else is put in its place.
    let closed = ["-c", "exec \"$0\" \"$@\" >&-", env!("CARGO_BIN_EXE_posterity")];
    let output = Command::new("sh").args(closed).args(&line).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("standard output is closed"), "{said}");
    assert_eq!(study.spent(), "0");
    let kept = study.file("kept.svg", "as it was");
    let run = posterity(&[&line[..], &["--plot", &kept, "--force", "--prior", "1,1,1"]].concat());
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(kept).expect("there"), "as it was");
}

/// If this fails, whoever sends a release to a full disk has paid for nothing, or does not know how to get it.
#[cfg(target_os = "linux")]
#[test]
fn a_release_that_could_not_be_printed_is_had_again_for_nothing() {
    let study = Study::new("3");
    let (file, ledger) = (study.file("visits.csv", VISITS), study.ledger());
    let named = [&file, "--column", "cured", "--categories", "yes,no"];
    for (what, remedy) in [
        (&named[..], "the same command prints it again and charges nothing"),
        (&["--counts", "3,4"], "posterity budget export"),
    ] {
        let line = [&["release", "--epsilon", "1", "--ledger", &ledger, "--account", "a"], what].concat();
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let output = Command::new(env!("CARGO_BIN_EXE_posterity"))
            .args(&line)
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1) && said.contains(remedy), "{said}");
    }
    assert_eq!(study.spent(), "2");
    let line = [&["release", "--epsilon", "1", "--ledger", &ledger, "--account", "a"], &named[..]].concat();
    let again = posterity(&line);
    assert!(again.code == Some(0) && again.stderr.contains("nothing was charged"), "{}", again.stderr);
    assert_eq!(study.spent(), "2");
}

/// Where a shell sends output to `/dev/null`, whoever asked for that wants it so.
#[cfg(unix)]
#[test]
fn output_may_be_thrown_away_on_purpose() {
    let study = Study::new("1");
    let (file, ledger) = (study.file("visits.csv", VISITS), study.ledger());
    let thrown = ["-c", "exec \"$0\" \"$@\" >/dev/null", env!("CARGO_BIN_EXE_posterity")];
    let line = ["release", &file, "--column", "cured", "--categories", "yes,no", "--epsilon", "1"];
    let paid = ["--ledger", &ledger, "--account", "a"];
    let output = Command::new("sh").args(thrown).args(line).args(paid).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(study.spent(), "1");
}
