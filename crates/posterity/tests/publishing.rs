//! What a publisher gives back, what it promises, and what it refuses.

mod common;

use std::collections::HashMap;

use common::{data, publisher};
use posterity::data::{Column, PerUnit, Question, Resources, Source};
use posterity::document::Promise;
use posterity::{Data, Decoder, Document, Prior, PublishError, Publisher, Randomness, SpecError, TermsError};
use posterity_core::calibrate::CalibrationError;
use posterity_core::decode::DecodeError;
use posterity_core::mechanism::{ALL, FitError, ReleaseError};
use posterity_core::model::PriorError;
use posterity_core::sampler::SeededBits;
use posterity_testkit::fixture::{epsilon, spec};

#[test]
fn only_a_proven_mechanism_with_the_systems_randomness_is_private() {
    for name in ALL.iter().map(|one| one.name) {
        let proven = !matches!(name, "ehdl" | "mh");
        let publisher = publisher(name).allow_unproven();
        let system = publisher.publish(&data(48, 42)).expect("released");
        assert_eq!(system.document().is_private(), proven, "{name}");
        let seeded = publisher.experiment(&data(48, 42), 1).expect("drawn");
        assert!(!seeded.document().is_private(), "{name}");
        assert_eq!(seeded.document().guarantee().kind, Promise::None, "{name}");
        assert_eq!(system.document().guarantee().kind == Promise::Pure, proven, "{name}");
    }
}

#[test]
fn unproven_mechanisms_are_refused() {
    for name in ["ehdl", "mh"] {
        let error = publisher(name).publish(&data(48, 42)).expect_err("refused");
        assert!(matches!(error, PublishError::Unproven { mechanism, .. } if mechanism == name), "{error}");
        let error = publisher(name).experiment(&data(48, 42), 1).expect_err("refused");
        assert!(matches!(error, PublishError::Unproven { mechanism, .. } if mechanism == name), "{error}");
    }
}

#[test]
fn a_seed_repeats_and_the_system_does_not() {
    let wide = Publisher::new(epsilon("0.01")).mechanism(spec("geometric"));
    let draw = |seed| {
        let drawn = wide.experiment(&data(48, 42), seed).expect("drawn");
        drawn.document().posterior().parameters.clone()
    };
    assert_eq!(draw(4), draw(4));
    let release = || wide.publish(&data(48, 42)).expect("released").document().posterior().parameters.clone();
    // Noise of scale 100 clipped to 0..=90 has 91 outcomes: 40 draws that all agree have probability below 1e-9.
    let first = release();
    assert!((0..40).any(|_| release() != first));
}

/// The document survives a round trip, and holds no private number: the same request on other data with the same
/// draw gives the same document.
#[test]
fn the_document_depends_on_the_data_only_through_the_draw() {
    let publisher = publisher("geometric");
    let mut by_draw = HashMap::new();
    for (seed, data) in (0..200).flat_map(|seed| [(seed, data(48, 42)), (seed, data(47, 43))]) {
        let document = publisher.experiment(&data, seed).expect("drawn").document().clone();
        let text = serde_json::to_string(&document).expect("serialises");
        assert_eq!(serde_json::from_str::<Document>(&text).expect("reads back"), document);
        let text = text.replace(&format!("\"seed\":{seed}"), "").replace(&format!("seed {seed}"), "");
        assert_eq!(*by_draw.entry(document.drawn().clone()).or_insert_with(|| text.clone()), text);
    }
}

#[test]
fn bad_requests_are_refused() {
    let refused = |publisher: Publisher<'_>, data: &Data| publisher.publish(data).expect_err("refused");
    let three = Data::counts([("a", 30), ("b", 30), ("c", 30)]).expect("valid");
    let pair = Prior::uniform(2).expect("valid");
    let length = TermsError::Prior(PriorError::WrongLength { found: 2, expected: 3 });
    assert_eq!(refused(publisher("ehds").prior(pair), &three), PublishError::Terms(length));
    for level in [0.0, 1.0, f64::NAN] {
        let error = refused(publisher("ehds").level(level), &data(48, 42));
        assert!(matches!(error, PublishError::Level(_)), "{level}");
    }
    let error = refused(publisher("optimal").decoder(Decoder::Best), &data(4, 5));
    assert_eq!(error, PublishError::Decode(DecodeError::NoEvidence { mechanism: "optimal" }));
    let auto = TermsError::Calibration(CalibrationError::Fit(FitError::AutoGamma));
    assert_eq!(refused(publisher("ehds(gamma=auto)"), &data(48, 42)), PublishError::Terms(auto));
    // The published constant is too small for this prior.
    let light =
        publisher("ehd(global-sensitivity=published)").prior(Prior::new(vec![0.1, 0.5]).expect("valid"));
    let error = refused(light, &data(48, 42));
    let fit = |error: &PublishError| match error {
        PublishError::Calibration(CalibrationError::Fit(error)) => Some(error.clone()),
        _ => None,
    };
    assert!(matches!(fit(&error), Some(FitError::PublishedConstant(_))), "{error}");
}

/// A mechanism that was made for 90 records does not release others.
#[test]
fn a_request_is_for_its_number_of_records() {
    let request = publisher("ehds").request(&data(48, 42)).expect("valid");
    let mechanism = request.mechanism(&|_| ()).expect("valid");
    let others = posterity_testkit::fixture::counts(&[1, 2]);
    let error = mechanism.release(&others, &mut SeededBits::new(1)).expect_err("refused");
    assert!(matches!(error, ReleaseError::Setting(_)), "{error}");
}

#[test]
fn data_is_of_two_or_more_categories() {
    let one = Data::counts([("yes", 48)]);
    assert!(one.is_err());
    // A prior that is not given is uniform over the categories of the data.
    let request = publisher("lattice").request(&data(48, 42)).expect("valid");
    assert_eq!(request.setting().prior(), &Prior::uniform(2).expect("valid"));
    assert_eq!(Prior::uniform(1), Err(PriorError::TooFew { found: 1 }));
}

/// If this fails, a release is called private although anyone can repeat which records stand for their units.
#[test]
fn units_drawn_from_a_seed_are_released_with_a_seed_only() {
    use std::ops::ControlFlow;

    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("visits.csv");
    let rows: String = (0..90).map(|id| format!("{id},yes\n{id},no\n")).collect();
    std::fs::write(&path, format!("id,cured\n{rows}")).expect("written");
    let read = |rule: PerUnit, randomness| {
        let question = Question {
            unit: Some("id".into()),
            per_unit: rule,
            ..Question::new(vec![Column::new("cured", ["yes", "no"])])
        };
        let go_on = |_| ControlFlow::Continue(());
        let source = Source::files(path.to_string_lossy());
        Data::read_from(&source, &question, randomness, &Resources::default(), &go_on).expect("counted")
    };
    let seeded = read(PerUnit::Random, Randomness::Seed(1));
    let refused = publisher("lattice").publish(&seeded);
    assert_eq!(refused.err(), Some(PublishError::SeededData));
    let experiment = publisher("lattice").experiment(&seeded, 1).expect("drawn");
    assert!(!experiment.document().is_private());
    // Where nothing is drawn, a seed has no part in the counts.
    for data in [read(PerUnit::First, Randomness::Seed(1)), read(PerUnit::Random, Randomness::System)] {
        assert!(publisher("lattice").publish(&data).expect("released").document().is_private());
    }
}

#[test]
fn tight_calibration_is_private() {
    let release = publisher("tight(ehdl)").publish(&data(48, 42)).expect("released");
    let document = release.document();
    assert!(document.is_private() && document.guarantee().statement.contains("audit"), "{document:?}");
    let error = spec("geometric").tight().expect_err("it has no scale");
    assert_eq!(error, SpecError::NoScale { mechanism: "geometric" });
}

/// The noise-aware posterior that comes with a release is the one that its document summarises.
#[test]
fn the_noise_aware_posterior_is_that_of_the_document() {
    let release = publisher("lattice").publish(&data(48, 42)).expect("released");
    let summary = release.document().aware_summary().expect("the noise of lattice is known");
    let aware = release.document().noise_aware().expect("the noise of lattice is known");
    assert_eq!(summary.mean, aware.mean());
    assert_eq!(*summary.intervals, aware.intervals(summary.level).expect("a level"));
    let request = publisher("lattice").request(&data(48, 42)).expect("valid");
    let again = request.noise_aware(release.document().drawn()).expect("narrow").expect("known");
    assert_eq!(summary.mean, again.mean());
}

/// What is released by an exponential mechanism stays as it is, and its intervals include the noise. If this fails for
/// a tight scale, a reader computes another posterior than the document has.
#[test]
fn intervals_of_exponential_mechanisms_include_the_noise() {
    for name in ["ehds", "tight(ehdl)"] {
        let drawn = publisher(name).experiment(&data(48, 42), 7).expect("drawn");
        let document = drawn.document();
        let counts = document.released_counts().as_slice();
        let expected: Vec<f64> = counts.iter().map(|&count| 1.0 + count as f64).collect();
        assert_eq!(
            (document.decoder(), document.posterior().parameters.parameters()),
            (Decoder::None, &expected[..])
        );
        let summary = document.aware_summary().expect("the law is known");
        let width = |[low, high]: [f64; 2]| high - low;
        let without = document.posterior().parameters.intervals(summary.level).expect("a level");
        assert!(width(summary.intervals[0]) > width(without[0]), "{name}");
        // All laws of two categories can be listed, so that there are confidence intervals.
        let notes = document.notes();
        assert!(notes.iter().any(|note| note.contains("whatever it is")), "{notes:?}");
        let cells = document.cells().expect("rows");
        assert!(
            cells.rows.iter().all(|row| row.confidence == Some(row.interval) && row.estimate.is_none()),
            "{:?}",
            cells.rows
        );
        let request = publisher(name).request(&data(48, 42)).expect("valid");
        let again = request.noise_aware(document.drawn()).expect("small").expect("known");
        assert_eq!(summary.mean, again.mean());
    }
    let three = Data::counts([("a", 9), ("b", 2), ("c", 4)]).expect("valid");
    let notes = publisher("ehds").publish(&three).expect("released").document().notes();
    assert!(notes.iter().any(|note| note.contains("with an error of at most")), "{notes:?}");
    // There are too many data sets to list.
    let large = Data::counts([("a", 1_000), ("b", 1_000), ("c", 1_000)]).expect("valid");
    let release = publisher("ehds").publish(&large).expect("released");
    assert!(release.document().noise_aware().is_none());
    let notes = release.document().notes();
    assert!(notes.iter().any(|note| note.contains("The privacy noise is not modelled")), "{notes:?}");
}
