//! A prior that is stated as one number, as a list, or in a file.

use crate::budget::Study;
use crate::{document, posterity, typed};

const VISITS: &str = "ward,cured\nA,yes\nA,no\nB,yes\nB,yes\n";
const TABLE: &str =
    "--column ward --categories A,B --column cured --categories yes,no --epsilon 1 --format json";

/// If this fails, the same prior is another question, or another document, when it is written in another way.
#[test]
fn one_number_a_list_and_a_file_say_the_same() {
    let study = Study::new("3");
    let (file, ledger) = (study.file("visits.csv", VISITS), study.ledger());
    let lines = study.file("lines.txt", "0.5\n0.5\n\n0.5\n0.5\n");
    let list = study.file("list.txt", "0.5, 0.5,0.5,0.5");
    let written = ["--prior", "0.5,0.5,0.5,0.5"];
    let ways = [written, ["--prior", "0.5"], ["--prior-file", &lines], ["--prior-file", &list]];
    let seeded = format!("release {{}} {TABLE} --seed 7 --interval-kind credible");
    // ehds draws by the prior, so the prior is part of the question.
    let paid = format!("release {{}} {TABLE} --mechanism ehds --account a --ledger {{}}");
    for way in &ways {
        let shown = |way: &[&str]| document(&[&typed(&seeded, &[&file]), way].concat());
        assert_eq!(shown(way), shown(&written), "{way:?}");
        document(&[&typed(&paid, &[&file, &ledger]), &way[..]].concat());
        assert_eq!(study.spent(), "1", "{way:?}");
    }
    let within = format!("release {{}} {TABLE} --seed 7 --within {{}} --prior");
    let shown = |prior| document(&[&typed(&within, &[&file, "cured = 'yes'"])[..], &[prior]].concat());
    assert_eq!(shown("0.5"), shown("0.5,0.5,0.5,0.5,0.5"));
}

#[test]
fn categories_are_counted_by_the_prior_or_by_k() {
    let shown = |line: &str| document(&typed(line, &[]));
    for command in ["audit --mechanism ehds", "advise"] {
        let line = |prior: &str| shown(&format!("{command} --n 9 --epsilon 1 --format json {prior}"));
        let written = line("--prior 0.5,0.5,0.5");
        assert_eq!(line("--prior 0.5 --k 3"), written);
        assert_eq!(line("--prior 0.5,0.5,0.5 --k 3"), written);
    }
    for command in ["audit --mechanism ehds", "inspect", "compare --mechanisms ehds"] {
        let line =
            |prior: &str| shown(&format!("{command} --counts 3,4 --epsilon 1 --format json --prior {prior}"));
        assert_eq!(line("0.5"), line("0.5,0.5"));
    }
}

#[test]
fn a_file_that_is_no_prior_is_refused() {
    let study = Study::new("1");
    for (text, remedy) in [
        ("1\n1\n1\n", "3 parameters for 2 categories; give one for each"),
        ("1\n", "One number for all is for --prior"),
        ("", "One number for all is for --prior"),
        ("1\n0\n", "prior parameter 2 is 0; give a finite number above zero"),
        ("1;1", "prior parameter 1 is \"1;1\"; give a finite number above zero"),
    ] {
        let file = study.file("prior.txt", text);
        let run = posterity(&["release", "--counts", "3,4", "--epsilon", "1", "--prior-file", &file]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{text:?}");
        assert!(run.stderr.contains("--prior-file: ") && run.stderr.contains(remedy), "{}", run.stderr);
    }
}
