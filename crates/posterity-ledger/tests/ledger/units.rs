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
