//! Documents that can be checked: what was charged is told from what was not, and no part of a document can be forged.

use posterity::ledger::now_utc;
use posterity::signing::{SecretKey, SignatureError};
use posterity::verification::{Verdict, VerificationError, verify_document};
use posterity::{Amount, Data, Ledger, Payment, Prior, Publisher, Release};
use serde_json::{Value, json};

fn ledger(folder: &tempfile::TempDir, name: &str) -> Ledger {
    let mut ledger = Ledger::create(folder.path().join(name)).expect("new");
    ledger
        .create_account("survey", &"10".parse().expect("an amount"), &Amount::ZERO, &now_utc())
        .expect("new");
    ledger
}

fn data() -> Data {
    let data = Data::counts([("A", 48), ("B", 30), ("C", 12)]).expect("valid");
    data.named("trial", None, None).expect("a name")
}

fn publisher(level: f64) -> Publisher<'static> {
    let reading = "category in {A, B}".parse().expect("a reading");
    let comparison = "category: A - B".parse().expect("a comparison");
    Publisher::new("1".parse().expect("positive")).level(level).read(vec![reading], vec![comparison])
}

fn value(release: &Release) -> Value {
    serde_json::to_value(release.document()).expect("JSON")
}

fn verify(document: &Value, ledger: &Ledger) -> Result<Verdict, VerificationError> {
    verify_document(&document.to_string())?.by_ledger(ledger)
}

/// Replaces every number below a value.
fn set_numbers(value: &mut Value, number: f64) {
    match value {
        Value::Number(_) => *value = json!(number),
        Value::Array(list) => list.iter_mut().for_each(|one| set_numbers(one, number)),
        Value::Object(object) => object.values_mut().for_each(|one| set_numbers(one, number)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Changes a document.
type Forge = fn(&mut Value);

/// The fields that a forged document is said to differ in.
fn differing(document: &Value) -> Vec<String> {
    match verify_document(&document.to_string()) {
        Err(VerificationError::Differs { fields }) => fields,
        other => unreachable!("{other:?}"),
    }
}

/// The recorded document, another reading of it, and documents that are neither.
#[test]
fn what_was_charged_is_told_from_what_was_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut here, there) = (ledger(&folder, "here"), ledger(&folder, "there"));
    let first = publisher(0.95).charge(&mut here, "survey").publish(&data()).expect("it fits");
    let verdict = verify(&value(&first), &here).expect("charged");
    let provenance = first.document().provenance().expect("charged");
    assert_eq!((verdict.entry, verdict.head.to_string()), (2, provenance.head.clone()));

    // The same draw with another level and another prior is another document, which reads the same draw.
    let prior = Prior::new(vec![0.5, 0.5, 0.5]).expect("valid");
    let second = publisher(0.5).prior(prior).charge(&mut here, "survey").publish(&data()).expect("on file");
    assert!(matches!(second.payment(), Payment::Recalled { .. }));
    assert_eq!(verify(&value(&second), &here).expect("a reading").entry, 2);
    assert_ne!(second.document().provenance().expect("charged").digest, provenance.digest);

    // Another ledger, and a release that no ledger saw.
    assert_eq!(verify(&value(&first), &there), Err(VerificationError::NotCharged));
    let plain = publisher(0.95).publish(&data()).expect("released");
    assert_eq!(plain.document().provenance(), None);
    assert_eq!(verify(&value(&plain), &here), Err(VerificationError::NotCharged));
    assert!(matches!(verify_document("{}"), Err(VerificationError::Unreadable { .. })));
}

/// If this fails, a document verifies although what it tells its reader was never drawn.
#[test]
fn nothing_that_is_derived_can_be_forged() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = ledger(&folder, "here");
    let key = SecretKey::generate().expect("bits");
    let signed = publisher(0.95).charge(&mut ledger, "survey").sign(key).publish(&data()).expect("it fits");
    let document = value(&signed);
    verify(&document, &ledger).expect("genuine");
    for part in
        ["readings", "comparisons", "posterior", "effective", "noise_aware", "epsilon", "expected_distance"]
    {
        let mut forged = document.clone();
        set_numbers(&mut forged[part], 0.99);
        let fields = differing(&forged);
        assert!(
            !fields.is_empty() && fields.iter().all(|field| field.starts_with(part)),
            "{part}: {fields:?}"
        );
    }
    let words: [(&str, Forge); 8] = [
        ("guarantee.statement", |all| all["guarantee"]["statement"] = json!("0.0001-differential privacy")),
        ("guarantee.epsilon", |all| all["guarantee"]["epsilon"] = json!(0.0001)),
        ("notes", |all| all["notes"] = json!(["all is well"])),
        ("private", |all| all["private"] = json!(false)),
        ("recalled", |all| all["recalled"] = json!({ "drawn": "2026-01-01T00:00:00Z" })),
        ("posterior.praise", |all| all["posterior"]["praise"] = json!("exact")),
        ("readings[0].rows[0].cell", |all| {
            all["readings"][0]["rows"][0]["cell"] = json!({ "category": "C" })
        }),
        ("comparisons", |all| all["comparisons"] = json!([])),
    ];
    for (field, forge) in words {
        let mut forged = document.clone();
        forge(&mut forged);
        let fields = differing(&forged);
        assert!(fields.iter().any(|found| found.starts_with(field)), "{field}: {fields:?}");
    }
    let mut missing = document.clone();
    missing.as_object_mut().expect("an object").remove("notes");
    assert_eq!(differing(&missing), ["notes is missing"]);
    // Some readers of JSON take the first of two values of a key, and others the last.
    let twice = document.to_string().replacen('{', "{\"epsilon\":0.0001,", 1);
    assert!(matches!(verify_document(&twice), Err(VerificationError::Unreadable { .. })));
}

/// A document that holds together and has a fitting digest is still not the one that was charged.
#[test]
fn what_is_drawn_and_promised_is_what_the_ledger_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = ledger(&folder, "here");
    let charged = publisher(0.95).charge(&mut ledger, "survey").publish(&data()).expect("it fits");
    let provenance = value(&charged)["provenance"].clone();
    // The same question of other people's data: another draw, at the place of the first.
    let other = Data::counts([("A", 1), ("B", 2), ("C", 87)]).expect("valid");
    let other = other.named("trial", None, None).expect("a name");
    let mut elsewhere = self::ledger(&folder, "elsewhere");
    let other = publisher(0.95).charge(&mut elsewhere, "survey").publish(&other).expect("it fits");
    let mut forged = value(&other);
    forged["provenance"] = provenance;
    assert_eq!(verify(&forged, &ledger), Err(VerificationError::Changed));
    let own = value(&other)["provenance"]["digest"].clone();
    for (part, change) in [
        (
            "promise",
            json!({ "adjacency": "replace", "unit": "record", "epsilon": "1/2", "delta": "0", "basis": "proof" }),
        ),
        ("drawn", json!([30, 30, 30])),
    ] {
        let mut forged = value(&charged);
        forged[part] = change;
        forged["provenance"]["digest"] = own.clone();
        assert!(verify(&forged, &ledger).is_err(), "{part}");
    }
}

#[test]
fn a_promise_that_the_mechanism_does_not_make_is_refused() {
    let release = publisher(0.95).publish(&data()).expect("released");
    let text = serde_json::to_string(release.document()).expect("JSON");
    // All that follows from a smaller promise is made to fit, by reading the document again.
    let forged =
        text.replace("\"unit\":\"record\",\"epsilon\":\"1\"", "\"unit\":\"record\",\"epsilon\":\"1/10\"");
    assert_ne!(text, forged);
    let document: posterity::Document = serde_json::from_str(&forged).expect("it holds together");
    let fitting = serde_json::to_string(&document).expect("JSON");
    assert_eq!(verify_document(&fitting).err(), Some(VerificationError::OtherPromise));
}

#[test]
fn words_of_another_version_are_said_not_to_be_checked() {
    let release = publisher(0.95).publish(&data()).expect("released");
    let mut document = value(&release);
    assert!(verify_document(&document.to_string()).expect("genuine").not_checked().is_empty());
    document["version"] = json!("0.0.9");
    document["notes"] = json!(["Other words."]);
    let verified = verify_document(&document.to_string()).expect("the numbers follow");
    assert!(verified.not_checked()[0].contains("its words: version 0.0.9"), "{:?}", verified.not_checked());
    document["epsilon"] = json!(0.5);
    assert_eq!(differing(&document).len(), 1);
}

#[test]
fn signatures_hold_without_the_ledger() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = ledger(&folder, "here");
    let (key, other) = (SecretKey::generate().expect("bits"), SecretKey::generate().expect("bits"));
    let signed =
        publisher(0.95).charge(&mut ledger, "survey").sign(key.clone()).publish(&data()).expect("it fits");
    let by_key =
        |document: &Value, key: &SecretKey| verify_document(&document.to_string())?.by_key(&key.public_key());
    let document = value(&signed);
    assert_eq!(by_key(&document, &key), Ok(()));
    assert!(matches!(
        by_key(&document, &other),
        Err(VerificationError::Signature(SignatureError::OtherKey { .. }))
    ));
    // Other readings of the same draw are not what was signed, and do not pretend to be.
    let reread =
        signed.document().with_readings(vec!["category".parse().expect("a reading")], vec![]).expect("read");
    let unsigned = serde_json::to_value(&reread).expect("JSON");
    assert_eq!(by_key(&unsigned, &key), Err(VerificationError::Signature(SignatureError::Unsigned)));
    let mut moved = unsigned;
    moved["provenance"]["signature"] = document["provenance"]["signature"].clone();
    assert_eq!(by_key(&moved, &key), Err(VerificationError::Signature(SignatureError::Wrong)));
}

/// Many cells are drawn, written, read and verified; numbers of single cells are left out but for what was drawn.
#[test]
fn documents_of_many_cells_are_small() {
    let cells = 20_000;
    let counts = (0..cells).map(|cell| (format!("cell {cell}"), cell % 7));
    let data = Data::counts(counts).expect("valid");
    let mechanism: posterity::Spec = "geometric".parse().expect("a mechanism");
    let release = Publisher::new("1".parse().expect("positive")).mechanism(mechanism).publish(&data);
    let text = serde_json::to_string(release.expect("released").document()).expect("JSON");
    // The names of the categories, and one count for each.
    assert!(text.len() < 25 * cells as usize, "{} bytes", text.len());
    let verified = verify_document(&text).expect("genuine");
    let document = verified.document().posterior().expect("a posterior");
    assert_eq!(document.released_counts().len(), cells as usize);
}
