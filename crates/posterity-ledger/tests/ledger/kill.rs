//! Processes that are killed.

use posterity_ledger::{Ledger, Status};
use posterity_testkit::{Random, trials};

use crate::support::{Folder, amount, ask, charge, files_with};
use crate::worker::{self, DRAWN};

/// A random moment, short or long: not to wait for something, but so that the child dies between two steps as well as
/// right after one.
fn linger(random: &mut Random, bits: u64) {
    let longest = 1 << random.below(bits);
    for _ in 0..random.below(longest) {
        std::hint::spin_loop();
    }
}

/// A process that asks and publishes is killed again and again, after a random number of steps and a random moment
/// more. Each time the ledger opens and verifies, nothing spent comes back, no charge is without its document, and
/// everything published was charged.
fn killed(kills: u32, role: &str, delta: &str, seed: u64) {
    let folder = Folder::new();
    let path = folder.ledger("1", delta).path().to_owned();
    let published = folder.file("published");
    let mut random = Random::new(seed);
    let mut before = 0;
    for round in 0..kills {
        let mut worker = worker::start(role, &path, published.to_str().expect("text"));
        for _ in 0..1 + random.below(12) {
            assert!(worker.hear().is_some(), "round {round}: the child ended by itself");
        }
        linger(&mut random, 20);
        worker.kill();

        let ledger = Ledger::open(&path).expect("a killed process leaves a ledger");
        let verified = ledger.verify().expect("sound");
        let account = ledger.account("survey").expect("there");
        assert!(account.charges >= before, "round {round}: {} after {before}", account.charges);
        // One of both is zero.
        assert_eq!(account.sum_epsilon + &account.sum_rho, amount("1e-9").times(account.charges));
        assert_eq!(verified.charges, verified.releases, "round {round}: a charge without its document");
        let history = ledger.history("survey").expect("there");
        for question in std::fs::read_to_string(&published).unwrap_or_default().lines() {
            let release = ledger.find("survey", question).expect("sound").expect("published, so recorded");
            assert_eq!(release.document, format!("answer to {question}"));
            let line = history.iter().find(|line| line.entry == release.entry).expect("charged");
            assert!(matches!(line.status, Status::Released { .. }) && line.question == question);
        }
        before = account.charges;
    }
    println!("seed {seed}: {kills} kills, {before} charges, all of them with their documents");
    assert!(before > 0);
}

/// How many kills there are, on a new ledger now and then: each kill is followed by a walk over the whole chain.
fn killed_often(kills: u32, role: &str, delta: &str, seed: u64) {
    const EACH: u32 = 100;
    for (ledger, done) in (0..kills).step_by(EACH as usize).enumerate() {
        killed(EACH.min(kills - done), role, delta, seed + ledger as u64);
    }
}

#[test]
fn killed_anywhere() {
    killed_often(trials(100), "loop", "0", 1_000_000);
}

#[test]
fn killed_anywhere_with_a_filter() {
    killed_often(trials(50), "loop", "1e-6", 2_000_000);
}

#[test]
#[ignore = "slow: 2,000 kills, some minutes"]
fn killed_anywhere_very_often() {
    killed_often(trials(2_000), "loop", "1e-6", 3_000_000);
}

#[test]
fn killed_anywhere_between_charges_of_rho() {
    killed_often(trials(30), "rho", "1e-6", 4_000_000);
}

/// The process dies exactly at each step. Either nothing is charged, and nothing of the draw is on the disk, or the
/// charge has its document.
#[test]
fn killed_at_each_step() {
    let table = [
        ("before", 0),
        ("1 Locked", 0),
        ("2 Checked", 0),
        ("3 Appended", 0),
        ("draw", 0),
        ("4 Drawn", 0),
        ("5 Appended", 0),
        ("6 Committed", 1),
        ("after", 1),
    ];
    for (point, charges) in table {
        let folder = Folder::new();
        let path = folder.ledger("1", "0").path().to_owned();
        let sound = std::fs::read(&path).expect("readable");
        let mut worker = worker::start("fault", &path, point);
        assert_eq!(worker.hear(), None, "{point}: nothing is published");
        assert!(!worker.wait().success(), "{point}");
        // The bytes that it left, before the next process puts anything right.
        assert_eq!(std::fs::read(&path).expect("readable") == sound, charges == 0, "{point}");
        assert_eq!(files_with(&path, DRAWN).is_empty(), charges == 0, "{point}");

        let mut ledger = Ledger::open(&path).expect(point);
        let verified = ledger.verify().expect(point);
        assert_eq!((verified.charges, verified.releases), (charges, charges), "{point}");
        // The ledger can be used afterwards.
        ask(&mut ledger, "survey", &charge("next", "0.1"), Some("{}")).expect(point);
        let status: Vec<String> =
            ledger.history("survey").expect(point).iter().map(|line| line.status.to_string()).collect();
        assert_eq!(status, vec!["released"; charges as usize + 1], "{point}");
        assert_eq!(ledger.account("survey").expect(point).spent_epsilon, amount("0.1").times(charges + 1));
    }
    let folder = Folder::new();
    let path = folder.ledger("1", "0").path().to_owned();
    assert_eq!(worker::start("fault", &path, "nowhere").hear().as_deref(), Some("published"));
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
        let mut worker = worker::start("create", &path, "");
        assert_eq!(worker.hear().as_deref(), Some("creating"));
        linger(&mut random, 25);
        worker.kill();
        finished += u32::from(Ledger::open(&path).is_ok());
        let ledger = Ledger::open_or_create(&path).expect("whatever was left");
        assert_eq!(ledger.verify().expect("sound").head.entries, 0);
    }
    println!("seed {SEED}: {finished} of 40 creations came to their end");
}
