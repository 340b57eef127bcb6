//! Counts of files by posterity-count, to compare with those of an engine; `benchmarks/run` runs both by turns.
//!
//! `counts write FILE MILLIONS` writes a CSV or JSON file of so many million rows; of a file named `quoted.csv` every field is
//! quoted. `counts count FILE RUNS [AGE]` counts the column `outcome` so many times, of rows with a larger age if one is given,
//! and prints how many rows it counted and the seconds of each run. `counts different FILE` counts a column of different
//! values, which is refused, and `counts units FILE RULE` each id once; both print the seconds and the peak of memory.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use posterity_core::sampler::SeededBits;
use posterity_count::{Column, DataError, Question, Resources, Source, count};

type Outcome<T> = Result<T, Box<dyn Error>>;

const VALUES: [&str; 3] = ["recovered", "improved", "unchanged"];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = || Question::new(vec![Column::new("outcome", VALUES)]);
    match arguments.as_slice() {
        ["write", file, millions] => write_text(file, millions.parse()?),
        ["count", file, runs] => measure(file, runs.parse()?, &outcome()),
        ["count", file, runs, age] => {
            measure(file, runs.parse()?, &Question { filter: Some(format!("age > {age}")), ..outcome() })
        }
        ["different", file] => {
            let start = Instant::now();
            let refused = ask(file, &Question::new(vec![Column::new("id", VALUES)]));
            assert!(matches!(refused, Err(DataError::Outside { .. })), "{refused:?}");
            println!("refused after {:.2} s, {}", start.elapsed().as_secs_f64(), peak());
            Ok(())
        }
        ["units", file, rule] => {
            let start = Instant::now();
            let question = Question { unit: Some("id".into()), per_unit: rule.parse()?, ..outcome() };
            let units = ask(file, &question)?;
            println!("{units} units in {:.2} s, {}", start.elapsed().as_secs_f64(), peak());
            Ok(())
        }
        _ => Err("counts write|count|different|units FILE ..; see the source".into()),
    }
}

fn measure(file: &str, runs: usize, question: &Question) -> Outcome<()> {
    let mut seconds = Vec::new();
    let mut total = 0;
    for _ in 0..runs {
        let start = Instant::now();
        total = ask(file, question)?;
        seconds.push(format!("{:.3}", start.elapsed().as_secs_f64()));
    }
    println!("{total} {}", seconds.join(" "));
    Ok(())
}

fn ask(file: &str, question: &Question) -> Result<u64, DataError> {
    let go_on = |_| ControlFlow::Continue(());
    let counted = count(&Source::files(file), question, &mut SeededBits::new(1), &Resources::default(), &go_on)?;
    Ok(counted.counts.total())
}

/// A sequence that looks random enough not to compress to nothing.
fn step(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

fn write_text(path: &str, millions: usize) -> Outcome<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let quote = if path.ends_with("quoted.csv") { "\"" } else { "" };
    let json = path.ends_with(".json");
    if !json {
        writeln!(file, "{quote}id{quote},{quote}outcome{quote},{quote}age{quote}")?;
    }
    let mut state = 1;
    for id in 0..millions * 1_000_000 {
        let (outcome, age) = (VALUES[step(&mut state) % 3], step(&mut state) % 100);
        if json {
            writeln!(file, "{{\"id\":{id},\"outcome\":\"{outcome}\",\"age\":{age}}}")?;
        } else {
            writeln!(file, "{quote}{id}{quote},{quote}{outcome}{quote},{quote}{age}{quote}")?;
        }
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
