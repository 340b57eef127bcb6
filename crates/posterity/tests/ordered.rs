//! Readings of columns of bins and of numbers: shares between edges, quantiles, means and sums.

#![allow(clippy::panic, reason = "a test that fails panics")]
#![cfg(feature = "data")]

use std::fmt::Write as _;

use posterity::data::{Bins, Column, Question};
use posterity::document::AboutColumn;
use posterity::table::{IntervalKind, ReadingMethod, Statistic, Subject, Ways};
use posterity::{Data, Document, Experiment, Publisher, Reading, ReadingError, ReadingTable, Spec};

const EDGES: [&str; 6] = ["0", "18", "40", "65", "80", "120"];

fn columns() -> Question {
    Question::new(vec![
        Column::new("ward", ["A", "B", "none"]),
        Column::binned("age", Bins::new(EDGES).expect("valid")),
        Column::new("visits", ["3", "0", "1"]),
    ])
}

/// Ages from 20 to 79 in ward A, and from 50 to 99 in ward B; nobody is in the third.
fn released(mechanism: &str, private_n: bool, epsilon: &str) -> Experiment {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("people.csv");
    let mut text = "ward,age,visits\n".to_owned();
    for i in 0..600 {
        let (ward, age) = if i % 2 == 0 { ("A", 20 + i % 60) } else { ("B", 50 + i % 50) };
        writeln!(text, "{ward},{age},{}", [0, 0, 1, 3][i % 4]).expect("text");
    }
    std::fs::write(&path, text).expect("written");
    let data = Data::read(path.to_string_lossy(), &columns()).expect("counted");
    let publisher = Publisher::new(epsilon.parse().expect("positive"));
    let publisher = publisher.mechanism(mechanism.parse::<Spec>().expect("a mechanism"));
    let publisher = if private_n { publisher.with_private_n() } else { publisher };
    publisher.experiment(&data, 4).expect("released")
}

fn reading(text: &str) -> Reading {
    text.parse().expect(text)
}

fn read(release: &Experiment, text: &str) -> ReadingTable {
    release.document().reader().expect("fits").draws(2_000, 1).read(&reading(text)).expect(text)
}

fn refused(release: &Experiment, text: &str) -> ReadingError {
    release.document().read(&reading(text)).expect_err(text)
}

/// If this fails, a quantile is not where the records have it although there is almost no noise.
#[test]
fn quantiles_are_in_their_bins() {
    for (mechanism, private_n) in [("lattice", false), ("geometric", false), ("geometric", true)] {
        let release = released(mechanism, private_n, "20");
        let table = read(&release, "median(age | ward)");
        assert_eq!((table.statistic, table.method), (Statistic::Quantile, ReadingMethod::Proven));
        assert_eq!((table.of.as_slice(), table.about), (&["age".to_owned()][..], Subject::Population));
        let [a, b, none] = table.rows.as_slice() else { panic!("three wards") };
        assert_eq!((a.bin, a.interval), (Some([40.0, 65.0]), [40.0, 65.0]), "{mechanism}");
        assert_eq!((b.bin, b.interval), (Some([65.0, 80.0]), [65.0, 80.0]), "{mechanism}");
        assert!(none.may_be_empty && none.interval == [0.0, 120.0], "{none:?}");
        // Numbers are ordered as numbers, however they were declared.
        let visits = read(&release, "quantile(visits, 0.9)");
        assert_eq!((visits.rows[0].estimate, visits.rows[0].interval), (Some(3.0), [3.0, 3.0]));
        assert_eq!(read(&release, "median(visits)").rows[0].interval[0], 0.0);
        let contrast =
            release.document().contrast(&"median(age) | ward: B - A".parse().expect("a comparison"));
        let contrast = contrast.expect("compared");
        let measured = &contrast.measures[0];
        assert_eq!((measured.estimate, measured.interval), (Some(20.0), [0.0, 40.0]), "{mechanism}");
        assert_eq!(contrast.method, ReadingMethod::Proven);
        let quartiles = read(&release, "quartiles(age) | ward=A");
        let labels: Vec<&str> = quartiles.rows.iter().filter_map(|row| row.cell.get("age")).collect();
        assert_eq!(labels, ["quantile 0.25", "quantile 0.5", "quantile 0.75"]);
        assert!(quartiles.rows.windows(2).all(|rows| rows[0].interval[0] <= rows[1].interval[0]));
    }
}

/// If this fails, the share of a range is not the share of its bins.
#[test]
fn ranges_are_sets_of_bins() {
    for private_n in [false, true] {
        let release = released("geometric", private_n, "1");
        for (range, bins) in [
            ("age < 65 | ward", "age in {\"[0,18)\", \"[18,40)\", \"[40,65)\"} | ward"),
            ("age >= 65.0 | ward", "age in {\"[65,80)\", \"[80,120)\"} | ward"),
            ("age in 18..8e1", "age in {\"[18,40)\", \"[40,65)\", \"[65,80)\"}"),
            ("ward | age < 18", "ward | age=\"[0,18)\""),
        ] {
            let numbers = |text| {
                let rows = read(&release, text).rows.into_iter();
                rows.map(|row| (row.estimate, row.confidence, row.credible)).collect::<Vec<_>>()
            };
            assert_eq!(numbers(range), numbers(bins), "{range}");
        }
        let below = read(&release, "cumulative(age) | ward");
        assert_eq!((below.rows.len(), below.statistic), (12, Statistic::Share));
        let third = &read(&release, "age < 65 | ward").rows[1];
        let row = &below.rows[6];
        assert_eq!((row.given.get("ward"), row.cell.get("age")), (Some("B"), Some("< 65")));
        assert_eq!((row.estimate, row.confidence), (third.estimate, third.confidence));
    }
}

/// If this fails, a mean of bins claims to know where in them the numbers are, or a sum is not the number of records times
/// the mean.
#[test]
fn means_and_sums_of_bins_hold_all_that_they_may_be() {
    let release = released("lattice", false, "20");
    let mean = &read(&release, "mean(age) | ward=A").rows[0];
    // Of thirty ages there are ten from 20 on, thirteen from 40 on, and seven from 65 on: every second number.
    let [lower, upper] = [(10.0 * 18.0, 12.0 * 40.0, 8.0 * 65.0), (10.0 * 40.0, 12.0 * 65.0, 8.0 * 80.0)]
        .map(|(a, b, c)| (a + b + c) / 30.0);
    let bins = mean.of_bins.expect("bins");
    assert!((bins - (upper - lower)).abs() < 1.0, "{bins} {lower} {upper}");
    assert!(mean.interval[0] < lower + 0.5 && mean.interval[1] > upper - 0.5, "{mean:?}");
    // The mean in ward B is larger by some amount between those of the edges.
    let contrast = release.document().contrast(&"mean(age) | ward: B - A".parse().expect("a comparison"));
    let [low, high] = contrast.expect("compared").measures[0].interval;
    let other = &read(&release, "mean(age) | ward=B").rows[0];
    let [from, to] = [other.interval[0] - mean.interval[1], other.interval[1] - mean.interval[0]];
    assert!(from <= low && low < high && high <= to, "{low} {high} {from} {to}");
    let sum = &read(&release, "sum(visits)").rows[0];
    assert!(sum.interval[0] <= 600.0 && 600.0 <= sum.interval[1], "{sum:?}");
    assert!(sum.interval[1] - sum.interval[0] < 40.0, "{sum:?}");
    assert_eq!(read(&release, "sum(visits)").about, Subject::Records);
    let of_bins = &read(&release, "sum(age) | ward=A").rows[0];
    assert!((of_bins.of_bins.expect("bins") - 300.0 * (upper - lower)).abs() < 300.0, "{of_bins:?}");
}

/// If this fails, a reader of the JSON does not find what DESIGN says, or a document is not read back.
#[test]
fn rows_are_written_and_read_back() {
    let release = released("lattice", false, "1");
    for text in ["median(age) | ward", "mean(age)", "quantile(visits, 0.75)", "cumulative(age)"] {
        let table = read(&release, text);
        let json = serde_json::to_value(&table).expect("JSON");
        let back: ReadingTable = serde_json::from_value(json.clone()).expect("reads back");
        assert_eq!(format!("{back:?}"), format!("{table:?}"));
        let row = &json["rows"][0];
        assert!(row["interval"][1].is_number());
        assert_eq!(row["estimate"].is_array(), text.starts_with("median"), "{row}");
        assert_eq!(row["bins"].is_number(), text == "mean(age)", "{row}");
    }
    let document: Document =
        serde_json::from_str(&serde_json::to_string(release.document()).expect("JSON")).expect("reads back");
    let text = reading("median(age) | ward");
    let reader = document.reader().expect("fits").draws(2_000, 1);
    assert_eq!(reader.read(&text).expect("read").rows, read(&release, "median(age) | ward").rows);
    assert_eq!(document.about().columns[1].bins.as_deref().map(<[String]>::len), Some(6));
}

/// If this fails, a forecast of some rows shows the shares of bins in the place of a quantile or a sum.
#[test]
fn some_rows_are_those_of_the_reading() {
    let release = released("lattice", false, "1");
    let reader = release.document().reader().expect("fits");
    for text in
        ["median(age) | ward", "quartiles(age)", "sum(age) | ward", "cumulative(age)", "mean(age) | ward"]
    {
        let all = reader.read(&reading(text)).expect(text).rows;
        let some = reader.intervals_of(&reading(text), &[0, 2]).expect(text);
        assert_eq!(some, [all[0].interval, all[2].interval], "{text}");
    }
}

/// Credible intervals come from draws of the posterior, and are much the same where there are many records.
#[test]
fn quantiles_have_credible_intervals() {
    let release = released("lattice", false, "1");
    let ways = Ways { interval: IntervalKind::Credible, ..Ways::new(0.95).expect("a level") };
    let reader = release.document().reader().expect("fits").ways(ways).expect("fits").draws(4_000, 1);
    let table = reader.read(&reading("median(age) | ward")).expect("read");
    assert_eq!(table.method, ReadingMethod::Draws);
    assert_eq!((table.rows[0].interval, table.rows[0].credible), ([40.0, 65.0], [40.0, 65.0]));
    let mean = reader.read(&reading("mean(age) | ward=A")).expect("read").rows.remove(0);
    let [low, high] = mean.confidence.expect("additive noise");
    assert!((low - mean.interval[0]).abs() < 1.5 && (high - mean.interval[1]).abs() < 1.5, "{mean:?}");
    // The shortest interval of a mean of bins is one with equal tails.
    let shortest = Ways { interval: IntervalKind::Shortest, ..ways };
    let shortest = release.document().reader().expect("fits").ways(shortest).expect("fits").draws(4_000, 1);
    let table = shortest.read(&reading("mean(age) | ward=A")).expect("read");
    assert_eq!((table.interval, table.rows[0].interval), (IntervalKind::Credible, mean.interval));
    assert_eq!(shortest.read(&reading("mean(visits)")).expect("read").interval, IntervalKind::Shortest);
    assert!(matches!(
        reader.read(&reading("sum(visits)")),
        Err(ReadingError::ConfidenceOnly { what: "sums" })
    ));
    // Noise that does not add up has no confidence intervals of quantiles.
    let other = released("ehds", false, "5");
    let table = other
        .document()
        .reader()
        .expect("fits")
        .draws(2_000, 1)
        .read(&reading("median(visits)"))
        .expect("read");
    assert_eq!((table.interval, table.rows[0].confidence), (IntervalKind::Credible, None));
}

#[test]
fn rejects() {
    let release = released("lattice", false, "1");
    let nearest = |text: &str| match refused(&release, text) {
        ReadingError::NoEdge { edge, nearest, .. } => (edge, nearest.join(" ")),
        other => panic!("{text}: {other}"),
    };
    assert_eq!(nearest("age < 50 | ward"), ("50".to_owned(), "40 65".to_owned()));
    assert_eq!(nearest("age >= 120"), ("120".to_owned(), "65 80".to_owned()));
    assert_eq!(nearest("age < 0"), ("0".to_owned(), "18 40".to_owned()));
    assert_eq!(nearest("age in 18..18"), ("18".to_owned(), "40 65".to_owned()));
    assert_eq!(nearest("ward | age in 20..65"), ("20".to_owned(), "18 40".to_owned()));
    for text in ["ward < 3", "cumulative(visits)"] {
        assert!(matches!(refused(&release, text), ReadingError::NoBins { .. }), "{text}");
    }
    assert!(matches!(refused(&release, "median(ward)"), ReadingError::NoOrder { .. }));
    assert!(matches!(refused(&release, "sum(ward)"), ReadingError::NotNumeric { .. }));
    assert!(matches!(refused(&release, "median(weight)"), ReadingError::UnknownColumn { .. }));
    assert!(matches!(refused(&release, "median(age) | age"), ReadingError::Repeated { .. }));
    assert!(matches!(
        release.document().reader().expect("fits").sample(&reading("median(age)"), 3, 1),
        Err(ReadingError::CountSample)
    ));
    // Where in their bins the numbers are is not known, so a mean of them has no draws.
    let reader = release.document().reader().expect("fits");
    let of_bins = Err(ReadingError::BinsSample { column: "age".to_owned() });
    assert_eq!(reader.sample(&reading("mean(age)"), 3, 1), of_bins);
    assert_eq!(reader.posteriors(&reading("mean(age)")).map(|_| Vec::new()), of_bins);
    for text in ["sum(visits)", "median(visits)", "cumulative(age)"] {
        assert!(matches!(reader.posteriors(&reading(text)), Err(ReadingError::CountSample)), "{text}");
    }
    let said = refused(&release, "age < 50").to_string();
    assert!(said.ends_with("the nearest edges are 40 and 65"), "{said}");
}

/// If this fails, a test says that something depends on what it does not depend on, or misses what anyone would see.
#[test]
fn tests_find_what_is_there() {
    let release = released("lattice", false, "1");
    let reader = release.document().reader().expect("fits");
    let test = |text: &str| reader.test(&text.parse().expect(text)).expect(text);
    // Ages of ward A begin at 20, those of ward B at 50; visits are the same in both for all we know.
    for (text, most) in [
        ("independence: ward, age", 1e-3),
        ("trend: ward=B | age", 1e-3),
        ("equal: visits | ward", 1e-3),
        ("equal: age < 40 | ward", 1e-3),
    ] {
        let found = test(text);
        assert!(found.p_value <= most, "{text}: {found:?}");
        assert!(found.error > 0.0 && found.method == ReadingMethod::Measured, "{found:?}");
        // Everybody gets the same.
        assert_eq!(test(text), found);
    }
    // A quarter has three visits.
    let [low, high] = read(&release, "visits=3").rows[0].interval;
    for (share, held) in
        [(low - 1e-6, false), (low + 1e-6, true), (0.25, true), (high - 1e-6, true), (high + 1e-6, false)]
    {
        let found = test(&format!("share: visits=3 = {share}"));
        assert_eq!((found.p_value > 0.05, found.method), (held, ReadingMethod::Proven), "{share}: {found:?}");
    }
    let within = test("share: visits=3 = 0.9 | ward=A");
    assert!(within.p_value < 0.002 && within.error == 0.0, "{within:?}");
    assert!(test("share: visits=3 = 0.5 | ward=none").p_value > 0.05);
    let other = released("ehds", false, "1").document().reader().expect("fits");
    let refused = other.test(&"share: visits=3 = 0.5".parse().expect("a test"));
    assert_eq!(refused, Err(ReadingError::NotAdditive { what: "tests" }));
}

/// If this fails, two groups are said to differ although the interval of their difference holds zero.
#[test]
fn two_groups_are_tested_by_their_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("people.csv");
    let mut text = "ward,cured\n".to_owned();
    for i in 0..400 {
        let cured = if i % 2 == 0 { i % 10 < 6 } else { i % 10 < 8 };
        writeln!(text, "{},{}", ["A", "B"][i % 2], if cured { "yes" } else { "no" }).expect("text");
    }
    std::fs::write(&path, text).expect("written");
    let columns = vec![Column::new("ward", ["A", "B"]), Column::new("cured", ["yes", "no"])];
    let data = Data::read(path.to_string_lossy(), &Question::new(columns)).expect("counted");
    let release = Publisher::new("1".parse().expect("positive")).experiment(&data, 1).expect("released");
    let reader = release.document().reader().expect("fits").draws(1_000, 1);
    let found = reader.test(&"equal: cured=yes | ward".parse().expect("a test")).expect("tested");
    assert!(found.p_value > 0.0 && found.p_value < 1.0, "{found:?}");
    for (times, held) in [(0.97, true), (1.03, false)] {
        // Where the simulated p-value is the larger one, the interval is narrower than zero at both levels.
        if held && found.error > 0.0 {
            continue;
        }
        let level = 1.0 - times * found.p_value;
        let reader = reader.clone().level(level).expect("a level");
        let one =
            reader.contrast(&"cured=yes | ward: A - B".parse().expect("a comparison")).expect("compared");
        let [low, high] = one.measures[0].interval;
        assert_eq!(low <= 0.0 && 0.0 <= high, held, "{level}: {low} {high} {found:?}");
    }
}

/// A category of missing ages is in no bin: quantiles are of the ages that are known.
#[test]
fn unknown_values_are_in_no_bin() {
    let bins = [600, 600, 600, 100, 100];
    let named = |missing: u64| {
        let counts = bins.into_iter().chain([missing]).enumerate();
        let data = Data::counts(counts.map(|(i, count)| (i.to_string(), count))).expect("valid");
        let drawn = Publisher::new("20".parse().expect("positive")).experiment(&data, 1).expect("released");
        let mut written = serde_json::to_value(drawn.document()).expect("JSON");
        let request = written["request"].as_object_mut().expect("an object");
        request.remove("categories");
        let values =
            EDGES.windows(2).map(|two| format!("[{},{})", two[0], two[1])).chain(["gone".to_owned()]);
        let column = AboutColumn {
            name: "age".into(),
            bins: Some(EDGES.map(ToOwned::to_owned).to_vec()),
            values: values.collect(),
            missing: Some("gone".into()),
            ..AboutColumn::default()
        };
        request.insert("data".into(), serde_json::json!({ "columns": [column] }));
        serde_json::from_value::<Document>(written).expect("as many cells")
    };
    let read = |missing| named(missing).read(&reading("median(age)")).expect("read");
    let (few, many) = (read(1), read(6_000));
    assert_eq!(few.rows[0].interval, [18.0, 40.0]);
    assert_eq!(many.rows[0].interval, [18.0, 40.0]);
    assert!(many.unknown.expect("missing ages").share > 0.7);
    assert!(matches!(named(3).read(&reading("median(age) of all")), Err(ReadingError::NoOrder { .. })));
}
