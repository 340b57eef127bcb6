//! Accounts, charges, documents and history.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use posterity_ledger::{
    Amount, Charge, ChargeOutcome, Event, Exceeded, Ledger, LedgerError, NewAccount, Part, Rule, Status, Step,
};
use proptest::prelude::*;

use crate::support::{Folder, amount, at, charge};

fn exceeded(part: Part, asked: &str, remaining: &str, budget: &str) -> LedgerError {
    LedgerError::from(Box::new(Exceeded {
        account: "survey".into(),
        part,
        asked: amount(asked),
        remaining: amount(remaining),
        budget: amount(budget),
    }))
}

#[test]
fn ten_tenths_are_one() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    for i in 0..10 {
        let receipt = ledger.charge("survey", &charge(&format!("q{i}"), "0.1"), &at()).expect("it fits");
        assert_eq!((receipt.entry(), receipt.account()), (i + 2, "survey"));
    }
    let error = ledger.charge("survey", &charge("more", "1e-30"), &at()).expect_err("nothing is left");
    assert_eq!(error, exceeded(Part::Epsilon, "1e-30", "0", "1"));
    let account = Ledger::open(ledger.path()).and_then(|ledger| ledger.account("survey")).expect("on disk");
    assert_eq!(account.spent_epsilon, amount("1"));
    assert_eq!(account.remaining_epsilon, Amount::ZERO);
    assert_eq!(account.charges, 10);
}

#[test]
fn a_refusal_leaves_no_trace() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let head = ledger.verify().expect("sound").head;
    ledger.charge("survey", &charge("q", "1.0000001"), &at()).expect_err("too much");
    assert_eq!(ledger.verify().expect("sound").head, head);
    ledger.charge("survey", &charge("q", "1"), &at()).map(|_| ()).expect("all of it may be spent");
}

#[test]
fn delta_is_a_budget_of_its_own() {
    let folder = Folder::new();
    let mut ledger = Ledger::create(folder.file("ledger")).expect("a new file");
    let sums = NewAccount::new("survey", amount("1"), amount("1e-6")).adds_up();
    ledger.open_account(&sums, &at()).expect("new");
    let with = |delta: &str| Charge::new("q", amount("0.1"), amount(delta)).expect("valid");
    for _ in 0..2 {
        let _ = ledger.charge("survey", &with("4e-7"), &at()).expect("it fits");
    }
    assert_eq!(
        ledger.charge("survey", &with("3e-7"), &at()),
        Err(exceeded(Part::Delta, "3e-7", "2e-7", "1e-6"))
    );
    let _ = ledger.charge("survey", &with("2e-7"), &at()).expect("exactly");
    assert_eq!(ledger.account("survey").expect("there").remaining_delta, Amount::ZERO);

    ledger.create_account("pure", &amount("1"), &Amount::ZERO, &at()).expect("new");
    let error = ledger.charge("pure", &with("1e-300"), &at()).expect_err("no delta at all");
    assert!(matches!(error, LedgerError::Exceeded(e) if e.part == Part::Delta && e.budget.is_zero()));
    let filter = ledger.create_account("filter", &amount("1"), &amount("1e-6"), &at()).expect("new");
    assert!(matches!(filter.rule, Rule::Renyi(_)));
    let refused = Err(LedgerError::NotPure { account: "filter".into() });
    assert_eq!(ledger.charge("filter", &with("1e-7"), &at()), refused);
}

#[test]
fn accounts_are_apart() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    ledger.create_account("trial", &amount("1/3"), &Amount::ZERO, &at()).expect("new");
    let _ = ledger.charge("trial", &charge("q", "1/3"), &at()).expect("it fits");
    let left: Vec<(String, Amount)> =
        ledger.accounts().expect("sound").into_iter().map(|a| (a.name, a.remaining_epsilon)).collect();
    assert_eq!(left, [("survey".to_owned(), amount("1")), ("trial".to_owned(), Amount::ZERO)]);
    assert_eq!(ledger.find("survey", "q"), Ok(None));
    assert!(ledger.history("survey").expect("there").is_empty());
}

#[test]
fn account_errors() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let (one, zero) = (amount("1"), Amount::ZERO);
    let unknown = || LedgerError::UnknownAccount { name: "x".into(), existing: vec!["survey".into()] };
    assert_eq!(ledger.account("x"), Err(unknown()));
    assert_eq!(ledger.charge("x", &charge("q", "1"), &at()), Err(unknown()));
    assert_eq!(ledger.charge_or_recall("x", &charge("q", "1"), false, &at()), Err(unknown()));
    assert_eq!(ledger.find("x", "q"), Err(unknown()));
    assert_eq!(ledger.history("x"), Err(unknown()));
    assert_eq!(
        ledger.create_account("survey", &one, &zero, &at()),
        Err(LedgerError::AccountExists { name: "survey".into() })
    );
    assert_eq!(ledger.create_account("", &one, &zero, &at()), Err(LedgerError::EmptyName));
    assert_eq!(
        ledger.create_account("y", &zero, &zero, &at()),
        Err(LedgerError::ZeroEpsilon { of: "the account" })
    );
}

#[test]
fn the_identical_question_is_answered_for_nothing() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let asked = charge("q", "0.1");
    let Ok(ChargeOutcome::Charged(receipt)) = ledger.charge_or_recall("survey", &asked, false, &at()) else {
        unreachable!("nothing to recall yet")
    };
    // Charged, and not yet recorded: asking again is a new charge.
    let Ok(ChargeOutcome::Charged(second)) = ledger.charge_or_recall("survey", &asked, false, &at()) else {
        unreachable!("nothing to recall yet")
    };
    assert_ne!(receipt, second);
    let stored = ledger.record(&receipt, "{\"a\": 1}", &at()).expect("recorded");
    assert_eq!((stored.document.as_str(), stored.entry), ("{\"a\": 1}", receipt.entry()));
    assert_eq!(
        ledger.charge_or_recall("survey", &asked, false, &at()),
        Ok(ChargeOutcome::Recalled(stored.clone()))
    );
    assert_eq!(ledger.find("survey", "q"), Ok(Some(stored)));
    assert_eq!(ledger.find("survey", "Q"), Ok(None));
    // The same text at another price is another question.
    assert!(matches!(
        ledger.charge_or_recall("survey", &charge("q", "0.2"), false, &at()),
        Ok(ChargeOutcome::Charged(_))
    ));
    let Ok(ChargeOutcome::Charged(again)) = ledger.charge_or_recall("survey", &asked, true, &at()) else {
        unreachable!("again means a new draw")
    };
    ledger.record(&again, "{\"a\": 2}", &at()).expect("recorded");
    let last = ledger.find("survey", "q").expect("sound").expect("recorded");
    assert_eq!(last.document, "{\"a\": 2}");
    assert_eq!(ledger.account("survey").expect("there").spent_epsilon, amount("0.5"));
}

/// A stored document is free even when nothing is left.
#[test]
fn recall_needs_no_budget() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let receipt = ledger.charge("survey", &charge("q", "1"), &at()).expect("it fits");
    ledger.record(&receipt, "{}", &at()).expect("recorded");
    assert!(matches!(
        ledger.charge_or_recall("survey", &charge("q", "1"), false, &at()),
        Ok(ChargeOutcome::Recalled(_))
    ));
    assert!(matches!(
        ledger.charge_or_recall("survey", &charge("q", "1"), true, &at()),
        Err(LedgerError::Exceeded(_))
    ));
}

#[test]
fn history_says_what_was_not_released() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let _lost = ledger.charge("survey", &charge("lost", "0.25"), &at()).expect("it fits");
    let receipt = ledger.charge("survey", &charge("kept", "0.25"), &at()).expect("it fits");
    ledger.record(&receipt, "{}", &at()).expect("recorded");
    let lines: Vec<(u64, String, String)> = ledger
        .history("survey")
        .expect("there")
        .into_iter()
        .map(|line| (line.entry, line.question, line.status.to_string()))
        .collect();
    assert_eq!(
        lines,
        [(2, "lost".to_owned(), "not released".to_owned()), (3, "kept".into(), "released".into())]
    );
    assert_eq!(ledger.account("survey").expect("there").spent_epsilon, amount("0.5"));
    let verified = ledger.verify().expect("sound");
    assert_eq!((verified.accounts, verified.charges, verified.releases), (1, 2, 1));
}

#[test]
fn receipts_are_for_one_ledger_and_one_document() {
    let (here, there) = (Folder::new(), Folder::new());
    let (mut ledger, mut other) = (here.ledger("1", "0"), there.ledger("1", "0"));
    let receipt = ledger.charge("survey", &charge("q", "0.1"), &at()).expect("it fits");
    let unknown =
        |ledger: &Ledger| LedgerError::UnknownReceipt { path: ledger.path().into(), entry: receipt.entry() };
    assert_eq!(other.record(&receipt, "{}", &at()), Err(unknown(&other)));
    let _ = other.charge("survey", &charge("q'", "0.1"), &at()).expect("it fits");
    assert_eq!(other.record(&receipt, "{}", &at()), Err(unknown(&other)));
    ledger.record(&receipt, "{}", &at()).expect("recorded");
    assert_eq!(
        ledger.record(&receipt, "{}", &at()),
        Err(LedgerError::AlreadyRecorded { entry: receipt.entry() })
    );
}

#[test]
fn texts_are_kept_as_they_are() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let odd = "'; DROP TABLE entry; -- \u{0}\u{feff}é\u{301}\r\n\"";
    let receipt = ledger.charge("survey", &charge(odd, "0.1"), &at()).expect("it fits");
    ledger.record(&receipt, odd, &at()).expect("recorded");
    let stored = ledger.find("survey", odd).expect("sound").expect("recorded");
    assert_eq!((stored.question.as_str(), stored.document.as_str()), (odd, odd));
    ledger.verify().expect("sound");
}

#[test]
fn export_is_the_whole_ledger() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "1e-6");
    let receipt = ledger.charge("survey", &charge("q", "1/3"), &at()).expect("it fits");
    ledger.record(&receipt, "{}", &at()).expect("recorded");
    let export = ledger.export().expect("sound");
    assert_eq!(export.head, ledger.verify().expect("sound").head);
    assert!(matches!(export.entries[1].event, Event::Charge { .. }));
    let json = serde_json::to_value(&export).expect("JSON");
    assert_eq!(json["format"], 2);
    assert_eq!(json["head"]["entries"], 3);
    assert_eq!(json["accounts"][0]["remaining_epsilon"], "2/3");
    assert_eq!(json["accounts"][0]["delta"], "0.000001");
    assert_eq!(json["entries"][0]["kind"], "account");
    assert_eq!(json["entries"][1]["kind"], "charge");
    assert_eq!(json["entries"][1]["question"], "q");
    assert_eq!(json["entries"][2]["charge"], 2);
    assert_eq!(json["entries"][2]["previous"], json["entries"][1]["hash"]);
    let line = serde_json::to_value(&ledger.history("survey").expect("there")[0]).expect("JSON");
    assert_eq!((&line["status"], &line["released"]), (&"released".into(), &at().to_string().into()));
    assert_eq!(serde_json::to_value(Status::NotReleased).expect("JSON")["status"], "not_released");
}

#[test]
fn a_write_goes_through_its_steps() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    ledger.observe(move |step| sink.lock().expect("one thread").push(step));
    let _ = ledger.charge("survey", &charge("q", "1"), &at()).expect("it fits");
    let all = [Step::Locked, Step::Checked, Step::Appended, Step::Committed];
    assert_eq!(std::mem::take(&mut *seen.lock().expect("one thread")), all);
    ledger.charge("survey", &charge("q", "1"), &at()).expect_err("nothing is left");
    assert_eq!(*seen.lock().expect("one thread"), [Step::Locked]);
}

/// While one holds the lock for writing, another waits as long as it was told and then says so; readers do not wait.
#[test]
fn busy() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let path = ledger.path().to_owned();
    let seen = Arc::new(Mutex::new(None));
    let sink = Arc::clone(&seen);
    ledger.observe(move |step| {
        if step == Step::Appended {
            let mut other = Ledger::open(&path).expect("reading is free");
            other.set_patience(Duration::from_millis(1)).expect("set");
            let spent = other.account("survey").expect("reading is free").spent_epsilon;
            *sink.lock().expect("one thread") =
                Some((spent, other.charge("survey", &charge("other", "0.1"), &at())));
        }
    });
    let _ = ledger.charge("survey", &charge("q", "0.1"), &at()).expect("it fits");
    let seen = seen.lock().expect("one thread").take();
    let busy = LedgerError::Busy { path: ledger.path().into(), seconds: 1 };
    assert_eq!(seen, Some((Amount::ZERO, Err(busy))));
    assert_eq!(ledger.account("survey").expect("there").charges, 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever is asked: what is granted is what fits, in order, and the balance is its exact sum.
    #[test]
    fn balances_are_exact(prices in prop::collection::vec((1_u32..50, 1_u32..50), 1..12), budget in 1_u32..5) {
        let folder = Folder::new();
        let mut ledger = folder.ledger(&budget.to_string(), "0");
        let mut expected = Amount::ZERO;
        for (i, (p, q)) in prices.into_iter().enumerate() {
            let price = format!("{p}/{q}");
            let sum = expected.clone() + &amount(&price);
            let granted = ledger.charge("survey", &charge(&i.to_string(), &price), &at()).is_ok();
            prop_assert_eq!(granted, sum <= amount(&budget.to_string()));
            if granted {
                expected = sum;
            }
            prop_assert_eq!(&ledger.account("survey").expect("there").spent_epsilon, &expected);
        }
        ledger.verify().expect("sound");
    }
}
