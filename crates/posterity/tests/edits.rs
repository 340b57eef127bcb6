//! Every single edit of a document is found: no leaf can be changed, taken away, added or doubled.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use posterity::data::{Column, Question, Resources, Source, ValuesAsked};
use posterity::discovery::{Discovery, DiscoveryTerms, ValueData};
use posterity::ledger::{NewAccount, now_utc};
use posterity::margins::{MarginsPublisher, MarginsTerms};
use posterity::paying::Payer;
use posterity::signing::{PublicKey, SecretKey};
use posterity::verification::verify_document;
use posterity::{Amount, Data, Ledger, Publication, Publisher, Randomness, Unit};
use serde_json::{Value, json};

fn amount(text: &str) -> Amount {
    text.parse().expect("an amount")
}

/// A ledger, a key, and a charged and signed document of each kind.
struct Made {
    _folder: tempfile::TempDir,
    ledger: Ledger,
    key: PublicKey,
    documents: Vec<Publication>,
}

/// With `all`, one of the documents compares groups, which takes long to derive.
fn made(all: bool) -> Made {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = "id,ward,cured\n".to_owned();
    for id in 0..900 {
        let ward = ["A", "B", "C"][id % 3];
        writeln!(text, "{id},{ward},{}", if id % 7 < 3 { "yes" } else { "no" }).expect("text");
    }
    let path = folder.path().join("stays.csv");
    std::fs::write(&path, text).expect("written");
    let source = Source::files(path.to_string_lossy());
    let mut ledger = Ledger::create(folder.path().join("a.ledger")).expect("new");
    let account = NewAccount::new("stays", amount("9"), amount("1e-6"));
    ledger.open_account(&account, &now_utc()).expect("new");
    let values = NewAccount::new("values", amount("9"), amount("1e-6")).adds_up();
    let values = values.adjacency(posterity::ledger::Adjacency::AddRemove);
    ledger.open_account(&values.unit(Unit::column("id").expect("a name")), &now_utc()).expect("new");
    let key = SecretKey::generate().expect("bits");
    let columns = || vec![Column::new("ward", ["A", "B", "C"]), Column::new("cured", ["yes", "no"])];
    let resources = Resources::default();
    let go_on = |_| ControlFlow::Continue(());

    let reading = "cured=yes | ward".parse().expect("a reading");
    let comparison = "cured=yes | ward: A - B".parse().expect("a comparison");
    let counts = Data::counts([("yes", 48), ("no", 42)]).expect("valid").named("trial", None, None);
    let table = Data::read(path.to_string_lossy(), &Question::new(columns())).expect("counted");
    let publisher = || Publisher::new("1".parse().expect("positive"));
    let tables = [
        publisher().charge(&mut ledger, "stays").sign(key.clone()).publish(&counts.expect("a name")),
        publisher()
            .read(vec![reading], if all { vec![comparison] } else { Vec::new() })
            .charge(&mut ledger, "stays")
            .sign(key.clone())
            .publish(&table),
    ];
    let tables = tables.map(|release| Publication::from(release.expect("charged").document().clone()));

    let terms =
        MarginsTerms::new("2".parse().expect("pairs"), "1".parse().expect("positive"), amount("1e-9"));
    let terms = MarginsTerms { readings: vec!["cured | ward".parse().expect("a reading")], ..terms };
    let planned = MarginsPublisher::new(terms).plan(Question::new(columns())).expect("valid");
    let margins = planned.count(&source, None, Randomness::System, &resources, &go_on).expect("counted");
    let payer = Payer { key: Some(key.clone()), ..Payer::new(&mut ledger, "stays") };
    let (margins, _) = margins.charge(payer).expect("charged");

    let asked = ValuesAsked { unit: Some("id".into()), ..ValuesAsked::new("ward") };
    let data = ValueData::read(path.to_string_lossy(), &asked).expect("counted");
    let terms = DiscoveryTerms::new("1".parse().expect("positive"), amount("1e-9"));
    let payer = Payer { key: Some(key.clone()), ..Payer::new(&mut ledger, "values") };
    let (discovered, _) = Discovery::new(terms).charge(data, payer).expect("charged");

    let others = [Publication::from(margins), Publication::from(discovered)];
    let documents = tables.into_iter().chain(others).collect();
    Made { _folder: folder, ledger, key: key.public_key(), documents }
}

/// Every path to a value of a document.
fn paths(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let path = format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
                paths(value, &path, found);
                found.push(path);
            }
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                paths(value, &format!("{path}/{index}"), found);
                found.push(format!("{path}/{index}"));
            }
        }
        _ => {}
    }
}

/// What a forger might write in place of a value. Other machines round shares otherwise, so a share may be a billionth
/// away from the one that is derived here, and nothing is within that.
fn edits(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => {
            let x = number.as_f64().expect("a number");
            let mut edits = vec![json!(x * (1.0 + 1e-6) + 1e-8_f64.copysign(x)), json!("1"), Value::Null];
            if x.abs() > 1e-8 {
                edits.extend([json!(0.0), json!(-x), json!(x / 2.0)]);
            }
            if let Some(whole) = number.as_i64() {
                edits.extend([json!(whole + 1), json!(whole - 1), json!(-whole - 1)]);
            }
            edits
        }
        Value::String(text) => {
            vec![json!(format!("{text} ")), json!(""), json!(format!("x{text}")), json!(1)]
        }
        Value::Bool(truth) => vec![json!(!truth), json!(1), Value::Null],
        Value::Null => vec![json!(0), json!("")],
        Value::Array(list) => {
            let mut edits = vec![json!({})];
            if let Some(first) = list.first() {
                edits.push(json!([&list[..], std::slice::from_ref(first)].concat()));
                edits.push(json!(&list[1..]));
            } else {
                edits.push(json!([0]));
            }
            let near = |(one, other): (&Value, &Value)| match (one.as_f64(), other.as_f64()) {
                (Some(one), Some(other)) => (one - other).abs() < 1e-6,
                _ => one == other,
            };
            if !list.iter().zip(list.iter().rev()).all(near) {
                edits.push(json!(list.iter().rev().collect::<Vec<_>>()));
            }
            edits
        }
        Value::Object(object) => {
            let with = |key: &str| {
                let mut more = object.clone();
                more.insert(key.to_owned(), json!("genuine"));
                Value::Object(more)
            };
            vec![with("praise"), json!([])]
        }
    }
}

/// Whether everything that the document says was checked and holds.
fn passes(text: &str, made: &Made) -> bool {
    let Ok(verified) = verify_document(text) else { return false };
    verified.not_checked().is_empty()
        && verified.by_ledger(&made.ledger).is_ok()
        && verified.by_key(&made.key).is_ok()
}

/// One edit of each value. If this fails, a forged document passes for the one that was charged and signed.
#[test]
fn no_single_edit_passes() {
    no_edit_passes(1);
}

/// The same with every edit that is made here of each value.
#[test]
#[ignore = "slow: some thousand edits, each derived again"]
fn no_edit_of_any_kind_passes() {
    no_edit_passes(usize::MAX);
}

fn no_edit_passes(most: usize) {
    let made = made(most > 1);
    for document in &made.documents {
        let genuine = serde_json::to_value(document).expect("JSON");
        let text = genuine.to_string();
        assert!(passes(&text, &made), "{text}");
        let mut all = Vec::new();
        paths(&genuine, "", &mut all);
        let mut tried = 0_u32;
        for path in &all {
            let old = genuine.pointer(path).expect("a path");
            for edit in edits(old).into_iter().take(most) {
                let mut forged = genuine.clone();
                *forged.pointer_mut(path).expect("a path") = edit.clone();
                tried += 1;
                assert!(!passes(&forged.to_string(), &made), "{path}: {old} became {edit}");
            }
            let (parent, key) = path.rsplit_once('/').expect("a path");
            let mut forged = genuine.clone();
            if let Some(object) = forged.pointer_mut(parent).and_then(Value::as_object_mut) {
                object.remove(key);
                tried += 1;
                assert!(!passes(&forged.to_string(), &made), "{path} was taken away");
            }
        }
        // Some readers of JSON take the first of two values of a key, and others the last.
        for (key, value) in genuine.as_object().expect("an object") {
            let twice = text.replacen('{', &format!("{{{}:{value},", json!(key)), 1);
            assert!(!passes(&twice, &made), "{key} stands twice");
        }
        assert!(tried > 100, "{tried} edits");
    }
}

/// A document that nobody signed can be given the digest of what was made of it. If this fails, another version is named
/// and then nobody looks at the words, nor says so.
#[test]
fn another_version_is_never_checked_in_full() {
    let made = made(false);
    for document in &made.documents {
        let mut forged = serde_json::to_value(document).expect("JSON");
        forged["version"] = json!("0.2.0");
        forged["guarantee"]["statement"] =
            json!("0.0001-differential privacy per person, absolute anonymity");
        // The signed document was changed.
        assert!(verify_document(&forged.to_string()).is_err());
        forged.as_object_mut().expect("an object").remove("provenance");
        if let Some(notes) = forged.get_mut("notes") {
            *notes = json!([]);
        }
        match verify_document(&forged.to_string()) {
            Ok(verified) => assert!(verified.not_checked()[0].contains("its words: version 0.2.0")),
            // What a charged document does not say, such as notes on budgets, is no word but a field.
            Err(error) => assert!(error.to_string().contains("changed"), "{error}"),
        }
    }
}
