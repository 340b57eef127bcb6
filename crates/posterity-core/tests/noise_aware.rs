//! Compares the noise-aware posterior with Bayes' rule by brute force, and checks its limits and the coverage of its
//! intervals.

use posterity_core::decode::{noise_aware, project};
use posterity_core::mechanism::{ALL, Mechanism, Space};
use posterity_core::model::{Counts, Dirichlet, Released};
use posterity_core::noise::Evidence;
use posterity_core::noise_aware::{NoiseAware, NoiseAwareError};
use posterity_core::sampler::{SeededBits, dirichlet};
use posterity_core::special::{ln_binomial, ln_gamma};
use posterity_testkit::conformance::variants;
use posterity_testkit::fixture::{mechanism, setting, setting_f64};
use posterity_testkit::{Fit, Interval, all_counts, critical_interval, kolmogorov, multinomial};
use proptest::prelude::*;

/// What the mechanism's release says about the true counts.
fn evidence(mechanism: &dyn Mechanism, released: &[u64]) -> Evidence {
    mechanism.likelihood().expect("known noise").evidence(&Released::new(released.to_vec()))
}

const NOISY: [&str; 5] = ["lattice", "geometric", "lshist", "lsdim", "lszhang"];

/// `P(c)` under the prior, up to a constant.
fn prior_weight(prior: &[f64], counts: &[u64]) -> f64 {
    let parts = prior
        .iter()
        .zip(counts)
        .map(|(a, &c)| ln_gamma(a + c as f64) - ln_gamma(*a) - ln_gamma(c as f64 + 1.0));
    parts.sum::<f64>().exp()
}

/// If this fails, `p(c_i | released)` is not the normalised product of prior and law, for some outcome of a mechanism.
#[test]
fn marginals_are_bayes_rule() {
    for (prior, n) in [
        (vec![1.0, 1.0], 9),
        (vec![0.3, 2.5], 6),
        (vec![1.0, 1.0, 1.0], 5),
        (vec![0.05, 3.0, 0.7], 4),
        (vec![1.0, 0.5, 2.0, 1.0], 3),
    ] {
        for epsilon in ["0.2", "1", "6"] {
            for spec in ALL.iter().flat_map(|description| variants(description)) {
                let Ok(mechanism) = spec.fit(setting(&prior, n, epsilon)) else { continue };
                if mechanism.likelihood().is_some() {
                    check_marginals(&*mechanism, &prior, n);
                }
            }
        }
    }
}

fn check_marginals(mechanism: &dyn Mechanism, prior: &[f64], n: u64) {
    let k = prior.len();
    let data_sets = all_counts(k, n);
    let laws: Vec<Vec<f64>> = data_sets
        .iter()
        .map(|counts| mechanism.ln_probabilities(&Counts::new(counts.clone()).expect("valid")).expect("fits"))
        .collect();
    let mut index = 0;
    mechanism.space().for_each(k, n, |released| {
        let what = format!(
            "{} {:?} prior {prior:?} released {released:?}",
            mechanism.name(),
            mechanism.setting().epsilon()
        );
        let weights: Vec<f64> = data_sets
            .iter()
            .zip(&laws)
            .map(|(counts, law)| prior_weight(prior, counts) * law[index].exp())
            .collect();
        index += 1;
        let total: f64 = weights.iter().sum();
        if total < 1e-280 {
            return;
        }
        let evidence = evidence(mechanism, released);
        let aware = NoiseAware::new(mechanism.setting(), &evidence).expect("small");
        assert!(aware.error_up() < 1e-12, "{what}: {}", aware.error_up());
        for i in 0..k {
            let mut expected = vec![0.0; n as usize + 1];
            for (counts, weight) in data_sets.iter().zip(&weights) {
                expected[counts[i] as usize] += weight / total;
            }
            let mut found = vec![0.0; n as usize + 1];
            for (count, probability) in aware.marginals()[i].counts() {
                found[count as usize] = probability;
            }
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-11, "{what}, category {i}: {found} {expected}");
            }
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(4), ..ProptestConfig::default() })]

    /// The same with priors near zero, budgets from very small to large, and released counts that do not sum to n.
    #[test]
    fn marginals_are_bayes_rule_at_extremes(
        ln_prior in prop::collection::vec(prop_oneof![-3.0..3.0_f64, -300.0..6.0_f64], 2..=3),
        released in prop::collection::vec(0.0..=1.0_f64, 3),
        n in 1_u64..=30,
        ln_epsilon in -7.0..4.0_f64,
        which in 0_usize..5,
    ) {
        let prior: Vec<f64> = ln_prior.iter().map(|ln| ln.exp()).collect();
        let setting = setting_f64(&prior, n, ln_epsilon.exp());
        let mechanism = mechanism(NOISY[which], &setting);
        let released: Vec<u64> = released[..prior.len()].iter().map(|share| (share * n as f64).round() as u64).collect();
        let evidence = evidence(&*mechanism, &released);
        let aware = NoiseAware::new(mechanism.setting(), &evidence).expect("possible");
        prop_assert!(aware.error_up() < 1e-9, "{}", aware.error_up());
        // The weights are kept as logarithms, because priors near zero make them very large or very small.
        let ln_weight = |counts: &[u64]| -> f64 {
            let parts = prior.iter().zip(counts).zip(evidence.factors());
            parts.map(|((alpha, &c), factor)| ln_gamma(alpha + c as f64) - ln_gamma(c as f64 + 1.0) + factor.ln(c)).sum()
        };
        let data_sets = all_counts(prior.len(), n);
        let logs: Vec<f64> = data_sets.iter().map(|counts| ln_weight(counts)).collect();
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = logs.iter().map(|ln| (ln - largest).exp()).sum();
        for i in 0..prior.len() {
            let mut expected = vec![0.0; n as usize + 1];
            for (counts, ln) in data_sets.iter().zip(&logs) {
                expected[counts[i] as usize] += (ln - largest).exp() / total;
            }
            for (count, probability) in aware.marginals()[i].counts() {
                expected[count as usize] -= probability;
            }
            prop_assert!(expected.iter().all(|difference| difference.abs() < 1e-9), "category {}: {:?}", i, expected);
        }
    }
}

/// Large windows use Fourier transforms. Permuted categories give a tree of another shape, and must give the same
/// result.
#[test]
fn large_problems_do_not_depend_on_the_order_of_the_categories() {
    for (name, epsilon, n) in
        [("lattice", "0.001", 200_000), ("lszhang", "0.01", 50_000), ("lshist", "0.002", 60_000)]
    {
        let prior = [0.5, 2.0, 1.0, 1.0];
        let released = [n / 2 + 700, n / 4, n / 4 - 300, 0];
        // The last category of lshist has no noise of its own, so it stays the last.
        let order = if name == "lshist" { [2, 0, 1, 3] } else { [3, 1, 0, 2] };
        let solve = |prior: &[f64], released: &[u64]| {
            let mechanism = mechanism(name, &setting(prior, n, epsilon));
            NoiseAware::new(mechanism.setting(), &evidence(&*mechanism, released)).expect("fits")
        };
        let one = solve(&prior, &released);
        let other = solve(&order.map(|i| prior[i]), &order.map(|i| released[i]));
        assert!(one.error_up() < 1e-10, "{}", one.error_up());
        let sum: f64 = one.mean_counts().iter().sum();
        assert!((sum / n as f64 - 1.0).abs() < 1e-10);
        for (place, &i) in order.iter().enumerate() {
            let (a, b) = (&one.marginals()[i], &other.marginals()[place]);
            assert!((a.mean() / b.mean() - 1.0).abs() < 1e-9, "{name}: {} {}", a.mean(), b.mean());
            assert!((a.variance() / b.variance() - 1.0).abs() < 1e-8);
            let ((low, high), (low_b, high_b)) =
                (a.interval(0.95).expect("level"), b.interval(0.95).expect("level"));
            assert!((low - low_b).abs() < 1e-9 && (high - high_b).abs() < 1e-9);
        }
    }
}

/// Without noise the result is the posterior of the true counts. With very much noise it is the prior.
#[test]
fn limits_of_the_budget() {
    let prior = [0.5, 2.0, 1.0];
    let truth = [3, 0, 7];
    let solve = |epsilon: &str, name: &str| {
        let mechanism = mechanism(name, &setting(&prior, 10, epsilon));
        NoiseAware::new(mechanism.setting(), &evidence(&*mechanism, &truth)).expect("fits")
    };
    for name in ["lattice", "geometric", "lshist"] {
        // At a large budget floored Laplace noise is zero or minus one, with probability 1/2 each, so it is never
        // exact.
        if name != "lshist" {
            let exact = Dirichlet::new(vec![3.5, 2.0, 8.0]).expect("valid");
            let aware = solve("200", name);
            for (found, expected) in aware.mean().iter().zip(exact.mean()) {
                assert!((found - expected).abs() < 1e-12);
            }
            for (found, expected) in
                aware.intervals(0.9).expect("level").iter().zip(exact.intervals(0.9).expect("level"))
            {
                assert!((found[0] - expected[0]).abs() < 1e-10 && (found[1] - expected[1]).abs() < 1e-10);
            }
        }
        let nothing = solve("1e-9", name);
        let before = Dirichlet::new(prior.to_vec()).expect("valid");
        for (found, expected) in nothing.mean().iter().zip(before.mean()) {
            assert!((found - expected).abs() < 1e-6, "{name}: {found} {expected}");
        }
        for (found, expected) in nothing.variance().iter().zip(before.variance()) {
            assert!((found / expected - 1.0).abs() < 1e-6, "{name}");
        }
    }
}

/// A trillion records, a thousand categories, priors near zero, and inputs that are refused.
#[test]
fn extremes() {
    let solve = |prior: Vec<f64>, n: u64, epsilon: &str, released: Vec<u64>| {
        let mechanism = mechanism("lattice", &setting(&prior, n, epsilon));
        NoiseAware::new(mechanism.setting(), &evidence(&*mechanism, &released))
    };
    let trillion = 1_000_000_000_000;
    let aware = solve(vec![1.0; 3], trillion, "1", vec![trillion / 2, trillion / 2, 0]).expect("fits");
    assert!(aware.error_up() < 1e-12);
    assert!((aware.mean()[0] - 0.5).abs() < 1e-11 && aware.mean()[2] < 1e-11);
    let many =
        solve(vec![0.5; 1_000], 10_000, "1", (0..1_000).map(|i| if i % 2 == 0 { 20 } else { 0 }).collect());
    let many = many.expect("fits");
    assert!(many.error_up() < 1e-10, "{}", many.error_up());
    assert!((many.mean().iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let tiny = solve(vec![1e-300, 1e-3], 5, "0.5", vec![2, 3]).expect("fits");
    assert!(tiny.mean().iter().all(|mean| mean.is_finite()));
    let wide = solve(vec![1.0; 2], trillion, "1e-12", vec![trillion / 2, trillion / 2]);
    assert!(matches!(wide, Err(NoiseAwareError::TooWide { .. })));
    let short = solve(vec![1.0; 3], 5, "1", vec![2, 3]);
    assert_eq!(short.err(), Some(NoiseAwareError::Categories { expected: 3, found: 2 }));
}

/// Under a prior of a trillion for both categories, the counts are almost binomial with probability 1/2. With
/// `h = (c(c-1) + (n-c)(n-c-1))/2` their weights are `C(n, c) exp(h/alpha)` up to `n^3/alpha^2`, which is below 1e-12
/// here.
#[test]
fn large_priors_keep_their_digits() {
    let (alpha, n, rate) = (1e12, 5_000_u64, 0.05);
    let setting = setting(&[alpha, alpha], n, "0.1");
    let mechanism = mechanism("lattice", &setting);
    let aware = noise_aware(&*mechanism, &Released::new(vec![2_900, 2_050])).expect("known");
    let ln = |c: u64| {
        let (a, b) = (c as f64, (n - c) as f64);
        let noise = rate * (c.abs_diff(2_900) + (n - c).abs_diff(2_050)) as f64;
        ln_binomial(n, c) + 0.5 * (a * (a - 1.0) + b * (b - 1.0)) / alpha - noise
    };
    let largest = (0..=n).map(ln).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = (0..=n).map(|c| (ln(c) - largest).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let mean: f64 = (0_u64..).zip(&weights).map(|(c, w)| c as f64 * w / sum).sum();
    let found = aware.mean_counts()[0];
    // The mean moves by at most the error times the range; the logarithm of a binomial coefficient is known to 1e-12.
    let allowed = aware.error_up() * n as f64 + 1e-8;
    assert!(aware.error_up() < 1e-9, "{}", aware.error_up());
    assert!((found - mean).abs() < allowed, "{found} {mean} {}", aware.error_up());
}

/// If this fails, joint draws of the counts do not follow `p(c | released)`.
#[test]
fn sampled_counts_follow_the_joint_law() {
    let prior = [0.7, 1.0, 2.0];
    let n = 6;
    let mechanism = mechanism("lattice", &setting(&prior, n, "0.7"));
    let released = [4, 3, 0];
    let evidence = evidence(&*mechanism, &released);
    let aware = NoiseAware::new(mechanism.setting(), &evidence).expect("fits");
    let mut law: Vec<(Vec<u64>, f64)> = Vec::new();
    Space::Candidates.for_each(3, n, |counts| {
        let ln: f64 = evidence.factors().iter().zip(counts).map(|(factor, &count)| factor.ln(count)).sum();
        law.push((counts.to_vec(), prior_weight(&prior, counts) * ln.exp()));
    });
    let total: f64 = law.iter().map(|(_, weight)| weight).sum();
    law.iter_mut().for_each(|(_, weight)| *weight /= total);
    let seed = 5;
    let mut bits = SeededBits::new(seed);
    let draws: Vec<Vec<u64>> = (0..40_000).map(|_| aware.sample_counts(&mut bits).expect("seeded")).collect();
    Fit { what: "counts given a release", seed, false_alarms: 1e-6 }.check(&law, &draws);
}

/// The number of trials for each budget.
const TRIALS: u64 = 20_000;

/// The probability that one of the checks below fails although the intervals are right.
const FALSE_ALARMS: f64 = 1e-3;

/// Draws theta from the prior, data from theta, and a release from the data. The 95 % interval must contain theta in 95
/// % of the trials, and the posterior distribution function at theta must be uniform. The interval of the Dirichlet
/// distribution that takes the projected counts for the true counts is printed for comparison.
#[test]
fn intervals_cover_what_they_say() {
    let (prior, n) = ([1.0, 1.0, 1.0], 60);
    for (seed, epsilon) in ["0.1", "0.3", "1"].into_iter().enumerate() {
        let mechanism = mechanism("lattice", &setting(&prior, n, epsilon));
        let mut bits = SeededBits::new(seed as u64);
        let (mut covered, mut naive) = (0, 0);
        let mut transforms = Vec::new();
        for trial in 0..TRIALS {
            let theta = dirichlet(mechanism.setting().prior().distribution(), &mut bits).expect("seeded");
            let counts = multinomial(n, &theta, &mut bits);
            let released =
                mechanism.release(&Counts::new(counts).expect("valid"), &mut bits).expect("seeded");
            let aware = NoiseAware::new(mechanism.setting(), &evidence(&*mechanism, released.as_slice()))
                .expect("fits");
            let marginal = &aware.marginals()[0];
            let transform = marginal.cdf(theta[0]);
            transforms.push(transform);
            let holds = (0.025..=0.975).contains(&transform);
            covered += u64::from(holds);
            // The interval contains theta exactly if the transform is between 0.025 and 0.975.
            if trial < 500 {
                let (low, high) = marginal.interval(0.95).expect("level");
                assert_eq!((low..=high).contains(&theta[0]), holds);
            }
            let pretended =
                mechanism.setting().prior().posterior(&project(released.as_slice(), n)).expect("fits");
            let (low, high) = pretended.interval(0, 0.95).expect("level");
            naive += u64::from((low..=high).contains(&theta[0]));
        }
        let Interval { low: least, high: most } = critical_interval(TRIALS, 0.95, FALSE_ALARMS);
        let statistic = kolmogorov(&mut transforms);
        // P(sqrt(N) D > 2.0) <= 2 exp(-2 * 2.0^2) = 0.00067 (Massart 1990).
        let bound = 2.0 / (TRIALS as f64).sqrt();
        println!(
            "epsilon {epsilon}: noise-aware covers {:.2} % (allowed {:.2} to {:.2}), naive {:.2} %; KS {statistic:.5} (below {bound:.5}); \
             {TRIALS} trials, seed {seed}, false alarms {FALSE_ALARMS}",
            percent(covered),
            percent(least),
            percent(most),
            percent(naive)
        );
        assert!((least..=most).contains(&covered), "epsilon {epsilon}: {covered} of {TRIALS}");
        assert!(statistic < bound, "epsilon {epsilon}: {statistic}");
        if epsilon == "0.1" {
            assert!((0.33..0.45).contains(&(naive as f64 / TRIALS as f64)), "naive {naive}");
        }
    }
}

fn percent(of: u64) -> f64 {
    100.0 * of as f64 / TRIALS as f64
}
