//! Servers that are killed: what they leave is cleaned up by the next one, and no study is charged twice.

#![cfg(unix)]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at what it does not expect"
)]

mod client;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use client::{Client, Folder, STUDY};
use posterity::ledger::{Ledger, Status};
use posterity_testkit::{Worker, say, trials};
use posterity_web::{Options, Server};

const DATA: &str = "WEB_TEST_DATA";
const LEDGER: &str = "WEB_TEST_LEDGER";

/// A server in a process of its own.
struct Process {
    worker: Worker,
    client: Client,
}

impl Process {
    /// Starts a server that has handed its address to a browser.
    fn start(folder: &Folder, temporary: &Path) -> Self {
        let mut program = Worker::program();
        program.env(DATA, folder.data()).env(LEDGER, folder.ledger()).env("TMPDIR", temporary);
        let mut worker = Worker::start(&mut program, "worker");
        let address = worker.hear().expect("an address");
        Self { worker, client: Client::at(&address) }
    }

    fn kill(mut self) {
        self.worker.kill();
    }

    /// Carries out the plan, and returns the address of the results.
    fn study(&self) -> String {
        self.client.confirm(&self.client.draft("/study/check", &STUDY))
    }
}

#[test]
#[ignore = "runs in the children of the other tests"]
fn worker() {
    let Some(data) = std::env::var_os(DATA).map(PathBuf::from) else { return };
    let ledger = std::env::var_os(LEDGER).map(PathBuf::from);
    let server = Server::bind(&Options { data: Some(data), ledger, ..Options::default() }).expect("a port");
    assert!(server.open(|_| true), "a browser takes the file");
    say(server.address());
    server.run().expect("it runs until it is killed");
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What must hold of the ledger whenever a server has died. Returns how many charges there are.
fn charges(folder: &Folder, when: &str) -> usize {
    let ledger = Ledger::open(folder.ledger()).expect(when);
    ledger.verify().expect(when);
    let history = ledger.history("survey").expect(when);
    assert!(history.len() <= 1, "{when}: a plan is charged once");
    for line in &history {
        assert!(matches!(line.status, Status::Released { .. }), "{when}: what is charged is recorded");
    }
    history.len()
}

/// How long a study takes here, from its confirmation to its results.
fn whole() -> Duration {
    let (folder, temporary) = (Folder::new("OUTSIDE"), tempfile::tempdir().expect("a folder"));
    let mut server = Process::start(&folder, temporary.path());
    server.client.open();
    let begin = Instant::now();
    let result = server.study();
    server.client.settled(&result);
    let whole = begin.elapsed();
    server.kill();
    whole
}

/// Kills servers at moments from their start to some time after a study is done. POSTERITY_TRIALS says how many.
#[test]
fn killed_servers_leave_nothing() {
    let trials = trials(5);
    let whole = whole();
    let (mut left, mut charged) = (0, 0);
    for trial in 0..trials {
        let (folder, temporary) = (Folder::new("OUTSIDE"), tempfile::tempdir().expect("a folder"));
        let mut server = Process::start(&folder, temporary.path());
        let waiting = names(temporary.path());
        assert_eq!(waiting.len(), 2, "the file that leads to the address, and its mark: {waiting:?}");
        // Some servers die before anybody opens their address; the moments of the others are spread evenly.
        let wait = whole.mul_f64(1.2 * f64::from(trial) / f64::from(trials));
        if trial % 5 > 0 {
            server.client.open();
            assert_eq!(names(temporary.path()), [""; 0], "the file is removed once the address was used");
            let _ = server.study();
            let begin = Instant::now();
            while begin.elapsed() < wait {
                std::thread::yield_now();
            }
        }
        server.kill();
        let when = format!("trial {trial}, {wait:?} after the confirmation");
        left += usize::from(!names(temporary.path()).is_empty());
        charged += charges(&folder, &when);
        let dead = names(temporary.path());
        let mut next = Process::start(&folder, temporary.path());
        let own = names(temporary.path());
        assert!(own.len() == 2 && own.iter().all(|name| !dead.contains(name)), "{when}: {dead:?} {own:?}");
        // Another server at the same time leaves the first one alone.
        let third = Process::start(&folder, temporary.path());
        assert!(own.iter().all(|name| names(temporary.path()).contains(name)), "{when}");
        third.kill();
        next.client.open();
        let page = next.client.settled(&next.study());
        assert!(page.contains("0.5 for all questions together"), "{when}: {page}");
        assert_eq!(charges(&folder, &when), 1, "{when}: the same plan again is charged once");
        next.kill();
    }
    println!("{trials} servers killed: {left} left something, {charged} had charged");
    assert!(left > 0, "the first one dies before its address was opened");
}
