//! Which record of a unit counts, where it is drawn.

use std::fs;
use std::sync::Arc;

use cluster_tests::{Scratch, about, within};
use posterity_count::datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use posterity_count::datafusion::parquet::arrow::ArrowWriter;
use posterity_count::datafusion::prelude::{SessionConfig, SessionContext};
use posterity_count::{PerUnit, Question};
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
