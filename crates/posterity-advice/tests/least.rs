//! The least epsilon for an error against brute force.

use posterity::{Counts, Decoder, Epsilon, Prior, Released, Spec};
use posterity_advice::Shape;
use posterity_advice::least::{Goal, LeastError, Situation, least_epsilon};
use posterity_core::confidence::{Subject, Sums};
use posterity_core::distance::hellinger;
use posterity_core::mechanism::Mechanism;
use posterity_core::model::Setting;
use posterity_core::special::beta;

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

/// The expected distance by its definition: the sum over all releases of the assumed data.
fn distance_by_enumeration(situation: &Situation, epsilon: f64) -> f64 {
    let mechanism = lattice(situation, epsilon);
    let counts = assumed(situation);
    let truth = situation.prior.posterior(&counts).expect("fits");
    let law = mechanism.law(&Counts::new(counts).expect("valid"), 1_000_000).expect("small");
    let one = |released: &[u64]| {
        let decoded = Decoder::Best.decode(&*mechanism, &Released::new(released.to_vec())).expect("decoded");
        hellinger(&truth, &decoded.posterior).expect("fits")
    };
    law.outcomes().map(|outcome| outcome.probability * one(outcome.counts)).sum()
}

/// The largest expected half-width by its definition: the sum over the noise of each category, from the law of lattice
/// noise, of the half-width of the confidence interval of what is drawn.
fn half_width_by_enumeration(situation: &Situation, epsilon: f64) -> f64 {
    let mechanism = lattice(situation, epsilon);
    let counts = assumed(situation);
    let additive = || mechanism.additive().expect("noise that adds up");
    let drawn: Vec<i64> = counts.iter().map(|&count| count as i64).collect();
    let sums = Sums::new(drawn, situation.n, additive());
    let far = (40.0 / epsilon).ceil() as i64;
    let mut weights = vec![0.0; 2 * far as usize + 1];
    // P(z) ~ exp(-epsilon/2 sum abs(z_i)) on sum z = 0: for two categories by the first, for three by the first two.
    for first in -far..=far {
        let weight = |z: &[i64]| (-0.5 * epsilon * z.iter().map(|z| z.abs() as f64).sum::<f64>()).exp();
        weights[(first + far) as usize] = match counts.len() {
            2 => weight(&[first, -first]),
            _ => (-far..=far).map(|second| weight(&[first, second, -first - second])).sum(),
        };
    }
    let all: f64 = weights.iter().sum();
    let of_category = |category: usize| -> f64 {
        let one = |(place, weight): (usize, &f64)| {
            let z = place as i64 - far;
            let group = sums.group(&[category]).as_if_drawn(counts[category] as i64 + z);
            let [low, high] = sums.share(group, Subject::Population, situation.level).ends;
            weight / all * 0.5 * (high - low)
        };
        weights.iter().enumerate().map(one).sum()
    };
    (0..counts.len()).map(of_category).fold(0.0, f64::max)
}

/// The data that a forecast supposes.
fn assumed(situation: &Situation) -> Vec<u64> {
    let even = || Shape::even(situation.prior.len());
    situation.shape.clone().unwrap_or_else(even).counts(situation.n)
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
fn the_least_epsilon_for_a_distance_is_that_of_brute_force() {
    let cases: [Case; 3] = [
        (&[1.0, 1.0], 12, None, Goal::Distance(0.2)),
        (&[0.5, 2.0], 16, Some(&[1.0, 1.0]), Goal::Distance(0.1)),
        (&[1.0, 1.0, 1.0], 6, Some(&[3.0, 2.0, 1.0]), Goal::Distance(0.25)),
    ];
    for (prior, n, shape, goal) in cases {
        let situation = situation(prior, n, shape);
        let found = least_epsilon(&situation, goal, false, &|_| ()).expect("valid");
        let expected = brute_force(|epsilon| distance_by_enumeration(&situation, epsilon), goal.wanted());
        // Another mechanism may need less than lattice, and is then recommended.
        match found.mechanism.expect("reached").name {
            "lattice" => assert_eq!(found.epsilon, Some(expected), "{prior:?} {n} {goal:?}"),
            _ => assert!(found.epsilon.expect("reached") <= expected, "{prior:?} {n} {goal:?}: {found:?}"),
        }
    }
}

/// A few numbers stand for the noise of a share (docs/proofs/forecast.md), which moves a half-width by up to 1 %. If this
/// fails, somebody buys less than the intervals that were asked for would take, or more.
#[test]
fn the_least_epsilon_for_a_half_width_is_near_that_of_brute_force() {
    let cases: [Case; 5] = [
        (&[1.0, 1.0], 20, None, Goal::HalfWidth(0.27)),
        (&[1.0, 1.0], 240, Some(&[1.0, 3.0]), Goal::HalfWidth(0.08)),
        (&[0.5, 2.0], 1_500, None, Goal::HalfWidth(0.04)),
        (&[1.0, 1.0, 1.0], 60, None, Goal::HalfWidth(0.19)),
        (&[1.0, 1.0, 1.0], 900, Some(&[6.0, 3.0, 1.0]), Goal::HalfWidth(0.045)),
    ];
    for (prior, n, shape, goal) in cases {
        let situation = situation(prior, n, shape);
        let found = least_epsilon(&situation, goal, false, &|_| ()).expect("valid");
        assert_eq!(found.mechanism.expect("reached").name, "lattice", "{found:?}");
        let (epsilon, wanted) = (found.epsilon.expect("reached"), goal.wanted());
        assert!(found.expected.expect("reached") <= wanted, "{found:?}");
        let [exact, less] = [1.0, 0.97].map(|part| half_width_by_enumeration(&situation, part * epsilon));
        println!(
            "{prior:?} {n}: epsilon {epsilon}, exact {exact:.5}, at 3 % less {less:.5}, wanted {wanted}"
        );
        assert!(exact <= 1.01 * wanted, "{prior:?} {n}: {exact} {wanted}");
        assert!(less > 0.99 * wanted, "{prior:?} {n}: {less} {wanted}");
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
    // Clopper and Pearson (1934): half of the records are in each category.
    let exact = |n: u64| {
        let (x, rest) = ((n / 2) as f64, (n - n / 2) as f64);
        0.5 * (beta::upper_quantile(0.025, x + 1.0, rest) - beta::quantile(0.025, x, rest + 1.0))
    };
    assert!((found.without_privacy - exact(300)).abs() < 1e-4, "{}", found.without_privacy);
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
fn the_curve_falls_through_the_goal() {
    let found =
        least_epsilon(&situation(&[1.0, 1.0], 40, None), Goal::HalfWidth(0.2), true, &|_| ()).expect("valid");
    let epsilon = found.epsilon.expect("in reach");
    assert!(
        found.curve.windows(2).all(|pair| pair[0][0] < pair[1][0] && pair[0][1] > pair[1][1]),
        "{found:?}"
    );
    for [place, error] in found.curve {
        assert!(
            (place < epsilon) == (error > 0.2) || (place / epsilon - 1.0).abs() < 0.01,
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
