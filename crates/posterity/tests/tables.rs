//! Readings and comparisons of releases of several columns.

#![cfg(feature = "data")]

use posterity::data::{Column, Question};
use posterity::table::{
    ContrastKind, IntervalKind, Law, Measurement, ReadingMethod, Statistic, Subject, Ways, frequency_error,
};
use posterity::{Contrast, Data, Document, Experiment, Publisher, Reader, Reading, ReadingError, Spec};

/// Records over three columns, released from a seed.
fn release(mechanism: &str) -> Experiment {
    released(mechanism, "1", 4)
}

fn released(mechanism: &str, epsilon: &str, seed: u64) -> Experiment {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("people.csv");
    let mut text = "ward,cured,score\n".to_owned();
    for i in 0..120 {
        let ward = ["A", "B", "C"][i % 3];
        let cured = if i % 7 < 3 + i % 3 { "yes" } else { "no" };
        text += &format!("{ward},{cured},{}\n", 1 + (i / 5) % 3);
    }
    std::fs::write(&path, text).expect("written");
    let question = Question::new(vec![
        Column::new("ward", ["A", "B", "C"]),
        Column::new("cured", ["yes", "no"]),
        Column::new("score", ["1", "2", "3"]),
    ]);
    let data = Data::read(path.to_string_lossy(), &question).expect("counted");
    let spec: Spec = mechanism.parse().expect("a mechanism");
    let publisher = Publisher::new(epsilon.parse().expect("positive")).mechanism(spec);
    publisher.experiment(&data, seed).expect("released")
}

fn reading(text: &str) -> Reading {
    text.parse().expect("a reading")
}

fn contrast(text: &str) -> Contrast {
    text.parse().expect("a comparison")
}

/// If this fails, someone who has the document only reads something else than its maker.
#[test]
fn a_stored_document_reads_as_its_release() {
    for mechanism in ["lattice", "geometric", "lsdim(consistent)", "geometric(consistent)"] {
        let release = release(mechanism);
        let text = serde_json::to_string(release.document()).expect("serialises");
        let document: Document = serde_json::from_str(&text).expect("reads back");
        assert_eq!(&document, release.document());
        let (maker, reader) = (release.document().reader().expect("fits"), document.reader().expect("fits"));
        let (maker, reader) = (maker.draws(2_000, 7), reader.draws(2_000, 7));
        for text in ["ward", "cured | ward", "cured, score | ward in {A, B}", "mean(score) | ward"] {
            let (one, other) = (maker.read(&reading(text)), reader.read(&reading(text)));
            assert_eq!(one.expect("read"), other.expect("read"), "{mechanism} {text}");
        }
        let text = "cured=yes | ward: A - B";
        let (one, other) = (maker.contrast(&contrast(text)), reader.contrast(&contrast(text)));
        assert_eq!(one.expect("compared"), other.expect("compared"), "{mechanism}");
        assert_eq!(document.read(&reading("ward")), release.document().read(&reading("ward")), "{mechanism}");
    }
}

/// If this fails, a table for people shows other numbers than the document.
#[test]
fn confidence_alone_shows_the_same() {
    let mut without_estimate = 0;
    for (mechanism, epsilon) in [("lattice", "1"), ("lattice", "0.02"), ("geometric", "0.1"), ("ehds", "1")] {
        let reader = released(mechanism, epsilon, 4).document().reader().expect("fits");
        for text in ["ward", "cured | ward", "score=1 | ward, cured"] {
            let full = reader.read(&reading(text)).expect("read");
            let alone = reader.clone().confidence_alone().read(&reading(text)).expect("read");
            let shown = full.rows.iter().zip(&alone.rows);
            for (one, other) in shown {
                assert_eq!((&one.given, &one.cell, one.shown()), (&other.given, &other.cell, other.shown()));
                assert_eq!((one.estimate, one.interval), (other.estimate, other.interval), "{text}");
                assert_eq!((one.confidence, one.may_be_empty), (other.confidence, other.may_be_empty));
            }
            // A row without an estimate shows its posterior mean, so that all rows have one.
            let estimated = full.rows.iter().all(|row| row.estimate.is_some());
            without_estimate += u32::from(!estimated && mechanism == "lattice");
            assert!(alone.rows.iter().all(|row| row.credible[0].is_nan() == estimated), "{mechanism} {text}");
            let credible = Ways { interval: IntervalKind::Credible, ..Ways::new(0.95).expect("level") };
            let credible = reader.clone().ways(credible).expect("possible");
            let alone = credible.clone().confidence_alone().read(&reading(text));
            assert_eq!(alone, credible.read(&reading(text)), "{mechanism} {text}");
        }
    }
    assert!(without_estimate > 0, "no noise hides all records of a group");
}

#[test]
fn rows_are_all_combinations_in_order() {
    let release = release("lattice");
    let table = release.document().read(&reading("cured | ward")).expect("read");
    assert_eq!((table.of.as_slice(), table.given.as_slice()), (&["cured".into()][..], &["ward".into()][..]));
    assert_eq!(
        (table.method, table.statistic, table.level),
        (ReadingMethod::Measured, Statistic::Share, 0.95)
    );
    assert!(table.error < 1e-9 && table.draws.is_none());
    let labels: Vec<String> = table.rows.iter().map(|row| format!("{} {}", row.given, row.cell)).collect();
    assert_eq!(labels, ["A yes", "A no", "B yes", "B no", "C yes", "C no"]);
    for pair in table.rows.chunks(2) {
        assert!((pair[0].mean + pair[1].mean - 1.0).abs() < 1e-12);
        assert!((pair[0].interval[0] + pair[1].interval[1] - 1.0).abs() < 1e-10);
    }
    let json = serde_json::to_value(&table).expect("serialises");
    assert_eq!(json["reading"], "cured | ward");
    assert_eq!(json["rows"][1]["given"], serde_json::json!({ "ward": "A" }));
    assert_eq!(json["rows"][1]["cell"], serde_json::json!({ "cured": "no" }));
    // Sums of categories.
    let both = release.document().read(&reading("ward in {A, B}")).expect("read");
    let ward = release.document().read(&reading("ward")).expect("read");
    assert_eq!(both.rows.len(), 1);
    assert_eq!(both.rows[0].cell.get("ward"), Some("{A, B}"));
    let estimate = |row: usize| ward.rows[row].estimate.expect("additive noise");
    assert!((both.rows[0].estimate.expect("additive noise") - estimate(0) - estimate(1)).abs() < 1e-12);
    // A column on both sides: the share of A among A and B.
    let within = release.document().read(&reading("ward | ward in {A, B}")).expect("read");
    assert_eq!(within.rows.len(), 2);
    assert!((within.rows[0].mean + within.rows[1].mean - 1.0).abs() < 1e-12);
}

/// The usual readings are the joint cells and the marginals of single columns.
#[test]
fn usual_readings_are_in_the_document() {
    let release = release("lattice");
    let document = release.document();
    let texts: Vec<String> = document.readings().iter().map(|table| table.reading.to_string()).collect();
    assert_eq!(texts, ["ward, cured, score", "ward", "cured", "score"]);
    let (shown, intervals) = document.best_summary();
    for (row, (shown, interval)) in document.readings()[0].rows.iter().zip(shown.iter().zip(intervals)) {
        assert_eq!((&row.shown(), &row.interval), (shown, interval));
    }
    let one = Data::counts([("yes", 48), ("no", 42)]).expect("valid");
    let one = Publisher::new("1".parse().expect("positive")).experiment(&one, 1).expect("released");
    assert_eq!(one.document().readings().len(), 1, "one column is one reading");
    let only = &one.document().readings()[0];
    let (shown, intervals) = one.document().best_summary();
    for (row, (shown, interval)) in only.rows.iter().zip(shown.iter().zip(intervals)) {
        assert_eq!((&row.shown(), &row.interval), (shown, interval));
    }
    assert_eq!(
        one.document().read(&reading("category")).expect("read").rows[0].cell.get("category"),
        Some("yes")
    );
}

/// The mean of three values agrees with the means of the shares, and that of two values is a share, stretched.
#[test]
fn expected_values() {
    let release = release("lattice");
    let table = release.document().read(&reading("mean(score) | ward")).expect("read");
    assert_eq!(
        (table.method, table.statistic, table.seed),
        (ReadingMethod::Measured, Statistic::Mean, Some(1))
    );
    assert!(table.error > 0.0 && table.error < 0.01, "{}", table.error);
    let shares = release.document().read(&reading("score | ward")).expect("read");
    for (row, shares) in table.rows.iter().zip(shares.rows.chunks(3)) {
        let expected: f64 = shares.iter().zip(1..).map(|(share, score)| share.mean * f64::from(score)).sum();
        assert!((row.mean - expected).abs() < 1e-12 && row.cell.is_empty());
        assert!(1.0 < row.interval[0] && row.interval[0] < row.mean && row.mean < row.interval[1]);
    }
    let two = release.document().read(&reading("mean(score) | score in {1, 3}, ward=A")).expect("read");
    let share = release.document().read(&reading("score=3 | score in {1, 3}, ward=A")).expect("read");
    assert_eq!((two.method, share.method), (ReadingMethod::Measured, ReadingMethod::Measured));
    assert!((two.rows[0].interval[0] - (1.0 + 2.0 * share.rows[0].interval[0])).abs() < 1e-9);
    assert!((two.rows[0].interval[1] - (1.0 + 2.0 * share.rows[0].interval[1])).abs() < 1e-9);
}

/// The difference of two shares of one table: mean from exact means, and the reverse comparison mirrors it. With a prior
/// on the cells all readings are of one posterior.
#[test]
fn comparisons() {
    let (document, ways) = (release("lattice"), Ways::new(0.95).expect("a level"));
    let (space, aware) =
        (document.document().space().expect("fits"), document.document().noise_aware().expect("modelled"));
    let release = Reader::new(space, Law::Aware(aware.clone()), ways).expect("fits").draws(10_000, 1);
    let difference = release.contrast(&contrast("cured=yes | ward: A - B")).expect("compared");
    let shares = release.read(&reading("cured=yes | ward")).expect("read");
    let measured = &difference.measures[0];
    assert_eq!((difference.kind, measured.measure), (ContrastKind::Difference, Measurement::Difference));
    assert!((measured.mean.expect("a mean") - (shares.rows[0].mean - shares.rows[1].mean)).abs() < 1e-12);
    assert!(measured.interval[0] < measured.median && measured.median < measured.interval[1]);
    assert!(measured.error < 0.03 && difference.draws == Some(10_000));
    let larger = difference.probability_larger.expect("a probability");
    let reverse = release.contrast(&contrast("cured=yes | ward: B - A")).expect("compared");
    assert!((reverse.probability_larger.expect("a probability") + larger - 1.0).abs() < 0.03);
    assert!((reverse.measures[0].interval[0] + measured.interval[1]).abs() < 5.0 * measured.error);
    for (text, kind) in [
        ("cured=yes | ward: A / B", ContrastKind::Ratio),
        ("cured=yes | ward: odds A / B", ContrastKind::OddsRatio),
    ] {
        let ratio = release.contrast(&contrast(text)).expect("compared");
        assert_eq!((ratio.kind, ratio.measures[0].mean), (kind, None));
        // The signs of the logarithm and of the difference agree.
        assert!((ratio.measures[0].median > 1.0) == (measured.median > 0.0), "{text}");
    }
    // Sets that overlap, and shares of one condition.
    let whole = release.contrast(&contrast("cured=yes | ward: A - {A, B, C}")).expect("compared");
    assert!(
        whole.measures[0].interval[1] - whole.measures[0].interval[0]
            < measured.interval[1] - measured.interval[0]
    );
    let wards = release.contrast(&contrast("ward: A - B")).expect("compared");
    assert!(wards.first.expect("a share").mean < 0.6);
    let independence = release.contrast(&contrast("independence(ward, cured)")).expect("compared");
    let (information, association) = (&independence.measures[0], &independence.measures[1]);
    assert!(information.interval[0] >= 0.0 && association.interval[1] <= 1.0);
    assert!(information.mean < association.mean);
}

/// Mechanisms whose noise is not modelled are read without it, and say so.
#[test]
fn without_a_noise_model() {
    let data = Data::counts([("A", 30), ("B", 20), ("C", 50)]).expect("valid");
    let spec: Spec = "ehds(score=angle)".parse().expect("a mechanism");
    let release =
        Publisher::new("1".parse().expect("positive")).mechanism(spec).experiment(&data, 1).expect("drawn");
    let table = release.document().read(&reading("category in {A, B}")).expect("read");
    assert_eq!(table.method, ReadingMethod::WithoutNoise);
    let parameters = release.document().posterior().parameters.parameters().to_vec();
    let expected = (parameters[0] + parameters[1]) / parameters.iter().sum::<f64>();
    assert!((table.rows[0].mean - expected).abs() < 1e-12);
    assert_eq!(release.document().read(&reading("category in {A, B}")), Ok(table));
}

#[test]
fn rejects() {
    let release = release("lattice");
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let columns = names(&["ward", "cured", "score"]);
    let read = |text: &str| release.document().read(&reading(text)).expect_err(text);
    assert_eq!(read("wards"), ReadingError::UnknownColumn { column: "wards".into(), columns });
    assert_eq!(
        read("cured | ward=D"),
        ReadingError::UnknownValue {
            column: "ward".into(),
            value: "D".into(),
            values: names(&["A", "B", "C"])
        }
    );
    assert_eq!(read("ward | ward"), ReadingError::Repeated { what: "ward".into() });
    assert_eq!(read("ward=A | ward=B"), ReadingError::NoCells { reading: "ward=A | ward=B".into() });
    assert_eq!(read("mean(ward)"), ReadingError::NotNumeric { column: "ward".into(), value: "A".into() });
    let error =
        release.document().contrast(&contrast("independence(ward, cured) | ward=A")).expect_err("refused");
    assert_eq!(error, ReadingError::Repeated { what: "ward".into() });
    // A document that was changed does not fit.
    let text = serde_json::to_string(release.document()).expect("serialises");
    let fewer = text.replacen(r#""values":["A","B","C"]"#, r#""values":["A","B"]"#, 1);
    assert_ne!(text, fewer);
    let error =
        serde_json::from_str::<posterity::Document>(&fewer).expect_err("fewer categories than counts");
    assert!(error.to_string().contains("12 categories and 18 counts"), "{error}");
    assert!(release.document().reader().expect("valid").level(1.0).is_err());
}

/// The cell of records outside a private filter is not part of readings: they are conditional on being inside.
#[test]
fn a_cell_outside_is_no_part_of_readings() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("people.csv");
    let lines = [("a,1\n", 30), ("b,1\n", 20), ("a,2\n", 50)];
    let text: String = lines.map(|(line, times)| line.repeat(times)).concat();
    std::fs::write(&path, format!("x,y\n{text}")).expect("written");
    let question = posterity::data::Question {
        within: Some("y = 1".into()),
        ..posterity::data::Question::new(vec![posterity::data::Column::new("x", ["a", "b"])])
    };
    let within = Data::read(path.to_string_lossy(), &question).expect("counted");
    let counts = Data::counts([("a", 30), ("b", 20), ("outside", 50)]).expect("valid");
    let publisher = Publisher::new("1".parse().expect("positive"));
    let drawn = |data: &Data| publisher.experiment(data, 1).expect("drawn");
    let inside = drawn(&within).document().read(&reading("x")).expect("read");
    let expected = drawn(&counts).document().read(&reading("category | category in {a, b}")).expect("read");
    assert_eq!(inside.rows.len(), 2);
    for (row, expected) in inside.rows.iter().zip(&expected.rows) {
        assert!((row.mean - expected.mean).abs() < 1e-12);
        assert!((row.interval[0] - expected.interval[0]).abs() < 1e-10);
    }
}

/// If this fails, rows do not show the interval that was asked for, or confidence intervals depend on the prior.
#[test]
fn every_kind_of_interval() {
    let release = release("lattice");
    let reader = release.document().reader().expect("fits");
    let usual = Ways::new(0.95).expect("a level");
    for text in ["ward", "cured | ward", "ward, cured"] {
        let read = |ways: Ways| reader.clone().ways(ways).expect("valid").read(&reading(text)).expect("read");
        let confidence = read(usual);
        let credible = read(Ways { interval: IntervalKind::Credible, ..usual });
        let shortest = read(Ways { interval: IntervalKind::Shortest, ..usual });
        let records = read(Ways { about: Subject::Records, ..usual });
        let simultaneous = read(Ways { simultaneous: true, ..usual });
        assert_eq!(
            [confidence.interval, credible.interval, shortest.interval],
            [IntervalKind::Confidence, IntervalKind::Credible, IntervalKind::Shortest]
        );
        let width = |interval: [f64; 2]| interval[1] - interval[0];
        for (row, one) in confidence.rows.iter().enumerate() {
            let (credible, shortest) = (&credible.rows[row], &shortest.rows[row]);
            assert_eq!((Some(one.interval), credible.interval), (one.confidence, credible.credible));
            assert!(width(shortest.interval) <= width(credible.interval) + 1e-9, "{text} {row}");
            assert!(width(records.rows[row].interval) < width(one.interval), "{text} {row}");
            let wide = simultaneous.rows[row].interval;
            assert!(wide[0] <= one.interval[0] && wide[1] >= one.interval[1], "{text} {row}");
            assert_eq!(records.about, Subject::Records);
            let estimate = one.estimate.expect("additive noise");
            assert!(one.interval[0] <= estimate.max(0.0) && estimate.min(1.0) <= one.interval[1]);
        }
    }
    let unmodelled = self::release("ehds").document().read(&reading("ward")).expect("read");
    assert_eq!((unmodelled.interval, unmodelled.rows[0].confidence), (IntervalKind::Credible, None));
}

/// If this fails, draws that all agree pass for certainty.
#[test]
fn draws_that_agree_have_an_error() {
    let data = Data::counts([("A", 5_000), ("B", 10)]).expect("valid");
    let release = Publisher::new("2".parse().expect("positive")).experiment(&data, 1).expect("released");
    let reader = release.document().reader().expect("fits").draws(1_000, 1);
    let compared = reader.contrast(&contrast("category: A - B")).expect("compared");
    assert_eq!(compared.probability_larger, Some(1.0));
    assert!(compared.error >= 1e-3, "{}", compared.error);
    assert_eq!(compared.method, ReadingMethod::Measured);
    for (frequency, draws, expected) in [(1.0, 1_000, 1e-3), (0.0, 100, 1e-2), (0.5, 400, 0.025)] {
        assert!((frequency_error(frequency, draws) - expected).abs() < 1e-15);
    }
}
