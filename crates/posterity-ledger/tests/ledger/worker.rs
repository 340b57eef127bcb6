//! What runs in the children: this test program again, with a role in its environment.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use posterity_ledger::{Ledger, LedgerError};

use crate::support::{ask, at, charge, files_with};

const ROLE: &str = "LEDGER_TEST_ROLE";
const LEDGER: &str = "LEDGER_TEST_FILE";
const DETAIL: &str = "LEDGER_TEST_DETAIL";

/// What a child writes to its parent starts with this; the rest of its output is the test harness.
const MARK: &str = "@";

/// What a draw gives again and again, to be looked for on the disk.
pub(crate) const DRAWN: &str = "this was drawn; ";

/// A child process with its input and output.
pub(crate) struct Worker {
    pub(crate) child: Child,
    output: BufReader<ChildStdout>,
}

impl Worker {
    pub(crate) fn start(role: &str, ledger: &Path, detail: &str) -> Self {
        let program = std::env::current_exe().expect("this program");
        Self::start_with(Command::new(program), role, ledger, detail)
    }

    pub(crate) fn start_with(mut command: Command, role: &str, ledger: &Path, detail: &str) -> Self {
        let mut child = command
            .args(["--exact", "worker::worker", "--ignored", "--nocapture", "--test-threads=1"])
            .env(ROLE, role)
            .env(LEDGER, ledger)
            .env(DETAIL, detail)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, output }
    }

    /// The next message, or nothing if the child has ended.
    pub(crate) fn hear(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("text") == 0 {
                return None;
            }
            // The harness may have written the start of the line.
            if let Some((_, message)) = line.trim_end().split_once(MARK) {
                return Some(message.to_owned());
            }
        }
    }

    pub(crate) fn tell(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().expect("piped"), "{line}").expect("it listens");
    }
}

fn say(message: &str) {
    let mut out = std::io::stdout().lock();
    // This fails only if the parent has ended, and then nobody waits for the message.
    let _ = writeln!(out, "{MARK}{message}").and_then(|()| out.flush());
}

#[test]
#[ignore = "runs in the children of the other tests"]
fn worker() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let ledger = std::env::var_os(LEDGER).expect("a file");
    let (ledger, detail) = (Path::new(&ledger), std::env::var(DETAIL).expect("a detail"));
    match role.as_str() {
        "race" => race(ledger, detail.parse().expect("a number")),
        "loop" => answer(ledger, Path::new(&detail)),
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

/// Asks for 0.1 so many times and says how often that worked.
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
    say(&format!("{} {refused}", charges - refused));
}

/// Asks, and publishes what it is answered, until it is killed. What it published is in a file, one question a line.
fn answer(path: &Path, published: &Path) {
    let mut ledger = Ledger::open(path).expect("the parent made it");
    ledger.observe(|step| say(&format!("{step:?}")));
    let mut file = OpenOptions::new().append(true).create(true).open(published).expect("a file");
    for i in 0_u64.. {
        let question = format!("{} {i}", std::process::id());
        let answer = format!("answer to {question}");
        ask(&mut ledger, "survey", &charge(&question, "1e-9"), Some(&answer)).expect("it fits");
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
    say(&format!("{same}, {} files with the draw", files_with(path, DRAWN).len()));
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
        Err(error) => return say(&format!("open {}", variant(error))),
    };
    if let Err(error) = ledger.verify() {
        return say(&format!("verify {}", variant(error)));
    }
    match ask(&mut ledger, "survey", &charge("q", "0.1"), Some("{}")) {
        Ok(_) => say("charged"),
        Err(error) => say(&format!("charge {}", variant(error))),
    }
}
