//! How long a count takes beside the engine's own `GROUP BY`, in one process, by turns.
//!
//! `cargo run --release -p posterity-data --example scan -- [millions of Parquet rows] [millions of CSV rows]`
//!
//! Writes its files into the folder `target/scan`, once.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::{CsvReadOptions, ParquetReadOptions, SessionConfig, SessionContext};
use posterity_data::{Column, DataError, Question, Resources, Source, count, count_with, datafusion};

type Outcome<T> = Result<T, Box<dyn Error>>;

const VALUES: [&str; 3] = ["recovered", "improved", "unchanged"];
const BATCH: usize = 1_000_000;
const TURNS: usize = 5;

fn main() -> Outcome<()> {
    let millions: Vec<usize> = std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let parquet = millions.first().copied().unwrap_or(100);
    let csv = millions.get(1).copied().unwrap_or(10);
    let folder = Path::new("target/scan");
    fs::create_dir_all(folder)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build()?;

    if parquet > 0 {
        let path = folder.join(format!("{parquet}m.parquet"));
        if !path.exists() {
            write_parquet(&path, parquet)?;
        }
        compare(&runtime, &format!("Parquet, {parquet} million rows, 3 values"), &path, None)?;
        aggregate(&runtime, &path)?;
        compare(&runtime, "the same WHERE age > 30", &path, Some("age > 30"))?;
        let source = Source::files(text(&path)?);
        let ids = Question::new(vec![Column::new("id", ["1", "2"])]);
        let start = Instant::now();
        let error = count(&source, &ids, &Resources::default(), &|_| ());
        assert!(matches!(error, Err(DataError::Outside { .. })));
        println!(
            "a column of {parquet} million different values: refused after {:.2?}; {}",
            start.elapsed(),
            peak()
        );
        let start = Instant::now();
        let units = count(&source, &question(None, Some("id")), &Resources::default(), &|_| ())?;
        println!("{} units: {:.2?}; {}", units.counts.total(), start.elapsed(), peak());
    }
    if csv > 0 {
        let path = folder.join(format!("{csv}m.csv"));
        if !path.exists() {
            write_csv(&path, csv, "")?;
        }
        compare(&runtime, &format!("CSV, {csv} million rows, 3 values"), &path, None)?;
        let path = folder.join(format!("{csv}m-quoted.csv"));
        if !path.exists() {
            write_csv(&path, csv, "\"")?;
        }
        compare(&runtime, "the same with every field quoted", &path, None)?;
    }
    Ok(())
}

fn question(filter: Option<&str>, unit: Option<&str>) -> Question {
    let column = Column::new("outcome", VALUES);
    Question { filter: filter.map(Into::into), unit: unit.map(Into::into), ..Question::new(vec![column]) }
}

/// Ours first, so that the first peak of memory is ours alone.
fn compare(runtime: &tokio::runtime::Runtime, what: &str, path: &Path, filter: Option<&str>) -> Outcome<()> {
    let source = Source::files(text(path)?);
    let resources = Resources::default();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut first_peak = String::new();
    for turn in 0..TURNS {
        let start = Instant::now();
        let counted = count(&source, &question(filter, None), &resources, &|_| ())?;
        ours.push(start.elapsed());
        if turn == 0 {
            first_peak = peak();
        }
        let start = Instant::now();
        let total = runtime.block_on(group_by(path, filter, resources.threads.get()))?;
        theirs.push(start.elapsed());
        assert_eq!(counted.counts.total(), total);
    }
    let (ours, theirs) = (median(ours), median(theirs));
    println!(
        "{what}: count {ours:.2?}, GROUP BY {theirs:.2?}, ratio {:.2}; ours first {first_peak}, then both {}",
        ours.as_secs_f64() / theirs.as_secs_f64(),
        peak()
    );
    Ok(())
}

/// The query that a cluster would run, on this machine.
fn aggregate(runtime: &tokio::runtime::Runtime, path: &Path) -> Outcome<()> {
    let threads = Resources::default().threads.get();
    let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(threads));
    let (source, question) = (Source::files(text(path)?), question(None, None));
    let mut times = Vec::new();
    for _ in 0..TURNS {
        let start = Instant::now();
        runtime.block_on(count_with(&session, &source, &question, &|_| ()))?;
        times.push(start.elapsed());
    }
    println!("the same as one aggregate query, as on a cluster: {:.2?}", median(times));
    Ok(())
}

/// What a user of the engine would write, with its defaults.
async fn group_by(path: &Path, filter: Option<&str>, threads: usize) -> Outcome<u64> {
    let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(threads));
    let file = text(path)?;
    if file.ends_with(".csv") {
        session.register_csv("t", &file, CsvReadOptions::new()).await?;
    } else {
        session.register_parquet("t", &file, ParquetReadOptions::default()).await?;
    }
    let filter = filter.map(|filter| format!("WHERE {filter}")).unwrap_or_default();
    let query = format!("SELECT outcome, count(*) FROM t {filter} GROUP BY outcome");
    let batches = session.sql(&query).await?.collect().await?;
    let mut total = 0;
    for batch in batches {
        let counts = batch.column(1).as_any().downcast_ref::<Int64Array>().ok_or("counts")?;
        total += counts.values().iter().sum::<i64>().unsigned_abs();
    }
    Ok(total)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn text(path: &Path) -> Outcome<String> {
    Ok(PathBuf::from(path).into_os_string().into_string().map_err(|_| "a path that is not UTF-8")?)
}

/// A sequence that looks random enough not to compress to nothing.
fn step(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

fn write_parquet(path: &Path, millions: usize) -> Outcome<()> {
    let mut writer: Option<ArrowWriter<File>> = None;
    let mut state = 1;
    for million in 0..millions {
        let ids = Int64Array::from_iter_values((0..BATCH).map(|i| (million * BATCH + i) as i64));
        let outcomes = StringArray::from_iter_values((0..BATCH).map(|_| VALUES[step(&mut state) % 3]));
        let ages = Int64Array::from_iter_values((0..BATCH).map(|_| (step(&mut state) % 100) as i64));
        let columns: Vec<(&str, ArrayRef)> =
            vec![("id", Arc::new(ids)), ("outcome", Arc::new(outcomes)), ("age", Arc::new(ages))];
        let batch = RecordBatch::try_from_iter(columns)?;
        if writer.is_none() {
            writer = Some(ArrowWriter::try_new(File::create(path)?, batch.schema(), None)?);
        }
        if let Some(writer) = &mut writer {
            writer.write(&batch)?;
        }
    }
    if let Some(writer) = writer {
        writer.close()?;
    }
    Ok(())
}

fn write_csv(path: &Path, millions: usize, quote: &str) -> Outcome<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "{quote}id{quote},{quote}outcome{quote},{quote}age{quote}")?;
    let mut state = 1;
    for id in 0..millions * BATCH {
        let (outcome, age) = (VALUES[step(&mut state) % 3], step(&mut state) % 100);
        writeln!(file, "{quote}{id}{quote},{quote}{outcome}{quote},{quote}{age}{quote}")?;
    }
    Ok(file.flush()?)
}

/// The most memory this process ever held.
fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: Option<u64> = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kib.map_or_else(|| "peak unknown".into(), |kib| format!("peak {} MiB", kib >> 10))
}
