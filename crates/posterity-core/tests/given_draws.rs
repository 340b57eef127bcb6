//! Compares the posterior given a draw, as it was before anything was clipped, with Bayes' rule by enumeration, and the
//! Dirichlet distribution that stands for that posterior with its moments.

use posterity_core::decode::{noise_aware, noise_aware_of_draw};
use posterity_core::mechanism::{Drawing, Last, Mechanism};
use posterity_core::model::{Counts, Drawn};
use posterity_core::sampler::SeededBits;
use posterity_core::special::ln_gamma;
use posterity_testkit::fixture::{mechanism, setting};
use posterity_testkit::{Fit, all_counts};

/// `P(floor(Lap(b)) = z)` with `b = 1/rate`, as the integral of the density of Laplace noise from z to z + 1.
fn floored(rate: f64, z: i64) -> f64 {
    // The side on which both ends of the integral are, where the exponents are negative.
    let steps = if z >= 0 { z } else { -1 - z } as f64;
    0.5 * ((-rate * steps).exp() - (-rate * (steps + 1.0)).exp())
}

/// `P(Z = z)` of two-sided geometric noise.
fn two_sided(rate: f64, z: i64) -> f64 {
    (0.5 * rate).tanh() * (-rate * z.abs() as f64).exp()
}

/// The rate of the noise of a mechanism, as the research states it: Lap(s/epsilon), Lap(k/epsilon), Lap(2k/epsilon).
fn rate(name: &str, k: usize, epsilon: f64) -> f64 {
    let scale = match name {
        "lshist" | "lshist(consistent)" | "geometric" | "geometric(consistent)" => k.min(3) as f64 - 1.0,
        "lsdim" | "lsdim(consistent)" => k as f64,
        // lszhang.
        _ => 2.0 * k as f64,
    };
    epsilon / scale
}

/// The probability of a draw given the counts.
fn probability(name: &str, rate: f64, counts: &[u64], drawn: &[i64]) -> f64 {
    // All counts have noise of their own, or all but the last one.
    let noised = if name == "lszhang" { counts.len() } else { counts.len() - 1 };
    let law = if name.starts_with("geometric") { two_sided } else { floored };
    let each = counts[..noised].iter().zip(drawn).map(|(&count, &drawn)| law(rate, drawn - count as i64));
    each.product()
}

const FLOORED: [&str; 3] = ["lshist", "lsdim", "lszhang"];
const ALL: [&str; 7] = [
    "lshist",
    "lsdim",
    "lszhang",
    "lshist(consistent)",
    "lsdim(consistent)",
    "geometric",
    "geometric(consistent)",
];

/// All draws of some reach below zero and above n, with a last count without noise where the mechanism has one.
fn draws(mechanism: &dyn Mechanism, reach: i64) -> Vec<Vec<i64>> {
    let (k, n) = (mechanism.setting().k(), mechanism.setting().n() as i64);
    let own = mechanism.drawing() == Drawing::Noisy(Last::Noised);
    let noised = if own { k } else { k - 1 };
    let mut all = vec![Vec::new()];
    for _ in 0..noised {
        let longer = |one: &Vec<i64>| {
            let one = one.clone();
            (-reach..=n + reach).map(move |y| [one.as_slice(), &[y]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    if !own {
        all.iter_mut().for_each(|one| one.push(n - one.iter().sum::<i64>()));
    }
    all
}

/// If this fails, what is drawn is not the count plus the floor of Laplace noise, so every posterior given a draw has the
/// wrong likelihood.
#[test]
fn draws_are_counts_with_floored_noise() {
    /// Larger noise is counted together.
    const MOST: i64 = 30;
    for (index, name) in FLOORED.into_iter().enumerate() {
        for (k, counts) in [(2, vec![3, 6]), (3, vec![0, 4, 5])] {
            let mechanism = mechanism(name, &setting(&vec![1.0; k], 9, "3"));
            let rate = rate(name, k, 3.0);
            let (seed, truth) = (100 + index as u64, Counts::new(counts.clone()).expect("valid"));
            let mut bits = SeededBits::new(seed);
            let drawn = mechanism.draw_many(&truth, 40_000, &mut bits).expect("seeded");
            let noise: Vec<i64> = drawn
                .iter()
                .map(|one| (one.as_slice()[0] - counts[0] as i64).clamp(-MOST - 1, MOST))
                .collect();
            let mut law: Vec<(i64, f64)> = (-MOST..MOST).map(|z| (z, floored(rate, z))).collect();
            let tail = 0.5 * (-rate * MOST as f64).exp();
            law.extend([(-MOST - 1, tail), (MOST, tail)]);
            Fit { what: name, seed, false_alarms: 1e-6 }.check(&law, &noise);
        }
    }
}

/// If this fails, the posterior of a document does not follow Bayes' rule given what was drawn.
#[test]
fn posteriors_given_draws_are_bayes_rule() {
    for (prior, n) in [(vec![1.0, 1.0], 6), (vec![0.3, 2.5], 5), (vec![1.0, 0.5, 2.0], 4)] {
        let k = prior.len();
        for (epsilon, text) in [(0.3, "0.3"), (1.0, "1"), (5.0, "5")] {
            for name in ALL {
                let mechanism = mechanism(name, &setting(&prior, n, text));
                let rate = rate(name, k, epsilon);
                for drawn in draws(&*mechanism, 3) {
                    let what = format!("{name}, epsilon {text}, prior {prior:?}, drawn {drawn:?}");
                    check(&*mechanism, &prior, n, &drawn, &what, |counts| {
                        probability(name, rate, counts, &drawn)
                    });
                }
                // Nothing changes far outside, where the likelihood is a power.
                let far = if name == "lszhang" {
                    vec![-50; k]
                } else {
                    [vec![-50; k - 1], vec![n as i64 + 50 * (k as i64 - 1)]].concat()
                };
                let near: Vec<i64> = far.iter().map(|&y| if y < 0 { -1 } else { y }).collect();
                let of = |drawn: &[i64]| {
                    noise_aware_of_draw(&*mechanism, &Drawn::new(drawn.to_vec())).expect("small").mean()
                };
                for (far, near) in of(&far).iter().zip(of(&near)) {
                    assert!((far - near).abs() < 1e-12, "{name}: {far} {near}");
                }
            }
        }
    }
}

/// Compares marginals, means and moments with sums over all data sets.
fn check(
    mechanism: &dyn Mechanism,
    prior: &[f64],
    n: u64,
    drawn: &[i64],
    what: &str,
    law: impl Fn(&[u64]) -> f64,
) {
    let data_sets = all_counts(prior.len(), n);
    let weight = |counts: &Vec<u64>| {
        let parts = prior
            .iter()
            .zip(counts)
            .map(|(alpha, &c)| ln_gamma(alpha + c as f64) - ln_gamma(*alpha) - ln_gamma(c as f64 + 1.0));
        parts.sum::<f64>().exp() * law(counts)
    };
    let weights: Vec<f64> = data_sets.iter().map(weight).collect();
    let total: f64 = weights.iter().sum();
    let aware = noise_aware_of_draw(mechanism, &Drawn::new(drawn.to_vec())).expect("small");
    let all = prior.iter().sum::<f64>() + n as f64;
    let (mut spread, mut variances, mut means) = (0.0, 0.0, Vec::new());
    for (i, alpha) in prior.iter().enumerate() {
        let mut expected = vec![0.0; n as usize + 1];
        let (mut mean, mut square) = (0.0, 0.0);
        for (counts, weight) in data_sets.iter().zip(&weights) {
            let (share, weight) = ((alpha + counts[i] as f64) / all, weight / total);
            expected[counts[i] as usize] += weight;
            mean += weight * share;
            // The second moment of a share that is Beta distributed given the counts.
            square += weight * share * (share * all + 1.0) / (all + 1.0);
        }
        for (count, probability) in aware.marginals()[i].counts() {
            expected[count as usize] -= probability;
        }
        assert!(expected.iter().all(|one| one.abs() < 1e-11), "{what}, category {i}: {expected:?}");
        means.push(mean);
        variances += square - mean * mean;
        spread += mean * (1.0 - mean);
    }
    // The Dirichlet distribution with these means and this sum of variances (docs/proofs/noise-aware.md, theorem 4).
    let matched = aware.moment_matched().expect("positive");
    let parameters = matched.parameters();
    let sum: f64 = parameters.iter().sum();
    for (mean, parameter) in means.iter().zip(parameters) {
        assert!((parameter / sum - mean).abs() < 1e-11, "{what}: {parameter} {sum} {mean}");
    }
    let found: f64 = means.iter().map(|mean| mean * (1.0 - mean) / (sum + 1.0)).sum();
    assert!((found / variances - 1.0).abs() < 1e-9, "{what}: {found} {variances}");
    assert!((spread / variances - 1.0 - sum).abs() < 1e-7 * (1.0 + sum), "{what}: {sum}");
}

/// If this fails, a posterior is one given the clipped counts: those of these three draws are the same. The expected numbers
/// are sums over the 17 possible counts, in another language.
#[test]
fn draws_that_are_released_alike_say_different_things() {
    let mechanism = mechanism("lshist", &setting(&[1.0, 1.0], 16, "1"));
    for (drawn, expected) in [([-30, 46], MEAN_BELOW), ([-1, 17], MEAN_BELOW), ([0, 16], MEAN_AT_ZERO)] {
        let drawn = Drawn::new(drawn.to_vec());
        let released = mechanism.drawing().released(&drawn, 16);
        assert_eq!(released.as_slice(), [0, 16]);
        let found = noise_aware_of_draw(&*mechanism, &drawn).expect("small").mean()[0];
        assert!((found - expected).abs() < 1e-12, "{drawn:?}: {found}");
        let clipped = noise_aware(&*mechanism, &released).expect("small").mean()[0];
        assert!((clipped - MEAN_CLIPPED).abs() < 1e-12, "{clipped}");
    }
}

/// Given a noisy count below zero.
const MEAN_BELOW: f64 = 0.087_887_555_726_660_3;
/// Given a noisy count of zero.
const MEAN_AT_ZERO: f64 = 0.109_404_206_924_367_05;
/// Given that the noisy count is at most zero.
const MEAN_CLIPPED: f64 = 0.098_813_724_226_753_64;
