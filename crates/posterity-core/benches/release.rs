//! The time of one release, including its preparation, and of enumerating all candidates where that is feasible.
//!
//! `cargo bench -p posterity-core --bench release`

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use posterity_core::mechanism::{Mechanism, ehds, geometric, lattice};
use posterity_core::model::{Gamma, Setting};
use posterity_core::sampler::SeededBits;
use posterity_testkit::fixture::{balanced, uniform};

fn setting(k: usize, n: u64) -> Setting {
    uniform(k, n, "1")
}

fn exponential(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ehds release, epsilon 1");
    let sizes = [
        (2, 1_000),
        (2, 1_000_000),
        (2, 1_000_000_000),
        (3, 1_000),
        (3, 1_000_000),
        (4, 100),
        (4, 4_000),
        (5, 30),
        (5, 500),
        (10, 1_000),
        (10, 1_000_000),
        (30, 1_000_000),
    ];
    for (k, n) in sizes {
        let (mechanism, counts) = (ehds(setting(k, n), Gamma::ONE), balanced(k, n));
        let mut bits = SeededBits::new(1);
        group.bench_function(BenchmarkId::from_parameter(format!("k={k} n={n}")), |bencher| {
            bencher.iter(|| mechanism.release(black_box(&counts), &mut bits).expect("seeded"));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("ehds enumeration, epsilon 1");
    group.sample_size(10);
    for (k, n) in [(2, 1_000), (2, 1_000_000), (3, 1_000), (4, 100), (5, 30)] {
        let (mechanism, counts) = (ehds(setting(k, n), Gamma::ONE), balanced(k, n));
        group.bench_function(BenchmarkId::from_parameter(format!("k={k} n={n}")), |bencher| {
            bencher.iter(|| mechanism.law(black_box(&counts), 10_000_000).expect("small").len());
        });
    }
    group.finish();
}

fn noisy_counts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("geometric release, epsilon 1");
    for (k, n) in [(2, 1_000), (1_000, 1_000_000)] {
        let (mechanism, counts) = (geometric(setting(k, n), false), balanced(k, n));
        let mut bits = SeededBits::new(1);
        group.bench_function(BenchmarkId::from_parameter(format!("k={k} n={n}")), |bencher| {
            bencher.iter(|| mechanism.release(black_box(&counts), &mut bits).expect("seeded"));
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("lattice release, epsilon 1");
    for (k, n) in [(2, 1_000), (3, 1_000_000), (1_000, 1_000_000)] {
        let counts = balanced(k, n);
        let mut bits = SeededBits::new(1);
        group.bench_function(BenchmarkId::from_parameter(format!("k={k} n={n}")), |bencher| {
            // The mechanism is made for each release, so that the time includes its preparation.
            bencher.iter(|| lattice(setting(k, n)).release(black_box(&counts), &mut bits).expect("seeded"));
        });
    }
    group.finish();
}

criterion_group!(benches, exponential, noisy_counts);
criterion_main!(benches);
