//! Whom an account protects.

use posterity_ledger::{Answered, DrawError, LedgerError, NewAccount, Unit};

use crate::support::{Folder, amount, ask, at, charge};

fn patient() -> Unit {
    Unit::column("patient").expect("a name")
}

#[test]
fn an_account_without_charges_can_be_given_another_unit() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let decided = ledger.decide_unit("survey", &patient(), Some("all of 2026"), &at()).expect("no charges");
    assert_eq!((decided.unit, decided.population.as_deref()), (patient(), Some("all of 2026")));
    ask(&mut ledger, "survey", &charge("q", "0.1").unit(patient()), Some("{}")).expect("it fits");
    let account = ledger.account("survey").expect("there");
    assert_eq!((account.unit, account.population.as_deref()), (patient(), Some("all of 2026")));
    assert_eq!(ledger.history("survey").expect("there")[0].unit, patient());
    let refused = LedgerError::UnitDecided { account: "survey".into(), unit: patient() };
    assert_eq!(ledger.decide_unit("survey", &Unit::RECORD, None, &at()), Err(refused));
    let error = ledger.decide_unit("survey", &Unit::RECORD, Some(""), &at()).expect_err("no words");
    assert_eq!(error, LedgerError::BadPopulation { text: String::new() });
    assert_eq!(ledger.verify().expect("sound").head.entries, 4);
}

/// The same text for another unit is another question: it is not answered from the file, and the account does not pay
/// for it.
#[test]
fn a_release_for_another_unit_is_refused() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let ward = NewAccount::new("ward", amount("1"), amount("0")).unit(patient());
    assert_eq!(ledger.open_account(&ward, &at()).expect("new").unit, patient());
    let per_patient = charge("q", "0.1").unit(patient());
    ask(&mut ledger, "ward", &per_patient, Some("{}")).expect("it fits");
    let mut asked = |charge| ledger.answer("ward", charge, |_| true, &at(), |_| Ok::<_, String>("{}".into()));
    let answered = asked(&per_patient).expect("on file");
    assert_eq!(
        (answered.release().unit.clone(), matches!(answered, Answered::Recalled(_))),
        (patient(), true)
    );
    let refused = LedgerError::OtherUnit { account: "ward".into(), unit: patient(), asked: Unit::RECORD };
    assert_eq!(asked(&charge("q", "0.1")), Err(DrawError::Ledger(refused)));
}

/// If this fails, an exhausted budget is evaded by a second account without a trace.
#[test]
fn a_second_account_for_the_same_people_needs_a_reason() {
    let folder = Folder::new();
    let mut ledger = folder.ledger("1", "0");
    let ward = |name: &str, population: &str| {
        NewAccount::new(name, amount("1"), amount("0")).unit(patient()).population(population)
    };
    let first = ledger.open_account(&ward("first", "all of 2026"), &at()).expect("new");
    let refused = ledger.open_account(&ward("second", " All  of 2026 "), &at()).expect_err("the same people");
    assert_eq!(refused, LedgerError::SamePeople { existing: "first".into(), unit: patient() });
    let bad =
        ledger.open_account(&ward("second", "all of 2026").reason("a\nb"), &at()).expect_err("two lines");
    assert_eq!(bad, LedgerError::BadReason { text: "a\nb".into() });
    let reason = "the first was for a study that ended";
    ledger.open_account(&ward("second", "all of 2026").reason(reason), &at()).expect("there is a reason");
    ask(&mut ledger, "second", &charge("q", "0.1").unit(patient()), Some("{}")).expect("it fits");
    let second = ledger.account("second").expect("there");
    assert_eq!(second.reason.as_deref(), Some(reason));
    assert!(second.protects_those_of(&first) && first.protects_those_of(&second));
    assert!(!first.protects_those_of(&first));
    // Other people, another unit, and accounts that do not say whom they protect.
    let others = [
        ward("next", "all of 2027"),
        ward("records", "all of 2026").unit(Unit::RECORD),
        NewAccount::new("nameless", amount("1"), amount("0")).unit(patient()),
        NewAccount::new("nameless too", amount("1"), amount("0")).unit(patient()),
    ];
    for other in others {
        let opened = ledger.open_account(&other, &at()).expect("other people");
        assert!(!opened.protects_those_of(&first), "{opened:?}");
    }
    ledger.verify().expect("sound");
    let text = serde_json::to_string(&ledger.export().expect("readable")).expect("JSON");
    assert!(text.contains(reason), "{text}");
}
