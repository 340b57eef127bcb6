//! The time of all four sensitivities at ten thousand categories, for ordinary data and for data of which the search
//! can leave out no category.
//!
//! `cargo bench -p posterity-core --bench sensitivity`

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use posterity_core::model::{Counts, Gamma, Prior};
use posterity_core::sensitivity::{beta_smooth, gamma_smooth, global, local};
use posterity_testkit::Random;

const K: usize = 10_000;

fn sensitivities(criterion: &mut Criterion) {
    let mut random = Random::new(3);
    let ordinary = (
        Prior::new(random.prior(K, 0.1, 10.0)).expect("valid"),
        Counts::new((0..K).map(|_| random.below(1_000)).collect()).expect("valid"),
    );
    let frontier = (
        Prior::new((0..K).map(|i| 100.0 / (1.0 + i as f64)).collect()).expect("valid"),
        Counts::new((0..K as u64).collect()).expect("valid"),
    );
    for (name, (prior, counts)) in [("ordinary", ordinary), ("no category dominated", frontier)] {
        let mut group = criterion.benchmark_group(format!("sensitivities, k={K}, {name}"));
        let (prior, counts) = (black_box(&prior), black_box(&counts));
        group.bench_function("global", |bencher| bencher.iter(|| global(prior, counts.total())));
        group.bench_function("local", |bencher| bencher.iter(|| local(prior, counts)));
        group.bench_function("gamma-smooth", |bencher| {
            bencher.iter(|| gamma_smooth(prior, counts, Gamma::ONE))
        });
        group.bench_function("beta-smooth", |bencher| bencher.iter(|| beta_smooth(prior, counts, 0.01)));
        group.finish();
    }
}

criterion_group!(benches, sensitivities);
criterion_main!(benches);
