//! Compares the fast sensitivities with their definitions, by enumeration.

use posterity_core::distance::{Pair, hellinger_of_counts, ln_bc};
use posterity_core::model::{Counts, Gamma, Prior};
use posterity_core::sensitivity::{beta_smooth, gamma_smooth, global, local};
use posterity_testkit::{Random, all_counts};

fn hamming(c: &[u64], other: &[u64]) -> u64 {
    c.iter().zip(other).map(|(&a, &b)| a.abs_diff(b)).sum::<u64>() / 2
}

/// LS by its definition: the largest distance to the posterior of an adjacent data set.
fn local_by_definition(prior: &Prior, c: &[u64]) -> f64 {
    let mut largest = 0.0_f64;
    for from in (0..c.len()).filter(|&from| c[from] > 0) {
        for to in (0..c.len()).filter(|&to| to != from) {
            let mut moved = c.to_vec();
            moved[from] -= 1;
            moved[to] += 1;
            largest = largest.max(hellinger_of_counts(prior, c, &moved).expect("fits"));
        }
    }
    largest
}

fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found / expected - 1.0).abs() < 1e-12, "{what}: {found} instead of {expected}");
}

/// Checks every data set of size n against brute force, for priors drawn from 0.01 to 50.
fn check(k: usize, n: u64, priors: u64) {
    let sets = all_counts(k, n);
    for seed in 0..priors {
        let mut random = Random::new(seed * 1000 + k as u64 * 100 + n);
        // Every second prior has two equal parameters, so that ties occur.
        let mut alpha = random.prior(k, 0.01, 50.0);
        if seed % 2 == 1 {
            alpha[k - 1] = alpha[0];
        }
        let prior = Prior::new(alpha.clone()).expect("valid");
        let gamma = random.log_uniform(0.003, 10.0);
        let beta = random.log_uniform(0.001, 1.0);
        let locals: Vec<f64> = sets.iter().map(|c| local_by_definition(&prior, c)).collect();
        let largest = locals.iter().copied().fold(0.0, f64::max);
        assert_close(global(&prior, n), largest, &format!("GS at prior {alpha:?} n {n}"));
        for (c, &ls) in sets.iter().zip(&locals) {
            let counts = Counts::new(c.clone()).expect("valid");
            let at = format!("prior {alpha:?} counts {c:?} gamma {gamma} beta {beta}");
            assert_close(local(&prior, &counts).expect("fits"), ls, &format!("LS at {at}"));
            let others = || sets.iter().zip(&locals).map(|(other, ls)| (ls, hamming(c, other) as f64));
            let smooth = others().map(|(ls, d)| 1.0 / (1.0 / ls + gamma * d)).fold(0.0, f64::max);
            let found = gamma_smooth(&prior, &counts, Gamma::new(gamma).expect("positive")).expect("fits");
            assert_close(found, smooth, &format!("S_gamma at {at}"));
            let smooth = others().map(|(ls, d)| ls * (-beta * d).exp()).fold(0.0, f64::max);
            assert_close(
                beta_smooth(&prior, &counts, beta).expect("fits"),
                smooth,
                &format!("S_beta at {at}"),
            );
        }
    }
}

#[test]
fn two_categories() {
    (1..=40).for_each(|n| check(2, n, 20));
}

#[test]
fn three_categories() {
    (1..=12).for_each(|n| check(3, n, 20));
}

#[test]
fn four_categories() {
    (1..=7).for_each(|n| check(4, n, 20));
}

#[test]
fn five_categories() {
    (1..=4).for_each(|n| check(5, n, 10));
}

/// Compares with all pairs of end points, for many categories. The prior parameters fall as the counts rise, so that
/// almost no category can be left out of the search.
#[test]
fn many_categories_against_all_pairs() {
    for (seed, k) in [(1, 50), (2, 133), (3, 300)] {
        let mut random = Random::new(seed);
        let alpha: Vec<f64> = (0..k).map(|i| 5.0 / (1.0 + i as f64) + random.uniform(0.0, 1e-3)).collect();
        let counts: Vec<u64> = (0..k).map(|i| i as u64 * 2 + random.below(2)).collect();
        let prior = Prior::new(alpha.clone()).expect("valid");
        let data = Counts::new(counts.clone()).expect("valid");
        for gamma in [0.001, 0.03, 1.0] {
            let ln_g = |alpha: f64, c: u64| ln_bc(Pair::of_counts(alpha, c, c + 1));
            let mut best = f64::INFINITY;
            for i in 0..k {
                for j in (0..k).filter(|&j| j != i) {
                    for (ci, di) in [(counts[i], 0), (1, counts[i].abs_diff(1))] {
                        for (cj, dj) in [(counts[j], 0), (0, counts[j])] {
                            if ci == 0 {
                                continue;
                            }
                            let mut d = di + dj;
                            let mut cj = cj;
                            if counts[i] == 0 {
                                // The record for i may come from j.
                                d = dj.max(1);
                                cj = cj.min(counts[j].saturating_sub(1));
                            }
                            let ls = (-(ln_g(alpha[i], ci - 1) + ln_g(alpha[j], cj)).exp_m1()).sqrt();
                            best = best.min(1.0 / ls + gamma * d as f64);
                        }
                    }
                }
            }
            let found = gamma_smooth(&prior, &data, Gamma::new(gamma).expect("positive")).expect("fits");
            assert_close(found, 1.0 / best, &format!("k {k} gamma {gamma}"));
        }
    }
}
