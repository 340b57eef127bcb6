//! The noise-aware posterior of one release with its intervals, and its decoding.
//!
//! `cargo bench -p posterity-core --bench noise_aware`

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use posterity_core::decode::{Decoder, noise_aware};
use posterity_core::mechanism::Mechanism;
use posterity_core::model::Released;
use posterity_core::noise_aware::NoiseAware;
use posterity_core::sampler::SeededBits;
use posterity_testkit::fixture;

/// Categories, records and budgets. Little noise is handled by windows, much noise by Fourier transforms.
const SIZES: [(usize, u64, &str); 9] = [
    (3, 60, "1"),
    (10, 100_000, "1"),
    (10, 100_000, "0.01"),
    (10, 100_000, "0.0001"),
    (3, 1_000_000, "1"),
    (3, 1_000_000, "0.001"),
    (3, 1_000_000, "0.00001"),
    (1_000, 1_000_000, "1"),
    (1_000, 1_000_000, "0.1"),
];

fn released(name: &str, k: usize, n: u64, epsilon: &str) -> (Box<dyn Mechanism>, Released) {
    let mechanism = fixture::mechanism(name, &fixture::uniform(k, n, epsilon));
    let released = mechanism.release(&fixture::balanced(k, n), &mut SeededBits::new(1)).expect("seeded");
    (mechanism, released)
}

fn posterior(criterion: &mut Criterion) {
    for (name, sizes) in [("lattice", &SIZES[..]), ("lshist", &SIZES[..6]), ("lszhang", &SIZES[..6])] {
        let mut group = criterion.benchmark_group(format!("noise-aware posterior and intervals, {name}"));
        group.sample_size(10);
        for &(k, n, epsilon) in sizes {
            let (mechanism, released) = released(name, k, n, epsilon);
            let evidence = mechanism.likelihood().expect("known noise").evidence(&released);
            group.bench_function(
                BenchmarkId::from_parameter(format!("k={k} n={n} epsilon={epsilon}")),
                |bencher| {
                    bencher.iter(|| {
                        let aware = NoiseAware::new(mechanism.setting(), black_box(&evidence)).expect("fits");
                        aware.intervals(0.95).expect("a level")
                    });
                },
            );
        }
        group.finish();
    }
}

fn decoding(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("decoding, best");
    group.sample_size(10);
    for (k, n, epsilon) in [(3, 60, "1"), (3, 1_000_000, "1"), (10, 100_000, "1"), (1_000, 1_000_000, "1")] {
        let (mechanism, released) = released("lattice", k, n, epsilon);
        group.bench_function(
            BenchmarkId::from_parameter(format!("k={k} n={n} epsilon={epsilon}")),
            |bencher| {
                bencher.iter(|| Decoder::Best.decode(&*mechanism, black_box(&released)).expect("fits"));
            },
        );
    }
    group.finish();
}

/// Exponential mechanisms, from the public inputs to the intervals: every normaliser is computed anew.
fn exponential(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("noise-aware posterior and intervals, exponential");
    group.sample_size(10);
    for (name, k, n, epsilon) in [
        ("ehd", 2, 1_000_000, "1"),
        ("ehds", 2, 1_000_000, "1"),
        ("ehdl", 2, 1_000_000, "0.1"),
        ("mh", 2, 1_000_000, "0.1"),
        ("ehds", 2, 1_000, "1"),
        ("ehds", 3, 60, "1"),
        ("ehds", 3, 300, "1"),
        ("ehds", 4, 60, "1"),
    ] {
        let (_, released) = released(name, k, n, epsilon);
        group.bench_function(
            BenchmarkId::from_parameter(format!("{name} k={k} n={n} epsilon={epsilon}")),
            |bencher| {
                bencher.iter(|| {
                    let mechanism = fixture::mechanism(name, &fixture::uniform(k, n, epsilon));
                    let aware = noise_aware(&*mechanism, black_box(&released)).expect("fits");
                    aware.intervals(0.95).expect("a level")
                });
            },
        );
    }
    group.finish();
}

criterion_group!(benches, posterior, decoding, exponential);
criterion_main!(benches);
