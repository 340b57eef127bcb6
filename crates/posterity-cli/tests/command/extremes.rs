//! Numbers at the ends of what can be written: every one of them is refused or answered, soon and in little memory.

use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Numbers that no command expects.
const NUMBERS: [&str; 13] = [
    "0",
    "1",
    "9223372036854775808",
    "18446744073709551615",
    "1e18",
    "1e-300",
    "1e300",
    "nan",
    "inf",
    "-1",
    "",
    "999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999",
    "0.0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
];

/// A command that works, and its numeric arguments. `{folder}` is an empty folder.
const COMMANDS: [(&str, &[&str]); 15] = [
    (
        "release --counts=3,4 --epsilon=1 --prior=1,1 --level=0.9 --seed=1",
        &["counts", "epsilon", "prior", "level", "seed"],
    ),
    ("release --counts=3,4 --epsilon=1 --seed=1 --mechanism=ehds(gamma=1)", &["counts", "epsilon", "gamma"]),
    ("release --counts=3,4 --epsilon=1 --seed=1 --mechanism=geometric", &["counts", "epsilon"]),
    (
        "inspect --counts=3,4 --epsilon=1 --prior=1,1 --max-outcomes=9",
        &["counts", "epsilon", "prior", "max-outcomes"],
    ),
    ("inspect --counts=3,4 --epsilon=1 --mechanism=mh(delta=0.1)", &["counts", "epsilon", "delta"]),
    (
        "compare --counts=3,4 --epsilon=1 --prior=1,1 --runs=9 --seed=1",
        &["counts", "epsilon", "prior", "runs", "seed"],
    ),
    ("compare --counts=3,4 --epsilon=1 --max-outcomes=9", &["counts", "epsilon", "max-outcomes"]),
    (
        "audit --mechanism=ehds --n=5 --k=2 --epsilon=1 --profile=1 --max-probabilities=9999",
        &["n", "k", "epsilon", "profile", "max-probabilities"],
    ),
    ("audit --mechanism=ehds --n=5 --epsilon=1 --prior=1,1", &["n", "epsilon", "prior"]),
    ("advise --n=20 --k=2 --epsilon=1 --shape=1,1", &["n", "k", "epsilon", "shape"]),
    ("advise --columns=2,3 --n=20 --epsilon=1 --level=0.9 --read=a|b", &["columns", "n", "epsilon", "level"]),
    ("advise --columns=2,2 --n=40 --half-width=0.2 --shape=a=1,1", &["columns", "n", "half-width", "shape"]),
    (
        "budget create {folder}/a.ledger --account=a --epsilon=1 --delta=0.001",
        &["epsilon", "delta", "account"],
    ),
    ("reproduce largest-change --quick --out={folder}/results --threads=1", &["threads"]),
    ("reproduce --list --threads=1", &["threads"]),
];

/// Public inputs that ran out of stack or memory, or ran for minutes, and whether they are answered.
const LARGE: [(&str, bool); 8] = [
    ("advise --n 1000 --k 120000 --epsilon 1", false),
    ("advise --n 1000000 --k 1000000 --distance 0.01", false),
    ("advise --n 1000000 --k 1000000 --half-width 0.01", false),
    ("advise --n 1000000000 --columns 1000,1000 --epsilon 1e-20", true),
    ("advise --n 1000000000 --columns 1000,1000 --epsilon 1e-200", true),
    ("advise --n 1000000000000 --columns 5000 --epsilon 1e-300", true),
    ("compare --counts 5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5,5 --epsilon 1 --runs 4000000", false),
    ("advise --n 1000000000000 --k 40 --epsilon 1e-300", true),
];

/// How many seconds of processor time and KiB of memory one call may take. Without optimisation the slowest takes 4 to 5
/// seconds, and more where the machine is slower or busy.
const LIMITS: &str = "ulimit -t 12; ulimit -v 1048576; exec \"$0\" \"$@\"";

/// The command with another value of one argument, as the only item of a list and as one of several.
fn calls() -> Vec<Vec<String>> {
    let mut calls = Vec::new();
    for (command, flags) in COMMANDS {
        for flag in flags {
            for number in NUMBERS {
                for value in [number.to_owned(), format!("{number},1"), format!("{number},{number},{number}")]
                {
                    let is_list = matches!(*flag, "counts" | "prior" | "shape" | "profile" | "columns");
                    if value.contains(',') && !is_list {
                        continue;
                    }
                    let (start, within) = (format!("--{flag}="), format!("({flag}="));
                    let words = command.split(' ').map(|word| match word.split_once(&within) {
                        Some((before, _)) => format!("{before}{within}{value})"),
                        None if word.starts_with(&start) => format!("{start}{value}"),
                        None => word.to_owned(),
                    });
                    calls.push(words.collect());
                }
            }
        }
    }
    calls
}

/// What is wrong with how a call ended, if something is.
fn complaint(call: &[String]) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().to_str().expect("its path is text");
    let mut command = Command::new("sh");
    command.args(["-c", LIMITS, env!("CARGO_BIN_EXE_posterity")]);
    command.args(call.iter().map(|word| word.replace("{folder}", place)));
    let output = command.stdin(Stdio::null()).output().expect("the command runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let ended = matches!(output.status.code(), Some(0..=2)) && !said.contains("not foreseen");
    (!ended).then(|| format!("{}: {} {said}", call.join(" "), output.status))
}

/// If this fails, an argument makes the command panic, run for ever or fill the memory.
#[test]
#[cfg(target_os = "linux")]
fn extreme_numbers_end_soon_and_cleanly() {
    let (calls, next, complaints) = (calls(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(call) = calls.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(found) = complaint(call) {
                        complaints.lock().expect("no panic").push(found);
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().expect("no panic");
    assert!(
        complaints.is_empty(),
        "{} of {} calls:\n{}",
        complaints.len(),
        calls.len(),
        complaints.join("\n")
    );
}

/// If this fails, public inputs decide how much memory is taken, or numbers are printed that are none.
#[test]
#[cfg(target_os = "linux")]
fn large_inputs_are_answered_or_refused_in_little_memory() {
    let limited = |line: &str| {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            "ulimit -t 20; ulimit -v 2097152; exec \"$0\" \"$@\"",
            env!("CARGO_BIN_EXE_posterity"),
        ]);
        super::run(command.args(line.split(' ')).stdin(Stdio::null()))
    };
    for (line, is_answered) in LARGE {
        let run = limited(&format!("{line} --format json"));
        if is_answered {
            assert_eq!(run.code, Some(0), "{line}: {}", run.stderr);
            // JSON has no other word for what is not a number.
            assert!(!run.stdout.contains("null"), "{line}: {}", run.stdout);
        } else {
            assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{line}: {}", run.stderr);
            let words = ["the most for", "up to"];
            assert!(words.iter().any(|word| run.stderr.contains(word)), "{line}: {}", run.stderr);
        }
    }
}

/// An argument that is too large is named, with what is possible.
#[test]
fn limits_are_named() {
    let table = [
        (&["advise", "--n", "10", "--k", "18446744073709551615", "--epsilon", "1"][..], "--k", "16777216"),
        (&["advise", "--n", "10", "--columns", "2,5001", "--epsilon", "1"][..], "--columns", "5000"),
        (
            &["advise", "--n", "10", "--columns", "99,99", "--read", "a | b", "--epsilon", "1"][..],
            "--read",
            "5000",
        ),
        (
            &["compare", "--counts", "3,4", "--epsilon", "1", "--runs", "1000000000000"][..],
            "--runs",
            "4000000",
        ),
        (&["reproduce", "largest-change", "--threads", "18446744073709551615"][..], "--threads", "1024"),
    ];
    for (args, flag, most) in table {
        let run = super::posterity(args);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(run.stderr.contains(flag) && run.stderr.contains(most), "{}", run.stderr);
    }
}

/// An audit that cannot resolve epsilon says so, and claims no share of it.
#[test]
fn an_audit_below_its_own_rounding_says_so() {
    let run =
        super::posterity(&["audit", "--mechanism", "ehd", "--n", "10", "--k", "2", "--epsilon", "1e-14"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("not known") && run.stdout.contains("by its proof"), "{}", run.stdout);
    assert!(!run.stdout.contains('%'), "{}", run.stdout);
}

/// The two mechanisms have one law at k = 2: advice shows one number for both, and recommends the first.
#[test]
fn advice_ties_are_exact() {
    let run = super::posterity(&["advise", "--n", "1000", "--k", "2", "--epsilon", "0.1"]);
    assert!(run.stdout.starts_with("Use lattice with --decode best or geometric"), "{}", run.stdout);
    assert_eq!(run.stdout.matches("0.2082").count(), 3, "{}", run.stdout);
}
