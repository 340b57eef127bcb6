//! Certificates: a mechanism without a proof is private at what its audit found, and at nothing less.

mod common;

use common::{data, publisher};
use posterity::{Certificate, CertificateError, Epsilon, Payment, Prior, PublishError, Publisher};
use posterity_core::audit::audit;
use posterity_testkit::fixture::{epsilon, spec};

fn certificate(publisher: &Publisher<'_>) -> Certificate {
    let request = publisher.request(&data(48, 42)).expect("valid");
    let mechanism = request.mechanism(&|_| ()).expect("valid");
    Certificate::new(&request, &audit(&*mechanism, &[], 1e9, &|_| ()).expect("small"))
}

fn exact(loss: f64) -> Epsilon {
    Epsilon::from_f64(loss).expect("positive")
}

/// With a certificate of its audit, an unproven mechanism is private at what it was found to lose.
#[test]
fn certificates_make_benchmarks_private_at_their_audited_epsilon() {
    for name in ["ehdl", "mh"] {
        let certificate = certificate(&publisher(name));
        let release =
            publisher(name).certificate(certificate.clone()).publish(&data(48, 42)).expect("released");
        let document = release.document();
        assert!(document.is_private());
        let shown = exact(certificate.loss).to_f64_shown();
        assert_eq!(document.guarantee().epsilon, Some(shown));
        assert_eq!((document.epsilon(), document.epsilon_parameter()), (shown, Some(1.0)));
        assert_eq!(document.certificate(), Some(&*certificate.hash));
        let text = serde_json::to_string(&certificate).expect("serialises");
        assert_eq!(Certificate::from_json(&text), Ok(certificate));
    }
}

/// If this fails, a release promises less loss than its own audit found, or charges less.
#[test]
fn the_larger_of_the_stated_and_the_found_loss_is_promised_and_charged() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = posterity::Ledger::create(folder.path().join("budget.ledger")).expect("created");
    let now = posterity::ledger::now_utc();
    let zero = posterity::Amount::ZERO;
    ledger.create_account("survey", &"100".parse().expect("an amount"), &zero, &now).expect("created");
    let true_one = certificate(&publisher("ehdl"));
    let mut promised = |loss: f64| {
        let certified = publisher("ehdl").certificate(Certificate { loss, ..true_one.clone() });
        let charged =
            certified.clone().charge(&mut ledger, "survey").publish(&data(48, 42)).expect("released");
        let price = match charged.payment() {
            Payment::Charged { epsilon, .. } => Some(epsilon.rational()),
            _ => None,
        };
        assert_eq!(price, Some(exact(loss.max(true_one.loss)).rational()));
        let release = certified.publish(&data(48, 42)).expect("released");
        assert_eq!(charged.document().guarantee().epsilon, release.document().guarantee().epsilon);
        release.document().guarantee().epsilon
    };
    for below in [true_one.loss.next_down(), true_one.loss * (1.0 - 0.9e-12)] {
        assert!(below < true_one.loss);
        assert_eq!(promised(below), Some(exact(true_one.loss).to_f64_shown()));
    }
    let above = 1.5 * true_one.loss;
    assert_eq!(promised(above), Some(exact(above).to_f64_shown()));
}

#[test]
fn certificates_that_do_not_fit_are_refused() {
    let good = certificate(&publisher("ehdl"));
    let with = |certificate: &Certificate, publisher: Publisher<'_>| {
        publisher.certificate(certificate.clone()).publish(&data(48, 42)).map(|_| ())
    };
    assert_eq!(with(&good, publisher("ehdl")), Ok(()));
    let other = |field| Err(PublishError::Certificate(CertificateError::Other { field }));
    assert_eq!(with(&good, publisher("mh")), other("mechanism"));
    assert_eq!(with(&good, publisher("tight(ehdl)")), other("mechanism"));
    assert_eq!(with(&good, Publisher::new(epsilon("0.01")).mechanism(spec("ehdl"))), other("epsilon"));
    let skewed = Prior::new(vec![1.0, 2.0]).expect("valid");
    assert_eq!(with(&good, publisher("ehdl").prior(skewed)), other("prior"));
    let more = publisher("ehdl").certificate(good.clone()).publish(&data(48, 43)).map(|_| ());
    assert_eq!(more, other("number of records"));
    let old = Certificate { version: "0.0.1".into(), ..good.clone() };
    assert_eq!(with(&old, publisher("ehdl")), other("version of posterity"));
    // A smaller loss than the true one, with a hash that fits: the audit is repeated and finds out.
    let forged = Certificate { loss: good.loss * 0.9, ..good.clone() };
    let error = with(&forged, publisher("ehdl")).expect_err("refused");
    assert!(matches!(error, PublishError::Certificate(CertificateError::Wrong { .. })), "{error}");
    let empty = Certificate { loss: f64::NAN, ..good.clone() };
    let error = with(&empty, publisher("ehdl")).expect_err("refused");
    assert!(matches!(error, PublishError::Certificate(CertificateError::Wrong { .. })), "{error}");
}

#[test]
fn changed_certificates_are_not_read() {
    let text = serde_json::to_string(&certificate(&publisher("ehdl"))).expect("serialises");
    let changed = text.replace("\"n\":90", "\"n\":91");
    assert_ne!(changed, text);
    assert_eq!(Certificate::from_json(&changed), Err(CertificateError::Changed));
    assert!(matches!(Certificate::from_json("{}"), Err(CertificateError::Unreadable { .. })));
}
