//! Compares the posterior given a release of an exponential mechanism with Bayes' rule by brute force, the fast sums with
//! complete laws, and checks the coverage of intervals.

use posterity_core::decode::noise_aware;
use posterity_core::mechanism::{Mechanism, Space};
use posterity_core::model::{Counts, Released};
use posterity_core::noise_aware::{NoiseAware, NoiseAwareError};
use posterity_core::sampler::{SeededBits, dirichlet};
use posterity_testkit::fixture::{mechanism, setting};
use posterity_testkit::{Fit, Interval, all_counts, critical_interval};

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
                    assert!(found < 1e-11 && bound < 1e-9, "{name} {prior:?} {n} {released:?}: {found} {bound}");
                }
            }
        }
    }
    println!("largest difference {largest:e}");
}
