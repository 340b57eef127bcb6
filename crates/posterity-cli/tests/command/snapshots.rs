//! What the user sees. A change here is seen by everyone: look at it before accepting it.

use insta::assert_snapshot;

use crate::budget::example;
use crate::posterity;

#[test]
fn help() {
    assert_snapshot!("help", posterity(&["--help"]).stdout);
    assert_snapshot!("help-release", posterity(&["release", "--help"]).stdout);
    for command in ["read", "inspect", "compare", "audit", "advise", "reproduce", "study"] {
        assert_snapshot!(format!("help-{command}"), posterity(&[command, "--help"]).stdout);
    }
}

#[test]
fn release() {
    let seeded =
        ["release", "--counts", "48,42", "--categories", "cured,not", "--epsilon", "1", "--seed", "1"];
    for format in ["table", "json", "csv"] {
        let run = posterity(&[&seeded[..], &["--format", format]].concat());
        assert_snapshot!(format!("release-{format}"), format!("{}\n--- stderr\n{}", run.stdout, run.stderr));
    }
}

#[test]
fn explanations() {
    for line in [
        "release --counts 48,42 --categories cured,not --epsilon 1 --seed 1",
        "compare --counts 3,3,3 --epsilon 1 --mechanisms lattice,geometric,ehdl --limit",
        "audit --prior 0.05,0.05 --n 300 --epsilon 0.1 --mechanism ehdl",
    ] {
        let args: Vec<&str> = line.split(' ').chain(["--explain"]).collect();
        assert_snapshot!(format!("{}-explain", args[0]), posterity(&args).stdout);
    }
}

/// What begins a line in the text of a page.
const BLOCKS: [&str; 8] = ["<h1", "<h2", "<h3", "<p", "<ul", "<li", "<dt", "<table"];

/// The text of a page, without its pictures, its style and the version.
fn words(page: &str) -> String {
    let without = |page: &str, tag: &str| {
        let (begin, end) = (format!("<{tag}"), format!("</{tag}>"));
        let parts = page.split(begin.as_str()).enumerate();
        let rest = |(index, part): (usize, &str)| match part.split_once(end.as_str()) {
            Some((_, rest)) if index > 0 => rest.to_owned(),
            _ => part.to_owned(),
        };
        parts.map(rest).collect::<String>()
    };
    let text = without(&without(page, "svg"), "style");
    let text = BLOCKS.iter().fold(text, |text, block| text.replace(block, &format!("\n{block}")));
    let tags = text.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let lines = tags.collect::<Vec<_>>().join(" ");
    let lines = lines.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with("Made by posterity"));
    lines.collect::<Vec<_>>().join("\n")
}

/// A study with tables of many columns: the plan, and the text of the report of an experiment.
#[test]
fn study_with_margins() {
    let plan = example("rand-health-wide-study.toml");
    let planned = posterity(&["study", &plan, "--plan-only", "--n", "20190"]);
    assert_snapshot!("study-margins-plan", planned.stdout);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("results");
    let done = posterity(&["study", &plan, "--seed", "1", "--out", out.to_str().expect("UTF-8")]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let report = std::fs::read_to_string(out.join("report.html")).expect("written");
    assert_snapshot!("study-margins-report", words(&report));
}

#[test]
fn inspect() {
    let args = ["inspect", "--counts", "4,4", "--epsilon", "1", "--mechanism", "ehds"];
    for format in ["table", "csv"] {
        let run = posterity(&[&args[..], &["--format", format]].concat());
        assert_snapshot!(format!("inspect-{format}"), format!("{}\n--- stderr\n{}", run.stdout, run.stderr));
    }
}

#[test]
fn analysis() {
    for (name, line) in [
        ("compare", "compare --counts 50,50 --epsilon 1"),
        ("audit", "audit --prior 1,1 --n 100 --epsilon 1 --mechanism ehds --profile 0,0.2"),
        ("advise", "advise --n 90 --k 2 --epsilon 1"),
        ("advise-columns", "advise --columns 2,2,3 --n 900 --epsilon 1 --read a --read b|c"),
        ("advise-columns-least", "advise --columns 2,3 --n 3000 --half-width 0.04 --read a|b --read b"),
        ("advise-margins", "advise --columns ward=3,sex=2,cured=2 --n 900 --sets 2 --epsilon 1 --delta 1e-9"),
        ("advise-half-width", "advise --n 90 --k 2 --half-width 0.1"),
        ("advise-too-few", "advise --n 90 --k 2 --half-width 0.05 --shape 2,1"),
        ("advise-distance", "advise --n 20 --k 2 --distance 0.2 --format csv"),
    ] {
        let run = posterity(&line.split(' ').collect::<Vec<_>>());
        // How long something takes so far depends on what else the machine does.
        let said = run.stderr.lines().filter(|line| !line.contains(" s so far"));
        let said: String = said.map(|line| format!("{line}\n")).collect();
        assert_snapshot!(name, format!("{}\n--- stderr\n{said}", run.stdout));
    }
}

#[test]
fn refusal() {
    assert_snapshot!(
        "refusal",
        posterity(&["release", "--counts", "3,4", "--epsilon", "1", "--mechanism", "mh"]).stderr
    );
}
