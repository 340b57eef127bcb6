//! Documents keep what was drawn as it is, and the released counts follow from that.

use posterity::ledger::now_utc;
use posterity::table::{Subject, Ways};
use posterity::verification::{VerificationError, verify_document};
use posterity::{Amount, Contrast, Data, Document, Ledger, Payment, Publisher, Spec};
use serde_json::{Value, json};

const N: i64 = 60;

fn data() -> Data {
    let data = Data::counts([("A", 0), ("B", 0), ("C", 60)]).expect("valid");
    data.named("trial", None, None).expect("a name")
}

fn publisher(mechanism: &str, epsilon: &str) -> Publisher<'static> {
    let spec: Spec = mechanism.parse().expect("a mechanism");
    Publisher::new(epsilon.parse().expect("positive")).mechanism(spec)
}

fn value(document: &Document) -> Value {
    serde_json::to_value(document).expect("JSON")
}

/// Noise at empty categories is negative about half the time. If this fails, sums of many cells are biased upwards.
#[test]
fn negative_numbers_are_kept_read_and_verified() {
    let clipped = |drawn: &[i64]| -> Vec<i64> { drawn.iter().map(|one| (*one).clamp(0, N)).collect() };
    for mechanism in [
        "lattice",
        "geometric",
        "geometric(consistent)",
        "lshist",
        "lshist(consistent)",
        "lsdim",
        "lsdim(consistent)",
        "lszhang",
    ] {
        let mut negative = 0;
        for seed in 0..12 {
            let drawn = publisher(mechanism, "0.2").experiment(&data(), seed).expect("drawn");
            let document = drawn.document();
            let numbers = document.drawn().as_slice();
            negative += usize::from(numbers.iter().any(|&one| one < 0));
            let json = value(document);
            assert_eq!(json["drawn"], json!(numbers), "{mechanism}");
            assert_eq!(json["released_counts"], json!(document.released_counts()), "{mechanism}");
            if ["lattice", "lszhang"].contains(&mechanism) {
                assert_eq!(json["released_counts"], json!(clipped(numbers)), "{mechanism}");
            } else {
                // The last count is what the others leave.
                assert_eq!(
                    document.released_counts().as_slice()[0] as i64,
                    clipped(numbers)[0],
                    "{mechanism}"
                );
            }
            assert_eq!(numbers.iter().sum::<i64>() == N, mechanism != "lszhang", "{mechanism} {numbers:?}");
            let read: Document = serde_json::from_value(json.clone()).expect("reads back");
            assert_eq!((&read, read.drawn()), (document, document.drawn()), "{mechanism}");
            assert_eq!(read.released_counts(), document.released_counts(), "{mechanism}");
            let verified = verify_document(&json.to_string()).expect("genuine");
            assert_eq!(verified.document().posterior(), Some(document), "{mechanism}");
        }
        assert!(negative > 3, "{mechanism}: {negative} of 12");
    }
}

/// Mechanisms that draw possible counts release what they draw.
#[test]
fn possible_counts_are_released_as_drawn() {
    for mechanism in ["simplex", "ehds", "ehd", "mhg", "tight(ehds)"] {
        let drawn = publisher(mechanism, "1").experiment(&data(), 1).expect("drawn");
        let json = value(drawn.document());
        assert_eq!(json["drawn"], json["released_counts"], "{mechanism}");
    }
}

/// Noise without bound is cut to the numbers that JSON holds, and the document is still one.
#[test]
fn noise_beyond_the_numbers_of_json_is_cut() {
    for mechanism in ["lattice", "geometric", "lszhang"] {
        let drawn = publisher(mechanism, "1e-200").experiment(&data(), 1).expect("drawn");
        let most = posterity::Drawn::MOST;
        let numbers = drawn.document().drawn().as_slice();
        assert!(numbers.iter().any(|one| one.abs() == most), "{mechanism} {numbers:?}");
        verify_document(&value(drawn.document()).to_string()).expect("genuine");
    }
}

#[test]
fn a_ledger_recalls_the_same_draw() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = Ledger::create(folder.path().join("here")).expect("new");
    let budget = "1".parse().expect("an amount");
    ledger.create_account("survey", &budget, &Amount::ZERO, &now_utc()).expect("new");
    // Noise of scale 10^4 clips most counts, so a draw that was made again of clipped counts would be another.
    let mut ask = || {
        let mut charged = publisher("lattice", "0.0001").charge(&mut ledger, "survey");
        charged.publish(&data()).expect("released")
    };
    let (first, second) = (ask(), ask());
    assert!(matches!(second.payment(), Payment::Recalled { .. }));
    assert_eq!(second.document().drawn(), first.document().drawn());
    assert!(first.document().drawn().as_slice().iter().any(|&one| one < 0), "{:?}", first.document().drawn());
    let verified = verify_document(&value(second.document()).to_string()).expect("genuine");
    assert_eq!(verified.by_ledger(&ledger).expect("charged").entry, 2);
}

/// If this fails, a document verifies although no mechanism can have drawn it.
#[test]
fn what_cannot_have_been_drawn_is_refused() {
    let table = [
        ("lattice", json!([-5, 6, 60]), "sum to 61"),
        ("lshist", json!([0, 0, 59]), "sum to 59"),
        ("lsdim(consistent)", json!([0, 0, 59]), "sum to 59"),
        ("geometric", json!([0, 0, 59]), "sum to 59"),
        ("simplex", json!([-1, 0, 61]), "is negative"),
        ("ehds", json!([-1, 0, 61]), "is negative"),
        ("ehds", json!([1, 0, 60]), "sum to 61"),
        ("tight(ehds)", json!([1, 0, 60]), "sum to 61"),
        ("lszhang", json!([0, 0, 9_007_199_254_740_992_i64]), "beyond 9007199254740991"),
        ("lattice", json!([0, 60]), "3 categories and 2 counts"),
    ];
    for (mechanism, drawn, reason) in table {
        let release = publisher(mechanism, "1").experiment(&data(), 1).expect("drawn");
        let mut forged = value(release.document());
        forged["drawn"] = drawn;
        match verify_document(&forged.to_string()) {
            Err(VerificationError::Unreadable { reason: found }) => {
                assert!(found.contains(reason), "{mechanism}: {found}");
            }
            other => unreachable!("{mechanism}: {other:?}"),
        }
    }
    // A possible draw, whose released counts are others than are told.
    let release = publisher("lszhang", "1").experiment(&data(), 1).expect("drawn");
    let mut forged = value(release.document());
    forged["drawn"] = json!([-100, 200, 7]);
    forged["released_counts"] = json!([0, 60, 8]);
    match verify_document(&forged.to_string()) {
        Err(VerificationError::Differs { fields }) => {
            assert!(fields.iter().any(|field| field.starts_with("released_counts[2]")), "{fields:?}");
        }
        other => unreachable!("{other:?}"),
    }
}

/// If this fails, a document says of a draw what its clipped counts say, and not what the draw says. The expected numbers are
/// sums over all data sets, in another language.
#[test]
fn posteriors_of_documents_are_given_the_draw() {
    let data = Data::counts([("A", 3), ("B", 13)]).expect("valid");
    let drawn = publisher("lshist", "1").experiment(&data, 1).expect("drawn");
    let json = value(drawn.document());
    for (drawn, expected) in [
        ([-30, 46], 0.087_887_555_726_660_3),
        ([-1, 17], 0.087_887_555_726_660_3),
        ([0, 16], 0.109_404_206_924_367_05),
    ] {
        let mut other = json.clone();
        other["drawn"] = json!(drawn);
        let document: Document = serde_json::from_value(other).expect("it could have been drawn");
        assert_eq!(document.released_counts().as_slice(), [0, 16]);
        let json = value(&document);
        let effective = &json["effective"]["parameters"];
        let [one, two] = [0, 1].map(|i| effective[i].as_f64().expect("a number"));
        let credible = document.aware_summary().expect("modelled");
        for found in [credible.mean[0], one / (one + two)] {
            assert!((found - expected).abs() < 1e-12, "{drawn:?}: {found}");
        }
        // The records and the prior, less what the noise takes away.
        assert!(one + two < 18.0 && document.effective().is_some());
        assert_eq!(document.posterior().parameters.parameters(), [1.0, 17.0]);
    }
}

/// If this fails, a document about the records of a register tells its reader intervals of a population.
#[test]
fn documents_about_records_have_no_intervals_of_a_population() {
    let data = Data::counts([("A", 20), ("B", 30), ("C", 40)]).expect("valid");
    let release = publisher("lattice", "1").experiment(&data, 1).expect("drawn");
    let comparison: Contrast = "category: A - B".parse().expect("a comparison");
    let document = release.document().with_readings(Vec::new(), vec![comparison]).expect("possible");
    let said = |about| -> String {
        let ways = Ways { about, ..Ways::new(0.95).expect("a level") };
        value(&document.with_ways(ways).expect("possible")).to_string()
    };
    let (population, records) = (said(Subject::Population), said(Subject::Records));
    for word in ["\"credible\"", "\"noise_aware\""] {
        assert!(population.contains(word) && !records.contains(word), "{word}: {records}");
    }
    assert!(records.contains("\"effective\"") && !records.contains("\"probability_larger\""), "{records}");
    for mechanism in ["ehds", "geometric"] {
        let two = Data::counts([("A", 20), ("B", 30)]).expect("valid");
        let release = publisher(mechanism, "1").experiment(&two, 1).expect("drawn");
        let ways = Ways { about: Subject::Records, ..Ways::new(0.95).expect("a level") };
        let json = value(&release.document().with_ways(ways).expect("possible")).to_string();
        assert!(!json.contains("\"credible\""), "{mechanism}: {json}");
    }
}
