//! Every bad input ends with the right exit code, a message that names the argument, the value and the remedy, and
//! nothing on standard output.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{posterity, typed};

/// Arguments, exit code, and what the message must hold: argument, value, remedy.
type Case = (&'static str, i32, [&'static str; 3]);

/// The cases, by how their lines begin.
const CASES: &[(&str, &[Case])] = &[
    (
        "release --counts 3,4 --epsilon 1",
        &[
            (
                "--mechanism optimal --decode best",
                2,
                ["--decode", "optimal releases possible counts", "use the decoder none"],
            ),
            ("--decode magic", 2, ["--decode", "magic", "projection"]),
            ("--mechanism ehds(gamma=0)", 2, ["--mechanism", "gamma is 0", "positive, finite"]),
            ("--mechanism ehds(gamma=-1)", 2, ["--mechanism", "gamma is -1", "positive, finite"]),
            ("--mechanism ehds(gamma=inf)", 2, ["--mechanism", "gamma is inf", "positive, finite"]),
            ("--mechanism ehds(gamma=x)", 2, ["--mechanism", "gamma=x", "write it like"]),
            ("--prior 1,0", 2, ["--prior", "parameter 2 is 0", "finite number above zero"]),
            ("--prior -1,1", 2, ["--prior", "parameter 1 is -1", "finite number above zero"]),
            ("--prior 1,nan", 2, ["--prior", "parameter 2 is NaN", "finite number above zero"]),
            ("--prior inf,1", 2, ["--prior", "parameter 1 is inf", "finite number above zero"]),
            ("--prior 1,,1", 2, ["--prior", "parameter 2 is \"\"", "finite number above zero"]),
            ("--prior 1,1,1", 2, ["--prior", "3 parameters", "one for each, or one number for all"]),
            ("--prior 1e308,1e308", 2, ["--prior", "infinity", "smaller"]),
            ("--prior 0", 2, ["--prior", "parameter 1 is 0", "finite number above zero"]),
            ("--prior half", 2, ["--prior", "parameter 1 is \"half\"", "finite number above zero"]),
            ("--prior 1e308", 2, ["--prior", "infinity", "smaller"]),
            ("--prior 1 --prior-file x", 2, ["--prior", "--prior-file", "cannot be used with"]),
            ("--prior-file /nonexistent", 1, ["--prior-file", "/nonexistent", "cannot be read"]),
            ("--categories yes", 2, ["--categories", "1 categories", "at least two"]),
            ("--categories yes,yes", 2, ["--categories", "\"yes\" is declared twice", "once"]),
            ("--categories yes,", 2, ["--categories", "category 2", "a name"]),
            ("--categories a,b,c", 2, ["--categories", "3 names", "one name per count"]),
            ("--level 1", 2, ["--level", "level is 1", "between 0 and 1"]),
            ("--level -0.5", 2, ["--level", "level is -0.5", "between 0 and 1"]),
            ("--mechanism magic", 2, ["--mechanism", "'magic'", "geometric"]),
            ("--seed -3", 2, ["-3", "--seed <N>", "--help"]),
            ("--format xml", 2, ["--format", "'xml'", "json"]),
            ("--mechanism ehds(gamma=auto)", 2, ["--mechanism", "auto", "tight(ehds(gamma=auto))"]),
            (
                "--mechanism mh --certificate /nonexistent.json",
                1,
                ["--certificate", "/nonexistent.json", "cannot be read"],
            ),
            ("--mechanism ehdl", 1, ["ehdl", "no proven", "--not-private"]),
            ("--mechanism mh", 1, ["mh", "no proven", "--not-private"]),
        ],
    ),
    (
        "inspect --counts 3,4 --epsilon 1",
        &[
            ("--mechanism mh(delta=0)", 2, ["--mechanism", "delta is 0", "between 0 and 1"]),
            ("--mechanism mh(delta=1)", 2, ["--mechanism", "delta is 1", "between 0 and 1"]),
            ("--mechanism mh(delta=-2)", 2, ["--mechanism", "delta is -2", "between 0 and 1"]),
            ("--mechanism mh(delta=nan)", 2, ["--mechanism", "delta is NaN", "between 0 and 1"]),
            ("--mechanism ehds(score=chi2)", 2, ["--mechanism", "chi-square", "probability zero"]),
            ("--mechanism ehds(score=l2)", 2, ["--mechanism", "\"l2\"", "hellinger, angle, tv"]),
            ("--mechanism ehds(score=chernoff:1)", 2, ["--mechanism", "order", "chernoff:0.25"]),
        ],
    ),
    (
        "compare --counts 3,4 --epsilon 1",
        &[
            ("--limit --distance l1", 2, ["--limit", "--distance hellinger", "leave the other out"]),
            ("--mechanisms magic", 2, ["--mechanisms", "'magic'", "geometric"]),
            ("--distance far", 2, ["--distance", "\"far\"", "hellinger, l1, kl or tv"]),
            ("--runs 0", 2, ["--runs", "'0'", "zero"]),
        ],
    ),
    (
        "audit --n 10 --k 2",
        &[
            ("--epsilon 0", 2, ["--epsilon", "epsilon is 0", "positive, finite"]),
            ("--prior 1,1,1 --epsilon 1", 2, ["--prior", "3 parameters for 2", "one number for all"]),
            ("--epsilon 1 --profile -1", 2, ["--profile", "epsilon is -1", "zero or more"]),
        ],
    ),
    (
        "advise --n 10 --columns 2,2",
        &[
            ("--read z --epsilon 1", 2, ["--read", "no column", "its columns are"]),
            ("--read a=3 --epsilon 1", 2, ["--read", "no value", "its values are"]),
            ("--prior 1,1 --epsilon 1", 2, ["--prior", "--columns", "cannot be used with"]),
            ("--shape 1,2 --epsilon 1", 2, ["--shape", "proportions of one column", "ward=0.3"]),
            ("--shape a=1,2,3 --epsilon 1", 2, ["--shape", "3 expected shares", "2 values of a"]),
            ("--shape c=1,2 --epsilon 1", 2, ["--shape", "no column", "its columns are"]),
            ("--shape a=1,0 --epsilon 1", 2, ["--shape", "is 0", "above 0"]),
            ("--half-width 0.7", 2, ["--half-width", "is 0.7", "below 0.5"]),
            ("--read mean(a) --half-width 0.1", 2, ["--read", "no share", "leave it out"]),
        ],
    ),
    (
        "advise --n 10 --k 2",
        &[
            ("--read a --epsilon 1", 2, ["--read", "--columns", "this is for tables"]),
            ("--shape a=1,2 --epsilon 1", 2, ["--shape", "--columns", "this is for tables"]),
            ("--epsilon 1 --shape 1,2,3", 2, ["--shape", "3 proportions", "one per category"]),
            ("--epsilon 1 --shape -1,2", 2, ["--shape", "proportion 1 is -1", "zero or more"]),
            (
                "--half-width 0.5",
                2,
                ["--half-width", "the half-width is 0.5", "0.03 for 3 percentage points"],
            ),
            ("--half-width -1", 2, ["--half-width", "is -1", "above 0 and below 0.5"]),
            ("--distance 1", 2, ["--distance", "the distance is 1", "below 1"]),
            ("--half-width 0.1 --shape 1,2,3", 2, ["--shape", "3 expected shares", "one per category"]),
            ("--half-width 0.1 --epsilon 1", 2, ["--half-width", "cannot be used with", "--epsilon"]),
            ("--epsilon 1 --shape 0,0", 2, ["--shape", "all proportions are zero", "above zero"]),
        ],
    ),
    (
        "",
        &[
            ("release --counts 3,4 --epsilon 0", 2, ["--epsilon", "epsilon is 0", "positive, finite"]),
            ("release --counts 3,4 --epsilon -1", 2, ["--epsilon", "epsilon is -1", "positive, finite"]),
            ("release --counts 3,4 --epsilon nan", 2, ["--epsilon", "epsilon is nan", "positive, finite"]),
            ("release --counts 3,4 --epsilon inf", 2, ["--epsilon", "epsilon is inf", "positive, finite"]),
            ("release --counts 3,4 --epsilon -inf", 2, ["--epsilon", "epsilon is -inf", "positive, finite"]),
            (
                "release --counts 3,4 --epsilon 1e-9999",
                2,
                ["--epsilon", "epsilon is 1e-9999", "positive, finite"],
            ),
            ("release --counts 3,4 --epsilon one", 2, ["--epsilon", "epsilon is one", "positive, finite"]),
            ("compare --counts 500,500 --epsilon 1 --limit", 2, ["--limit", "variables", "fewer records"]),
            ("inspect --counts 60,60,60 --epsilon 1", 1, ["outcomes", "may be decoded", "--decode none"]),
            ("release --counts 3,4", 2, ["--epsilon", "required", "--help"]),
            ("release --epsilon 1", 2, ["--counts", "required", "--help"]),
            (
                "release --counts 3,4,5 --epsilon 1 --prior 1,1",
                2,
                ["--prior", "2 parameters", "one for each, or one number for all"],
            ),
            ("release --counts 7 --epsilon 1", 2, ["--counts", "1 categories", "at least two"]),
            (
                "release --counts 0,0 --epsilon 1",
                2,
                ["--counts", "all counts are zero", "at least one record"],
            ),
            ("release --counts 3,x --epsilon 1", 2, ["--counts", "count 2 contains 'x'", "whole numbers"]),
            ("release --counts 3,-4 --epsilon 1", 2, ["--counts", "count 2 contains '-'", "whole numbers"]),
            ("release --counts 3,4.5 --epsilon 1", 2, ["--counts", "count 2 contains '.'", "whole numbers"]),
            ("release --counts 3,,4 --epsilon 1", 2, ["--counts", "count 2 is empty", "whole numbers"]),
            (
                "release --counts 99999999999999999999,1 --epsilon 1",
                2,
                ["--counts", "count 1", "larger than 1000000000000"],
            ),
            (
                "release --counts 18446744073709551615,1 --epsilon 1",
                2,
                ["--counts", "more than 1000000000000", "at most"],
            ),
            ("publish --counts 3,4", 2, ["publish", "unrecognized", "--help"]),
            ("audit --n 10 --epsilon 1", 2, ["--k", "required", "number of categories"]),
            ("audit --n 10 --prior 0.5 --epsilon 1", 2, ["--k", "required", "number of categories"]),
            ("audit --n 0 --k 2 --epsilon 1", 2, ["--n", "n is 0", "at least one record"]),
            ("audit --n 10 --k 1 --epsilon 1", 2, ["--k", "1 parameters", "two or more categories"]),
            (
                "audit --n 2000000000000 --k 2 --epsilon 1",
                2,
                ["--n", "2000000000000", "at most 1000000000000"],
            ),
            (
                "audit --n 100000 --k 3 --epsilon 1",
                1,
                ["--max-probabilities", "data sets", "posterity release"],
            ),
            (
                "release --counts 500000,500000 --epsilon 1 --mechanism tight(ehds)",
                1,
                ["probabilities", "limit", "leave out tight(..)"],
            ),
            (
                "audit --n 5 --k 2 --epsilon 1 --certificate /nonexistent/certificate.json",
                1,
                ["--certificate", "/nonexistent/certificate.json", "cannot be written"],
            ),
            (
                "inspect --counts 3,4,5 --epsilon 1 --mechanism ehds(score=tv)",
                1,
                ["tv", "two categories", "hellinger"],
            ),
            (
                "compare --counts 5000000,5000000 --epsilon 1 --mechanisms ehd",
                1,
                ["--max-outcomes", "--runs", "1000"],
            ),
            ("advise --n 10 --columns 2,1 --epsilon 1", 2, ["--columns", "column 2 is", "from 2 to 5000"]),
            (
                "advise --n 10 --columns a=2,a=2 --epsilon 1",
                2,
                ["--columns", "two columns are named", "name of its own"],
            ),
            ("advise --n 0 --columns 2,2 --epsilon 1", 2, ["--n", "n is 0", "at least one record"]),
            ("advise --n 10 --prior 1 --epsilon 1", 2, ["--k", "required", "number of categories"]),
            ("advise --n 10 --k 2", 2, ["--epsilon", "--half-width", "--distance"]),
            ("advise --n 0 --k 2 --half-width 0.1", 2, ["--n", "n is 0", "at least one record"]),
            (
                "release --counts 3,4,5 --prior 0.5,0.5,0.5 --epsilon 1 --mechanism ehd(global-sensitivity=published)",
                1,
                ["published", "0.602", "use the exact value"],
            ),
            (
                "inspect --counts 1000000,1000000,1000000 --epsilon 1 --mechanism ehd",
                1,
                ["--max-outcomes", "4.500e12", "posterity release"],
            ),
            (
                "inspect --counts 500,500,500 --epsilon 1 --mechanism lszhang",
                1,
                ["--max-outcomes", "3.382e9", "posterity release"],
            ),
            (
                "inspect --counts 30,30,30 --epsilon 1 --mechanism lsdim(consistent) --max-outcomes 10",
                1,
                ["--max-outcomes", "4.186e3", "posterity release"],
            ),
        ],
    ),
];

#[test]
fn every_bad_input_is_answered_in_words() {
    let cases = CASES.iter().flat_map(|(start, cases)| cases.iter().map(move |case| (start, case)));
    for (start, (rest, code, words)) in cases {
        let line = format!("{start} {rest}");
        let run = posterity(&typed(line.trim(), &[]));
        assert_eq!(run.code, Some(*code), "{line}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{line}: nothing is released");
        for word in words {
            assert!(run.stderr.contains(word), "{line}: {word:?} is not in: {}", run.stderr);
        }
    }
}

/// Counts are private: an error about them, or about anything else, does not repeat them.
#[test]
fn errors_do_not_repeat_counts() {
    for line in [
        "release --counts 48151623,42108 --epsilon 0",
        "release --counts 48151623,42108,x --epsilon 1",
        "release --counts 48151623;42108 --epsilon 1",
        "release --counts 48151623x,42108 --epsilon 1",
        "release --counts 48151623,42108 --prior 1,1,1 --epsilon 1",
        "release --counts 48151623,42108 --epsilon 1 --mechanism mh",
        "release --counts 48151623,42108 --epsilon 1 --categories a,b,c",
        "inspect --counts 48151623,42108 --epsilon 1",
    ] {
        let run = posterity(&typed(line, &[]));
        assert_ne!(run.code, Some(0), "{line}");
        assert!(!run.stderr.contains("48151623") && !run.stderr.contains("42108"), "{line}: {}", run.stderr);
    }
}

/// Sizes and budgets at the ends of what is allowed work; nothing panics.
#[test]
fn extreme_inputs_are_released() {
    for line in [
        "release --counts 1,0 --epsilon 1e-300",
        "release --counts 1,0 --epsilon 1e300",
        "release --counts 500000000000,500000000000 --epsilon 1 --mechanism ehds",
        "release --counts 1000000000000,0,0 --epsilon 1e-12 --mechanism ehds(gamma=1e-9)",
        "release --counts 1000000000000,0 --epsilon 1e12 --mechanism ehd",
        "release --counts 0,0,1 --prior 1e-300,1e-300,1e300 --epsilon 1 --mechanism ehds",
        "release --counts 3,4,1,0,2,9,0,1 --epsilon 1 --mechanism ehds",
        "release --counts 3,4 --epsilon 1 --mechanism mh(delta=1e-300) --not-private",
        "release --counts 3,4 --epsilon 1e-300 --mechanism ehds(gamma=1e300)",
        "release --counts 100000000000,100000000000,800000000000 --prior 1,1,1e24 --epsilon 1 --mechanism ehds",
        "release --counts 250000000000,250000000000,500000000000 --prior 1,1,1e24 --epsilon 1e6 --mechanism ehd",
        "release --counts 500000000000,500000000000 --prior 1e-300,1e300 --epsilon 1e12 --mechanism ehd",
        "inspect --counts 3,1 --prior 1e-200,1e-200 --epsilon 20 --mechanism ehds",
    ] {
        let run = posterity(&typed(line, &[]));
        assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
        assert!(run.stdout.contains("epsilon"), "{line}: {}", run.stdout);
        assert!(!run.stdout.contains("NaN"), "{line}: {}", run.stdout);
    }
}

/// The search for a scale did not end where the rounding of its audit is above the budget.
#[test]
fn budgets_too_small_for_an_audit_end_at_once() {
    for (line, code) in [
        ("release --counts 48,42 --mechanism tight(ehds) --epsilon 1e-13", 1),
        ("release --counts 48,42 --mechanism tight(ehds(gamma=auto)) --epsilon 1e-13", 1),
        ("inspect --counts 48,42 --mechanism tight(ehds) --epsilon 1e-13", 1),
        ("audit --k 2 --n 90 --mechanism tight(ehds) --epsilon 1e-13", 1),
        ("compare --counts 48,42 --mechanisms tight(ehds) --epsilon 1e-13", 1),
        ("advise --k 2 --n 90 --epsilon 1e-13", 0),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_posterity"))
            .args(line.split(' '))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        let start = Instant::now();
        let ended = loop {
            if child.try_wait().expect("a child").is_some() {
                break true;
            }
            if start.elapsed() > Duration::from_secs(120) {
                child.kill().expect("killed");
                break false;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        assert!(ended, "{line} does not end");
        let output = child.wait_with_output().expect("ended");
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        let words = ["epsilon is 1e-13", "5.8e-13", "leave out tight(..)"];
        assert!(code == 0 || words.iter().all(|word| said.contains(word)), "{line}: {said}");
    }
}
