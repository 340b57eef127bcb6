//! How fast text is counted: `cargo run --release -p posterity-data --example scan -- 10`
//!
//! Writes CSV files, plain and with every field quoted, and a file of JSON lines, of so many million rows each, counts each
//! five times and prints the median. Beside an engine, with Parquet and with units: the program in `benchmarks/`.

#[allow(dead_code, reason = "shared with the program in benchmarks/")]
mod files;

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

use files::{VALUES, median, peak, timed, write_csv, write_json};
use posterity_core::sampler::SeededBits;
use posterity_data::{Column, Question, Resources, Source, count};

fn main() -> Result<(), Box<dyn Error>> {
    let millions: usize = std::env::args().nth(1).map_or(Ok(10), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let path = |name: &str| folder.path().join(name);
    write_csv(&path("plain.csv"), millions, "")?;
    write_csv(&path("quoted.csv"), millions, "\"")?;
    write_json(&path("lines.json"), millions)?;
    for name in ["plain.csv", "quoted.csv", "lines.json"] {
        for filter in [None, Some("age > 30")] {
            let times = (0..5).map(|_| timed(|| ask(&path(name), filter)).map(|(time, _)| time));
            let time = median(times.collect::<Result<_, _>>()?);
            let what = filter.unwrap_or("all rows");
            println!("{name}, {what}: {:.2} s, {}", time.as_secs_f64(), peak());
        }
    }
    Ok(())
}

fn ask(path: &Path, filter: Option<&str>) -> Result<u64, Box<dyn Error>> {
    let question =
        Question { filter: filter.map(Into::into), ..Question::new(vec![Column::new("outcome", VALUES)]) };
    let source = Source::files(path.to_string_lossy());
    let go_on = |_| ControlFlow::Continue(());
    let counted = count(&source, &question, &mut SeededBits::new(1), &Resources::default(), &go_on)?;
    Ok(counted.counts.total())
}
