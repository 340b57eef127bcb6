//! Several processes at once.

use posterity_ledger::Ledger;

use crate::support::{Folder, amount};
use crate::worker::Worker;

/// Eight processes try 200 charges of 0.1 on a budget of 5: exactly 50 are granted.
#[test]
fn no_process_spends_what_another_spent() {
    let folder = Folder::new();
    let ledger = folder.ledger("5", "0");
    let mut workers: Vec<Worker> = (0..8).map(|_| Worker::start("race", ledger.path(), "25")).collect();
    for worker in &mut workers {
        assert_eq!(worker.hear().as_deref(), Some("ready"));
    }
    for worker in &mut workers {
        worker.tell("go");
    }
    let mut totals = (0, 0);
    for worker in &mut workers {
        let message = worker.hear().expect("a result");
        let (charged, refused) = message.split_once(' ').expect("two numbers");
        totals.0 += charged.parse::<u32>().expect("a number");
        totals.1 += refused.parse::<u32>().expect("a number");
        assert!(worker.child.wait().expect("it ends").success());
    }
    assert_eq!(totals, (50, 150));
    let account = ledger.account("survey").expect("there");
    assert_eq!((account.charges, account.spent_epsilon), (50, amount("5")));
    assert_eq!(ledger.verify().expect("sound").charges, 50);
}

/// Several processes create the same file at once: all of them get the one ledger.
#[test]
fn one_ledger_is_created() {
    let folder = Folder::new();
    let path = folder.file("ledger");
    let mut workers: Vec<Worker> = (0..8).map(|_| Worker::start("create", &path, "")).collect();
    for worker in &mut workers {
        assert_eq!(worker.hear().as_deref(), Some("creating"));
        assert!(worker.child.wait().expect("it ends").success());
    }
    assert_eq!(Ledger::open(&path).expect("created").verify().expect("sound").head.entries, 0);
}
