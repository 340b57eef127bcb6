//! Compares draws of the envelope sampler, where there are too many candidates to list them, with the exact law. The test
//! is seeded, and uses exact critical values and a stated false-alarm rate.

use posterity_core::mechanism::ehds;
use posterity_core::model::{Counts, Gamma};
use posterity_core::sampler::SeededBits;
use posterity_testkit::Fit;
use posterity_testkit::fixture::setting;

/// Far beyond enumeration, against the law of one coordinate: for k = 2 the law can be summed in pieces around the
/// truth, since nearly all of it lies within a few posterior deviations.
#[test]
fn exponential_mechanism_at_a_hundred_million() {
    let counts = Counts::new(vec![30_000_000, 70_000_000]).expect("valid");
    let mechanism = ehds(setting(&[1.0, 1.0], counts.total(), "1"), Gamma::ONE);
    let sampler = mechanism.sampler(&counts).expect("fits");
    let scale = mechanism.scale_down(&counts).expect("fits");
    let reach = 60_000_i64;
    let weight = |z: i64| {
        let candidate = [(30_000_000 + z) as u64, (70_000_000 - z) as u64];
        (-scale * sampler.score(&candidate).distance()).exp()
    };
    let inside: Vec<f64> = (-reach..=reach).map(weight).collect();
    let total: f64 = inside.iter().sum();
    // The candidates outside weigh at most their number times the weight at the edge.
    assert!(1e8 * weight(reach).max(weight(-reach)) < 1e-9 * total);
    // Fifty cells of about equal probability.
    let (mut law, mut sum, mut edges) = (Vec::new(), 0.0, Vec::new());
    for (z, w) in (-reach..=reach).zip(&inside) {
        sum += w / total;
        if sum > 0.02 {
            law.push((edges.len(), sum));
            edges.push(z);
            sum = 0.0;
        }
    }
    law.push((edges.len(), sum));
    let seed = 77;
    let mut bits = SeededBits::new(seed);
    let draws: Vec<usize> = (0..20_000)
        .map(|_| {
            let z = sampler.sample(&mut bits).expect("seeded")[0] as i64 - 30_000_000;
            edges.partition_point(|&edge| edge < z)
        })
        .collect();
    Fit { what: "ehds at n = 10^8", seed, false_alarms: 1e-6 }.check(&law, &draws);
}
