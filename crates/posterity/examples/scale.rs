//! How long tables of many cells take: `cargo run --release -p posterity --example scale`.
//!
//! For each size it prints the seconds of a draw, of all intervals of cells, and of the marginals of all columns with
//! their intervals, the processor time of a cell, the largest memory so far, and the errors that are stated. The counts
//! come from the uniform prior, by a seed. Arguments choose the numbers of columns: `-- 6` takes the table of 10^6
//! cells only, so that its memory is measured by itself.

mod common;

use common::Watch;
use posterity_core::decode::noise_aware;
use posterity_core::mechanism::{Geometric, Lattice, Spec};
use posterity_core::model::{Counts, Prior, Setting};
use posterity_core::sampler::{BitSource, SeededBits};
use posterity_core::table::{Block, Grouping, Shares};

/// Counts that sum to n: the gaps between sorted uniform numbers are a draw from the uniform prior.
fn counts(cells: usize, n: u64) -> Vec<u64> {
    let mut bits = SeededBits::new(1);
    let mut cuts: Vec<u64> = (1..cells).map(|_| bits.next_u64().expect("seeded") % (n + 1)).collect();
    cuts.extend([0, n]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// The largest memory of this process so far, in MiB. Linux only; nothing elsewhere.
fn memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

fn table(spec: Spec, columns: u32, epsilon: &str, n: u64) -> Result<(), Box<dyn std::error::Error>> {
    let cells = 10_usize.pow(columns);
    let name = spec.to_string();
    let setting = Setting::new(Prior::uniform(cells)?, n, epsilon.parse()?)?;
    let mechanism = spec.fit(setting)?;
    let data = Counts::new(counts(cells, n))?;
    let watch = Watch::start();
    let released = mechanism.release(&data, &mut SeededBits::new(2))?;
    let (draw, draw_processor) = watch.read();
    let watch = Watch::start();
    let aware = noise_aware(&*mechanism, &released)?;
    let intervals = aware.intervals(0.95)?;
    let (of_cells, cells_processor) = watch.read();
    let watch = Watch::start();
    let mut error: f64 = 0.0;
    for column in 0..columns {
        let value = |cell: usize| cell / 10_usize.pow(column) % 10;
        let group = |wanted: usize| (0..cells).filter(|&cell| value(cell) == wanted).collect();
        let block = Block::new((0..10).map(group).collect(), Vec::new());
        let shares = Shares::new(&aware, &Grouping::new(cells, vec![block])?);
        for summary in shares.summaries(0.95, false)?.into_iter().flatten() {
            error = error.max(summary?.error);
        }
    }
    let (marginals, marginals_processor) = watch.read();
    let each = 1e6 * (cells_processor + marginals_processor) / intervals.len() as f64;
    let memory = memory().map_or_else(|| "?".to_owned(), |memory| format!("{memory:.0}"));
    println!(
        "{name} {cells} {epsilon} {n} | {draw:.2} ({draw_processor:.2}) {of_cells:.2} ({cells_processor:.2}) \
         {marginals:.2} ({marginals_processor:.2}) | {each:.1} | {memory} | {:.1e} {error:.1e}",
        aware.error_up()
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: Vec<u32> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    println!(
        "mechanism cells epsilon n | draw, cells with intervals, marginals: s (processor s) | processor microseconds per cell \
         | MiB | error of cells, of marginals"
    );
    for (columns, epsilon, n) in
        [(3_u32, "0.1", 1_000_000), (4, "1", 1_000_000), (5, "1", 10_000_000), (6, "1", 100_000_000)]
    {
        if wanted.is_empty() || wanted.contains(&columns) {
            table(Lattice.into(), columns, epsilon, n)?;
            table(Geometric::default().into(), columns, epsilon, n)?;
        }
    }
    Ok(())
}
