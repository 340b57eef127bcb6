//! Compares draws of every sampler with the exact law. The tests are seeded, and use exact critical values and a stated
//! false-alarm rate. The conformance suite does the same for the mechanisms.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use posterity_core::noise::{FlooredLaplace, LatticeNoise, LatticeNoiseError, Noise, TwoSidedGeometric};
use posterity_core::sampler::{Rate, SeededBits, bernoulli_exp, geometric, uniform_candidate};
use posterity_testkit::{Fit, seed_of};

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

/// Pinned: a change of these values changes every seeded experiment with noise on counts. The law does not tell which
/// face of the coin is the minus.
#[test]
fn seeded_noise_is_pinned() {
    let rate = Rate::new(ratio(1, 3)).expect("positive");
    let sixteen = |noise: &dyn Noise| {
        draws(16, 1, |bits| i64::try_from(noise.sample(bits).expect("seeded")).expect("a small number"))
    };
    assert_eq!(
        sixteen(&TwoSidedGeometric::new(rate.clone())),
        [-5, -7, -4, 9, 1, 1, 0, -3, -1, 4, -2, 6, 4, 0, 0, 3]
    );
    assert_eq!(
        sixteen(&FlooredLaplace::new(rate)),
        [-1, -6, -1, -8, -5, 9, 1, 1, 0, -4, -2, 4, -1, -3, 6, 4]
    );
}
