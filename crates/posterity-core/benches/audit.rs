//! The time of audits, and of the comparison of complete laws by definition that they replace, in one run.
//!
//! `cargo bench -p posterity-core --bench audit` prints a table. Arguments of the form `k,n` choose other sizes.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a benchmark reads the clock and its arguments"
)]

#[path = "../tests/complete/mod.rs"]
mod complete;

use std::time::Instant;

use complete::Complete;
use posterity_core::audit::{Scope, audit, enumerate};
use posterity_core::calibrate::tight;
use posterity_core::mechanism::{Mechanism, Spec};
use posterity_core::model::{Prior, Setting};
use posterity_core::score::EXAMPLES;

/// The comparison of complete laws is timed up to this many probabilities, which is about a minute.
const ENUMERATED: f64 = 1.5e8;

fn setting(prior: &[f64], n: u64) -> Setting {
    let prior = Prior::new(prior.to_vec()).expect("valid");
    Setting::new(prior, n, "1".parse().expect("positive")).expect("valid")
}

/// The uniform prior, and for more than two categories one without equal parameters, which takes longer.
fn priors(k: usize) -> Vec<Vec<f64>> {
    let different = (1..=k).map(|parameter| parameter as f64).collect();
    if k == 2 { vec![vec![1.0; 2]] } else { vec![vec![1.0; k], different] }
}

fn seconds<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let found = work();
    (start.elapsed().as_secs_f64(), found)
}

/// One line of the table.
fn row(text: &str, prior: &[f64], n: u64) {
    let mechanism = text.parse::<Spec>().expect("a mechanism").fit(setting(prior, n)).expect("valid");
    let exponential = mechanism.tunable().expect("an exponential mechanism").clone();
    let scope = Scope::of(&*mechanism);
    let (fast, found) = seconds(|| audit(&*mechanism, &[], f64::INFINITY, &|_| ()).expect("possible"));
    let width = found.loss_up() - found.loss_down();
    print!("| {text} | {prior:?} | {n} | {:.1e} | {fast:.3} | {width:.1e} |", scope.probabilities);
    if Scope::by_enumeration(&*mechanism).probabilities > ENUMERATED {
        println!(" | |");
        return;
    }
    let complete: Box<dyn Mechanism> = if exponential.scoring().is_hellinger() {
        Box::new(Complete(exponential))
    } else {
        // Nothing that was computed before is kept.
        text.parse::<Spec>().expect("a mechanism").fit(setting(prior, n)).expect("valid")
    };
    let (slow, all) = seconds(|| enumerate(&*complete, &[], f64::INFINITY, &|_| ()).expect("possible"));
    assert!(found.loss_down() <= all.loss_up() && all.loss_down() <= found.loss_up());
    println!(" {slow:.2} | {:.0} |", slow / fast);
}

fn main() {
    let mut sizes: Vec<(usize, u64)> = std::env::args()
        .filter_map(|argument| {
            let (k, n) = argument.split_once(',')?;
            Some((k.parse().ok()?, n.parse().ok()?))
        })
        .collect();
    // Without these arguments `cargo test` runs the benchmark, to see that it works.
    let measure = std::env::args().any(|argument| argument == "--bench");
    if sizes.is_empty() && !measure {
        sizes = vec![(2, 300), (3, 15)];
    }
    if sizes.is_empty() {
        sizes = vec![(2, 1_000), (2, 10_000), (2, 50_000), (3, 60), (3, 120), (4, 30)];
    }
    println!("epsilon = 1, {} threads", rayon::current_num_threads());
    println!("| mechanism | prior | n | probabilities | audit, s | enclosure | complete laws, s | ratio |");
    println!("|---|---|---|---|---|---|---|---|");
    for &(k, n) in &sizes {
        priors(k).iter().for_each(|prior| row("ehds", prior, n));
    }
    for score in EXAMPLES.iter().filter(|score| **score != "hellinger") {
        for &(k, n) in sizes.iter().filter(|(k, n)| (*score != "tv" || *k == 2) && *n <= 1_000) {
            row(&format!("ehds(score={score})"), &vec![1.0; k], n);
        }
    }
    if !measure {
        return;
    }
    let spec = "ehds".parse().expect("a mechanism");
    let (time, found) =
        seconds(|| tight(&spec, &setting(&[1.0, 1.0], 10_000), f64::INFINITY, &|_| ()).expect("possible"));
    println!("tight calibration, k 2, n 10000: {time:.2} s, loss {}", found.audit().loss_up());
}
