//! What runs in the children: this test program again, with a role in its environment.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};

use posterity_ledger::{Ledger, LedgerError, Step};

use crate::support::{at, charge};

const ROLE: &str = "LEDGER_TEST_ROLE";
const LEDGER: &str = "LEDGER_TEST_FILE";
const DETAIL: &str = "LEDGER_TEST_DETAIL";

/// What a child writes to its parent starts with this; the rest of its output is the test harness.
const MARK: &str = "@";

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
        "loop" => charge_and_record(ledger, Path::new(&detail)),
        "fault" => fault(ledger, &detail),
        "draw loop" => draw_and_record(ledger, Path::new(&detail)),
        "draw fault" => draw_fault(ledger, &detail),
        "create" => {
            say("creating");
            Ledger::open_or_create(ledger).expect("a new file");
        }
        "report" => report(ledger),
        _ => unreachable!("{role}"),
    }
}

/// Charges 0.1 so many times and says how often that worked.
fn race(path: &Path, charges: u32) {
    let mut ledger = Ledger::open(path).expect("the parent made it");
    // SQLite does not queue those who wait, and the machine may be busy.
    ledger.set_patience(std::time::Duration::from_secs(600)).expect("set");
    say("ready");
    std::io::stdin().read_line(&mut String::new()).expect("go");
    let mut refused = 0;
    for i in 0..charges {
        match ledger.charge("survey", &charge(&format!("{} {i}", std::process::id()), "0.1"), &at()) {
            Ok(_) => (),
            Err(LedgerError::Exceeded(_)) => refused += 1,
            Err(error) => unreachable!("{error}"),
        }
    }
    say(&format!("{} {refused}", charges - refused));
}

/// Charges, records and publishes until it is killed. What it published is in a file, one question a line.
fn charge_and_record(path: &Path, published: &Path) {
    let mut ledger = Ledger::open(path).expect("the parent made it");
    ledger.observe(|step| say(&format!("{step:?}")));
    let mut file = OpenOptions::new().append(true).create(true).open(published).expect("a file");
    for i in 0_u64.. {
        let question = format!("{} {i}", std::process::id());
        let receipt = ledger.charge("survey", &charge(&question, "1e-9"), &at()).expect("it fits");
        ledger.record(&receipt, &format!("answer to {question}"), &at()).expect("recorded");
        file.write_all(format!("{question}\n").as_bytes()).expect("written");
    }
}

/// Charges, draws and records in one transaction and publishes, until it is killed.
fn draw_and_record(path: &Path, published: &Path) {
    let mut ledger = Ledger::open(path).expect("the parent made it");
    ledger.observe(|step| say(&format!("{step:?}")));
    let mut file = OpenOptions::new().append(true).create(true).open(published).expect("a file");
    for i in 0_u64.. {
        let question = format!("{} {i}", std::process::id());
        let asked = charge(&question, "1e-9");
        let draw = |_: &_| Ok::<_, LedgerError>(format!("answer to {question}"));
        let release = ledger.charge_and_record("survey", &asked, &at(), draw).expect("it fits");
        file.write_all(format!("{}\n", release.question).as_bytes()).expect("written");
    }
}

/// Charges, draws and records once, and dies at a given point: a numbered step, in the draw, or after all.
fn draw_fault(path: &Path, point: &str) {
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
    let draw = |_: &_| {
        die_at("draw");
        Ok::<_, LedgerError>("answer to q".to_owned())
    };
    ledger.charge_and_record("survey", &charge("q", "0.1"), &at(), draw).expect("it fits");
    die_at("after");
    say("published");
}

/// Charges and records once, and dies at a given point.
fn fault(path: &Path, point: &str) {
    let mut ledger = Ledger::open(path).expect("the parent made it");
    // 0 while charging, 1 while recording.
    static PHASE: AtomicU8 = AtomicU8::new(0);
    let die_at = |here: &str| {
        if here == point {
            std::process::abort();
        }
    };
    let owned = point.to_owned();
    ledger.observe(move |step: Step| {
        let phase = ["charge", "record"][usize::from(PHASE.load(Ordering::Relaxed))];
        if owned == format!("{phase} {step:?}") {
            std::process::abort();
        }
    });
    die_at("before charge");
    let receipt = ledger.charge("survey", &charge("q", "0.1"), &at()).expect("it fits");
    die_at("after charge");
    PHASE.store(1, Ordering::Relaxed);
    ledger.record(&receipt, "answer to q", &at()).expect("recorded");
    die_at("after record");
    say("published");
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
    match ledger.charge("survey", &charge("q", "0.1"), &at()) {
        Ok(_) => say("charged"),
        Err(error) => say(&format!("charge {}", variant(error))),
    }
}
