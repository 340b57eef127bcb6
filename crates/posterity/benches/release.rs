//! The time of one release: with its document as it is drawn, and with the document complete and serialised.
//!
//! `cargo bench -p posterity --bench release`

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use posterity::{Categories, Counts, Data, Prior, Publisher};

fn balanced(k: usize, n: u64) -> Data {
    let share = |i: usize| n / k as u64 + u64::from((i as u64) < n % k as u64);
    let counts = Counts::new((0..k).map(share).collect()).expect("valid");
    Data::new(counts, Categories::numbered(k).expect("valid")).expect("valid")
}

fn publisher(mechanism: &str) -> Publisher<'static> {
    let spec: posterity::Spec = mechanism.parse().expect("a mechanism");
    Publisher::new("1".parse().expect("positive")).mechanism(spec)
}

fn releases(criterion: &mut Criterion) {
    let cases = [
        ("lattice", 3, 90, 1.0),
        ("lattice", 3, 10_000, 1.0),
        ("geometric", 3, 90, 1.0),
        ("geometric", 1_000, 1_000_000, 1.0),
        // Extreme priors.
        ("lattice", 3, 1_000, 1e-6),
        ("lattice", 3, 1_000, 1e9),
        ("lattice", 10, 1_000, 1e-6),
        ("lattice", 10, 1_000, 1e9),
    ];
    let mut group = criterion.benchmark_group("release");
    group.sample_size(20);
    for (mechanism, k, n, alpha) in cases {
        let data = balanced(k, n);
        let publisher = publisher(mechanism).prior(Prior::new(vec![alpha; k]).expect("valid"));
        let name = format!("{mechanism} k={k} n={n} prior={alpha}");
        let mut seed = 0;
        group.bench_function(BenchmarkId::new("drawn", &name), |bencher| {
            bencher.iter(|| {
                seed += 1;
                publisher.experiment(&data, seed).expect("a release")
            });
        });
        group.bench_function(BenchmarkId::new("serialised", &name), |bencher| {
            bencher.iter(|| {
                seed += 1;
                let release = publisher.experiment(&data, seed).expect("a release");
                serde_json::to_string(release.document()).expect("a document").len()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, releases);
criterion_main!(benches);
