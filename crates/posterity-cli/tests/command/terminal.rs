//! Width, colours and digits of what is printed for a reader.

use std::process::{Command, Stdio};

use crate::budget::Study;
use crate::{Run, posterity, run};

/// The command with these variables, and without those of whoever runs the tests.
fn with(variables: &[(&str, &str)], line: &str) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_posterity"));
    command.args(line.split(' ')).stdin(Stdio::null());
    for name in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"] {
        command.env_remove(name);
    }
    run(command.envs(variables.iter().copied()))
}

const SEEDED: &str = "release --counts 48,42 --categories cured,not --epsilon 1 --seed 1";

const READ: [&str; 5] = [
    "release --counts 48,42 --epsilon 1 --seed 1 --explain",
    "compare --counts 5,4 --epsilon 1 --limit --explain",
    "inspect --counts 4,4 --epsilon 1 --explain",
    "audit --k 2 --n 20 --epsilon 1 --profile 0,0.5 --explain",
    "advise --k 2 --n 20 --epsilon 1 --explain",
];

/// Prose: everything but tables, which have columns two spaces apart.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().contains("  "))
}

#[test]
fn prose_is_wrapped() {
    for line in READ {
        for (columns, width) in [("60", 60), ("100", 100), ("300", 100), ("0", 100), ("wide", 100)] {
            let found = with(&[("COLUMNS", columns)], line);
            assert_eq!(found.code, Some(0), "{}", found.stderr);
            for said in prose(&found.stdout) {
                assert!(said.chars().count() <= width, "{line} at {columns}: {said:?}");
            }
        }
        let default = with(&[], line);
        assert_eq!(default.stdout, with(&[("COLUMNS", "100")], line).stdout, "{line}");
        assert_ne!(default.stdout, with(&[("COLUMNS", "60")], line).stdout, "{line}");
    }
}

#[test]
fn lines_below_the_first_are_indented() {
    let found = with(&[("COLUMNS", "60")], &format!("{SEEDED} --explain"));
    let promise = "\
Promise: No privacy is promised: the draw is that of seed 1,
         which anyone can repeat.";
    assert!(found.stdout.contains(promise), "{}", found.stdout);
    let note = "\nNote: The Dirichlet parameters were decoded from the noisy\n      counts: ";
    assert!(found.stdout.contains(note), "{}", found.stdout);
}

/// If this fails, the reader has to look for what matters among what does not.
#[test]
fn at_most_two_lines_follow_the_table() {
    for line in READ {
        let found = with(&[], line.trim_end_matches(" --explain"));
        let after = found.stdout.rsplit("\n\n").next().expect("a last part");
        assert!((1..=2).contains(&after.lines().count()), "{line}: {after}");
        assert!(with(&[], line).stdout.len() > found.stdout.len(), "{line}");
    }
}

/// If this fails, somebody may take for private what is not.
#[test]
fn what_is_not_private_says_so_in_red() {
    const RED: &str = "\u{1b}[1m\u{1b}[31mNOT PRIVATE\u{1b}[0m";
    for line in [SEEDED, READ[1], READ[2], "release --counts 3,4 --epsilon 1 --mechanism mh --not-private"] {
        let plain = with(&[], line);
        assert!(plain.stdout.contains("NOT PRIVATE"), "{}", plain.stdout);
        let forced = with(&[("CLICOLOR_FORCE", "1")], line);
        assert!(forced.stdout.contains(RED), "{}", forced.stdout);
    }
    let private = with(&[], "release --counts 48,42 --epsilon 1").stdout;
    assert!(private.contains("posterior, private: ") && !private.contains("NOT PRIVATE"), "{private}");
}

#[test]
fn colours_are_for_terminals_and_for_whoever_forces_them() {
    let escapes = |variables: &[(&str, &str)], line: &str| {
        let found = with(variables, line);
        found.stdout.contains('\u{1b}') || found.stderr.contains('\u{1b}')
    };
    assert!(!escapes(&[], SEEDED));
    assert!(escapes(&[("CLICOLOR_FORCE", "1")], SEEDED));
    assert!(!escapes(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], SEEDED));
    assert!(!escapes(&[("TERM", "dumb")], SEEDED));
    for format in ["csv", "json"] {
        let forced = with(&[("CLICOLOR_FORCE", "1")], &format!("{SEEDED} --format {format}"));
        assert!(!forced.stdout.contains('\u{1b}'), "{format} is for programs");
    }
}

/// A name that holds commands for a terminal does not reach it.
#[test]
fn names_cannot_write_over_the_page() {
    let args = ["release", "--counts", "3,4", "--epsilon", "1", "--categories", "a\u{1b}[2Jb,c\rd"];
    let found = posterity(&args);
    assert!(!found.stdout.contains(['\u{1b}', '\r']), "{:?}", found.stdout);
    assert!(found.stdout.contains("a\\u001b[2Jb") && found.stdout.contains("c\\rd"), "{:?}", found.stdout);
}

#[test]
fn the_ends_of_intervals_can_be_told_apart() {
    let large = with(&[], "release --counts 500000000,500000000 --epsilon 1 --seed 1").stdout;
    assert!(large.contains("0.499969 to 0.500031"), "{large}");
}

#[test]
fn numbers_have_no_more_digits_than_mean_something() {
    let audit = with(&[], "audit --prior 1,1 --n 100 --epsilon 1 --mechanism ehds");
    assert_eq!(audit.stderr, "note: 101 data sets, 101 outcomes each\n");
    let release = with(&[], "release --counts 900,300,200 --epsilon 0.01 --seed 3").stdout;
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).count();
    assert!(release.split_whitespace().all(|word| digits(word) <= 6), "{release}");
}

/// If this fails, a user is told of a smaller charge than was made, or of more budget than is left.
#[test]
fn charges_are_rounded_up_and_what_is_left_down() {
    let study = Study::new("2");
    let (ledger, certificate) = (study.ledger(), study.path("ehdl.json"));
    let audit = format!("audit --k 2 --n 7 --epsilon 1 --mechanism ehdl --certificate {certificate}");
    assert_eq!(with(&[], &audit).code, Some(0));
    let release = format!(
        "release --counts 3,4 --epsilon 1 --mechanism ehdl --certificate {certificate} --ledger {ledger} --account a"
    );
    let found = with(&[], &release);
    assert_eq!(found.code, Some(0), "{}", found.stderr);
    let exact = posterity(&["budget", "show", &ledger, "--format", "json"]).stdout;
    let exact: serde_json::Value = serde_json::from_str(&exact).expect("JSON");
    let fraction = |field: &str| {
        let text = exact[0][field].as_str().expect("a text");
        let (p, q) = text.split_once('/').expect("a fraction, because the loss is a binary number");
        p.parse::<f64>().expect("a number") / q.parse::<f64>().expect("a number")
    };
    let said: Vec<f64> = found.stderr.split([' ', ';']).filter_map(|word| word.parse().ok()).collect();
    let [charged, left] = said[..] else { unreachable!("{}", found.stderr) };
    let (spent, remaining) = (fraction("spent_epsilon"), fraction("remaining_epsilon"));
    assert!(spent <= charged && charged < spent + 1e-5, "{}", found.stderr);
    assert!(remaining - 1e-5 < left && left <= remaining, "{}", found.stderr);
}

#[test]
fn one_law_has_one_recommendation() {
    let two = with(&[], "advise --n 731 --k 2 --epsilon 1").stdout;
    assert!(
        two.starts_with("Use lattice with --decode best or geometric (the same law at k = 2).\n"),
        "{two}"
    );
    assert!(
        two.split_whitespace().collect::<Vec<_>>().join(" ").contains("The next best, lshist, is at"),
        "{two}"
    );
}
