//! Several processes at once.

use posterity_ledger::Ledger;
use posterity_testkit::Worker;

use crate::support::{Folder, amount};
use crate::worker;

/// How many charges of 0.1 eight processes try each, and how many are granted in all.
fn race(epsilon: &str, delta: &str, each: u64, granted: u64) {
    let folder = Folder::new();
    let ledger = folder.ledger(epsilon, delta);
    let count = each.to_string();
    let mut workers: Vec<Worker> = (0..8).map(|_| worker::start("race", ledger.path(), &count)).collect();
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
        totals.0 += charged.parse::<u64>().expect("a number");
        totals.1 += refused.parse::<u64>().expect("a number");
        assert!(worker.wait().success());
    }
    assert_eq!(totals, (granted, 8 * each - granted));
    let account = ledger.account("survey").expect("there");
    assert_eq!((account.charges, account.sum_epsilon), (granted, amount("0.1").times(granted)));
    assert_eq!(ledger.verify().expect("sound").charges, granted);
}

/// 200 charges on a budget of 5: exactly 50 are granted.
#[test]
fn no_process_spends_what_another_spent() {
    race("5", "0", 25, 50);
}

/// With a Renyi filter it is 97, as if one process had asked for all.
#[test]
fn no_process_spends_what_another_spent_through_a_filter() {
    race("5", "1e-6", 25, 97);
}

#[test]
#[ignore = "slow: 10,000 charges by 8 processes, some minutes"]
fn many_charges_race() {
    race("600", "0", 1_250, 6_000);
    race("60", "1e-6", 1_250, FILTERED);
}

/// How many releases of 0.1 fit into epsilon 60 and delta 1e-6, one after another. In one process it is the same
/// number: see [`the_filter_grants_as_many_to_one`].
const FILTERED: u64 = 4_939;

#[test]
fn the_filter_grants_as_many_to_one() {
    let folder = Folder::new();
    let account = folder.ledger("60", "1e-6").account("survey").expect("there");
    assert_eq!(account.releases_of(&amount("0.1")), FILTERED);
}

/// Several processes create the same file at once: all of them get the one ledger.
#[test]
fn one_ledger_is_created() {
    let folder = Folder::new();
    let path = folder.file("ledger");
    let mut workers: Vec<Worker> = (0..8).map(|_| worker::start("create", &path, "")).collect();
    for worker in &mut workers {
        assert_eq!(worker.hear().as_deref(), Some("creating"));
        assert!(worker.wait().success());
    }
    assert_eq!(Ledger::open(&path).expect("created").verify().expect("sound").head.entries, 0);
}
