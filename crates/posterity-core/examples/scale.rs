//! How long tables of many cells take: `cargo run --release -p posterity-core --example scale`.
//!
//! For each size it prints the seconds of a draw, of all intervals of cells, and of the marginals of all columns with their
//! intervals, the cost of a cell, and the error that is stated. The counts come from the uniform prior, by a seed.

use std::time::Instant;

use posterity_core::decode::noise_aware;
use posterity_core::mechanism::{Lattice, Spec};
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cells epsilon n | draw posterior intervals marginals (s) | microseconds per cell | error");
    for (columns, epsilon, n) in
        [(3_u32, "0.1", 100_000), (4, "1", 1_000_000), (5, "1", 10_000_000), (6, "1", 100_000_000)]
    {
        let cells = 10_usize.pow(columns);
        let setting = Setting::new(Prior::uniform(cells)?, n, epsilon.parse()?)?;
        let mechanism = Spec::from(Lattice).fit(setting)?;
        let data = Counts::new(counts(cells, n))?;
        let start = Instant::now();
        let released = mechanism.release(&data, &mut SeededBits::new(2))?;
        let draw = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let aware = noise_aware(&*mechanism, &released)?;
        let posterior = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let intervals_of_cells = aware.intervals(0.95)?;
        let intervals = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let mut error: f64 = 0.0;
        for column in 0..columns {
            let value = |cell: usize| cell / 10_usize.pow(column) % 10;
            let group = |wanted: usize| (0..cells).filter(|&cell| value(cell) == wanted).collect();
            let block = Block::new((0..10).map(group).collect(), Vec::new());
            let shares = Shares::new(&aware, &Grouping::new(cells, vec![block])?);
            for summary in shares.summaries(0.95)?.into_iter().flatten() {
                error = error.max(summary?.error);
            }
        }
        let marginals = start.elapsed().as_secs_f64();
        let each = 1e6 * (posterior + intervals + marginals) / intervals_of_cells.len() as f64;
        println!(
            "{cells} {epsilon} {n} | {draw:.2} {posterior:.2} {intervals:.2} {marginals:.2} | {each:.1} | {:.1e} {error:.1e}",
            aware.error_up()
        );
    }
    Ok(())
}
