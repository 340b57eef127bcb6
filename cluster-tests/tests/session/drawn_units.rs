//! Which record of a unit counts, where it is drawn.

use std::fs;
use std::sync::Arc;

use cluster_tests::{Scratch, about, margins_within, within};
use posterity_count::datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use posterity_count::datafusion::parquet::arrow::ArrowWriter;
use posterity_count::datafusion::prelude::{SessionConfig, SessionContext};
use posterity_count::{Column, PerUnit, Question};
use posterity_testkit::critical_interval;

const UNITS: u64 = 50_000;

/// The chance that a sound generator fails the test: four counts share it.
const FALSE_ALARM: f64 = 1e-10;

/// Every unit has five records, in three files: two of x, two of y and one of z. The generator cannot be seeded, so the bounds are
/// exact and wide.
#[test]
fn records_are_drawn_uniformly() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("visits")).expect("a folder");
    for (file, categories) in [["x", "y"].as_slice(), &["y", "x"], &["z"]].into_iter().enumerate() {
        let units: Vec<i64> =
            (0..UNITS as i64).flat_map(|unit| categories.iter().map(move |_| unit)).collect();
        let values: Vec<&str> = categories.repeat(UNITS as usize);
        let (units, values): (ArrayRef, ArrayRef) =
            (Arc::new(Int64Array::from(units)), Arc::new(StringArray::from(values)));
        let batch = RecordBatch::try_from_iter([("id", units), ("kind", values)]).expect("a batch");
        let path = fs::File::create(scratch.path(&format!("visits/{file}.parquet"))).expect("a file");
        let mut writer = ArrowWriter::try_new(path, batch.schema(), None).expect("a writer");
        writer.write(&batch).expect("written");
        writer.close().expect("written");
    }
    let question = Question {
        unit: Some("id".into()),
        per_unit: PerUnit::Random,
        ..about("kind", &["x", "y", "z"]).with_missing("none")
    };
    let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(3));
    let counted = within(&session, &scratch.source("visits"), &question).expect("counted");
    let counts = counted.counts.as_slice();
    println!("n = {UNITS}, no seed, false-alarm rate {FALSE_ALARM}: {counts:?}");
    for (count, p) in counts.iter().zip([0.4, 0.4, 0.2, 0.0]) {
        let accepted = critical_interval(UNITS, p, FALSE_ALARM / 4.0);
        assert!((accepted.low..=accepted.high).contains(count), "{counts:?} {accepted:?}");
    }
}

/// Every unit has two records, one of zeros and one of ones, in so many columns that their codes need several words. If the
/// words of a record were drawn apart, some unit would have a zero beside a one.
#[test]
fn all_columns_come_from_one_record() {
    const COLUMNS: usize = 30;
    let scratch = Scratch::new();
    let half: Vec<i64> = (0..UNITS as i64).collect();
    let units: ArrayRef = Arc::new(Int64Array::from([half.clone(), half].concat()));
    let values: ArrayRef =
        Arc::new(Int64Array::from([vec![0; UNITS as usize], vec![1; UNITS as usize]].concat()));
    let names: Vec<String> = (0..COLUMNS).map(|column| format!("c{column}")).collect();
    let columns = names.iter().map(|name| (name.as_str(), Arc::clone(&values)));
    let batch = RecordBatch::try_from_iter(columns.chain([("id", units)])).expect("a batch");
    let file = fs::File::create(scratch.path("wide.parquet")).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("written");
    let columns = names.iter().map(|name| Column::new(name, ["0", "1", "2"]));
    let question =
        Question { unit: Some("id".into()), per_unit: PerUnit::Random, ..Question::new(columns.collect()) };
    let pairs: Vec<Vec<usize>> =
        (0..COLUMNS).flat_map(|one| (one + 1..COLUMNS).map(move |other| vec![one, other])).collect();
    let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(3));
    let counted =
        margins_within(&session, &scratch.source("wide.parquet"), &question, &pairs).expect("counted");
    let ones = counted.tables[0][4];
    for table in &counted.tables {
        assert_eq!(*table, [UNITS - ones, 0, 0, 0, ones, 0, 0, 0, 0]);
    }
    println!("n = {UNITS}, no seed, false-alarm rate {FALSE_ALARM}: {ones}");
    let accepted = critical_interval(UNITS, 0.5, FALSE_ALARM);
    assert!((accepted.low..=accepted.high).contains(&ones), "{ones} {accepted:?}");
}
