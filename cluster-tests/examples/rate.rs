//! How many rows a core scans in a second: `cargo run --release --example rate -- 10`
//!
//! Writes a Parquet file of so many million rows with a column of three values, and counts it by the query that executors run,
//! on one thread, five times. Prints the median.

use std::error::Error;
use std::fs::File;
use std::sync::Arc;
use std::time::Instant;

use posterity_count::datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray};
use posterity_count::datafusion::parquet::arrow::ArrowWriter;
use posterity_count::datafusion::prelude::{SessionConfig, SessionContext};
use posterity_count::{Column, Question, Source, count_with};

use cluster_tests::CATEGORIES;

const BATCH: usize = 1_000_000;
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let millions: usize = std::env::args().nth(1).ok_or("usage: rate MILLIONS_OF_ROWS")?.parse()?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("outcomes.parquet");
    // In no regular order, which a reader could make use of.
    let values = (0..BATCH).map(|row| CATEGORIES[(row.wrapping_mul(0x9e37_79b9) >> 7) % 3]);
    let outcomes: ArrayRef = Arc::new(StringArray::from_iter_values(values));
    let batch = RecordBatch::try_from_iter([("outcome", outcomes)])?;
    let mut writer = ArrowWriter::try_new(File::create(&path)?, batch.schema(), None)?;
    for _ in 0..millions {
        writer.write(&batch)?;
    }
    writer.close()?;
    let source = Source::files(path.to_string_lossy());
    let question = Question::new(vec![Column::new("outcome", CATEGORIES)]);
    let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let go_on = |_| std::ops::ControlFlow::Continue(());
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        let counted = runtime.block_on(count_with(&session, &source, &question, &go_on))?;
        assert_eq!(counted.counts.total(), (millions * BATCH) as u64);
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds[RUNS / 2];
    println!("{millions} million rows in {median:.3} s: {:.1} million a second", millions as f64 / median);
    Ok(())
}
