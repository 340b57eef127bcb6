//! Processes that are killed.

use posterity_ledger::{Ledger, Status};
use posterity_testkit::Random;

use crate::support::{Folder, amount};
use crate::worker::Worker;

/// A random moment, short or long: not to wait for something, but so that the child dies between two steps as well as
/// right after one.
pub(crate) fn linger(random: &mut Random, bits: u64) {
    let longest = 1 << random.below(bits);
    for _ in 0..random.below(longest) {
        std::hint::spin_loop();
    }
}

/// A process that charges, records and publishes is killed 100 times, after a random number of steps and a random moment
/// more. Each time the ledger opens and verifies, nothing spent comes back, and everything published was charged.
#[test]
fn killed_anywhere() {
    const SEED: u64 = 1;
    let folder = Folder::new();
    let path = folder.ledger("1", "0").path().to_owned();
    let published = folder.file("published");
    let mut random = Random::new(SEED);
    let (mut before, mut unreleased) = (0, 0);
    for round in 0..100 {
        let mut worker = Worker::start("loop", &path, published.to_str().expect("text"));
        for _ in 0..1 + random.below(12) {
            assert!(worker.hear().is_some(), "round {round}: the child ended by itself");
        }
        linger(&mut random, 20);
        worker.child.kill().expect("it runs");
        worker.child.wait().expect("it ends");

        let ledger = Ledger::open(&path).expect("a killed process leaves a ledger");
        let verified = ledger.verify().expect("sound");
        let account = ledger.account("survey").expect("there");
        assert!(account.charges >= before, "round {round}: {} after {before}", account.charges);
        assert_eq!(account.spent_epsilon, amount("1e-9").times(account.charges));
        let history = ledger.history("survey").expect("there");
        for question in std::fs::read_to_string(&published).unwrap_or_default().lines() {
            let release = ledger.find("survey", question).expect("sound").expect("published, so recorded");
            assert_eq!(release.document, format!("answer to {question}"));
            let line = history.iter().find(|line| line.entry == release.entry).expect("charged");
            assert!(matches!(line.status, Status::Released { .. }) && line.question == question);
        }
        before = account.charges;
        unreleased = verified.charges - verified.releases;
    }
    println!("seed {SEED}: 100 kills, {before} charges, {unreleased} of them not released");
    assert!(before > 0);
}

/// The process dies exactly at each step, and between them.
#[test]
fn killed_at_each_step() {
    // Where, charges afterwards, documents afterwards.
    let table = [
        ("before charge", 0, 0),
        ("charge Locked", 0, 0),
        ("charge Checked", 0, 0),
        ("charge Appended", 0, 0),
        ("charge Committed", 1, 0),
        ("after charge", 1, 0),
        ("record Locked", 1, 0),
        ("record Checked", 1, 0),
        ("record Appended", 1, 0),
        ("record Committed", 1, 1),
        ("after record", 1, 1),
    ];
    for (point, charges, releases) in table {
        let folder = Folder::new();
        let path = folder.ledger("1", "0").path().to_owned();
        let mut worker = Worker::start("fault", &path, point);
        assert_eq!(worker.hear(), None, "{point}: nothing is published");
        assert!(!worker.child.wait().expect("it ends").success(), "{point}");

        let mut ledger = Ledger::open(&path).expect(point);
        let verified = ledger.verify().expect(point);
        assert_eq!((verified.charges, verified.releases), (charges, releases), "{point}");
        let status: Vec<String> =
            ledger.history("survey").expect(point).iter().map(|line| line.status.to_string()).collect();
        let expected = ["not released", "released"][usize::from(releases > 0)];
        assert_eq!(status, vec![expected; charges as usize], "{point}");
        // The ledger can be used afterwards.
        let _ = ledger
            .charge("survey", &crate::support::charge("next", "0.1"), &crate::support::at())
            .expect(point);
        assert_eq!(ledger.account("survey").expect(point).spent_epsilon, amount("0.1").times(charges + 1));
    }
    let folder = Folder::new();
    let path = folder.ledger("1", "0").path().to_owned();
    assert_eq!(Worker::start("fault", &path, "nowhere").hear().as_deref(), Some("published"));
}

/// A creation that is killed leaves a ledger, or something that the next creation makes one.
#[test]
fn killed_while_creating() {
    const SEED: u64 = 2;
    let mut random = Random::new(SEED);
    let mut finished = 0;
    for _ in 0..40 {
        let folder = Folder::new();
        let path = folder.file("ledger");
        let mut worker = Worker::start("create", &path, "");
        assert_eq!(worker.hear().as_deref(), Some("creating"));
        linger(&mut random, 25);
        worker.child.kill().expect("it runs, or is a zombie");
        worker.child.wait().expect("it ends");
        finished += u32::from(Ledger::open(&path).is_ok());
        let ledger = Ledger::open_or_create(&path).expect("whatever was left");
        assert_eq!(ledger.verify().expect("sound").head.entries, 0);
    }
    println!("seed {SEED}: {finished} of 40 creations came to their end");
}
