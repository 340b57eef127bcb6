//! Prints what the parts of one release of uneven counts take, on one thread: the noise-aware posterior, the best decoding
//! and all 95 % intervals.
//!
//! `cargo run --release -p posterity-core --example parts` prints the table of docs/benchmarks.md; with numbers it takes
//! one case: `-- MECHANISM CELLS RECORDS EPSILON`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this program measures times; the library reads no clock"
)]

use std::error::Error;
use std::time::Instant;

use posterity_core::decode::{Decoder, noise_aware};
use posterity_core::sampler::{BitSource, SeededBits};
use posterity_testkit::fixture;

/// Categories, records and budgets.
const CASES: [(usize, u64, &str); 9] = [
    (10, 100_000, "0.001"),
    (30, 1_000_000, "0.001"),
    (50, 100_000, "0.001"),
    (200, 1_000_000, "0.01"),
    (200, 100_000_000, "0.01"),
    (1_000, 5_000, "0.1"),
    (1_000, 1_000_000, "0.1"),
    (1_000, 1_000_000, "1"),
    (1_000, 10_000_000, "0.1"),
];

/// How often each part is timed; the least time counts.
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    println!("| mechanism | cells | n | epsilon | counts | posterior | decoding | intervals | all |");
    println!("|{}", "---|".repeat(9));
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mechanism, cells, records, epsilon] = &arguments[..] {
        return row(mechanism, cells.parse()?, records.parse()?, epsilon);
    }
    for mechanism in ["lattice", "geometric"] {
        for (cells, records, epsilon) in CASES {
            row(mechanism, cells, records, epsilon)?;
        }
    }
    Ok(())
}

fn row(name: &str, cells: usize, records: u64, epsilon: &str) -> Result<(), Box<dyn Error>> {
    let counts = fixture::counts(&uneven(cells, records)?);
    let mut least = [f64::INFINITY; 3];
    let mut possible = 0;
    for _ in 0..ROUNDS {
        // Anew each time, because a mechanism keeps what does not depend on its release.
        let mechanism = fixture::mechanism(name, &fixture::uniform(cells, records, epsilon));
        let released = mechanism.release(&counts, &mut SeededBits::new(2))?;
        let (aware, posterior) = timed(|| noise_aware(&*mechanism, &released));
        let aware = aware?;
        let decoder = Decoder::default_for(mechanism.description());
        let (decoded, decoding) = timed(|| decoder.decode_with(&*mechanism, &released, Some(&aware)));
        decoded?;
        let (ends, intervals) = timed(|| aware.intervals(0.95));
        ends?;
        possible = aware.marginals().iter().map(|marginal| marginal.counts().count()).sum();
        for (least, found) in least.iter_mut().zip([posterior, decoding, intervals]) {
            *least = least.min(found);
        }
    }
    let [posterior, decoding, intervals] = least.map(|seconds| 1e3 * seconds);
    println!(
        "| {name} | {cells} | {records} | {epsilon} | {possible} | {posterior:.1} ms | {decoding:.1} ms | {intervals:.1} ms \
         | {:.1} ms |",
        posterior + decoding + intervals
    );
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed().as_secs_f64())
}

/// Counts from the uniform prior, which sum to the number of records.
fn uneven(cells: usize, records: u64) -> Result<Vec<u64>, Box<dyn Error>> {
    let mut bits = SeededBits::new(1);
    let mut weights = Vec::with_capacity(cells);
    for _ in 0..cells {
        let uniform = (bits.next_u64()? as f64 + 0.5) * (-64_f64).exp2();
        weights.push(-uniform.ln());
    }
    let sum: f64 = weights.iter().sum();
    let mut counts: Vec<u64> = weights.iter().map(|weight| (records as f64 * weight / sum) as u64).collect();
    counts[0] += records - counts.iter().sum::<u64>();
    Ok(counts)
}
