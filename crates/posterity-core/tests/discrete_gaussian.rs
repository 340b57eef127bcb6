//! Discrete Gaussian noise: draws beside the law, and the law beside what it promises.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use posterity_core::noise::{DiscreteGaussian, DiscreteGaussianError};
use posterity_core::sampler::{BitSource, SeededBits, SourceError};
use posterity_testkit::{Fit, critical_interval, seed_of};

/// The false-alarm rate of the test of one law. There are eleven, so one run in 90,000 would fail by chance if the seeds
/// varied.
const FALSE_ALARMS: f64 = 1e-6;

fn noise(numerator: u64, denominator: u64) -> DiscreteGaussian {
    let sigma_squared = RBig::from_parts(IBig::from(numerator), UBig::from(denominator));
    DiscreteGaussian::new(&sigma_squared).expect("in range")
}

fn draws(noise: &DiscreteGaussian, count: usize, seed: u64) -> Vec<i64> {
    let mut bits = SeededBits::new(seed);
    (0..count).map(|_| noise.draw(&mut bits).expect("seeded")).collect()
}

/// If this fails, draws do not follow the stated law. Everything beyond eight sigma is put together at the ends.
#[test]
fn draws_follow_the_law() {
    for (numerator, denominator) in
        [(1, 100), (1, 4), (1, 1), (5, 2), (100, 1), (1_000, 1), (1_100, 1), (99_999, 7)]
    {
        let noise = noise(numerator, denominator);
        let what = format!("discrete Gaussian, sigma^2 = {numerator}/{denominator}");
        let reach = (8.0 * noise.variance().sqrt()).ceil() as i64 + 1;
        let mut law: Vec<(i64, f64)> = (-reach..=reach).map(|z| (z, noise.probability(z))).collect();
        let beyond = noise.ln_tail_up(reach.unsigned_abs() + 1).exp();
        assert!(beyond < 1e-13, "{what}: {beyond}");
        let seed = seed_of(&what);
        let draws: Vec<i64> =
            draws(&noise, 200_000, seed).into_iter().map(|z| z.clamp(-reach, reach)).collect();
        // What is beyond the ends is counted there.
        for end in [0, law.len() - 1] {
            law[end].1 += beyond / 2.0;
        }
        Fit { what: &what, seed, false_alarms: FALSE_ALARMS }.check(&law, &draws);
    }
}

/// Where single numbers are too many, intervals of a tenth of sigma. Their probabilities are integrals of the normal
/// law, from which the sums of the discrete one differ by less than 1e-7 at this sigma.
#[test]
fn draws_of_large_noise_follow_the_law() {
    for sigma_squared in ["1000000000000", "1000000000000000000000000", "1000000000000000000000000000000"] {
        let value: RBig = sigma_squared.parse().expect("a number");
        let sigma = value.to_f64().value().sqrt();
        let noise = DiscreteGaussian::new(&value).expect("in range");
        let (seed, count) = (seed_of(sigma_squared), 200_000);
        let mut found = [0_u64; 80];
        for z in draws(&noise, count, seed) {
            found[((z as f64 / sigma * 10.0 + 40.0).floor().clamp(0.0, 79.0)) as usize] += 1;
        }
        for (cell, found) in found.into_iter().enumerate().skip(1).take(78) {
            let start = cell as f64 / 10.0 - 4.0;
            let steps = 1_000;
            let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
            let middle = |i: i32| start + (f64::from(i) + 0.5) * 0.1 / f64::from(steps);
            let p: f64 = (0..steps).map(|i| density(middle(i))).sum::<f64>() * 0.1 / f64::from(steps);
            let accepted = critical_interval(count as u64, p, FALSE_ALARMS / 78.0);
            assert!(
                (accepted.low..=accepted.high).contains(&found),
                "sigma^2 {sigma_squared}, seed {seed}, {count} draws, false-alarm rate {FALSE_ALARMS:e}: {found} from {start}, {accepted:?}"
            );
        }
    }
}

/// Pinned: a change of these values changes every seeded release of residuals.
#[test]
fn seeded_draws_are_pinned() {
    assert_eq!(draws(&noise(1, 2), 12, 1), PINNED_NARROW);
    assert_eq!(draws(&noise(10_000, 1), 8, 1), PINNED_WIDE);
}

const PINNED_NARROW: [i64; 12] = [-1, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0];
const PINNED_WIDE: [i64; 8] = [-76, -82, -87, 13, -96, -158, 74, 135];

/// Both signs are as likely, and zero is neither.
#[test]
fn the_law_is_symmetric() {
    let noise = noise(30, 1);
    for z in 0..200 {
        assert_eq!(noise.probability(z), noise.probability(-z));
    }
    let draws = draws(&noise, 100_000, 3);
    let zeros = draws.iter().filter(|&&z| z == 0).count() as u64;
    let positive = draws.iter().filter(|&&z| z > 0).count() as u64;
    let signed = draws.len() as u64 - zeros;
    let accepted = critical_interval(signed, 0.5, FALSE_ALARMS);
    assert!((accepted.low..=accepted.high).contains(&positive), "{positive} of {signed}, seed 3");
}

#[test]
fn rejects() {
    let small = RBig::from_parts(IBig::from(9), UBig::from(10_u8).pow(13));
    let large = RBig::from(UBig::from(10_u8).pow(30)) + RBig::ONE;
    for (sigma_squared, near) in [(RBig::ZERO, 0.0), (RBig::from(-4), -4.0), (small, 9e-13), (large, 1e30)] {
        let error = DiscreteGaussian::new(&sigma_squared).expect_err("refused");
        assert_eq!(error, DiscreteGaussianError { near });
        assert!(error.to_string().contains("from 1e-12"), "{error}");
    }
    for sigma_squared in
        [RBig::from_parts(IBig::ONE, UBig::from(10_u8).pow(12)), RBig::from(UBig::from(10_u8).pow(30))]
    {
        assert!(DiscreteGaussian::new(&sigma_squared).is_ok());
    }
}

#[test]
fn a_failing_source_fails_the_draw() {
    struct Broken;
    impl BitSource for Broken {
        fn next_u64(&mut self) -> Result<u64, SourceError> {
            Err(SourceError { reason: "unplugged".into() })
        }
    }
    assert_eq!(noise(4, 1).draw(&mut Broken), Err(SourceError { reason: "unplugged".into() }));
}

/// The Renyi divergence of order alpha between the noise and the noise moved by k, by its definition.
fn divergence(noise: &DiscreteGaussian, k: i64, alpha: f64) -> f64 {
    let reach = (60.0 * noise.sigma_squared().to_f64().value().sqrt()).ceil() as i64 + 5;
    let (centre, width) = ((alpha * k as f64).ceil() as i64, reach + k.abs());
    let terms = (centre - k - width..=centre + width)
        .map(|z| alpha * noise.ln_probability(z - k) + (1.0 - alpha) * noise.ln_probability(z));
    let terms: Vec<f64> = terms.collect();
    let most = terms.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
    (most + terms.iter().map(|term| (term - most).exp()).sum::<f64>().ln()) / (alpha - 1.0)
}

/// If this fails, noise of this sigma does not keep the promise of `k^2/(2 sigma^2)` in rho.
#[test]
fn the_divergence_of_moved_noise_is_at_most_alpha_rho() {
    for (numerator, denominator) in [(1, 10), (1, 2), (1, 1), (10, 3), (50, 1)] {
        let noise = noise(numerator, denominator);
        for k in [1_i64, 2, 7] {
            let rho = (k * k) as f64 * denominator as f64 / (2.0 * numerator as f64);
            for alpha in [1.01, 1.5, 2.0, 2.7, 5.0, 16.0, 33.3] {
                let (found, most) = (divergence(&noise, k, alpha), alpha * rho);
                assert!(
                    found <= most * (1.0 + 1e-9) + 1e-10,
                    "{numerator}/{denominator} k {k} alpha {alpha}: {found} {most}"
                );
                // It is reached where (alpha - 1) k is whole, so that nothing smaller would do.
                if ((alpha - 1.0) * k as f64).fract() == 0.0 {
                    assert!(
                        found >= most * (1.0 - 1e-9) - 1e-10,
                        "{numerator}/{denominator} k {k} alpha {alpha}: {found}"
                    );
                }
            }
        }
    }
}
