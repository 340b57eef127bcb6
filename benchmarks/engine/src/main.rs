//! The engine's own counts of files, to compare with those of posterity-count; `benchmarks/run` runs both by turns.
//!
//! `engine write FILE MILLIONS` writes a Parquet file of so many million rows. `engine count FILE RUNS [AGE]` runs
//! `SELECT outcome, count(*) .. GROUP BY outcome`, of rows with a larger age if one is given, so many times, and prints how
//! many rows it counted and the seconds of each run.

use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use datafusion::arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::{
    CsvReadOptions, JsonReadOptions, ParquetReadOptions, SessionConfig, SessionContext, col, lit,
};

type Outcome<T> = Result<T, Box<dyn Error>>;

const VALUES: [&str; 3] = ["recovered", "improved", "unchanged"];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["write", file, millions] => write_parquet(Path::new(file), millions.parse()?),
        ["count", file, runs] => measure(file, runs.parse()?, None),
        ["count", file, runs, age] => measure(file, runs.parse()?, Some(age.parse()?)),
        _ => Err("engine write FILE MILLIONS, or engine count FILE RUNS [AGE]".into()),
    }
}

fn measure(file: &str, runs: usize, above: Option<i64>) -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut seconds = Vec::new();
    let mut total = 0;
    for _ in 0..runs {
        let start = Instant::now();
        total = runtime.block_on(group(file, above))?;
        seconds.push(format!("{:.3}", start.elapsed().as_secs_f64()));
    }
    println!("{total} {}", seconds.join(" "));
    Ok(())
}

async fn group(file: &str, above: Option<i64>) -> Outcome<u64> {
    let threads = std::thread::available_parallelism()?.get().min(8);
    let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(threads));
    let rows = match Path::new(file).extension().and_then(|extension| extension.to_str()) {
        Some("parquet") => session.read_parquet(file, ParquetReadOptions::default()).await?,
        Some("json") => session.read_json(file, JsonReadOptions::default()).await?,
        _ => session.read_csv(file, CsvReadOptions::default()).await?,
    };
    let rows = match above {
        Some(age) => rows.filter(col("age").gt(lit(age)))?,
        None => rows,
    };
    let batches = rows.aggregate(vec![col("outcome")], vec![count(lit(1_i64))])?.collect().await?;
    let mut total = 0;
    for batch in batches {
        let counts = batch.column(1).as_any().downcast_ref::<Int64Array>().ok_or("counts")?;
        total += counts.values().iter().sum::<i64>().unsigned_abs();
    }
    Ok(total)
}

/// A sequence that looks random enough not to compress to nothing.
fn step(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

fn write_parquet(path: &Path, millions: usize) -> Outcome<()> {
    const BATCH: usize = 1_000_000;
    let mut writer: Option<ArrowWriter<File>> = None;
    let mut state = 1;
    for million in 0..millions {
        let ids = Int64Array::from_iter_values((0..BATCH).map(|i| (million * BATCH + i) as i64));
        let outcomes = StringArray::from_iter_values((0..BATCH).map(|_| VALUES[step(&mut state) % 3]));
        let ages = Int64Array::from_iter_values((0..BATCH).map(|_| (step(&mut state) % 100) as i64));
        let columns: Vec<(&str, ArrayRef)> =
            vec![("id", Arc::new(ids)), ("outcome", Arc::new(outcomes)), ("age", Arc::new(ages))];
        let batch = RecordBatch::try_from_iter(columns)?;
        let writer = match &mut writer {
            Some(writer) => writer,
            None => writer.insert(ArrowWriter::try_new(File::create(path)?, batch.schema(), None)?),
        };
        writer.write(&batch)?;
    }
    writer.ok_or("no rows")?.close()?;
    Ok(())
}
