//! The least epsilon for an error against brute force.

use posterity::{Counts, Decoder, Epsilon, Prior, Released, Spec};
use posterity_advice::Shape;
use posterity_advice::least::{Goal, LeastError, Situation, least_epsilon};
use posterity_core::accuracy::prior_predictive;
use posterity_core::decode::noise_aware;
use posterity_core::distance::hellinger;
use posterity_core::mechanism::{Mechanism, Space};
use posterity_core::model::{Setting, interval_level};
use posterity_core::sampler::{BitSource, SeededBits};

/// A prior, a number of records, expected shares and the error that one can bear.
type Case = (&'static [f64], u64, Option<&'static [f64]>, Goal);

fn situation(prior: &[f64], n: u64, shape: Option<&[f64]>) -> Situation {
    Situation {
        prior: Prior::new(prior.to_vec()).expect("valid"),
        n,
        shape: shape.map(|shape| Shape::new(shape.to_vec()).expect("valid")),
        level: 0.95,
    }
}

fn lattice(situation: &Situation, epsilon: f64) -> Box<dyn Mechanism> {
    let epsilon = Epsilon::from_f64(epsilon).expect("positive");
    let setting = Setting::new(situation.prior.clone(), situation.n, epsilon).expect("valid");
    "lattice".parse::<Spec>().expect("there is one").fit(setting).expect("any size")
}

/// The data sets with their probabilities.
fn data(situation: &Situation) -> Vec<(Vec<u64>, f64)> {
    if let Some(shape) = &situation.shape {
        return vec![(shape.counts(situation.n), 1.0)];
    }
    let mut all = Vec::new();
    Space::Candidates.for_each(situation.prior.len(), situation.n, |counts| {
        all.push((counts.to_vec(), prior_predictive(&situation.prior, counts)));
    });
    all
}

/// The error by its definition: the sum over all data and all releases.
fn by_enumeration(situation: &Situation, goal: Goal, epsilon: f64) -> f64 {
    let mechanism = lattice(situation, epsilon);
    let mut sums = vec![0.0; situation.prior.len()];
    for (counts, weight) in data(situation) {
        let law = mechanism.law(&Counts::new(counts.clone()).expect("valid"), 1_000_000).expect("small");
        for outcome in law.outcomes() {
            let released = Released::new(outcome.counts.to_vec());
            let errors = match goal {
                Goal::Distance(_) => {
                    let decoded = Decoder::Best.decode(&*mechanism, &released).expect("decoded").posterior;
                    vec![
                        hellinger(&situation.prior.posterior(&counts).expect("fits"), &decoded)
                            .expect("fits"),
                    ]
                }
                _ => {
                    let aware = noise_aware(&*mechanism, &released).expect("modelled");
                    aware
                        .intervals(situation.level)
                        .expect("a level")
                        .iter()
                        .map(|[low, high]| 0.5 * (high - low))
                        .collect()
                }
            };
            sums.iter_mut().zip(errors).for_each(|(sum, error)| *sum += weight * outcome.probability * error);
        }
    }
    sums.into_iter().fold(0.0, f64::max)
}

/// The least epsilon of a list of all numbers of three digits, by halving.
fn brute_force(error: impl Fn(f64) -> f64, wanted: f64) -> f64 {
    let number = |place: u32| {
        let (decade, digits) = (place / 900, place % 900 + 100);
        format!("{digits}e{}", decade as i32 - 4).parse::<f64>().expect("a number")
    };
    let (mut low, mut high) = (0, 900 * 3);
    while low < high {
        let middle = u32::midpoint(low, high);
        if error(number(middle)) <= wanted {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    number(low)
}

/// If this fails, the advice is wrong. At these sizes everything is listed, so all three digits are the same.
#[test]
fn the_least_epsilon_is_that_of_brute_force() {
    let cases: [Case; 6] = [
        (&[1.0, 1.0], 20, None, Goal::HalfWidth(0.19)),
        (&[1.0, 1.0], 24, Some(&[1.0, 3.0]), Goal::HalfWidth(0.2)),
        (&[0.5, 2.0], 15, None, Goal::HalfWidth(0.2)),
        (&[1.0, 1.0, 1.0], 5, None, Goal::HalfWidth(0.28)),
        (&[1.0, 1.0], 12, None, Goal::Distance(0.2)),
        (&[1.0, 1.0], 16, Some(&[1.0, 1.0]), Goal::Distance(0.1)),
    ];
    for (prior, n, shape, goal) in cases {
        let situation = situation(prior, n, shape);
        let found = least_epsilon(&situation, goal, false, &|_| ()).expect("valid");
        let expected = brute_force(|epsilon| by_enumeration(&situation, goal, epsilon), goal.wanted());
        // Another mechanism may need less than lattice, and is then recommended.
        match found.mechanism.expect("reached").name {
            "lattice" => assert_eq!(found.epsilon, Some(expected), "{prior:?} {n} {goal:?}"),
            _ => assert!(found.epsilon.expect("reached") <= expected, "{prior:?} {n} {goal:?}: {found:?}"),
        }
    }
}

/// Three points of the 300 records are out of reach, and the numbers of records are those that do it.
#[test]
fn too_few_records_are_said_with_the_number_that_would_do() {
    let few = situation(&[1.0, 1.0], 300, Some(&[1.0, 1.0]));
    let found = least_epsilon(&few, Goal::HalfWidth(0.03), false, &|_| ()).expect("valid");
    assert_eq!((found.epsilon, found.mechanism), (None, None));
    let records = found.records.expect("too few");
    let without = records.without_privacy.expect("in reach");
    let exact = |n: u64| {
        let posterior = few.prior.posterior(&[n / 2, n - n / 2]).expect("fits");
        let [low, high] = posterior.intervals(interval_level(0.95).expect("a level")).expect("a level")[0];
        0.5 * (high - low)
    };
    assert!((found.without_privacy - exact(300)).abs() < 1e-12, "{}", found.without_privacy);
    assert!(exact(without) <= 0.03 && exact(without * 99 / 100) > 0.03, "{without}");
    let private = records.at_epsilon_1.expect("in reach");
    let enough = situation(&[1.0, 1.0], private, Some(&[1.0, 1.0]));
    let epsilon = least_epsilon(&enough, Goal::HalfWidth(0.03), false, &|_| ()).expect("valid").epsilon;
    assert!(epsilon.is_some_and(|epsilon| epsilon <= 1.02), "{epsilon:?}");
    assert!(
        found.reason.contains("too few") && found.reason.contains("would do at epsilon 1"),
        "{}",
        found.reason
    );
}

#[test]
fn a_wide_interval_needs_no_release() {
    let found = least_epsilon(&situation(&[1.0, 1.0], 9, None), Goal::HalfWidth(0.48), false, &|_| ())
        .expect("valid");
    assert!(found.epsilon.is_none() && found.records.is_none());
    assert!(found.reason.starts_with("No release is needed"), "{}", found.reason);
}

#[test]
fn the_curve_falls_through_the_goal() {
    let found = least_epsilon(&situation(&[1.0, 1.0], 40, None), Goal::HalfWidth(0.16), true, &|_| ())
        .expect("valid");
    let epsilon = found.epsilon.expect("in reach");
    assert!(
        found.curve.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] > pair[1][1]),
        "{found:?}"
    );
    for [place, error] in found.curve {
        assert!(
            (place < epsilon) == (error > 0.16) || (place / epsilon - 1.0).abs() < 0.01,
            "{place} {error}"
        );
        assert!(error > found.without_privacy);
    }
}

#[test]
fn rejects() {
    let plain = situation(&[1.0, 1.0], 9, None);
    let refused =
        |situation: &Situation, goal| least_epsilon(situation, goal, false, &|_| ()).expect_err("refused");
    for value in [0.0, -1.0, 0.5, f64::NAN] {
        assert!(matches!(refused(&plain, Goal::HalfWidth(value)), LeastError::HalfWidth { .. }));
    }
    for value in [0.0, 1.0, f64::INFINITY] {
        assert!(matches!(refused(&plain, Goal::Distance(value)), LeastError::Distance { .. }));
    }
    let shape = situation(&[1.0, 1.0], 9, Some(&[1.0; 3]));
    assert_eq!(refused(&shape, Goal::HalfWidth(0.1)), LeastError::Shape { shape: 3, categories: 2 });
    assert!(matches!(
        refused(&situation(&[1.0, 1.0], 0, None), Goal::HalfWidth(0.1)),
        LeastError::Setting(_)
    ));
}

/// Data from the prior by Polya's urn, releases by the mechanism, intervals by the exact noise-aware posterior. The
/// result is what noise adds on average to the half-width without noise, with its standard error.
fn added_by_simulation(situation: &Situation, epsilon: f64, runs: u32) -> (f64, f64) {
    let mechanism = lattice(situation, epsilon);
    let bits = &mut SeededBits::new(77);
    let widths = |intervals: Vec<[f64; 2]>| {
        intervals.iter().map(|[low, high]| 0.5 * (high - low)).sum::<f64>() / intervals.len() as f64
    };
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..runs {
        let mut weights = situation.prior.parameters().to_vec();
        for _ in 0..situation.n {
            let mut left = (bits.next_u64().expect("bits") >> 11) as f64 / 9_007_199_254_740_992.0
                * weights.iter().sum::<f64>();
            let chosen = weights.iter().position(|weight| {
                left -= weight;
                left < 0.0
            });
            weights[chosen.unwrap_or(0)] += 1.0;
        }
        let counts: Vec<u64> =
            weights.iter().zip(situation.prior.parameters()).map(|(a, b)| (a - b) as u64).collect();
        let released = mechanism.release(&Counts::new(counts.clone()).expect("valid"), bits).expect("bits");
        let aware =
            widths(noise_aware(&*mechanism, &released).expect("modelled").intervals(0.95).expect("a level"));
        let without =
            widths(situation.prior.posterior(&counts).expect("fits").intervals(0.95).expect("a level"));
        sum += aware - without;
        squares += (aware - without) * (aware - without);
    }
    let runs = f64::from(runs);
    let mean = sum / runs;
    (mean, ((squares / runs - mean * mean) / (runs - 1.0)).sqrt())
}

/// At larger sizes 1 % less is not enough, and 1 % more is: by simulation with other random numbers, seed 77. The
/// simulation may be off by four of its standard errors, which happens once in 15,000 times.
#[test]
#[ignore = "slow: thousands of noise-aware posteriors"]
fn larger_sizes_agree_with_simulations() {
    for (k, n, wanted, runs) in
        [(3, 1_000, 0.03, 4_000), (2, 5_000, 0.02, 3_000), (5, 2_000, 0.05, 1_500), (2, 100_000, 0.01, 250)]
    {
        let situation = situation(&vec![1.0; k], n, None);
        let found = least_epsilon(&situation, Goal::HalfWidth(wanted), false, &|_| ()).expect("valid");
        let epsilon = found.epsilon.expect("in reach");
        let [less, more] = [0.99, 1.01].map(|factor| added_by_simulation(&situation, factor * epsilon, runs));
        let allowed = wanted - found.without_privacy;
        println!(
            "{k} {n} {wanted}: epsilon {epsilon}, {allowed:.6} may be added; {less:?} at 0.99, {more:?} at 1.01"
        );
        assert!(
            less.0 + 4.0 * less.1 > allowed && more.0 - 4.0 * more.1 < allowed,
            "{k} {n}: {less:?} {more:?} {allowed}"
        );
    }
}
