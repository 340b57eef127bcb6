//! Accounts, charges, documents and history.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use posterity_ledger::{
    Amount, Answered, Charge, DrawError, Event, Exceeded, Ledger, LedgerError, NewAccount, Part, Rule,
    Status, Step, StoredRelease,
};
use proptest::prelude::*;

use crate::support::{Folder, amount, ask, at, charge};

fn exceeded(part: Part, asked: &str, remaining: &str, budget: &str) -> LedgerError {
    LedgerError::from(Box::new(Exceeded {
        account: "survey".into(),
        part,
        asked: amount(asked),
        beside: None,
        stated: None,
        release: None,
        remaining: amount(remaining),
        budget: amount(budget),
    }))
}

#[test]
fn ten_tenths_are_one() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    for i in 0..10 {
        let entry = ask(&mut ledger, "survey", &charge(&format!("q{i}"), "0.1"), Some("{}"));
        assert_eq!(entry, Ok(2 * i + 2));
    }
    let error =
        ask(&mut ledger, "survey", &charge("more", "1e-30"), Some("{}")).expect_err("nothing is left");
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
    ask(&mut ledger, "survey", &charge("q", "1.0000001"), Some("{}")).expect_err("too much");
    assert_eq!(ledger.verify().expect("sound").head, head);
    ask(&mut ledger, "survey", &charge("q", "1"), Some("{}")).expect("all of it may be spent");
}

#[test]
fn delta_is_a_budget_of_its_own() {
    let folder = Folder::new();
    let mut ledger = Ledger::create(folder.file("ledger")).expect("a new file");
    let sums = NewAccount::new("survey", amount("1"), amount("1e-6")).adds_up();
    ledger.open_account(&sums, &at()).expect("new");
    let with = |delta: &str| Charge::new("q", amount("0.1"), amount(delta)).expect("valid");
    for _ in 0..2 {
        ask(&mut ledger, "survey", &with("4e-7"), Some("{}")).expect("it fits");
    }
    assert_eq!(
        ask(&mut ledger, "survey", &with("3e-7"), Some("{}")),
        Err(exceeded(Part::Delta, "3e-7", "2e-7", "1e-6"))
    );
    ask(&mut ledger, "survey", &with("2e-7"), Some("{}")).expect("exactly");
    assert_eq!(ledger.account("survey").expect("there").remaining_delta, Amount::ZERO);

    ledger.create_account("pure", &amount("1"), &Amount::ZERO, &at()).expect("new");
    let error = ask(&mut ledger, "pure", &with("1e-300"), Some("{}")).expect_err("no delta at all");
    assert!(matches!(error, LedgerError::Exceeded(e) if e.part == Part::Delta && e.budget.is_zero()));
    let filter = ledger.create_account("filter", &amount("1"), &amount("1e-6"), &at()).expect("new");
    assert!(matches!(filter.rule, Rule::Renyi(_)));
    let refused = Err(LedgerError::NotPure { account: "filter".into() });
    assert_eq!(ask(&mut ledger, "filter", &with("1e-7"), Some("{}")), refused);
}

#[test]
fn accounts_are_apart() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    ledger.create_account("trial", &amount("1/3"), &Amount::ZERO, &at()).expect("new");
    ask(&mut ledger, "trial", &charge("q", "1/3"), Some("{}")).expect("it fits");
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
    assert_eq!(ask(&mut ledger, "x", &charge("q", "1"), Some("{}")), Err(unknown()));
    assert_eq!(recall(&mut ledger, "x", &charge("q", "1")), Err(DrawError::Ledger(unknown())));
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

/// Asks for what is on file, with a draw that fails.
fn recall(ledger: &mut Ledger, account: &str, asked: &Charge) -> Result<Answered, DrawError<&'static str>> {
    ledger.answer(account, asked, |_| true, &at(), |_| Err("nothing is on file"))
}

#[test]
fn the_identical_question_is_answered_for_nothing() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let asked = charge("q", "0.1");
    // A charge without a document answers nothing: asking again is a new charge.
    for entry in [2, 3] {
        let failed = Err(DrawError::Draw { entry, error: "nothing is on file" });
        assert_eq!(recall(&mut ledger, "survey", &asked), failed);
    }
    assert_eq!(ask(&mut ledger, "survey", &asked, Some("{\"a\": 1}")), Ok(4));
    let stored = ledger.find("survey", "q").expect("sound").expect("recorded");
    assert_eq!((stored.document.as_str(), stored.entry), ("{\"a\": 1}", 4));
    assert_eq!(recall(&mut ledger, "survey", &asked), Ok(Answered::Recalled(stored)));
    assert_eq!(ledger.find("survey", "Q"), Ok(None));
    // The same text at another price is another question, and so is a batch of the same sum.
    let batch = Charge::batch("q", [amount("0.05"), amount("0.05")]).expect("valid");
    for (entry, other) in [(6, charge("q", "0.2")), (7, batch)] {
        let failed = Err(DrawError::Draw { entry, error: "nothing is on file" });
        assert_eq!(recall(&mut ledger, "survey", &other), failed);
    }
    assert_eq!(ask(&mut ledger, "survey", &asked, Some("{\"a\": 2}")), Ok(8));
    let last = ledger.find("survey", "q").expect("sound").expect("recorded");
    assert_eq!(last.document, "{\"a\": 2}");
    assert_eq!(ledger.account("survey").expect("there").spent_epsilon, amount("0.7"));
}

/// The newest answer that fits is given back, and those before it are not looked at.
#[test]
fn the_last_answer_that_fits_is_given() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    for document in ["first", "second", "third"] {
        ask(&mut ledger, "survey", &charge("q", "0.1"), Some(document)).expect("it fits");
    }
    ask(&mut ledger, "survey", &charge("q", "0.2"), Some("at another price")).expect("it fits");
    ask(&mut ledger, "survey", &charge("other", "0.1"), Some("to another question")).expect("it fits");
    for (wanted, seen) in [
        ("third", vec!["third"]),
        ("second", vec!["third", "second"]),
        ("fourth", vec!["third", "second", "first"]),
    ] {
        let mut found = Vec::new();
        let fits = |release: &StoredRelease| {
            found.push(release.document.clone());
            release.document == wanted
        };
        let draw = |_| Ok::<_, String>("fourth".to_owned());
        let answered = ledger.answer("survey", &charge("q", "0.1"), fits, &at(), draw).expect("it fits");
        assert_eq!(answered.release().document, wanted);
        assert_eq!(matches!(answered, Answered::Recorded(_)), wanted == "fourth");
        assert_eq!(found, seen, "{wanted}");
    }
    assert_eq!(ledger.account("survey").expect("there").charges, 6);
}

/// A stored document is free even when nothing is left.
#[test]
fn recall_needs_no_budget() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    ask(&mut ledger, "survey", &charge("q", "1"), Some("{}")).expect("it fits");
    assert!(matches!(recall(&mut ledger, "survey", &charge("q", "1")), Ok(Answered::Recalled(_))));
    let again = ask(&mut ledger, "survey", &charge("q", "1"), Some("{}"));
    assert!(matches!(again, Err(LedgerError::Exceeded(_))), "{again:?}");
}

#[test]
fn history_says_what_was_not_released() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    ask(&mut ledger, "survey", &charge("lost", "0.25"), None).expect("it fits");
    ask(&mut ledger, "survey", &charge("kept", "0.25"), Some("{}")).expect("it fits");
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
fn texts_are_kept_as_they_are() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let odd = "'; DROP TABLE entry; -- \u{0}\u{feff}é\u{301}\r\n\"";
    ask(&mut ledger, "survey", &charge(odd, "0.1"), Some(odd)).expect("it fits");
    let stored = ledger.find("survey", odd).expect("sound").expect("recorded");
    assert_eq!((stored.question.as_str(), stored.document.as_str()), (odd, odd));
    ledger.verify().expect("sound");
}

#[test]
fn export_is_the_whole_ledger() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "1e-6");
    ask(&mut ledger, "survey", &charge("q", "1/3"), Some("{}")).expect("it fits");
    let export = ledger.export().expect("sound");
    assert_eq!(export.head, ledger.verify().expect("sound").head);
    assert!(matches!(export.entries[1].event, Event::Charge { .. }));
    let json = serde_json::to_value(&export).expect("JSON");
    assert_eq!(json["format"], 1);
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
    let steps = || std::mem::take(&mut *seen.lock().expect("one thread"));
    ask(&mut ledger, "survey", &charge("lost", "0.5"), None).expect("it fits");
    assert_eq!(steps(), [Step::Locked, Step::Checked, Step::Appended, Step::Committed]);
    ask(&mut ledger, "survey", &charge("q", "0.5"), Some("{}")).expect("it fits");
    let [locked, checked, appended] = [Step::Locked, Step::Checked, Step::Appended];
    assert_eq!(steps(), [locked, checked, appended, Step::Drawn, appended, Step::Committed]);
    ask(&mut ledger, "survey", &charge("q", "0.5"), Some("{}")).expect_err("nothing is left");
    assert_eq!(steps(), [Step::Locked]);
    assert!(recall(&mut ledger, "survey", &charge("q", "0.5")).is_ok());
    assert_eq!(steps(), [Step::Locked, Step::Committed]);
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
                Some((spent, ask(&mut other, "survey", &charge("other", "0.1"), Some("{}"))));
        }
    });
    ask(&mut ledger, "survey", &charge("q", "0.1"), Some("{}")).expect("it fits");
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
            let granted = ask(&mut ledger, "survey", &charge(&i.to_string(), &price), Some("{}")).is_ok();
            prop_assert_eq!(granted, sum <= amount(&budget.to_string()));
            if granted {
                expected = sum;
            }
            prop_assert_eq!(&ledger.account("survey").expect("there").spent_epsilon, &expected);
        }
        ledger.verify().expect("sound");
    }
}
