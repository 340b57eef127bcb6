//! A charge, a draw and a record in one transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use posterity_ledger::{Answered, DrawError, Ledger, LedgerError};
use posterity_testkit::Random;

use crate::support::{Folder, amount, at, charge};
use crate::worker::Worker;

type Drawn = Result<String, &'static str>;

fn statuses(ledger: &Ledger) -> Vec<String> {
    ledger.history("survey").expect("there").iter().map(|line| line.status.to_string()).collect()
}

#[test]
fn it_is_charged_drawn_recorded_and_recalled() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let asked = charge("q", "0.4");
    let log = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&log);
    ledger.observe(move |step| sink.lock().expect("one thread").push(format!("{step:?}")));
    let release = ledger
        .charge_and_record("survey", &asked, &at(), |receipt| {
            log.lock().expect("one thread").push("draw".to_owned());
            Drawn::Ok(format!("answer to {} in {}", receipt.account(), receipt.entry()))
        })
        .expect("it fits");
    assert_eq!((release.entry, release.document.as_str()), (2, "answer to survey in 2"));
    let steps = ["Locked", "Checked", "Appended", "draw", "Drawn", "Appended", "Committed"];
    assert_eq!(*log.lock().expect("one thread"), steps);

    let untouched = |_: &_| -> Drawn { unreachable!("the answer is on file") };
    let recalled = ledger.charge_and_record_or_recall("survey", &asked, false, &at(), untouched);
    assert_eq!(recalled, Ok(Answered::Recalled(release)));
    let again =
        ledger.charge_and_record_or_recall("survey", &asked, true, &at(), |_| Drawn::Ok("new".into()));
    let Ok(Answered::Recorded(again)) = again else { unreachable!("{again:?}") };
    assert_eq!((again.entry, again.document.as_str()), (4, "new"));
    assert_eq!(ledger.account("survey").expect("there").spent_epsilon, amount("0.8"));
    assert_eq!(ledger.verify().expect("sound").releases, 2);
}

#[test]
fn what_does_not_fit_is_refused_before_the_draw() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let refused = ledger.charge_and_record("survey", &charge("q", "1.1"), &at(), |_| -> Drawn {
        unreachable!("nothing is drawn")
    });
    assert!(matches!(refused, Err(DrawError::Ledger(LedgerError::Exceeded(_)))), "{refused:?}");
    assert_eq!(ledger.verify().expect("sound").charges, 0);
}

/// Whether a draw fails may depend on the data, so a failure is charged.
#[test]
fn a_draw_that_fails_or_panics_leaves_the_charge() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let failed = ledger.charge_and_record("survey", &charge("q", "0.1"), &at(), |_| Drawn::Err("no bits"));
    assert_eq!(failed, Err(DrawError::Draw { entry: 2, error: "no bits" }));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        ledger.charge_and_record("survey", &charge("q", "0.1"), &at(), |_| -> Drawn {
            std::panic::resume_unwind(Box::new("a bug"))
        })
    }));
    assert_eq!(panicked.expect_err("it goes on").downcast_ref(), Some(&"a bug"));
    assert_eq!(statuses(&ledger), ["not released"; 2]);
    // The ledger can be used afterwards.
    let last = ledger.charge_and_record("survey", &charge("q", "0.8"), &at(), |_| Drawn::Ok("a".into()));
    assert_eq!(last.map(|release| release.document), Ok("a".to_owned()));
    assert_eq!(ledger.account("survey").expect("there").remaining_epsilon, amount("0"));
}

/// While it draws, others read the state before, and wait if they want to write.
#[test]
fn others_see_nothing_before_the_commit() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let path = ledger.path().to_owned();
    let release = ledger.charge_and_record("survey", &charge("q", "0.1"), &at(), |_| {
        let mut other = Ledger::open(&path).expect("reading is free");
        other.set_patience(std::time::Duration::from_millis(1)).expect("set");
        assert_eq!(other.account("survey").expect("reading is free").charges, 0);
        let refused = other.charge("survey", &charge("other", "0.1"), &at());
        assert!(matches!(refused, Err(LedgerError::Busy { .. })), "{refused:?}");
        Drawn::Ok("a".into())
    });
    assert_eq!(release.map(|release| release.entry), Ok(2));
}

/// The process dies exactly at each step. Either nothing is charged, or the charge has its document.
#[test]
fn killed_at_each_step_of_a_draw() {
    let table = [
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
        let mut worker = Worker::start("draw fault", &path, point);
        assert_eq!(worker.hear(), None, "{point}: nothing is published");
        assert!(!worker.child.wait().expect("it ends").success(), "{point}");
        let mut ledger = Ledger::open(&path).expect(point);
        let verified = ledger.verify().expect(point);
        assert_eq!((verified.charges, verified.releases), (charges, charges), "{point}");
        let _ = ledger.charge("survey", &charge("next", "0.1"), &at()).expect(point);
        assert_eq!(ledger.account("survey").expect(point).charges, charges + 1, "{point}");
    }
    let folder = Folder::new();
    let path = folder.ledger("1", "0").path().to_owned();
    assert_eq!(Worker::start("draw fault", &path, "nowhere").hear().as_deref(), Some("published"));
}

/// A process that charges, draws and records in one transaction is killed again and again. No charge is ever without its
/// document, and everything published was charged.
fn killed_while_drawing(kills: u32, seed: u64) {
    let folder = Folder::new();
    let path = folder.ledger("1", "1e-6").path().to_owned();
    let published = folder.file("published");
    let mut random = Random::new(seed);
    let mut before = 0;
    for round in 0..kills {
        let mut worker = Worker::start("draw loop", &path, published.to_str().expect("text"));
        for _ in 0..1 + random.below(12) {
            assert!(worker.hear().is_some(), "round {round}: the child ended by itself");
        }
        crate::kill::linger(&mut random, 20);
        worker.child.kill().expect("it runs");
        worker.child.wait().expect("it ends");

        let ledger = Ledger::open(&path).expect("a killed process leaves a ledger");
        let verified = ledger.verify().expect("sound");
        assert_eq!(verified.charges, verified.releases, "round {round}: a charge without its document");
        assert!(verified.charges >= before, "round {round}: {} after {before}", verified.charges);
        for question in std::fs::read_to_string(&published).unwrap_or_default().lines() {
            let release = ledger.find("survey", question).expect("sound").expect("published, so recorded");
            assert_eq!(release.document, format!("answer to {question}"));
        }
        before = verified.charges;
    }
    println!("seed {seed}: {kills} kills, {before} charges, all of them with their documents");
    assert!(before > 0);
}

#[test]
fn killed_anywhere_in_a_draw() {
    killed_while_drawing(50, 3);
}

#[test]
#[ignore = "slow: 20,000 kills, an hour or more"]
fn killed_anywhere_in_many_draws() {
    // A new ledger now and then: each kill is followed by a walk over the whole chain.
    for seed in 0..200 {
        killed_while_drawing(100, 1_000 + seed);
    }
}
