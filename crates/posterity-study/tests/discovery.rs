//! Studies that discover the values of a column.

use std::fmt::Write as _;
use std::path::Path;

use posterity::ledger::{Adjacency, Amount, Ledger, NewAccount, Unit, now_utc};
use posterity::{Payment, Publication};
use posterity_study::{Folder, PlanFile, Study, verify_folder};

const PLAN: &str = r#"
source = "people.csv"
adjacency = "add-remove"
epsilon = 1
delta = 1e-6
unit = "person"

[columns]
cured = ["yes", "no"]

[[question]]
columns = ["cured"]

[[discover]]
column = "drug"
title = "Which drugs"
"#;

fn study(folder: &Path) -> Study {
    let mut rows = "person,drug,cured\n".to_owned();
    for person in 0..400 {
        let drug = if person == 7 { "rare" } else { ["first", "second"][person % 2] };
        writeln!(rows, "{person},{drug},{}", ["yes", "no"][person % 3 / 2]).expect("text");
    }
    std::fs::write(folder.join("people.csv"), rows).expect("written");
    Study::new(PlanFile::parse(PLAN, folder).expect("valid")).expect("valid")
}

fn amount(text: &str) -> Amount {
    text.parse().expect("an amount")
}

fn ledger(folder: &Path) -> Ledger {
    let mut ledger = Ledger::create(folder.join("budget.ledger")).expect("created");
    let account = NewAccount::new("office", amount("2"), amount("1e-5"));
    let unit = Unit::column("person").expect("a name");
    let account = account.adds_up().adjacency(Adjacency::AddRemove).unit(unit);
    ledger.open_account(&account, &now_utc()).expect("created");
    ledger
}

/// One charge pays for declared cells and discovered values together; the same again is recalled, and the folder verifies.
#[test]
fn one_charge_for_declared_and_discovered_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let (study, mut ledger) = (study(folder.path()), ledger(folder.path()));
    let price = study.price().expect("a price");
    assert_eq!((price.epsilon(), price.delta()), (Some(&amount("1")), Some(&amount("1e-6"))));
    let first = study.charge(&mut ledger, "office", false, &()).expect("answered");
    assert!(matches!(first.payment(), Payment::Charged { .. }), "{:?}", first.payment());
    let kinds: Vec<&str> = first.documents().map(|(_, document)| document.kind()).collect();
    assert_eq!(kinds, ["table", "discovered"]);
    let shown: Vec<&str> = match first.answers()[1].document() {
        Publication::Discovered(names) => {
            names.answer().values().shown().iter().map(|(name, _)| name.as_str()).collect()
        }
        _ => Vec::new(),
    };
    assert_eq!(shown, ["first", "second"], "one person alone has the third");
    // By its question, without any data.
    std::fs::remove_file(folder.path().join("people.csv")).expect("removed");
    let again = study.recall(&ledger, "office", &()).expect("read").expect("recorded");
    for ((_, one), (_, other)) in first.documents().zip(again.documents()) {
        assert_eq!(one, other);
    }
    let results = folder.path().join("results");
    Folder::take(&results).expect("free").write(study.plan(), &first, None, &()).expect("written");
    let verified = verify_folder(&results, &()).expect("nothing was changed");
    let (verdicts, same) = verified.by_ledger(&ledger).expect("charged");
    assert!(same && verdicts.len() == 2, "{verdicts:?}");
}

/// What cannot be counted in one charge, or not where n is public, is refused with the remedy.
#[test]
fn refuses() {
    let margins = "[[margins]]\ncolumns = [\"cured\"]\nsets = 1\n";
    for (from, to, said) in [
        ("adjacency = \"add-remove\"\n", "", "adjacency: categories are discovered where n is private"),
        ("[[question]]\ncolumns = [\"cured\"]\n", margins, "ask it in a plan of its own"),
        ("delta = 1e-6\n", "", "delta: tables of many columns and discovered categories need one"),
        ("unit = \"person\"\n", "", "unit: a value that one person alone has must not be named"),
        ("column = \"drug\"\n", "", "has no \"column\""),
        ("column = \"drug\"\n", "column = \"drug\"\nread = [\"drug\"]\n", "there is no key \"read\""),
    ] {
        let error = PlanFile::parse(&PLAN.replacen(from, to, 1), Path::new("")).expect_err(to).to_string();
        assert!(error.contains(said), "{to}: {error}");
    }
}
