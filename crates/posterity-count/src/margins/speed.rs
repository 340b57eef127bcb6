//! How long all pairs and all triples of many columns take, and how much memory. It is run by hand, with optimisation:
//! `cargo test --release -p posterity-count --lib margins::speed -- --ignored --nocapture --test-threads 1`.

use std::fs::File;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use posterity_core::sampler::SeededBits;
use posterity_formats::Source;

use super::count_margins;
use crate::count::Resources;
use crate::question::{Column, Question};

const ROWS: usize = 10_000_000;

/// How many rows are written at once, so that writing takes little memory.
const BATCH: usize = 50_000;

fn name(column: usize) -> String {
    format!("question_{column}")
}

/// A value that looks random and is the same in every run. In every other column most values are the first one.
fn value(column: usize, row: usize, values: usize) -> usize {
    let mixed = (row as u64 * 64 + column as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let (one, other) = ((mixed >> 32) as usize % values, (mixed >> 48) as usize % values);
    if column.is_multiple_of(2) { one } else { one.min(other) }
}

/// Columns of text with this many values each, and a unit of three records.
fn write_parquet(path: &Path, columns: usize, values: usize) {
    let labels: Vec<String> = (0..values).map(|value| format!("answer {value}")).collect();
    let mut fields: Vec<Field> =
        (0..columns).map(|column| Field::new(name(column), DataType::Utf8, false)).collect();
    fields.push(Field::new("unit", DataType::Int64, false));
    let schema = Arc::new(Schema::new(fields));
    let file = File::create(path).expect("created");
    let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), None).expect("a writer");
    for start in (0..ROWS).step_by(BATCH) {
        let rows = start..start + BATCH;
        let texts = |column: usize| -> ArrayRef {
            let texts = rows.clone().map(|row| labels[value(column, row, values)].as_str());
            Arc::new(StringArray::from_iter_values(texts))
        };
        let mut arrays: Vec<ArrayRef> = (0..columns).map(texts).collect();
        arrays.push(Arc::new(Int64Array::from_iter_values(rows.clone().map(|row| row as i64 / 3))));
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).expect("a batch");
        writer.write(&batch).expect("written");
    }
    writer.close().expect("closed");
}

/// The most memory that this process had, since it was last forgotten.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or_else(|| "unknown".into(), |line| line.trim().to_owned())
}

/// Makes the system forget the most memory that this process had.
fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn pairs(columns: usize) -> Vec<Vec<usize>> {
    (0..columns).flat_map(|one| (one + 1..columns).map(move |other| vec![one, other])).collect()
}

fn triples(columns: usize) -> Vec<Vec<usize>> {
    let longer = |pair: Vec<usize>| (pair[1] + 1..columns).map(move |last| vec![pair[0], pair[1], last]);
    pairs(columns).into_iter().flat_map(longer).collect()
}

fn measure(told: &str, path: &Path, question: &Question, sets: &[Vec<usize>], threads: usize) {
    let threads = NonZeroUsize::new(threads).expect("not zero");
    let (resources, mut bits) = (Resources { threads, ..Resources::default() }, SeededBits::new(1));
    let source = Source::files(path.to_str().expect("UTF-8"));
    forget_peak();
    let begin = Instant::now();
    let go_on = |_| ControlFlow::Continue(());
    let counted = count_margins(&source, question, sets, &mut bits, &resources, &go_on).expect("counted");
    let took = begin.elapsed();
    assert!(counted.tables.iter().all(|table| table.iter().sum::<u64>() == counted.n));
    println!("{told}: {} tables, {threads} threads, {took:.2?}, peak {}", sets.len(), peak());
}

fn measure_all(columns: usize, values: usize, sets: &[Vec<usize>]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    write_parquet(&path, columns, values);
    println!("written {} MB, peak {}", path.metadata().expect("there").len() / 1_000_000, peak());
    let labels = || (0..values).map(|value| format!("answer {value}"));
    let question = Question::new((0..columns).map(|column| Column::new(name(column), labels())).collect());
    let told = format!("{ROWS} rows, {columns} columns of {values} values");
    let singles: Vec<Vec<usize>> = (0..columns).map(|column| vec![column]).collect();
    for threads in [1, 2] {
        measure(&format!("{told}, singles"), &path, &question, &singles, threads);
        measure(&told, &path, &question, sets, threads);
    }
    let by_unit = Question { unit: Some("unit".into()), ..question };
    measure(&format!("{told}, by unit"), &path, &by_unit, sets, 2);
}

#[test]
#[ignore = "slow: writes 200 MB, and means something only when optimised"]
fn all_pairs_of_fifty_columns() {
    measure_all(50, 8, &pairs(50));
}

#[test]
#[ignore = "slow: writes 20 MB, and means something only when optimised"]
fn all_triples_of_sixteen_columns() {
    measure_all(16, 2, &triples(16));
}
