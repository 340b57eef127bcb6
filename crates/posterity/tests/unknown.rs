//! Categories of missing and of other values are no answers: shares are among the records whose value is known.

#![cfg(feature = "data")]

use posterity::data::{Column, Question};
use posterity::document::AboutColumn;
use posterity::table::{IntervalKind, Labels, ReadingRow, Space, SpaceColumn, Subject, Ways};
use posterity::{
    Contrast, Contrasted, Data, Decoder, Document, Publisher, Reading, ReadingError, ReadingTable, Spec,
};
use posterity_core::sampler::SeededBits;
use posterity_testkit::{critical_interval, multinomial, trials};

/// Wards with one category for missing ones, and outcomes with one for missing and one for other outcomes.
fn columns() -> Vec<AboutColumn> {
    let column = |name: &str, values: &[&str], other: Option<&str>, missing: &str| AboutColumn {
        name: name.into(),
        values: values.iter().map(|&value| value.into()).collect(),
        other: other.map(Into::into),
        missing: Some(missing.into()),
        ..AboutColumn::default()
    };
    vec![
        column("ward", &["A", "B", "none"], None, "none"),
        column("score", &["1", "2", "5", "else", "gone"], Some("else"), "gone"),
    ]
}

/// A release of these counts of all wards and scores, from a seed.
fn release(mechanism: &str, counts: &[u64], private_n: bool, epsilon: &str, seed: u64) -> Document {
    let data = Data::counts(counts.iter().enumerate().map(|(i, &count)| (i.to_string(), count)));
    let data = data.expect("valid");
    let publisher = Publisher::new(epsilon.parse().expect("positive")).decoder(Decoder::None);
    let publisher = publisher.mechanism(mechanism.parse::<Spec>().expect("a mechanism"));
    let publisher = if private_n { publisher.with_private_n() } else { publisher };
    let drawn = publisher.experiment(&data, seed).expect("released");
    let mut written = serde_json::to_value(drawn.document()).expect("JSON");
    let request = written["request"].as_object_mut().expect("an object");
    request.remove("categories");
    request.insert("data".into(), serde_json::json!({ "columns": columns() }));
    serde_json::from_value(written).expect("as many cells")
}

fn read(document: &Document, text: &str) -> ReadingTable {
    document.read(&text.parse().expect("a reading")).expect(text)
}

fn compare(document: &Document, text: &str) -> Contrasted {
    let contrast: Contrast = text.parse().expect("a comparison");
    document.reader().expect("fits").draws(2_000, 1).contrast(&contrast).expect(text)
}

/// The rows of a table without their labels: those of readings that are written by hand have a condition more.
fn numbers(table: &ReadingTable) -> Vec<ReadingRow> {
    let none = Labels::default;
    table.rows.iter().map(|row| ReadingRow { given: none(), cell: none(), ..row.clone() }).collect()
}

/// If this fails, a share or a mean is not that of the records whose value is known: with the condition "known and ward"
/// written by hand, and everything counted as an answer, the numbers are others.
#[test]
fn shares_are_those_of_the_event_known_and_ward() {
    let tables: [[u64; 15]; 2] =
        [[40, 20, 9, 3, 8, 10, 30, 12, 0, 5, 4, 3, 2, 1, 6], [3, 0, 0, 0, 1, 2, 4, 0, 1, 0, 0, 0, 1, 0, 3]];
    let known = "score in {1, 2, 5}";
    let by_hand = [
        ("score=1 | ward", format!("score=1 of all | ward, {known}")),
        ("score | ward", format!("score of all | ward, {known}")),
        ("score in {1, 2}", format!("score in {{1, 2}} of all | {known}")),
        ("ward, score", format!("ward, score of all | {known}, ward in {{A, B}}")),
        ("ward | score=gone", "ward of all | score=gone, ward in {A, B}".to_owned()),
        ("mean(score) | ward=B", format!("mean(score) of all | ward=B, {known}")),
    ];
    let compared = ["score=1 | ward: A - B", "score=1 | ward: A / none"];
    for (number, counts) in tables.iter().enumerate() {
        for (mechanism, private_n, epsilon) in [
            ("lattice", false, "1"),
            ("geometric", false, "0.2"),
            ("geometric", true, "1"),
            ("lsdim", false, "1"),
        ] {
            let document = release(mechanism, counts, private_n, epsilon, 3 + number as u64);
            let usual = document.request().ways();
            let kinds = [
                usual,
                Ways { about: Subject::Records, ..usual },
                Ways { interval: IntervalKind::Credible, ..usual },
                Ways { simultaneous: true, level: 0.8, ..usual },
            ];
            for ways in kinds {
                let document = document.with_ways(ways).expect("valid");
                for (text, written) in &by_hand {
                    let (one, other) = (read(&document, text), read(&document, written));
                    assert_eq!(one.rows.len(), other.rows.len(), "{text}");
                    // Draws of the same law take other bits where its groups have another order.
                    if one.draws.is_none() {
                        assert_eq!(
                            format!("{:?}", numbers(&one)),
                            format!("{:?}", numbers(&other)),
                            "{text}"
                        );
                    } else {
                        assert!((one.rows[0].mean - other.rows[0].mean).abs() < 1e-9, "{text}");
                    }
                    assert!(one.unknown.is_some() && other.unknown.is_none(), "{text}");
                }
                // The part that is left out, by hand.
                let unknown = read(&document, "score | ward=A").unknown.expect("a part");
                let all = read(&document, "score in {else, gone} of all | ward=A");
                assert_eq!((unknown.share, unknown.interval), (all.rows[0].shown(), all.rows[0].interval));
            }
            for text in compared.into_iter().filter(|_| number == 0) {
                let (first, groups) = text.split_once(" | ").expect("a condition");
                let written = format!("{first} of all | {known}, {groups}");
                let (one, other) = (compare(&document, text), compare(&document, &written));
                for (one, other) in one.measures.iter().zip(&other.measures) {
                    assert_eq!((one.estimate, one.confidence), (other.estimate, other.confidence), "{text}");
                }
                assert!(one.first.expect("a share").unknown.is_some());
                assert!(other.first.expect("a share").unknown.is_none());
            }
        }
    }
}

/// If this fails, the estimate is not the ratio of the noisy counts.
#[test]
fn estimates_are_ratios_of_noisy_counts_of_the_known() {
    let counts = [40, 20, 9, 3, 8, 10, 30, 12, 0, 5, 4, 3, 2, 1, 6];
    let document = release("lattice", &counts, false, "1", 9);
    let drawn: Vec<f64> = document.drawn().as_slice().iter().map(|&count| count as f64).collect();
    let estimate = |text: &str, row: usize| read(&document, text).rows[row].estimate.expect("additive noise");
    let sum = |cells: &[usize]| -> f64 { cells.iter().map(|&cell| drawn[cell]).sum() };
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    near(estimate("score=1 | ward", 1), sum(&[5]) / sum(&[5, 6, 7]));
    near(estimate("score=1 of all | ward", 1), sum(&[5]) / sum(&[5, 6, 7, 8, 9]));
    // Records without a ward are a group like others.
    near(estimate("score=1 | ward", 2), sum(&[10]) / sum(&[10, 11, 12]));
    near(estimate("ward=A", 0), sum(&[0, 1, 2, 3, 4]) / sum(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]));
    near(estimate("count | ward", 2), sum(&[10, 11, 12, 13, 14]));
}

/// If this fails, a share of what is unknown is given among the known, or an answer is refused.
#[test]
fn the_unknown_have_a_share_of_all_only() {
    let cured = SpaceColumn { unknown: vec![2], ..SpaceColumn::new("cured", ["yes", "no", "gone"]) };
    let space = Space::new(vec![SpaceColumn::new("ward", ["A", "B"]), cured]);
    for text in ["cured=gone", "cured in {no, gone} | ward", "ward=A, cured=gone"] {
        let reading: Reading = text.parse().expect("a reading");
        let unknown = ReadingError::Unknown { column: "cured".into(), value: "gone".into() };
        assert_eq!(reading.check(&space), Err(unknown.clone()), "{text}");
        assert!(unknown.to_string().contains("`cured=gone of all`"), "{unknown}");
        assert_eq!(reading.of_all().check(&space), Ok(()), "{text}");
    }
    let contrast: Contrast = "cured=gone | ward: A - B".parse().expect("a comparison");
    assert!(matches!(contrast.check(&space), Err(ReadingError::Unknown { .. })));
    assert_eq!(contrast.of_all().check(&space), Ok(()));
    for text in ["ward | cured", "ward | cured=gone", "count | cured=gone", "cured | ward"] {
        assert_eq!(text.parse::<Reading>().expect("a reading").check(&space), Ok(()), "{text}");
    }
    let independence: Contrast = "independence(cured, ward)".parse().expect("a comparison");
    assert_eq!(independence.check(&space), Ok(()));
}

/// The rate of the issue: 78.0 % of the known are cured, and 75.8 % of all, with 2.8 % unknown.
#[test]
fn a_rate_is_among_the_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stays.csv");
    let mut text = "ward,cured\n".to_owned();
    for i in 0..20_000 {
        let cured = if i < 15_160 {
            "yes"
        } else if i < 19_436 {
            "no"
        } else {
            ""
        };
        text += &format!("{},{cured}\n", if i % 2 == 0 { "A" } else { "B" });
    }
    std::fs::write(&path, text).expect("written");
    let cured = Column { missing: Some("unknown".into()), ..Column::new("cured", ["yes", "no"]) };
    let question = Question::new(vec![Column::new("ward", ["A", "B"]), cured]);
    let data = Data::read(path.to_string_lossy(), &question).expect("counted");
    let release = Publisher::new("1".parse().expect("positive")).experiment(&data, 1).expect("released");
    let document = release.document();
    let text = serde_json::to_string(document).expect("serialises");
    assert_eq!(&serde_json::from_str::<Document>(&text).expect("reads back"), document);
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 5e-4, "{found} {expected}");
    for row in &read(document, "cured=yes | ward").rows {
        near(row.shown(), 0.78);
        assert!(row.interval[0] < 0.78 && 0.78 < row.interval[1] && row.interval[0] > 0.758);
    }
    for row in &read(document, "cured=yes of all | ward").rows {
        near(row.shown(), 0.758);
    }
    let cured = read(document, "cured");
    let values: Vec<_> = cured.rows.iter().filter_map(|row| row.cell.get("cured")).collect();
    assert_eq!(values, ["yes", "no"]);
    let unknown = cured.unknown.expect("a part");
    near(unknown.share, 0.0282);
    assert!(unknown.interval[0] < 0.0282 && 0.0282 < unknown.interval[1]);
    // What is shown of all cells is among the known, too.
    let (shown, intervals) = document.best_summary();
    assert_eq!(document.categories().names()[2], "ward=A,cured=unknown");
    assert!(shown[2].is_nan() && intervals[2][0].is_nan() && document.cell(2).is_none());
    near(shown[0], 0.39);
    near(shown[0] + shown[1] + shown[3] + shown[4], 1.0);
    assert_eq!(document.cell(3).map(|row| row.shown()), Some(shown[3]));
}

/// If this fails, intervals of shares among the known hold less often than their level says. Each data set has another
/// number of known records. The binomial bound at a false-alarm rate of 1e-6 is exact.
#[test]
fn intervals_of_the_known_hold() {
    let trials = trials(100);
    let shares = |cured: f64, unknown: f64, ward: f64| {
        [cured * (1.0 - unknown), (1.0 - cured) * (1.0 - unknown), 0.0, 0.0, unknown]
            .map(|share| ward * share)
    };
    // Among the known, 0.78 of ward A and 0.5 of ward B; of all 0.624 and 0.475.
    let truth: Vec<f64> = [shares(0.78, 0.2, 0.7), shares(0.5, 0.05, 0.28), shares(0.5, 0.5, 0.02)].concat();
    let asked = [("score=1 | ward=A", 0.78), ("score=1 | ward=B", 0.5), ("score=1 of all | ward=A", 0.624)];
    // Nobody has the score 5 or another one, so that the condition has cells with nothing but noise.
    let (mut held, mut missed) = ([0; 5], 0);
    let holds = |[low, high]: [f64; 2], value: f64| low <= value && value <= high;
    for seed in 0..trials {
        let counts = multinomial(400, &truth, &mut SeededBits::new(seed));
        let document = release("lattice", &counts, false, "0.5", seed ^ 0x5eed);
        let found = asked.map(|(text, _)| read(&document, text));
        for ((held, found), (_, value)) in held.iter_mut().zip(&found).zip(asked) {
            *held += u64::from(holds(found.rows[0].interval, value));
        }
        held[3] += u64::from(holds(found[0].unknown.expect("a part").interval, 0.2));
        let difference = compare(&document, "score=1 | ward: A - B").measures[0].interval;
        held[4] += u64::from(holds(difference, 0.28));
        missed += u64::from(!holds(found[2].rows[0].interval, 0.78));
    }
    let least = critical_interval(trials, 0.95, 2e-6).low;
    println!(
        "of {trials} intervals (seeds from 0, at least {least} at a false-alarm rate of 1e-6): {held:?}"
    );
    assert!(held.iter().all(|held| *held >= least), "{held:?} of {trials}, at least {least}");
    // The shares of all are others: a share that takes the unknown for a "no" fails.
    assert!(missed > trials / 2, "{missed} of {trials}");
}
