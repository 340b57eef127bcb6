//! Prints the mean distances of `optimal`, `simplex`, `lattice` and `geometric`, as ratios to the least that is
//! possible.
//!
//! `cargo run --release -p posterity-core --features limit --example ratios` prints the table of docs/results.md: prior
//! (1, 1, 1), n from 3 to 11. With the argument `times` it prints how long `optimal` and `simplex` take to fit; with
//! `budgets`, from which epsilon on `simplex` has positive weights.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "this program measures times; the library reads no clock"
)]

use std::error::Error;
use std::time::Instant;

use posterity_core::accuracy::mean_over_data;
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{geometric, lattice, optimal, simplex};
use posterity_core::model::{Prior, Setting};

const EPSILONS: [&str; 6] = ["0.5", "1", "1.5", "2", "2.5", "3"];

/// Probabilities that may be computed for one mean.
const WORK: f64 = 1e8;

fn main() -> Result<(), Box<dyn Error>> {
    match std::env::args().nth(1).as_deref() {
        Some("times") => times(),
        Some("budgets") => budgets(),
        _ => ratios(),
    }
}

/// Each cell is `optimal / simplex + best / lattice + best / geometric + best`, each divided by the limit.
fn ratios() -> Result<(), Box<dyn Error>> {
    println!("| n | {} |", EPSILONS.map(|epsilon| format!("epsilon = {epsilon}")).join(" | "));
    println!("|---|{}", "---|".repeat(EPSILONS.len()));
    for n in 3..=11 {
        let mut cells = Vec::new();
        for epsilon in EPSILONS {
            let setting = Setting::new(Prior::uniform(3)?, n, epsilon.parse()?)?;
            let best = optimal(setting.clone())?;
            let limit = best.lower();
            let means = [
                mean_over_data(&best, Decoder::None, WORK)?,
                mean_over_data(&simplex(setting.clone())?, Decoder::Best, WORK)?,
                mean_over_data(&lattice(setting.clone()), Decoder::Best, WORK)?,
                mean_over_data(&geometric(setting, false), Decoder::Best, WORK)?,
            ];
            cells.push(means.map(|mean| format!("{:.4}", mean / limit)).join(" / "));
        }
        println!("| {n} | {} |", cells.join(" | "));
    }
    Ok(())
}

/// The seconds that fitting takes, by size.
fn times() -> Result<(), Box<dyn Error>> {
    println!("| prior | n | epsilon | candidates | variables | seconds | ratio to the lower bound |");
    println!("|---|---|---|---|---|---|---|");
    let cases: [(&[f64], &[u64]); 4] = [
        (&[1.0, 1.0], &[20, 40, 80, 120, 199]),
        (&[1.0, 1.0, 1.0], &[6, 9, 12, 15, 18, 24]),
        (&[0.5, 1.0, 2.0], &[6, 8, 10, 12, 15]),
        (&[1.0, 1.0, 1.0, 1.0], &[4, 6, 8, 10, 13]),
    ];
    for (prior, sizes) in cases {
        for &n in sizes {
            for epsilon in ["0.5", "2"] {
                let setting = Setting::new(Prior::new(prior.to_vec())?, n, epsilon.parse()?)?;
                let started = Instant::now();
                let found = optimal(setting)?;
                let seconds = started.elapsed().as_secs_f64();
                let (candidates, variables) = found.size();
                let ratio = found.expected_distance() / found.lower();
                println!(
                    "| {prior:?} | {n} | {epsilon} | {candidates} | {variables} | {seconds:.2} | {ratio:.8} |"
                );
            }
        }
    }
    println!("\n| k | n | epsilon | seconds of simplex |\n|---|---|---|---|");
    for (k, sizes) in [(2, [100, 500, 1_900]), (3, [20, 50, 100]), (4, [10, 20, 45]), (5, [8, 15, 22])] {
        for n in sizes {
            let setting = Setting::new(Prior::uniform(k)?, n, "1".parse()?)?;
            let started = Instant::now();
            simplex(setting)?;
            println!("| {k} | {n} | 1 | {:.2} |", started.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

/// The least multiple of 0.05 from which on `simplex` can be fitted, by k and n.
fn budgets() -> Result<(), Box<dyn Error>> {
    println!("| k | n | epsilon |\n|---|---|---|");
    for (k, sizes) in [(3, vec![3, 8, 20, 50]), (4, vec![3, 8, 20]), (5, vec![3, 8, 15]), (6, vec![3, 8])] {
        for n in sizes {
            let fits = |twentieths: u32| {
                let epsilon = (f64::from(twentieths) / 20.0).to_string();
                let setting = Setting::new(Prior::uniform(k)?, n, epsilon.parse()?)?;
                Ok::<bool, Box<dyn Error>>(simplex(setting).is_ok())
            };
            let mut least = 40;
            while least > 1 && fits(least - 1)? {
                least -= 1;
            }
            println!("| {k} | {n} | {} |", f64::from(least) / 20.0);
        }
    }
    Ok(())
}
