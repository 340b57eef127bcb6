//! Compares the posterior given a release of an exponential mechanism with Bayes' rule by brute force, the fast sums
//! with complete laws, and checks the coverage of intervals.

use std::ops::Range;

use posterity_core::decode::{DecodeError, noise_aware};
use posterity_core::mechanism::{Mechanism, Space};
use posterity_core::model::{Counts, Released};
use posterity_core::noise_aware::{NoiseAware, NoiseAwareError};
use posterity_core::sampler::{SeededBits, dirichlet};
use posterity_testkit::fixture::{mechanism, setting};
use posterity_testkit::{Fit, Interval, all_counts, critical_interval, kolmogorov, multinomial};

const EXPONENTIAL: [&str; 4] = ["ehd", "ehdl", "ehds", "mh"];

/// `ln P(c)` under the prior, up to a constant: `prod_i prod_{j < c_i} (alpha_i + j)/(j + 1)`.
fn ln_prior(prior: &[f64], counts: &[u64]) -> f64 {
    let one = |(a, &c): (&f64, &u64)| (0..c).map(|j| ((a + j as f64) / (j as f64 + 1.0)).ln()).sum::<f64>();
    prior.iter().zip(counts).map(one).sum()
}

/// `p(c | released)` of all data sets, from the complete laws.
fn by_enumeration(mechanism: &dyn Mechanism, released: &[u64]) -> Vec<(Vec<u64>, f64)> {
    let (k, n) = (mechanism.setting().k(), mechanism.setting().n());
    let mut place = 0;
    let mut outcome = None;
    Space::Candidates.for_each(k, n, |counts| {
        if counts == released {
            outcome = Some(place);
        }
        place += 1;
    });
    let outcome = outcome.expect("a candidate");
    let prior = mechanism.setting().prior().parameters();
    let data = all_counts(k, n);
    let logs: Vec<f64> = data
        .iter()
        .map(|counts| {
            let law = mechanism.ln_probabilities(&Counts::new(counts.clone()).expect("valid")).expect("fits");
            ln_prior(prior, counts) + law[outcome]
        })
        .collect();
    let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = logs.iter().map(|ln| (ln - largest).exp()).sum();
    data.into_iter().zip(logs.iter().map(|ln| (ln - largest).exp() / total)).collect()
}

/// The total variation distance between the marginals and those of Bayes' rule, and the bound on it.
fn difference(mechanism: &dyn Mechanism, released: &[u64]) -> (f64, f64) {
    let aware = noise_aware(mechanism, &Released::new(released.to_vec())).expect("known");
    let exact = by_enumeration(mechanism, released);
    let n = mechanism.setting().n();
    let mut largest = 0.0_f64;
    for (category, marginal) in aware.marginals().iter().enumerate() {
        let mut expected = vec![0.0; n as usize + 1];
        exact.iter().for_each(|(counts, p)| expected[counts[category] as usize] += p);
        marginal.counts().for_each(|(count, p)| expected[count as usize] -= p);
        largest = largest.max(0.5 * expected.iter().map(|one: &f64| one.abs()).sum::<f64>());
    }
    (largest, aware.error_up())
}

/// If this fails, `p(c | released)` is not the normalised product of prior and law.
#[test]
fn marginals_are_bayes_rule() {
    let mut largest = 0.0_f64;
    for (prior, n) in [
        (vec![1.0, 1.0], 1),
        (vec![1.0, 1.0], 40),
        (vec![0.3, 2.5], 17),
        (vec![1e-9, 3.0], 12),
        (vec![40.0, 1e6], 25),
        (vec![1.0, 1.0, 1.0], 7),
        (vec![0.05, 3.0, 0.7], 6),
        (vec![2.0, 2.0, 0.5], 6),
        (vec![1.0, 0.5, 1.0, 0.5], 4),
    ] {
        for epsilon in ["0.1", "1", "8"] {
            for name in EXPONENTIAL {
                let mechanism = mechanism(name, &setting(&prior, n, epsilon));
                let mut released = Vec::new();
                Space::Candidates.for_each(prior.len(), n, |counts| released.push(counts.to_vec()));
                for released in released.iter().step_by(released.len().div_ceil(12)) {
                    let (found, bound) = difference(&*mechanism, released);
                    largest = largest.max(found);
                    assert!(
                        found < 1e-11 && bound < 1e-9,
                        "{name} {prior:?} {n} {released:?}: {found} {bound}"
                    );
                }
            }
        }
    }
    println!("largest difference {largest:e}");
}

/// If this fails, normalisers are summed worse than the posterior says. At these sizes few candidates are near the data.
#[test]
fn posteriors_of_many_records_are_bayes_rule() {
    check_two_categories(&[(vec![1.0, 1.0], 900, "1"), (vec![0.3, 4.0], 700, "0.05")]);
}

/// The same at larger sizes and odder priors.
#[test]
#[ignore = "slow: complete laws of thousands of data sets, one minute"]
fn posteriors_of_more_records_are_bayes_rule() {
    check_two_categories(&[
        (vec![1.0, 1.0], 3_000, "1"),
        (vec![1.0, 1.0], 3_000, "0.05"),
        (vec![0.3, 4.0], 2_500, "0.3"),
        (vec![1e-6, 50.0], 2_000, "3"),
        (vec![1e7, 1e7], 2_000, "20"),
    ]);
}

fn check_two_categories(cases: &[(Vec<f64>, u64, &str)]) {
    let mut largest = (0.0_f64, 0.0_f64);
    for (prior, n, epsilon) in cases {
        let n = *n;
        for name in EXPONENTIAL {
            let mechanism = mechanism(name, &setting(prior, n, epsilon));
            // The distances in scores and in normalisers are proven to 2^-43 each, times the scale, and count twice. A
            // prior far larger than n makes the scale large (docs/proofs/noise-aware.md).
            let scale = |first: u64| {
                let counts = Counts::new(vec![first, n - first]).expect("valid");
                mechanism.tunable().expect("an exponential mechanism").scale_down(&counts).expect("fits")
            };
            let most = 1e-9 + 2_f64.powi(-41) * (0..=n).map(scale).fold(0.0, f64::max);
            for first in [0, n / 7] {
                let (found, bound) = difference(&*mechanism, &[first, n - first]);
                largest = (largest.0.max(found), largest.1.max(bound));
                let what = format!("{name} {prior:?} epsilon {epsilon} released {first}");
                // The comparison has rounding errors of its own.
                assert!(found <= bound + 2e-11 && bound < most, "{what}: {found:e} {bound:e} {most:e}");
            }
        }
    }
    println!("largest difference {:e}, largest bound {:e}", largest.0, largest.1);
}

/// A million data sets are all possible given a release of `ehd`, which says almost nothing. Of `ehds` those near the
/// release are.
#[test]
fn a_million_records() {
    check_million("ehd", "0.5", 0.9..0.96);
    check_million("ehds", "1", 1e-3..4e-3);
}

fn check_million(name: &str, epsilon: &str, width: Range<f64>) {
    let n = 1_000_000;
    let mechanism = mechanism(name, &setting(&[1.0, 1.0], n, epsilon));
    let released = 3 * n / 10;
    let aware = noise_aware(&*mechanism, &Released::new(vec![released, n - released])).expect("known");
    assert!(aware.error_up() < 1e-8, "{}", aware.error_up());
    let [low, high] = aware.intervals(0.95).expect("a level")[0];
    println!("{name}: {low} to {high}, error {:e}", aware.error_up());
    assert!(width.contains(&(high - low)), "{name}: {low} {high}");
    assert!((low..=high).contains(&0.3));
    // Complete laws at some data sets: the ratio of the probabilities of two of them is that of Bayes' rule.
    let law = |c: u64| {
        let counts = Counts::new(vec![c, n - c]).expect("valid");
        mechanism.ln_probabilities(&counts).expect("fits")[released as usize]
    };
    let found: Vec<f64> = aware.marginals()[0].counts().map(|(_, p)| p).collect();
    let first = aware.marginals()[0].counts().next().expect("one").0;
    let ln_found = |c: u64| found[(c - first) as usize].ln();
    // The prior is uniform over the number of successes.
    for c in [released + 3, released - 10, released + 40] {
        let (expected, found) = (law(c) - law(released), ln_found(c) - ln_found(released));
        assert!((found - expected).abs() < 1e-8, "{name} {c}: {found} {expected}");
    }
}

/// If this fails, data sets that differ by an exchange of two like categories have other scales.
#[test]
fn scales_are_symmetric() {
    for name in EXPONENTIAL {
        for (n, first) in [(1, 0), (9, 3), (1_000, 1), (4_711, 2_000)] {
            let mechanism = mechanism(name, &setting(&[0.7, 0.7], n, "0.3"));
            let scale = |counts: [u64; 2]| {
                let counts = Counts::new(counts.to_vec()).expect("valid");
                mechanism.tunable().expect("an exponential mechanism").scale_down(&counts).expect("fits")
            };
            assert_eq!(scale([first, n - first]), scale([n - first, first]), "{name} {n}");
        }
    }
}

/// Sizes beyond the limits are refused, and releases of another mechanism.
#[test]
fn rejects() {
    let posterior = |k: usize, n: u64, released: Vec<u64>| {
        let mechanism = mechanism("ehds", &setting(&vec![1.0; k], n, "1"));
        noise_aware(&*mechanism, &Released::new(released)).map(|aware: NoiseAware| aware.mean()).err()
    };
    let too_many = |error: Option<DecodeError>| {
        matches!(error, Some(DecodeError::NoiseAware(NoiseAwareError::TooMany { .. })))
    };
    assert!(too_many(posterior(2, 1_000_001, vec![1, 1_000_000])));
    assert!(too_many(posterior(3, 2_000, vec![1_000, 1_000, 0])));
    assert!(too_many(posterior(10_000, 1, vec![0; 10_000])));
    let total = NoiseAwareError::Total { expected: 9, found: 10 };
    assert_eq!(posterior(2, 9, vec![5, 5]), Some(DecodeError::NoiseAware(total)));
    let huge = NoiseAwareError::Total { expected: 9, found: u64::MAX };
    assert_eq!(posterior(2, 9, vec![u64::MAX, 5]), Some(DecodeError::NoiseAware(huge)));
    let length = NoiseAwareError::Categories { expected: 2, found: 3 };
    assert_eq!(posterior(2, 9, vec![5, 4, 0]), Some(DecodeError::NoiseAware(length)));
}

/// If this fails, joint draws of the counts do not follow `p(c | released)`.
#[test]
fn sampled_counts_follow_the_joint_law() {
    let mechanism = mechanism("ehds", &setting(&[0.7, 1.0, 2.0], 6, "3"));
    let released = [3, 2, 1];
    let aware = noise_aware(&*mechanism, &Released::new(released.to_vec())).expect("known");
    let law = by_enumeration(&*mechanism, &released);
    let seed = 6;
    let mut bits = SeededBits::new(seed);
    let draws: Vec<Vec<u64>> = (0..40_000).map(|_| aware.sample_counts(&mut bits).expect("seeded")).collect();
    Fit { what: "counts given a release of ehds", seed, false_alarms: 1e-6 }.check(&law, &draws);
}

/// The number of trials for each mechanism and budget.
const TRIALS: u64 = 4_000;

/// The probability that one of the checks below fails although the intervals are right.
const FALSE_ALARMS: f64 = 1e-3;

/// Draws theta from the prior, data from theta, and a release from the data. The 95 % interval must contain theta in 95
/// % of the trials, and the posterior distribution function at theta must be uniform. The interval of the released
/// posterior is printed for comparison, and must cover much less.
#[test]
fn intervals_cover_what_they_say() {
    let cases = [
        ("ehds", &[1.0, 1.0][..], 200, "0.5"),
        ("ehd", &[0.5, 2.0], 60, "1"),
        ("mh", &[1.0, 1.0, 1.0], 24, "1"),
        ("ehdl", &[0.5, 1.0, 1.0], 20, "0.5"),
        ("ehds", &[1.0, 1.0, 1.0], 30, "2"),
    ];
    for (seed, (name, prior, n, epsilon)) in cases.into_iter().enumerate() {
        let mechanism = mechanism(name, &setting(prior, n, epsilon));
        let mut bits = SeededBits::new(seed as u64);
        let (mut covered, mut naive) = (0, 0);
        let mut transforms = Vec::new();
        for _ in 0..TRIALS {
            let theta = dirichlet(mechanism.setting().prior().distribution(), &mut bits).expect("seeded");
            let counts = multinomial(n, &theta, &mut bits);
            let released =
                mechanism.release(&Counts::new(counts).expect("valid"), &mut bits).expect("seeded");
            let aware = noise_aware(&*mechanism, &released).expect("known");
            let transform = aware.marginals()[0].cdf(theta[0]);
            transforms.push(transform);
            covered += u64::from((0.025..=0.975).contains(&transform));
            let pretended = mechanism.setting().prior().posterior(released.as_slice()).expect("fits");
            let (low, high) = pretended.interval(0, 0.95).expect("level");
            naive += u64::from((low..=high).contains(&theta[0]));
        }
        let Interval { low: least, high: most } = critical_interval(TRIALS, 0.95, FALSE_ALARMS);
        let statistic = kolmogorov(&mut transforms);
        // P(sqrt(N) D > 2.0) <= 2 exp(-2 * 2.0^2) = 0.00067 (Massart 1990).
        let bound = 2.0 / (TRIALS as f64).sqrt();
        println!(
            "{name} prior {prior:?} n {n} epsilon {epsilon}: noise-aware covers {:.2} % (allowed {:.2} to {:.2}), naive {:.2} %; \
             KS {statistic:.5} (below {bound:.5}); {TRIALS} trials, seed {seed}, false alarms {FALSE_ALARMS}",
            percent(covered),
            percent(least),
            percent(most),
            percent(naive)
        );
        assert!((least..=most).contains(&covered), "{name} epsilon {epsilon}: {covered} of {TRIALS}");
        assert!(statistic < bound, "{name} epsilon {epsilon}: {statistic}");
        assert!(percent(naive) < 85.0, "{name} epsilon {epsilon}: naive {naive}");
    }
}

fn percent(of: u64) -> f64 {
    100.0 * of as f64 / TRIALS as f64
}
