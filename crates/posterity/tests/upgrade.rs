//! Ledgers and documents that an earlier version made. The files in `fixtures/format-1` were written by version 0.1.0 with ledgers of
//! format 1, and are never made again.

use std::path::PathBuf;

use posterity::ledger::{Head, Rule, Status};
use posterity::{
    Amount, Data, Document, Kind, Ledger, LedgerError, Payment, Publisher, Unit, VerificationError,
    open_ledger, open_or_create_ledger, verify_release,
};

const NOTED: &str = "19:80ecd7e8887741632a67bbbf68d888f615ab850acc4861aad9808d30b093bc31";

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/format-1").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(fixture(name)).expect(name)
}

/// A copy of the ledger, which may be written.
fn study() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("study.ledger");
    std::fs::write(&path, std::fs::read(fixture("study.ledger")).expect("read")).expect("written");
    (folder, path)
}

fn amount(text: &str) -> Amount {
    text.parse().expect(text)
}

fn patient() -> Unit {
    Unit::column("patient").expect("a name")
}

fn counts() -> Data {
    Data::counts([("yes", 48), ("no", 42)]).expect("valid")
}

#[test]
fn a_ledger_of_format_1_is_upgraded_once() {
    let (_folder, path) = study();
    assert!(matches!(Ledger::open(&path), Err(LedgerError::OlderFormat { found: 1, .. })));
    let ledger = open_ledger(&path).expect("upgraded");
    let noted: Head = NOTED.parse().expect("a head");
    let verified =
        ledger.verify_against(&noted).expect("a head that was noted before the upgrade is still found");
    assert_eq!((verified.accounts, verified.charges, verified.releases), (5, 7, 7));
    assert_eq!(verified.head.entries, 19 + 5, "one entry for each account");
    drop(ledger);
    let again = open_or_create_ledger(&path).expect("a ledger");
    assert_eq!(again.verify().expect("sound").head, verified.head, "once");

    let found: Vec<_> = again
        .accounts()
        .expect("sound")
        .into_iter()
        .map(|one| {
            // An account goes on as its owner made it: its charges add up, also with a delta.
            assert_eq!(one.rule, Rule::Sum);
            (
                one.name,
                one.unit,
                one.undecided,
                one.spent_epsilon.to_string(),
                one.remaining_epsilon.to_string(),
                one.charges,
            )
        })
        .collect();
    let row = |name: &str, unit, among: &[&str], spent: &str, left: &str, charges| {
        let among: Vec<String> = among.iter().map(|unit| (*unit).to_owned()).collect();
        (name.to_owned(), unit, among, spent.to_owned(), left.to_owned(), charges)
    };
    let expected = [
        row("records", Some(Unit::RECORD), &[], "0.75", "1.25", 2),
        row("patients", Some(patient()), &[], "1.5", "1.5", 2),
        row("mixed", None, &["record", "patient"], "2", "3", 2),
        row("unused", Some(Unit::RECORD), &[], "0", "1/3", 0),
        row("typed", Some(Unit::RECORD), &[], "1", "0", 1),
    ];
    assert_eq!(found, expected);
    // Entries are as they were.
    let export: serde_json::Value = serde_json::from_str(&text("study.export.json")).expect("JSON");
    let entries = serde_json::to_value(again.export().expect("sound").entries).expect("JSON");
    for (old, new) in
        export["entries"].as_array().expect("a list").iter().zip(entries.as_array().expect("a list"))
    {
        for (key, value) in old.as_object().expect("an object") {
            assert_eq!(&new[key], value, "entry {}: {key}", old["sequence"]);
        }
    }
}

#[test]
fn charges_go_on_for_the_right_unit_only() {
    let (_folder, path) = study();
    let mut ledger = open_ledger(&path).expect("upgraded");
    let publisher = || Publisher::new("0.5".parse().expect("positive"));
    let refused = publisher().charge(&mut ledger, "patients").publish(&counts()).expect_err("another unit");
    assert!(
        refused.to_string().contains("protects each patient, and this release protects each record"),
        "{refused}"
    );
    let refused = publisher().charge(&mut ledger, "mixed").publish(&counts()).expect_err("undecided");
    assert!(refused.to_string().contains("different units (record, patient)"), "{refused}");
    let paid = publisher().charge(&mut ledger, "records").publish(&counts()).expect("it fits");
    assert_eq!(paid.payment(), &Payment::Charged { epsilon: amount("0.5"), remaining: amount("0.75") });

    let at = posterity::ledger::now_utc();
    let decided = ledger.decide_unit("mixed", &Unit::RECORD, Some("all visits"), &at).expect("undecided");
    assert_eq!((decided.unit, decided.population.as_deref()), (Some(Unit::RECORD), Some("all visits")));
    publisher().charge(&mut ledger, "mixed").publish(&counts()).expect("decided");
    assert_eq!(ledger.account("mixed").expect("there").population.as_deref(), Some("all visits"));
    let twice = ledger.decide_unit("mixed", &patient(), None, &at);
    assert_eq!(
        twice.map(|_| ()),
        Err(LedgerError::UnitDecided { account: "mixed".into(), unit: Unit::RECORD })
    );
    ledger.decide_unit("unused", &patient(), None, &at).expect("it has no charges");
    let units: Vec<_> = ledger.history("mixed").expect("there").into_iter().map(|line| line.unit).collect();
    assert_eq!(units, [None, None, Some(Unit::RECORD)]);
    assert!(
        ledger
            .history("records")
            .expect("there")
            .iter()
            .all(|line| matches!(line.status, Status::Released { .. }))
    );
    ledger.verify().expect("sound");
}

/// Several processes may open an old ledger at once: one upgrades it.
#[test]
fn an_upgrade_is_not_repeated_by_those_who_wait() {
    // In one of 23 rounds the upgrade came between two looks of somebody else, to whom the tables then seemed altered.
    for _ in 0..40 {
        let (_folder, path) = study();
        let heads: Vec<Head> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| open_ledger(&path).expect("upgraded").verify().expect("sound").head))
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(heads.iter().all(|head| *head == heads[0] && head.entries == 24), "{heads:?}");
    }
}

#[test]
fn documents_of_earlier_versions_are_read_and_found() {
    let (_folder, path) = study();
    let ledger = open_ledger(&path).expect("upgraded");
    for (name, account, kind) in [
        ("records-1.json", "records", Kind::Recorded),
        ("records-2.json", "records", Kind::Recorded),
        ("patients-1.json", "patients", Kind::Recorded),
        ("patients-2.json", "patients", Kind::Recorded),
        ("patients-1-recalled.json", "patients", Kind::Reading),
        ("mixed-1.json", "mixed", Kind::Recorded),
        ("mixed-2.json", "mixed", Kind::Recorded),
        ("typed-1.json", "typed", Kind::Recorded),
    ] {
        let document: Document = serde_json::from_str(&text(name)).expect(name);
        assert_eq!(document.provenance, None, "{name}");
        let verdict = verify_release(&text(name), &ledger).expect(name);
        assert_eq!((verdict.account.as_str(), verdict.kind), (account, kind), "{name}");
    }
    let edited = text("typed-1.json").replace("\"epsilon\": 1.0", "\"epsilon\": 0.5");
    assert_eq!(verify_release(&edited, &ledger), Err(VerificationError::NotCharged));
}
