//! Compares the accuracy limit with an independent solver, with the optimal mechanism for two categories, and with its
//! definition.

use posterity_core::accuracy::{Limit, LimitError, MAX_VARIABLES, limit, over_data, prior_predictive};
use posterity_core::distance::hellinger_of_counts;
use posterity_core::mechanism::{Mechanism, geometric};
use posterity_core::model::{Counts, Setting};
use posterity_testkit::all_counts;
use posterity_testkit::fixture::{mechanism, setting_f64};
use proptest::prelude::*;

fn solved(setting: &Setting) -> Limit {
    limit(setting, MAX_VARIABLES).expect("solved")
}

/// From `tools/limit.py`: the whole program, solved by the dual simplex method of HiGHS (scipy 1.17.1).
#[test]
fn golden_values() {
    let table: [(&[f64], u64, f64, f64); 13] = [
        (&[1.0, 1.0, 1.0], 6, 1.0, 0.350_063_529_4),
        (&[1.0, 1.0, 1.0], 9, 1.0, 0.352_318_942_0),
        (&[1.0, 1.0, 1.0], 8, 2.0, 0.160_962_923_3),
        (&[1.0, 1.0, 1.0], 5, 0.1, 0.521_786_394_4),
        (&[1.0, 1.0, 1.0], 5, 4.0, 0.026_999_556_0),
        (&[0.5, 0.5, 0.5], 6, 0.5, 0.541_465_551_7),
        (&[2.0, 0.5, 2.0], 5, 1.0, 0.297_452_698_3),
        (&[0.5, 1.0, 2.0], 6, 1.0, 0.331_250_292_4),
        (&[7.0, 4.0, 5.0], 5, 2.0, 0.102_452_150_5),
        (&[1.0, 1.0, 1.0, 1.0], 4, 1.0, 0.429_812_607_1),
        (&[1.0, 3.0, 1.0, 3.0], 3, 1.0, 0.293_852_877_4),
        (&[1.0, 1.0], 12, 1.0, 0.168_361_259_9),
        (&[7.0, 4.0], 12, 0.5, 0.199_833_468_7),
    ];
    for (prior, n, epsilon, golden) in table {
        let found = solved(&setting_f64(prior, n, epsilon));
        assert!(found.lower - 2e-10 <= golden && golden <= found.value + 2e-10, "{prior:?} {n}: {golden}");
        assert!(found.value - found.lower < 1e-8, "{prior:?} {n}: {} to {}", found.lower, found.value);
    }
}

/// The expected distance of geometric noise followed by the best candidate for each outcome.
fn geometric_decoded(setting: &Setting) -> f64 {
    let prior = setting.prior();
    let candidates = all_counts(2, setting.n());
    let noise = geometric(setting.clone(), true);
    let joint: Vec<Vec<f64>> = candidates
        .iter()
        .map(|c| {
            let ln = noise.ln_probabilities(&Counts::new(c.clone()).expect("valid")).expect("fits");
            let weight = prior_predictive(prior, c);
            ln.into_iter().map(|ln| weight * ln.exp()).collect()
        })
        .collect();
    let distance = |c: &[u64], r: &[u64]| hellinger_of_counts(prior, c, r).expect("fits");
    let expected = |y: usize, r: &[u64]| -> f64 {
        candidates.iter().zip(&joint).map(|(c, joint)| joint[y] * distance(c, r)).sum()
    };
    let best = |y| candidates.iter().map(|r| expected(y, r)).fold(f64::INFINITY, f64::min);
    (0..candidates.len()).map(best).sum()
}

/// Two categories: the optimum is geometric noise, as Ghosh, Roughgarden and Sundararajan (2009) prove for losses that
/// depend on how far a count is off, but not on the side.
#[test]
fn two_categories_are_geometric_noise() {
    for prior in [[1.0, 1.0], [0.5, 0.5], [7.0, 4.0]] {
        for n in [5, 10, 20] {
            for epsilon in [0.1, 0.5, 1.0, 2.0] {
                let setting = setting_f64(&prior, n, epsilon);
                let (found, known) = (solved(&setting), geometric_decoded(&setting));
                assert!(
                    (found.value - known).abs() < 1e-6,
                    "{prior:?} {n} {epsilon}: {} {known}",
                    found.value
                );
                assert!(found.lower <= known + 1e-12, "{prior:?} {n} {epsilon}: {} {known}", found.lower);
            }
        }
    }
}

/// If this fails, some mechanism is more accurate than the limit allows.
#[test]
fn no_mechanism_is_below_the_limit() {
    for (prior, n) in [(vec![1.0, 1.0, 1.0], 8), (vec![0.5, 2.0, 0.5], 6), (vec![7.0, 4.0], 15)] {
        for epsilon in [0.1, 1.0, 3.0] {
            let setting = setting_f64(&prior, n, epsilon);
            let found = solved(&setting);
            let mut mechanisms: Vec<Box<dyn Mechanism>> = vec![Box::new(geometric(setting.clone(), true))];
            for name in ["ehd", "ehds"] {
                mechanisms.push(mechanism(name, &setting));
            }
            for mechanism in mechanisms {
                let mean = over_data(&*mechanism, 1e9).expect("small").mean;
                assert!(found.lower <= mean, "{} {prior:?} {n} {epsilon}: {mean}", mechanism.name());
            }
        }
    }
}

#[test]
fn rejects() {
    let too_large = |prior: &[f64], n, max| limit(&setting_f64(prior, n, 1.0), max).expect_err("too large");
    // There are 28 candidates, so 784 pairs without symmetry, and 139 orbits if all parameters are equal.
    assert_eq!(too_large(&[1.0, 2.0, 3.0], 6, 783), LimitError::TooLarge { variables: 784.0, limit: 783 });
    assert_eq!(too_large(&[1.0; 3], 6, 138), LimitError::TooLarge { variables: 139.0, limit: 138 });
    assert_eq!(solved(&setting_f64(&[1.0, 2.0, 3.0], 6, 1.0)).variables, 784);
    assert_eq!(solved(&setting_f64(&[1.0; 3], 6, 1.0)).variables, 139);
    // These are refused before any candidate is listed.
    for (prior, n) in [(vec![1.0; 3], 1_000_000), (vec![0.1; 300], 1_000_000_000_000), (vec![2.0; 12], 50)] {
        let error = too_large(&prior, n, MAX_VARIABLES);
        assert!(matches!(error, LimitError::TooLarge { limit: MAX_VARIABLES, .. }), "{error}");
    }
    // Here the rounding errors of the probabilities are above the tolerance.
    let error = limit(&setting_f64(&[1.0; 3], 6, 1e-9), MAX_VARIABLES).expect_err("not precise enough");
    assert!(
        matches!(error, LimitError::NotConverged { lower, value, epsilon: 1e-9, .. } if lower + 1e-6 < value),
        "{error}"
    );
}

/// With many categories and few records there are few orbits, however large the group is.
#[test]
fn many_categories() {
    let setting = setting_f64(&[0.5; 200], 2, 1.0);
    let found = solved(&setting);
    assert!(found.variables < 20 && found.value - found.lower < 1e-6, "{found:?}");
    // Pairs that an exchange of categories turns into each other have the same probability.
    let pair = |i: usize, j: usize| {
        let mut counts = vec![0; 200];
        counts[i] += 1;
        counts[j] += 1;
        counts
    };
    let p = found.probability(&pair(3, 77), &pair(3, 150));
    assert!(p.is_some_and(|p| p > 0.0));
    assert_eq!(p, found.probability(&pair(199, 0), &pair(42, 199)));
    for wrong in [vec![1, 1], pair(3, 77)[1..].to_vec(), vec![1; 200], vec![u64::MAX; 200]] {
        assert_eq!(found.probability(&wrong, &pair(0, 1)), None);
        assert_eq!(found.probability(&pair(0, 1), &wrong), None);
    }
}

#[test]
fn the_same_every_time() {
    let setting = setting_f64(&[1.0, 1.0, 2.0], 6, 1.0);
    let [a, b] = [solved(&setting), solved(&setting)];
    assert_eq!((a.value.to_bits(), a.lower.to_bits()), (b.value.to_bits(), b.lower.to_bits()));
}

/// Small random cases. The parameters are taken from few values, so that some are equal.
fn cases() -> impl Strategy<Value = (Vec<f64>, u64, f64)> {
    let parameter = prop::sample::select(vec![0.05, 0.5, 1.0, 1.0, 4.0, 30.0]);
    let prior = prop::collection::vec(parameter, 2..=4);
    prior.prop_flat_map(|prior| {
        let most = [10_u64, 6, 4][prior.len() - 2];
        (Just(prior), 1..=most, 0.02..6.0)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// If this fails, the probabilities do not sum to one, are not epsilon-DP, or do not have the stated expected
    /// distance.
    #[test]
    fn the_mechanism_is_what_it_says((prior, n, epsilon) in cases()) {
        let setting = setting_f64(&prior, n, epsilon);
        let found = solved(&setting);
        prop_assert!(0.0 <= found.lower && found.lower <= found.value && found.value - found.lower < 1e-6);
        let all = all_counts(prior.len(), n);
        let p = |c: &[u64], r: &[u64]| found.probability(c, r).expect("candidates");
        let mut mean = 0.0;
        for c in &all {
            let sum: f64 = all.iter().map(|r| p(c, r)).sum();
            prop_assert!((sum - 1.0).abs() < 1e-13, "{}", sum);
            let distance = |r: &[u64]| hellinger_of_counts(setting.prior(), c, r).expect("fits");
            mean += prior_predictive(setting.prior(), c) * all.iter().map(|r| p(c, r) * distance(r)).sum::<f64>();
            for (i, j) in (0..prior.len()).flat_map(|i| (0..prior.len()).map(move |j| (i, j))) {
                if i == j || c[i] == 0 {
                    continue;
                }
                let mut moved = c.clone();
                moved[i] -= 1;
                moved[j] += 1;
                for r in &all {
                    prop_assert!(p(c, r) >= 0.0);
                    prop_assert!((-epsilon).exp() * p(c, r) <= p(&moved, r) + 1e-16);
                }
            }
        }
        prop_assert!((mean - found.value).abs() < 1e-13, "{} {}", mean, found.value);
    }

    /// If this fails, a larger budget increases the limit, or the order of the categories changes it.
    #[test]
    fn monotone_in_epsilon_and_symmetric((prior, n, epsilon) in cases()) {
        let found = solved(&setting_f64(&prior, n, epsilon));
        let more = solved(&setting_f64(&prior, n, epsilon * 1.1));
        prop_assert!(more.lower <= found.value);
        let reversed: Vec<f64> = prior.iter().rev().copied().collect();
        let reversed = solved(&setting_f64(&reversed, n, epsilon));
        prop_assert!(reversed.lower <= found.value + 1e-13 && found.lower <= reversed.value + 1e-13);
    }
}
