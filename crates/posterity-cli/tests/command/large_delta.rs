//! A delta that promises hardly anything is refused, and one that promises little is told.

use std::fs;
use std::path::Path;

use crate::{Run, posterity};

/// A file of 400 people with its schema, and a ledger without accounts.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let rows: String =
        (0..400).map(|id| format!("{id},{},{}\n", ["A", "B"][id % 2], ["yes", "no"][id % 3 % 2])).collect();
    fs::write(folder.path().join("stays.csv"), format!("id,ward,cured\n{rows}")).expect("written");
    folder
}

/// Runs a command line whose files are in the folder.
fn run(folder: &Path, line: &str, more: &[&str]) -> Run {
    let is_file = |word: &str| word.starts_with("stays.") || word.ends_with(".toml");
    let words: Vec<String> =
        (line.split(' '))
            .map(|word| {
                if is_file(word) { folder.join(word).to_string_lossy().into_owned() } else { word.to_owned() }
            })
            .collect();
    posterity(&words.iter().map(String::as_str).chain(more.iter().copied()).collect::<Vec<_>>())
}

const MARGINS: &str = "margins stays.csv --column ward --categories A,B --column cured --categories yes,no --sets 2 --epsilon 0.1";
const DISCOVER: &str = "discover stays.csv --column ward --unit id --epsilon 1";
const ADVISE: &str = "advise --columns 2,3 --n 400 --sets 2 --epsilon 1";

/// If this fails, one person's word is published under the name of privacy.
#[test]
fn a_large_delta_is_refused_unless_it_is_meant() {
    let folder = folder();
    for line in [MARGINS, DISCOVER, ADVISE] {
        for delta in ["0.9", "0.0010001"] {
            let refused = run(folder.path(), line, &["--delta", delta]);
            assert_eq!(refused.code, Some(2), "{line}: {}", refused.stderr);
            assert_eq!(refused.stdout, "", "{line}");
            let told = format!("error: --delta: {delta} is above 0.001");
            assert!(refused.stderr.contains(&told), "{line}: {}", refused.stderr);
            assert!(refused.stderr.contains("(--allow-large-delta)"), "{}", refused.stderr);
            let meant = run(folder.path(), line, &["--delta", delta, "--allow-large-delta"]);
            assert_eq!(meant.code, Some(0), "{line}: {}", meant.stderr);
            assert!(meant.stderr.contains(&format!("note: delta {delta} is above 1e-5")), "{}", meant.stderr);
        }
        let at_the_most = run(folder.path(), line, &["--delta", "0.001"]);
        assert_eq!(at_the_most.code, Some(0), "{line}: {}", at_the_most.stderr);
        assert!(at_the_most.stderr.contains("note: delta 0.001 is above 1e-5"), "{}", at_the_most.stderr);
        let small = run(folder.path(), line, &["--delta", "1e-5"]);
        assert!(small.code == Some(0) && !small.stderr.contains("delta"), "{line}: {}", small.stderr);
    }
}

/// If this fails, an account is opened that promises hardly anything.
#[test]
fn an_account_with_a_large_delta_is_refused_unless_it_is_meant() {
    let folder = folder();
    let create =
        |more: &[&str]| run(folder.path(), "budget create stays.ledger --account a --epsilon 1", more);
    let refused = create(&["--delta", "0.5"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("--delta: 0.5 is above 0.001"), "{}", refused.stderr);
    assert!(!folder.path().join("stays.ledger").exists());
    let meant = create(&["--delta", "0.5", "--allow-large-delta"]);
    assert_eq!(meant.code, Some(0), "{}", meant.stderr);
    assert!(meant.stderr.contains("note: delta 0.5 is above 1e-5"), "{}", meant.stderr);
}

/// If this fails, nobody hears that delta is more than a tenth of a record.
#[test]
fn a_delta_is_compared_with_a_public_n() {
    let folder = folder();
    let many =
        |n: &str| run(folder.path(), "advise --columns 2,3 --sets 2 --epsilon 1 --delta 1e-6 --n", &[n]);
    let told = many("1000000");
    assert!(told.stderr.contains("note: delta 0.000001 is above 1/(10 n)"), "{}", told.stderr);
    let silent = many("100000");
    assert!(!silent.stderr.contains("delta"), "{}", silent.stderr);
}

/// If this fails, a plan spends a delta that a release must not.
#[test]
fn a_plan_says_that_a_large_delta_is_meant() {
    let folder = folder();
    let plan = |more: &str| {
        let text = format!(
            "source = 'stays.csv'\nepsilon = 1\ndelta = 0.01\n{more}\n[columns]\nward = ['A', 'B']\ncured = ['yes', 'no']\n[[margins]]\nsets = 2\n"
        );
        fs::write(folder.path().join("plan.toml"), text).expect("written");
        run(folder.path(), "study plan.toml --plan-only", &[])
    };
    let refused = plan("");
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("delta") && refused.stderr.contains("(allow-large-delta)"),
        "{}",
        refused.stderr
    );
    let meant = plan("allow-large-delta = true");
    assert_eq!(meant.code, Some(0), "{}", meant.stderr);
    assert!(meant.stderr.contains("note: delta 0.01 is above 1e-5"), "{}", meant.stderr);
}

/// If this fails, a committee is not told what delta means, or not that it is large.
#[test]
fn the_sheet_says_what_delta_means() {
    let folder = folder();
    let sheet = |delta: &str| {
        let made = run(folder.path(), MARGINS, &["--delta", delta, "--format", "json"]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let document = folder.path().join("stays.json");
        fs::write(&document, made.stdout).expect("written");
        run(folder.path(), "describe stays.json --format markdown", &[]).stdout
    };
    let (small, large) = (sheet("1e-9"), sheet("1e-4"));
    for said in [&small, &large] {
        assert!(
            said.contains("Delta is the probability with which the promise by epsilon may fail"),
            "{said}"
        );
    }
    assert!(large.contains("Delta 0.0001 is above 1e-5") && !small.contains("is above"), "{large}");
}

/// If this fails, an epsilon that counts twice is not told.
#[test]
fn a_large_epsilon_is_told_before_the_draw() {
    let told = |more: &[&str]| {
        let mut args = vec!["release", "--counts", "3,4", "--epsilon", "6"];
        args.extend(more);
        posterity(&args).stderr
    };
    assert!(!told(&[]).contains("so large"));
    assert!(told(&["--adjacency", "add-remove"]).contains("counts twice, and epsilon 12 is so large"));
}
