//! How long discrete Gaussian noise takes: one draw at several sigma, and the set-up of a sampler. `tools/gaussian.py`
//! puts the times beside OpenDP's.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use posterity_core::noise::DiscreteGaussian;
use posterity_core::sampler::SeededBits;

/// The draws of one measurement.
const DRAWS: u64 = 10_000;

/// sigma^2 as a fraction with long parts, as plans have them, and the name of sigma.
const SIGMAS: [(&str, u64, u64); 6] = [
    ("0.5", 250_000_000_001, 1_000_000_000_000),
    ("3", 9_000_000_000_001, 1_000_000_000_000),
    ("30", 900_000_000_001, 1_000_000_000),
    ("1000", 1_000_000_000_001, 1_000_000),
    ("1000000", 1_000_000_000_000_001, 1_000),
    ("1000000000", 1_000_000_000_000_000_007, 1),
];

fn noise(numerator: u64, denominator: u64) -> DiscreteGaussian {
    let sigma_squared = RBig::from_parts(IBig::from(numerator), UBig::from(denominator));
    DiscreteGaussian::new(&sigma_squared).expect("in range")
}

fn draw(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("discrete_gaussian_draws");
    group.throughput(Throughput::Elements(DRAWS));
    for (name, numerator, denominator) in SIGMAS {
        let noise = noise(numerator, denominator);
        let mut bits = SeededBits::new(1);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                (0..DRAWS).map(|_| noise.draw(&mut bits).expect("seeded")).fold(0, i64::wrapping_add)
            });
        });
    }
    group.finish();
    let mut group = criterion.benchmark_group("discrete_gaussian_set_up");
    for (name, numerator, denominator) in SIGMAS {
        group.bench_function(name, |bencher| bencher.iter(|| noise(black_box(numerator), denominator)));
    }
    group.finish();
}

criterion_group!(benches, draw);
criterion_main!(benches);
