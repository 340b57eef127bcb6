//! Documents that say where they come from.

use posterity::ledger::now_utc;
use posterity::{
    Amount, Data, Kind, Ledger, Payment, Publisher, SecretKey, SignatureError, VerificationError, digest,
    verify_release, verify_signature,
};

fn ledger(folder: &tempfile::TempDir, name: &str) -> Ledger {
    let mut ledger = Ledger::create(folder.path().join(name)).expect("new");
    ledger
        .create_account("survey", &"10".parse().expect("an amount"), &Amount::ZERO, &now_utc())
        .expect("new");
    ledger
}

fn data() -> Data {
    let data = Data::counts([("yes", 48), ("no", 42)]).expect("valid");
    data.named("trial", None, None).expect("a name")
}

fn publisher(level: f64) -> Publisher<'static> {
    Publisher::new("1".parse().expect("positive")).level(level)
}

/// The recorded document, another reading of it, and documents that are neither.
#[test]
fn what_was_charged_is_told_from_what_was_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut here, there) = (ledger(&folder, "here"), ledger(&folder, "there"));
    let first = publisher(0.95).charge(&mut here, "survey").publish(&data()).expect("it fits");
    let text = serde_json::to_string_pretty(first.document()).expect("JSON");
    let provenance = first.document().provenance.clone().expect("charged");
    assert_eq!(provenance.digest, digest(&text).expect("JSON"));
    let verdict = verify_release(&text, &here).expect("charged");
    assert_eq!(
        (verdict.kind, verdict.entry, verdict.head.to_string()),
        (Kind::Recorded, 2, provenance.head.expect("charged"))
    );

    // The same draw with another level is another document.
    let second = publisher(0.5).charge(&mut here, "survey").publish(&data()).expect("on file");
    assert_eq!(second.payment(), &Payment::Recalled);
    let reading = serde_json::to_string(second.document()).expect("JSON");
    assert_eq!(verify_release(&reading, &here).expect("a reading").kind, Kind::Reading);
    let again = second.document().provenance.clone().expect("charged");
    assert_ne!(again.digest, provenance.digest);
    assert_eq!(again.reading_of, Some(provenance.digest));

    // Another ledger, an edit, and an edit with a digest that fits.
    assert_eq!(verify_release(&text, &there), Err(VerificationError::NotCharged));
    let edited = text.replace("\"n\": 90", "\"n\": 91");
    assert_eq!(verify_release(&edited, &here), Err(VerificationError::Changed));
    let mut forged: serde_json::Value = serde_json::from_str(&edited).expect("JSON");
    let fitting = digest(&edited).expect("JSON");
    forged["provenance"]["digest"] = fitting.into();
    assert_eq!(
        verify_release(&forged.to_string(), &here),
        Err(VerificationError::Differs { field: "n".into() })
    );
    let mut renoted: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    renoted["notes"] = serde_json::json!(["all is well"]);
    renoted["provenance"]["digest"] = digest(&renoted.to_string()).expect("JSON").into();
    assert_eq!(
        verify_release(&renoted.to_string(), &here),
        Err(VerificationError::Differs { field: "recalled".into() })
    );

    // A release without a ledger says nothing of the kind.
    let plain = publisher(0.95).publish(&data()).expect("released");
    assert_eq!(plain.document().provenance, None);
    let plain = serde_json::to_string(plain.document()).expect("JSON");
    assert_eq!(verify_release(&plain, &here), Err(VerificationError::NotCharged));
    assert!(matches!(verify_release("{}", &here), Err(VerificationError::Unreadable { .. })));
}

#[test]
fn signatures_hold_without_the_ledger() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = ledger(&folder, "here");
    let (key, other) = (SecretKey::generate().expect("bits"), SecretKey::generate().expect("bits"));
    let signed =
        publisher(0.95).charge(&mut ledger, "survey").sign(key.clone()).publish(&data()).expect("it fits");
    let text = serde_json::to_string(signed.document()).expect("JSON");
    assert_eq!(verify_signature(&text, &key.public_key()), Ok(()));
    assert_eq!(verify_release(&text, &ledger).expect("charged").kind, Kind::Recorded);
    assert!(matches!(
        verify_signature(&text, &other.public_key()),
        Err(VerificationError::Signature(SignatureError::OtherKey { .. }))
    ));
    let mut forged: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    forged["n"] = 91.into();
    assert_eq!(verify_signature(&forged.to_string(), &key.public_key()), Err(VerificationError::Changed));
    forged["provenance"]["digest"] = digest(&forged.to_string()).expect("JSON").into();
    assert_eq!(
        verify_signature(&forged.to_string(), &key.public_key()),
        Err(VerificationError::Signature(SignatureError::Wrong))
    );
    let unsigned = publisher(0.9).charge(&mut ledger, "survey").publish(&data()).expect("on file");
    let unsigned = serde_json::to_string(unsigned.document()).expect("JSON");
    let expected = Err(VerificationError::Signature(SignatureError::Unsigned));
    assert_eq!(verify_signature(&unsigned, &key.public_key()), expected);
}
