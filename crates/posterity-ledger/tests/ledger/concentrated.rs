//! Charges of zero-concentrated privacy, by themselves and among others.

use std::path::PathBuf;

use posterity_ledger::{
    Adjacency, Amount, Charge, Exceeded, LedgerError, NewAccount, Part, Price, Promise, Status,
};

use crate::adjacency::forgeries_are_found;
use crate::support::{Folder, amount, ask, at, charge, each_is_recalled};

fn rho(question: &str, rho: &str) -> Charge {
    Charge::concentrated(question, amount(rho)).expect("valid")
}

fn private(question: &str, own: &str) -> Charge {
    rho(question, own).adjacency(Adjacency::AddRemove)
}

/// 99 % of delta at an order 3 % above the best one: 0.014954 and 0.024315, beside 0.014973 and 0.024356 for one release
/// alone. If this fails, an account admits too much, or its orders are chosen badly.
#[test]
fn a_fresh_account_admits_nearly_what_one_release_alone_may_have() {
    for (delta, fits, beyond) in [("1e-9", "0.01495", "0.01496"), ("1e-6", "0.02431", "0.02432")] {
        let folder = Folder::new();
        let mut ledger = folder.ledger("1", delta);
        let affordable = ledger.account("survey").expect("there").affordable_rho(Adjacency::Replace);
        assert!(affordable >= amount(fits) && affordable < amount(beyond), "{affordable}");
        let alone = posterity_ledger::rho_of(&amount("1"), &amount(delta)).expect("there is a delta");
        assert!(affordable < alone, "{affordable} {alone}");
        let refused = ask(&mut ledger, "survey", &rho("q", beyond), Some("{}"));
        let exceeded = Exceeded {
            account: "survey".into(),
            part: Part::Rho,
            asked: amount(beyond),
            beside: None,
            stated: None,
            release: None,
            remaining: affordable.clone(),
            budget: affordable,
        };
        assert_eq!(refused, Err(LedgerError::from(Box::new(exceeded))));
        ask(&mut ledger, "survey", &rho("q", fits), Some("{}")).expect("it fits");
        let account = ledger.account("survey").expect("there");
        assert_eq!((&account.sum_rho, &account.sum_epsilon), (&amount(fits), &Amount::ZERO));
        assert!(
            account.spent_epsilon > amount("0.999") && account.spent_epsilon <= amount("1"),
            "{account:?}"
        );
        ledger.verify().expect("sound");
    }
}

/// What an account says that it admits, it admits, and a little more it does not: at first and after other charges.
#[test]
fn what_is_said_to_fit_does() {
    for (epsilon, delta) in [("1", "1e-9"), ("0.1", "1e-6"), ("8", "1e-12")] {
        let folder = Folder::new();
        let mut ledger = folder.ledger(epsilon, delta);
        for (i, part) in [3_u64, 2].into_iter().enumerate() {
            let account = ledger.account("survey").expect("there");
            let most = account.affordable_rho(Adjacency::Replace);
            let above = most.rational() + most.rational() / dashu_ratio::RBig::from(1_000_000_000_u64);
            let above = Amount::from_rational(above).expect("short");
            let refused =
                ask(&mut ledger, "survey", &rho(&format!("more {i}"), &above.to_string()), Some("{}"));
            assert!(
                matches!(refused, Err(LedgerError::Exceeded(_))),
                "{epsilon} {delta} {most}: {refused:?}"
            );
            let some = Amount::from_rational(most.rational() / dashu_ratio::RBig::from(part)).expect("short");
            ask(&mut ledger, "survey", &rho(&format!("some {i}"), &some.to_string()), Some("{}"))
                .expect("it fits");
        }
        let last = ledger.account("survey").expect("there").affordable_rho(Adjacency::Replace);
        ask(&mut ledger, "survey", &rho("all", &last.to_string()), Some("{}")).expect("it fits");
        ledger.verify().expect("sound");
    }
}

/// Sums say nothing of rho, with or without a delta.
#[test]
fn accounts_that_add_up_refuse() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("5", "0");
    let sums = NewAccount::new("sums", amount("5"), amount("1e-6")).adds_up();
    ledger.open_account(&sums, &at()).expect("new");
    for account in ["survey", "sums"] {
        let refused = ask(&mut ledger, account, &rho("q", "1e-9"), Some("{}"));
        assert_eq!(refused, Err(LedgerError::NoFilter { account: account.into() }));
        let account = ledger.account(account).expect("there");
        assert_eq!((account.charges, account.affordable_rho(Adjacency::Replace)), (0, Amount::ZERO));
    }
    let told = LedgerError::NoFilter { account: "a".into() }.to_string();
    assert!(told.contains("create an account with delta"), "{told}");
}

/// One charge of rho, however small, and the sum of all epsilons counts no more; and what fits only by sums or by exact
/// composition leaves nothing for rho. If this fails, an account promises more than it keeps.
#[test]
fn sums_and_exact_batches_end_with_the_first_rho() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "1e-6");
    ask(&mut ledger, "survey", &rho("q", "1e-9"), Some("{}")).expect("it fits");
    let left = ledger.account("survey").expect("there").remaining_epsilon;
    assert!(left < amount("0.9"), "{left}");
    let refused = ask(&mut ledger, "survey", &charge("whole", "1"), Some("{}"));
    assert!(matches!(refused, Err(LedgerError::Exceeded(_))), "{refused:?}");
    ask(&mut ledger, "survey", &charge("part", &left.to_string()), Some("{}")).expect("it fits");

    let full = NewAccount::new("full", amount("1"), amount("1e-6"));
    ledger.open_account(&full, &at()).expect("new");
    ask(&mut ledger, "full", &charge("whole", "1"), Some("{}")).expect("sums admit it");
    let batched = NewAccount::new("batched", amount("4.8"), amount("1e-6"));
    ledger.open_account(&batched, &at()).expect("new");
    let batch = Charge::batch("batch", vec![amount("0.1"); 100]).expect("valid");
    ask(&mut ledger, "batched", &batch, Some("{}")).expect("exact composition admits it");
    for account in ["full", "batched"] {
        assert_eq!(ledger.account(account).expect("there").affordable_rho(Adjacency::Replace), Amount::ZERO);
        let refused = ask(&mut ledger, account, &rho("q", "1e-12"), Some("{}"));
        assert!(matches!(refused, Err(LedgerError::Exceeded(_))), "{refused:?}");
    }
    // A batch that comes after is counted like its releases.
    let later = NewAccount::new("later", amount("4.8"), amount("1e-6"));
    ledger.open_account(&later, &at()).expect("new");
    ask(&mut ledger, "later", &rho("q", "1e-9"), Some("{}")).expect("it fits");
    let refused = ask(&mut ledger, "later", &batch, Some("{}"));
    assert!(matches!(refused, Err(LedgerError::Exceeded(_))), "{refused:?}");
    ledger.verify().expect("sound");
}

/// Each order is charged what it is worth: pure releases and rho add up in any order.
#[test]
fn the_order_of_charges_does_not_matter() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("3", "1e-6");
    ledger.create_account("other", &amount("3"), &amount("1e-6"), &at()).expect("new");
    let charges = [charge("a", "0.1"), rho("b", "0.02"), charge("c", "0.2"), rho("d", "0.03")];
    for (account, order) in [("survey", [0, 1, 2, 3]), ("other", [3, 0, 1, 2])] {
        for i in order {
            ask(&mut ledger, account, &charges[i], Some("{}")).expect("it fits");
        }
    }
    let [a, b] = ["survey", "other"].map(|name| ledger.account(name).expect("there"));
    assert_eq!((&a.spent_epsilon, &a.sum_rho), (&b.spent_epsilon, &b.sum_rho));
    assert_eq!(a.sum_rho, amount("0.05"));
    assert_eq!(a.affordable_rho(Adjacency::Replace), b.affordable_rho(Adjacency::Replace));
}

#[test]
fn private_n_costs_four_times_as_much_where_n_is_public() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "1e-6");
    let hidden = NewAccount::new("hidden", amount("1"), amount("1e-6")).adjacency(Adjacency::AddRemove);
    ledger.open_account(&hidden, &at()).expect("new");
    for (account, charged) in [("survey", "0.02"), ("hidden", "0.005")] {
        let before = ledger.account(account).expect("there");
        assert_eq!(before.price_of(&private("q", "0.005")), Ok(Price::concentrated(amount(charged))));
        ask(&mut ledger, account, &private("q", "0.005"), Some("{}")).expect("it fits");
        let line = ledger.history(account).expect("there").remove(0);
        let own = Promise { adjacency: Adjacency::AddRemove, price: Price::concentrated(amount("0.005")) };
        assert_eq!((line.price, line.release), (Price::concentrated(amount(charged)), own));
        assert_eq!(ledger.account(account).expect("there").sum_rho, amount(charged));
    }
    let refused = ask(&mut ledger, "hidden", &rho("q", "0.001"), Some("{}"));
    assert_eq!(refused, Err(LedgerError::PublishesN { account: "hidden".into() }));
    let [public, hidden] = ["survey", "hidden"].map(|name| ledger.account(name).expect("there"));
    assert_eq!(hidden.affordable_rho(Adjacency::Replace), Amount::ZERO);
    let most = public.affordable_rho(Adjacency::AddRemove);
    assert!(most.times(4) <= public.affordable_rho(Adjacency::Replace) && most > amount("0.001"), "{most}");
    let error = ask(&mut ledger, "survey", &private("more", "0.0015"), Some("{}")).expect_err("too much");
    let told = error.to_string();
    assert!(told.contains("rho 0.006, which is what 0.0015 with add-remove costs"), "{told}");
    ask(&mut ledger, "survey", &private("all", &most.to_string()), Some("{}")).expect("it fits");
    ledger.verify().expect("sound");
}

/// An answer is recalled at the same rho only. A price in rho has no epsilon, which must not match all prices.
#[test]
fn an_answer_is_recalled_by_its_rho() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("5", "1e-6");
    each_is_recalled(
        &mut ledger,
        &[
            charge("q", "0.01"),
            rho("q", "0.01"),
            rho("q", "0.02"),
            private("q", "0.01"),
            private("q", "0.005"),
            charge("q", "0.02"),
        ],
    );
    let found = ledger.find("survey", "q").expect("sound").expect("recorded");
    assert_eq!(found.price, Price::new(amount("0.02"), Amount::ZERO));
}

/// A draw that fails stays charged, as for other charges.
#[test]
fn a_failed_draw_stays_charged() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "1e-6");
    ask(&mut ledger, "survey", &rho("q", "0.01"), None).expect("it fits");
    let line = ledger.history("survey").expect("there").remove(0);
    assert_eq!((line.status, line.price), (Status::NotReleased, Price::concentrated(amount("0.01"))));
    assert_eq!(ledger.account("survey").expect("there").sum_rho, amount("0.01"));
}

/// Nothing that is printed says that a release with a price in rho has an epsilon.
#[test]
fn the_export_says_rho() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "1e-6");
    ask(&mut ledger, "survey", &private("q", "0.001"), Some("{}")).expect("it fits");
    let json = serde_json::to_value(ledger.export().expect("sound")).expect("JSON");
    let charged = &json["entries"][1];
    assert_eq!((&charged["rho"], charged.get("epsilon")), (&"0.004".into(), None));
    assert_eq!(charged["release"], serde_json::json!({ "adjacency": "add-remove", "rho": "0.001" }));
    assert_eq!(charged["total"]["rho"], "0.004");
    assert_eq!(json["accounts"][0]["sum_rho"], "0.004");
    let line = serde_json::to_value(ledger.history("survey").expect("there")).expect("JSON");
    assert_eq!(
        (&line[0]["rho"], line[0].get("epsilon"), line[0].get("delta")),
        (&"0.004".into(), None, None)
    );
    let found = ledger.find("survey", "q").expect("sound").expect("recorded");
    let found = serde_json::to_value(found).expect("JSON");
    assert_eq!((&found["rho"], found.get("epsilon")), (&"0.004".into(), None));
}

/// Entries: 1 account, 2 charge of rho, 4 charge of epsilon, 6 charge of rho with private n, each with a record.
fn sample(folder: &Folder) -> PathBuf {
    let mut ledger = folder.ledger("1", "1e-6");
    for charge in [rho("a", "0.01"), charge("b", "0.01"), private("c", "0.001")] {
        ask(&mut ledger, "survey", &charge, Some("{}")).expect("it fits");
    }
    ledger.path().to_owned()
}

/// If this fails, somebody can make a release cheaper afterwards, or bring back what was spent.
#[test]
fn a_forged_rho_is_found_although_all_hashes_fit() {
    forgeries_are_found(
        sample,
        &[
            ("UPDATE entry SET parts = 'rho 1/1000' WHERE sequence = 2", 2),
            ("UPDATE entry SET parts = 'rho 0/1' WHERE sequence = 2", 2),
            ("UPDATE entry SET parts = 'rho 2/200' WHERE sequence = 2", 2),
            ("UPDATE entry SET parts = 'rho 1/100 ' WHERE sequence = 2", 2),
            ("UPDATE entry SET parts = NULL WHERE sequence = 2", 2),
            // An epsilon in place of rho, or beside it.
            ("UPDATE entry SET parts = NULL, epsilon = '1/100', delta = '0/1' WHERE sequence = 2", 2),
            ("UPDATE entry SET epsilon = '1/100' WHERE sequence = 2", 2),
            ("UPDATE entry SET epsilon = '1/100', delta = '0/1' WHERE sequence = 2", 2),
            // A rho in place of an epsilon.
            ("UPDATE entry SET parts = 'rho 1/20000', epsilon = NULL, delta = NULL WHERE sequence = 4", 4),
            // The account forgets that it was charged in rho, so that sums would count again.
            ("UPDATE entry SET tally = replace(tally, ' - 10000000000000000', ' -') WHERE sequence = 2", 2),
            ("UPDATE entry SET tally = replace(tally, ' - 10000000000000000', ' - 1') WHERE sequence = 4", 4),
            ("UPDATE entry SET tally = replace(tally, ' - 10000000000000000', ' - 0') WHERE sequence = 4", 4),
            // The release with private n is charged at its own price, or promised something else.
            ("UPDATE entry SET parts = 'rho 1/1000' WHERE sequence = 6", 6),
            ("UPDATE entry SET rule = 'add-remove rho 1/4000' WHERE sequence = 6", 6),
            ("UPDATE entry SET rule = 'replace rho 1/250' WHERE sequence = 6", 6),
            // An account without a filter counts no rho.
            ("UPDATE entry SET rule = 'sum' WHERE sequence = 1", 2),
        ],
    );
}
