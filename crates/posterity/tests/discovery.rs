//! Discovered categories: what is charged, recalled and promised.

use std::fmt::Write as _;

use posterity::data::ValuesAsked;
use posterity::discovery::{Discovery, DiscoveryError, DiscoveryTerms, ValueData};
use posterity::ledger::{NewAccount, now_utc};
use posterity::paying::Payer;
use posterity::verification::verify_document;
use posterity::{Adjacency, Amount, Ledger, LedgerError, Payment, Publication, PublishError, Unit};

fn amount(text: &str) -> Amount {
    text.parse().expect("an amount")
}

fn data(folder: &tempfile::TempDir) -> ValueData {
    let mut text = "id,drug\n".to_owned();
    for id in 0..300 {
        writeln!(text, "{id},{}", if id == 0 { "rare" } else { "common" }).expect("text");
    }
    let path = folder.path().join("visits.csv");
    std::fs::write(&path, text).expect("written");
    let asked = ValuesAsked { unit: Some("id".into()), ..ValuesAsked::new("drug") };
    ValueData::read(path.to_string_lossy(), &asked).expect("counted")
}

fn terms() -> DiscoveryTerms {
    DiscoveryTerms {
        total: Some("0.5".parse().expect("positive")),
        ..DiscoveryTerms::new("1".parse().expect("positive"), amount("1e-9"))
    }
}

fn account(ledger: &mut Ledger, name: &str, delta: &str, adjacency: posterity::ledger::Adjacency) {
    let account = NewAccount::new(name, amount("9"), amount(delta)).unit(Unit::column("id").expect("a name"));
    ledger.open_account(&account.adjacency(adjacency).adds_up(), &now_utc()).expect("new");
}

/// If this fails, a discovery is charged less than it promises, or twice.
#[test]
fn a_discovery_is_charged_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = Ledger::create(folder.path().join("a.ledger")).expect("new");
    account(&mut ledger, "own", "1e-6", posterity::ledger::Adjacency::AddRemove);
    account(&mut ledger, "other", "1e-6", posterity::ledger::Adjacency::Replace);
    account(&mut ledger, "pure", "0", posterity::ledger::Adjacency::AddRemove);
    let filtered =
        NewAccount::new("filtered", amount("9"), amount("1e-6")).unit(Unit::column("id").expect("a name"));
    let filtered = filtered.adjacency(posterity::ledger::Adjacency::AddRemove);
    ledger.open_account(&filtered, &now_utc()).expect("new");
    let discovery = Discovery::new(terms());
    let (first, paid) = discovery.charge(data(&folder), Payer::new(&mut ledger, "own")).expect("charged");
    let Payment::Charged { epsilon, delta, .. } = paid else { unreachable!("{paid:?}") };
    assert_eq!((epsilon, delta), (amount("1.5"), amount("1e-9")));
    assert_eq!(first.promise().adjacency(), Adjacency::AddRemove);
    let (again, paid) = discovery.charge(data(&folder), Payer::new(&mut ledger, "own")).expect("recalled");
    assert!(matches!(paid, Payment::Recalled { .. }), "{paid:?}");
    assert_eq!(again, first);
    // Another level reads the same draw.
    let half = Discovery::new(DiscoveryTerms { level: 0.5, ..terms() });
    let (read, paid) = half.charge(data(&folder), Payer::new(&mut ledger, "own")).expect("recalled");
    assert!(matches!(paid, Payment::Recalled { .. }), "{paid:?}");
    assert_eq!(read.answer().values(), first.answer().values());
    // Where n is public, a promise of presence costs twice as much epsilon, and (1 + e^epsilon) times the delta.
    let (_, paid) = discovery.charge(data(&folder), Payer::new(&mut ledger, "other")).expect("charged");
    let Payment::Charged { epsilon, delta, .. } = paid else { unreachable!("{paid:?}") };
    assert_eq!(epsilon, amount("3"));
    assert!(delta >= amount("5.4816e-9") && delta < amount("5.482e-9"), "{delta}");
    let refused = discovery.charge(data(&folder), Payer::new(&mut ledger, "pure"));
    assert!(matches!(refused, Err(PublishError::Ledger(LedgerError::Exceeded(_)))), "{refused:?}");
    let refused = discovery.charge(data(&folder), Payer::new(&mut ledger, "filtered"));
    assert!(matches!(refused, Err(PublishError::Ledger(LedgerError::NotPure { .. }))), "{refused:?}");
    let text = serde_json::to_string(&first).expect("serialises");
    let verified = verify_document(&text).expect("sound");
    assert_eq!(verified.by_ledger(&ledger).expect("charged").account, "own");
    let head = first.provenance().expect("charged").head.clone();
    let entry: u64 = head.split(':').next().and_then(|entry| entry.parse().ok()).expect("a number");
    let stored = ledger.release_at(entry).expect("sound").expect("there");
    assert_eq!(Publication::recorded(&stored).expect("readable"), [Publication::Discovered(Box::new(first))]);
}

#[test]
fn rejects() {
    let asked = ValuesAsked::new("drug");
    let refused =
        |terms: DiscoveryTerms, asked: &ValuesAsked| Discovery::new(terms).check(asked).expect_err("refused");
    assert_eq!(refused(terms(), &asked), PublishError::Discovery(DiscoveryError::NoUnit));
    let unit = ValuesAsked { unit: Some("id".into()), ..asked.clone() };
    let none = DiscoveryTerms { delta: Amount::ZERO, ..terms() };
    assert!(matches!(refused(none, &unit), PublishError::Discovery(DiscoveryError::Threshold(_))));
    let level = DiscoveryTerms { level: 1.0, ..terms() };
    assert!(matches!(refused(level, &unit), PublishError::Discovery(DiscoveryError::Level(_))));
    let one = DiscoveryTerms { one_record_per_person: true, ..terms() };
    assert!(Discovery::new(one.clone()).check(&asked).is_ok());
    assert!(matches!(refused(one, &unit), PublishError::Discovery(DiscoveryError::Unused { .. })));
}
