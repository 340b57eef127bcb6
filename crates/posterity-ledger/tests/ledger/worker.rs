//! What runs in the children: this test program again, with a role in its environment.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use posterity_ledger::{Charge, Ledger, LedgerError};
use posterity_testkit::{Worker, say};

use crate::support::{amount, ask, at, charge, files_with};

const ROLE: &str = "LEDGER_TEST_ROLE";
const LEDGER: &str = "LEDGER_TEST_FILE";
const DETAIL: &str = "LEDGER_TEST_DETAIL";

/// What a draw gives again and again, to be looked for on the disk.
pub(crate) const DRAWN: &str = "this was drawn; ";

/// Starts a child in a role.
pub(crate) fn start(role: &str, ledger: &Path, detail: &str) -> Worker {
    start_with(Worker::program(), role, ledger, detail)
}

/// The same with a program that was prepared.
pub(crate) fn start_with(mut program: Command, role: &str, ledger: &Path, detail: &str) -> Worker {
    let program = program.env(ROLE, role).env(LEDGER, ledger).env(DETAIL, detail);
    Worker::start(program, "worker::worker")
}

#[test]
#[ignore = "runs in the children of the other tests"]
fn worker() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let ledger = std::env::var_os(LEDGER).expect("a file");
    let (ledger, detail) = (Path::new(&ledger), std::env::var(DETAIL).expect("a detail"));
    match role.as_str() {
        "race" => race(ledger, detail.parse().expect("a number")),
        "loop" => answer(ledger, Path::new(&detail), |question| charge(question, "1e-9")),
        "rho" => answer(ledger, Path::new(&detail), |question| {
            Charge::concentrated(question, amount("1e-9")).expect("valid")
        }),
        "fault" => fault(ledger, &detail),
        "create" => {
            say("creating");
            Ledger::open_or_create(ledger).expect("a new file");
        }
        "look" => look(ledger, Path::new(&detail)),
        "report" => report(ledger),
        _ => unreachable!("{role}"),
    }
}

/// Asks for 0.1 this many times and says how often that worked.
fn race(path: &Path, charges: u32) {
    let mut ledger = Ledger::open(path).expect("the parent made it");
    // SQLite does not queue those who wait, and the machine may be busy.
    ledger.set_patience(std::time::Duration::from_secs(600)).expect("set");
    say("ready");
    std::io::stdin().read_line(&mut String::new()).expect("go");
    let mut refused = 0;
    for i in 0..charges {
        match ask(&mut ledger, "survey", &charge(&format!("{} {i}", std::process::id()), "0.1"), Some("{}")) {
            Ok(_) => (),
            Err(LedgerError::Exceeded(_)) => refused += 1,
            Err(error) => unreachable!("{error}"),
        }
    }
    say(format!("{} {refused}", charges - refused));
}

/// Asks, and publishes what it is answered, until it is killed. What it published is in a file, one question a line.
fn answer(path: &Path, published: &Path, charge: impl Fn(&str) -> Charge) {
    let mut ledger = Ledger::open(path).expect("the parent made it");
    ledger.observe(|step| say(format!("{step:?}")));
    let mut file = OpenOptions::new().append(true).create(true).open(published).expect("a file");
    for i in 0_u64.. {
        let question = format!("{} {i}", std::process::id());
        let answer = format!("answer to {question}");
        ask(&mut ledger, "survey", &charge(&question), Some(&answer)).expect("it fits");
        file.write_all(format!("{question}\n").as_bytes()).expect("written");
    }
}

/// Asks once, and dies at a given point: before, at a numbered step, in the draw, or after all. What is drawn is larger
/// than the cache of SQLite.
fn fault(path: &Path, point: &str) {
    let mut ledger = Ledger::open(path).expect("the parent made it");
    let (mut number, owned) = (0, point.to_owned());
    ledger.observe(move |step| {
        number += 1;
        if owned == format!("{number} {step:?}") {
            std::process::abort();
        }
    });
    let die_at = |here: &str| {
        if here == point {
            std::process::abort();
        }
    };
    die_at("before");
    let draw = |_| {
        let document = DRAWN.repeat(300_000);
        die_at("draw");
        Ok::<_, LedgerError>(document)
    };
    let answered = ledger.answer("survey", &charge("q", "0.1"), |_| false, &at(), draw);
    assert_eq!(answered.expect("it fits").release().entry, 2);
    die_at("after");
    say("published");
}

/// Says whether a file is the same as a copy of it, and how many files beside it hold something that was drawn.
fn look(path: &Path, copy: &Path) {
    let read = |path: &Path| std::fs::read(path).expect("readable");
    let same = if read(path) == read(copy) { "unchanged" } else { "changed" };
    say(format!("{same}, {} files with the draw", files_with(path, DRAWN).len()));
}

/// Opens a file, reads it and charges it, and says how far it came.
fn report(path: &Path) {
    let variant = |error: LedgerError| {
        let text = format!("{error:?}");
        text.split([' ', '(']).next().unwrap_or_default().to_owned()
    };
    let opened = Ledger::open_or_create(path);
    let mut ledger = match opened {
        Ok(ledger) => ledger,
        Err(error) => return say(format!("open {}", variant(error))),
    };
    if let Err(error) = ledger.verify() {
        return say(format!("verify {}", variant(error)));
    }
    match ask(&mut ledger, "survey", &charge("q", "0.1"), Some("{}")) {
        Ok(_) => say("charged"),
        Err(error) => say(format!("charge {}", variant(error))),
    }
}
