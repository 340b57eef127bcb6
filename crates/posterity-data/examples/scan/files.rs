//! Files of text to measure with, and how measuring is done.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// The values of the column `outcome`.
pub(crate) const VALUES: [&str; 3] = ["recovered", "improved", "unchanged"];

/// A sequence that looks random enough not to compress to nothing.
pub(crate) fn step(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// The rows of a file: an id, an outcome and an age.
fn rows(millions: usize) -> impl Iterator<Item = (usize, &'static str, usize)> {
    let mut state = 1;
    (0..millions * 1_000_000).map(move |id| (id, VALUES[step(&mut state) % 3], step(&mut state) % 100))
}

/// Writes so many million rows as CSV, every field between `quote`s.
pub(crate) fn write_csv(path: &Path, millions: usize, quote: &str) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "{quote}id{quote},{quote}outcome{quote},{quote}age{quote}")?;
    for (id, outcome, age) in rows(millions) {
        writeln!(file, "{quote}{id}{quote},{quote}{outcome}{quote},{quote}{age}{quote}")?;
    }
    file.flush()
}

/// Writes so many million rows as JSON, an object per line.
pub(crate) fn write_json(path: &Path, millions: usize) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    for (id, outcome, age) in rows(millions) {
        writeln!(file, "{{\"id\":{id},\"outcome\":\"{outcome}\",\"age\":{age}}}")?;
    }
    file.flush()
}

/// How long something takes, and what came of it.
pub(crate) fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(Duration, T), E> {
    let start = Instant::now();
    let done = work()?;
    Ok((start.elapsed(), done))
}

/// The middle of some durations.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The most memory this process ever held.
pub(crate) fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: Option<u64> = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok());
    kib.map_or_else(|| "peak unknown".into(), |kib| format!("peak {} MiB", kib >> 10))
}
