//! Compares draws of every sampler with the exact law. The tests are seeded, and use exact critical values and a stated
//! false-alarm rate. The conformance suite does the same for the mechanisms.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use posterity_core::mechanism::ehds;
use posterity_core::model::{Counts, Gamma};
use posterity_core::noise::{FlooredLaplace, LatticeNoise, LatticeNoiseError, Noise, TwoSidedGeometric};
use posterity_core::sampler::{Rate, SeededBits, bernoulli_exp, geometric, uniform_candidate};
use posterity_testkit::Fit;
use posterity_testkit::fixture::{seed_of, setting};

/// The false-alarm rate of the test of one law. There are about 25 laws, so one run in 40,000 would fail by chance if
/// the seeds varied.
const FALSE_ALARMS: f64 = 1e-6;

fn ratio(numerator: u32, denominator: u32) -> RBig {
    RBig::from_parts(IBig::from(numerator), UBig::from(denominator))
}

fn draws<T>(count: usize, seed: u64, mut draw: impl FnMut(&mut SeededBits) -> T) -> Vec<T> {
    let mut bits = SeededBits::new(seed);
    (0..count).map(|_| draw(&mut bits)).collect()
}

#[test]
fn bernoulli_of_exp() {
    for (numerator, denominator) in [(0, 1), (1, 100), (1, 3), (1, 1), (5, 4), (5, 2), (11, 4), (20, 1)] {
        let heads = (-f64::from(numerator) / f64::from(denominator)).exp();
        let what = format!("Bernoulli(exp(-{}))", ratio(numerator, denominator));
        let seed = seed_of(&what);
        let draws = draws(50_000, seed, |bits| {
            bernoulli_exp(&numerator.into(), &denominator.into(), bits).expect("seeded")
        });
        let fit = Fit { what: &what, seed, false_alarms: FALSE_ALARMS };
        fit.check(&[(false, 1.0 - heads), (true, heads)], &draws);
    }
}

/// Compares draws of whole numbers with a law; everything beyond `reach` is put together at the ends.
fn check(
    what: &str,
    reach: i64,
    law: impl Fn(i64) -> f64,
    ends: [f64; 2],
    mut draw: impl FnMut(&mut SeededBits) -> IBig,
) {
    let inner = (1 - reach..reach).map(|z| (z, law(z)));
    let table: Vec<(i64, f64)> =
        [(-reach, ends[0])].into_iter().chain(inner).chain([(reach, ends[1])]).collect();
    let fold = |z: IBig| i64::try_from(z).map_or(reach, |z| z.clamp(-reach, reach));
    let seed = seed_of(what);
    Fit { what, seed, false_alarms: FALSE_ALARMS }
        .check(&table, &draws(40_000, seed, |bits| fold(draw(bits))));
}

#[test]
fn whole_number_noise() {
    for value in [ratio(1, 100), ratio(1, 3), ratio(1, 1), ratio(5, 2), ratio(20, 1)] {
        let rate = Rate::new(value.clone()).expect("positive");
        let reach = (8.0 / rate.to_f64()).ceil() as i64 + 1;
        let all: [Box<dyn Noise>; 2] =
            [Box::new(TwoSidedGeometric::new(rate.clone())), Box::new(FlooredLaplace::new(rate.clone()))];
        for noise in all {
            let ends = [noise.at_most(-reach), noise.at_least(reach)];
            check(
                &format!("{noise:?}"),
                reach,
                |z| noise.probability(z),
                ends,
                |bits| noise.sample(bits).expect("seeded"),
            );
        }
        let p = (-rate.to_f64()).exp();
        let law = |z: i64| if z < 0 { 0.0 } else { (1.0 - p) * p.powi(z as i32) };
        let ends = [0.0, p.powi(reach as i32)];
        let draw = |bits: &mut SeededBits| IBig::from(geometric(&rate, bits).expect("seeded"));
        check(&format!("geometric of rate {value}"), reach, law, ends, draw);
    }
}

/// Parameters that no law has are errors: a rate of zero would divide by zero, and a negative one would lose its sign.
#[test]
fn parameters_without_a_law_are_refused() {
    for value in [RBig::ZERO, RBig::from(-1), -ratio(1, 3)] {
        assert_eq!(Rate::new(value.clone()).map_err(|error| error.value), Err(value));
    }
    let one = || Rate::new(RBig::ONE).expect("positive");
    for k in [0, 1] {
        assert_eq!(LatticeNoise::new(k, one()).err(), Some(LatticeNoiseError { k }));
    }
    assert!(LatticeNoise::new(2, one()).is_ok());
}

#[test]
fn uniform_candidates() {
    for (k, n, candidates) in [(2, 9, 10), (3, 5, 21), (5, 3, 35)] {
        let what = format!("uniform candidate, k {k} n {n}");
        let seed = seed_of(&what);
        let draws = draws(40_000, seed, |bits| uniform_candidate(k, n, bits).expect("seeded"));
        let mut law: Vec<_> =
            draws.iter().cloned().map(|counts| (counts, 1.0 / f64::from(candidates))).collect();
        law.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        law.dedup();
        assert_eq!(law.len(), candidates as usize);
        Fit { what: &what, seed, false_alarms: FALSE_ALARMS }.check(&law, &draws);
    }
}

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
    let draws = draws(20_000, seed, |bits| {
        let z = sampler.sample(bits).expect("seeded")[0] as i64 - 30_000_000;
        edges.partition_point(|&edge| edge < z)
    });
    Fit { what: "ehds at n = 10^8", seed, false_alarms: FALSE_ALARMS }.check(&law, &draws);
}
