//! What every mechanism must satisfy. A test calls each function for each listed mechanism.

use std::fmt;

use posterity_core::audit::audit;
use posterity_core::mechanism::{
    Description, FitError, Form, Guarantee, Likelihood, Mechanism, Spec, SpecError,
};
use posterity_core::model::{Released, Setting, SettingError};
use posterity_core::sampler::{BitSource, SeededBits, SourceError};
use posterity_core::score::Scoring;

use crate::fixture::{counts, setting};
use crate::{Fit, all_counts, seed_of};

/// Per test of one law. There are some hundreds of them, so that about one run in 3,000 would fail by chance, if seeds
/// varied.
const FALSE_ALARMS: f64 = 1e-6;

/// Rounding of two probabilities and of the sum that they are divided by.
const ROUNDING: f64 = 1e-12;

const EPSILONS: [&str; 3] = ["0.01", "1", "20"];

/// Priors and counts: corners and the middle, k = 2, 3, 5, uniform and uneven priors.
const DATA: [(&[f64], &[u64]); 6] = [
    (&[1.0, 1.0], &[0, 30]),
    (&[0.3, 6.0], &[13, 17]),
    (&[1.0, 1.0, 1.0], &[0, 0, 7]),
    (&[0.5, 2.0, 9.0], &[2, 1, 4]),
    (&[1.0, 1.0, 1.0, 1.0, 1.0], &[3, 0, 0, 0, 0]),
    (&[0.2, 1.0, 3.0, 0.7, 2.0], &[0, 1, 1, 0, 1]),
];

/// The usual specification, and those with each flag, each word and two numbers in place of the usual ones.
///
/// # Panics
/// If one cannot be read.
#[must_use]
pub fn variants(description: &Description) -> Vec<Spec> {
    let mut all = vec![description.spec()];
    for parameter in description.parameters {
        let values: Vec<String> = match parameter.form {
            Form::Flag => vec![String::new()],
            Form::Number(_) => vec!["=0.2".to_owned(), "=0.0078125".to_owned()],
            Form::Word(_, words) | Form::Text(_, words) => {
                words.iter().map(|word| format!("={word}")).collect()
            }
        };
        all.extend(values.iter().map(|value| {
            let text = format!("{}({}{value})", description.name, parameter.name);
            text.parse::<Spec>().expect("a valid value")
        }));
    }
    all
}

/// What a specification is written as is read as the same specification, by itself and in `tight(..)`.
///
/// # Panics
/// If it is not.
pub fn text_round_trip(description: &Description) {
    for spec in variants(description) {
        let text = spec.to_string();
        assert_eq!(text.parse::<Spec>().as_ref(), Ok(&spec), "{text}");
        assert_eq!(
            format!(" {} ", text.replace('(', " ( ").replace('=', " = ")).parse::<Spec>(),
            Ok(spec.clone()),
            "{text}"
        );
        let tight = format!("tight({text})").parse::<Spec>();
        if description.tunable {
            assert_eq!(tight.expect("tunable").to_string(), format!("tight({text})"));
        } else {
            assert_eq!(tight, Err(SpecError::NoScale { mechanism: spec.name() }));
        }
    }
}

/// Parameters that the mechanism does not have, values that it cannot have and data that does not fit are refused.
///
/// # Panics
/// If they are not.
pub fn rejects(description: &Description) {
    let name = description.name;
    for text in ["no-such-parameter", "no-such-parameter=1"] {
        let error = format!("{name}({text})").parse::<Spec>().expect_err("refused");
        assert!(matches!(error, SpecError::UnknownParameter { .. }), "{error}");
    }
    for parameter in description.parameters {
        let wrong = match parameter.form {
            Form::Flag => format!("{}=1", parameter.name),
            Form::Number(_) | Form::Word(..) | Form::Text(..) => format!("{}=nonsense", parameter.name),
        };
        let error = format!("{name}({wrong})").parse::<Spec>().expect_err("refused");
        assert!(matches!(error, SpecError::Value { .. }), "{error}");
        let right = match parameter.form {
            Form::Flag => parameter.name.to_owned(),
            Form::Number(_) => format!("{}=0.5", parameter.name),
            Form::Word(_, words) | Form::Text(_, words) => format!("{}={}", parameter.name, words[0]),
        };
        let error = format!("{name}({right}, {right})").parse::<Spec>().expect_err("refused");
        assert!(matches!(error, SpecError::Repeated { .. }), "{error}");
    }
    let mechanism = fitted(&description.spec(), &setting(&[1.0, 2.0, 0.5], 7, "1"));
    let wrong: [&[u64]; 2] = [&[3, 4], &[3, 4, 1]];
    for data in wrong {
        let error = mechanism.ln_probabilities(&counts(data)).expect_err("refused");
        assert!(matches!(error, SettingError::Categories { .. } | SettingError::Total { .. }), "{error}");
        assert!(mechanism.release(&counts(data), &mut SeededBits::new(1)).is_err());
    }
}

/// A release fails with its random source, and says so.
///
/// # Panics
/// If it does not.
pub fn a_failing_source_fails_the_release(description: &Description) {
    struct Broken;
    impl BitSource for Broken {
        fn next_u64(&mut self) -> Result<u64, SourceError> {
            Err(SourceError { reason: "unplugged".into() })
        }
    }
    for spec in variants(description) {
        let error = fitted(&spec, &setting(&[1.0, 1.0], 7, "1")).release(&counts(&[3, 4]), &mut Broken);
        assert!(error.expect_err("no bits").to_string().contains("unplugged"), "{spec}");
    }
}

/// Every outcome is listed once, and the probabilities sum to one.
///
/// # Panics
/// If they do not.
pub fn law_sums_to_one(description: &Description) {
    each_case(description, |case, mechanism, data| {
        let law = mechanism.law(&counts(data), 100_000).expect("small");
        let total: f64 = law.outcomes().map(|outcome| outcome.probability).sum();
        assert!((total - 1.0).abs() < 1e-11, "{case}: {total}");
        let mut listed: Vec<&[u64]> = law.outcomes().map(|outcome| outcome.counts).collect();
        assert!(listed.is_sorted(), "{case}");
        listed.dedup();
        assert_eq!(listed.len(), law.len(), "{case}");
    });
}

/// Draws follow the stated law: many from one plan, and some one by one.
///
/// # Panics
/// If they do not.
pub fn sampler_fits_law(description: &Description) {
    each_case(description, |case, mechanism, data| {
        let (data, seed) = (counts(data), seed_of(case));
        let law = mechanism.law(&data, 100_000).expect("small");
        let table: Vec<(Released, f64)> = law
            .outcomes()
            .map(|outcome| (Released::new(outcome.counts.to_vec()), outcome.probability))
            .collect();
        let fit = Fit { what: case, seed, false_alarms: FALSE_ALARMS };
        let mut bits = SeededBits::new(seed);
        fit.check(&table, &mechanism.release_many(&data, 10_000, &mut bits).expect("seeded"));
        let single: Vec<Released> =
            (0..200).map(|_| mechanism.release(&data, &mut bits).expect("seeded")).collect();
        fit.check(&table, &single);
    });
}

/// What is released follows from what is drawn by a rule of the specification, and the rule says what can be drawn.
///
/// # Panics
/// If it is otherwise. Then released counts that are read from a document are others than those that were drawn.
pub fn releases_follow_from_draws(description: &Description) {
    for spec in variants(description) {
        let tight = spec.clone().tight().unwrap_or_else(|_| spec.clone());
        for (prior, data) in DATA {
            let n = data.iter().sum();
            for epsilon in EPSILONS {
                let Ok(mechanism) = spec.fit(setting(prior, n, epsilon)) else { continue };
                assert_eq!(mechanism.drawing(), spec.drawing(), "{spec}");
                let bits = || SeededBits::new(seed_of(&spec.to_string()));
                let draws = mechanism.draw_many(&counts(data), 50, &mut bits()).expect("seeded");
                let releases = mechanism.release_many(&counts(data), 50, &mut bits()).expect("seeded");
                for (drawn, released) in draws.iter().zip(&releases) {
                    assert_eq!(spec.drawing().check(drawn, n), Ok(()), "{spec}: {drawn:?}");
                    assert_eq!(&spec.released(drawn, n), released, "{spec}: {drawn:?}");
                    assert_eq!(&tight.released(drawn, n), released, "{tight}: {drawn:?}");
                }
                let one = mechanism.draw(&counts(data), &mut bits()).expect("seeded");
                let released = mechanism.release(&counts(data), &mut bits()).expect("seeded");
                assert_eq!(spec.released(&one, n), released, "{spec}: {one:?}");
            }
        }
    }
}

/// A private mechanism says so, and no outcome is more than `exp` of what it promises times likelier at a data set than
/// at an adjacent one: by enumeration, written the slow way. The audit finds the same loss.
///
/// # Panics
/// If one of these is not so.
pub fn guarantee_holds(description: &Description) {
    let settings: [(&[f64], u64); 4] =
        [(&[1.0, 1.0], 12), (&[0.05, 3.0], 9), (&[1.0, 1.0, 1.0], 5), (&[0.3, 2.0, 8.0], 4)];
    for spec in variants(description) {
        for (prior, n) in settings {
            for epsilon in EPSILONS {
                let setting = setting(prior, n, epsilon);
                // A variant may refuse a prior; see docs/fidelity.md on the published constant.
                let Ok(mechanism) = spec.fit(setting.clone()) else { continue };
                let case = format!("{spec} at prior {prior:?}, n {n}, epsilon {epsilon}");
                let promised = match mechanism.guarantee() {
                    Guarantee::Pure { epsilon, .. } => Some(epsilon),
                    Guarantee::None { .. } => None,
                };
                assert_eq!(promised.is_some(), description.private, "{case}");
                assert_eq!(
                    promised,
                    spec.promised(setting.epsilon()),
                    "{case}: what is said before the data"
                );
                let loss = largest_log_ratio(&*mechanism);
                if let Some(promised) = promised.map(|epsilon| epsilon.to_f64()) {
                    assert!(loss <= promised + ROUNDING, "{case}: {loss} above {promised}");
                }
                let audited = audit(&*mechanism, &[], 1e9, &|_| ()).expect("small");
                assert!(
                    audited.loss_down() <= loss + ROUNDING && loss <= audited.loss_up() + ROUNDING,
                    "{case}: {loss} {audited:?}"
                );
            }
        }
    }
}

/// The largest log ratio of probabilities over all outcomes and all adjacent data sets.
///
/// # Panics
/// If the mechanism has more than 100,000 outcomes.
#[must_use]
pub fn largest_log_ratio(mechanism: &dyn Mechanism) -> f64 {
    let laws: Vec<(Vec<u64>, Vec<f64>)> = all_counts(mechanism.setting().k(), mechanism.setting().n())
        .into_iter()
        .map(|data| {
            let law = mechanism.law(&counts(&data), 100_000).expect("small");
            (data, law.outcomes().map(|outcome| outcome.probability).collect())
        })
        .collect();
    let mut largest = 0.0_f64;
    for (data, law) in &laws {
        let adjacent = |other: &[u64]| data.iter().zip(other).map(|(a, b)| a.abs_diff(*b)).sum::<u64>() == 2;
        for (_, other) in laws.iter().filter(|(other, _)| adjacent(other)) {
            for (here, there) in law.iter().zip(other) {
                assert!(here.is_finite(), "a probability is {here}");
                // Below this, probabilities have no digits left to compare.
                if *here > 1e-290 {
                    largest = largest.max((here / there).ln());
                }
            }
        }
    }
    largest
}

/// Where there is a likelihood, it is the law as a function of the data, up to a constant.
///
/// # Panics
/// If it is not.
pub fn likelihood_is_the_law(description: &Description) {
    for spec in variants(description) {
        for (prior, n) in [(&[1.0, 1.0][..], 9), (&[0.5, 2.0, 1.0][..], 4)] {
            let Ok(mechanism) = spec.fit(setting(prior, n, "1")) else { continue };
            let Some(likelihood) = mechanism.likelihood() else { continue };
            let data = all_counts(prior.len(), n);
            let laws: Vec<Vec<f64>> =
                data.iter().map(|one| mechanism.ln_probabilities(&counts(one)).expect("fits")).collect();
            let mut index = 0;
            mechanism.space().for_each(prior.len(), n, |outcome| {
                let spread = spread(likelihood, outcome, &data, |one| laws[one][index]);
                assert!(spread < 1e-9, "{spec} at {outcome:?}: {spread}");
                index += 1;
            });
        }
    }
}

/// How much the law and the likelihood of an outcome differ, up to a constant.
fn spread(
    likelihood: &dyn Likelihood,
    outcome: &[u64],
    data: &[Vec<u64>],
    law: impl Fn(usize) -> f64,
) -> f64 {
    let evidence = likelihood.evidence(&Released::new(outcome.to_vec()));
    let difference = |(index, one): (usize, &Vec<u64>)| {
        law(index) - one.iter().zip(evidence.factors()).map(|(&count, factor)| factor.ln(count)).sum::<f64>()
    };
    let all: Vec<f64> = data.iter().enumerate().map(difference).collect();
    let (low, high) = all
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &one| (low.min(one), high.max(one)));
    high - low
}

/// Under a uniform prior an exchangeable mechanism treats categories alike; one that says it is not, does not.
///
/// # Panics
/// If it is otherwise.
pub fn exchangeable_as_stated(description: &Description) {
    let mechanism = fitted(&description.spec(), &setting(&[1.0, 1.0, 1.0], 5, "1"));
    let probability = |data: &[u64], outcome: &[u64]| {
        let law = mechanism.law(&counts(data), 100_000).expect("small");
        law.outcomes().find(|one| one.counts == outcome).map_or(0.0, |one| one.probability)
    };
    let mut alike = true;
    for outcome in [[2, 1, 2], [1, 1, 3], [0, 2, 3]] {
        let turned = [outcome[2], outcome[0], outcome[1]];
        alike &= (probability(&[0, 1, 4], &outcome) - probability(&[4, 0, 1], &turned)).abs() < 1e-13;
    }
    assert_eq!(alike, description.exchangeable, "{description}");
}

/// The prior changes the law of the draws of some variant if the description says so, and only then.
///
/// # Panics
/// If it is otherwise. A ledger takes a question for the same under another prior where the prior changes nothing.
pub fn uses_the_prior_as_stated(description: &Description) {
    let law = |spec: &Spec, prior: &[f64]| -> Vec<(Vec<u64>, f64)> {
        let mechanism = fitted(spec, &setting(prior, 5, "1"));
        let law = mechanism.law(&counts(&[1, 4]), 100_000).expect("small");
        law.outcomes().map(|one| (one.counts.to_vec(), one.probability)).collect()
    };
    let changes = |spec: &Spec| law(spec, &[1.0, 1.0]) != law(spec, &[1.5, 3.0]);
    assert_eq!(variants(description).iter().any(changes), description.uses_prior, "{description}");
}

/// What each mechanism releases, with its usual parameters, of the counts (12, 30, 8) at prior (1, 2, 0.5) and epsilon
/// = 0.5 from seed 3. A mechanism for small spaces only is given the counts (1, 3, 1). A new mechanism is pinned by a
/// line here.
const PINNED: [(&str, [u64; 3]); 12] = [
    ("lattice", [16, 33, 1]),
    ("simplex", [16, 28, 6]),
    ("optimal", [3, 2, 0]),
    ("geometric", [16, 37, 0]),
    ("lshist", [16, 37, 0]),
    ("lsdim", [18, 33, 0]),
    ("lszhang", [25, 41, 0]),
    ("ehds", [20, 24, 6]),
    ("ehd", [20, 24, 6]),
    ("ehdl", [8, 9, 33]),
    ("mh", [20, 24, 6]),
    ("mhg", [8, 9, 33]),
];

/// Seeded draws stay what they are.
///
/// # Panics
/// If they changed. Then every seeded experiment changed, and the changelog must say so.
pub fn draws_are_pinned(description: &Description) {
    let Some((_, pinned)) = PINNED.iter().find(|(name, _)| *name == description.name) else { return };
    let spec = description.spec();
    let prior = [1.0, 2.0, 0.5];
    let (mechanism, data) = match spec.fit(setting(&prior, 50, "0.5")) {
        Err(FitError::TooLarge { .. }) => (fitted(&spec, &setting(&prior, 5, "0.5")), [1, 3, 1]),
        large => (large.expect("a mechanism for this setting"), [12, 30, 8]),
    };
    let released = mechanism.release(&counts(&data), &mut SeededBits::new(3)).expect("seeded");
    assert_eq!(released.as_slice(), pinned, "{description}");
}

/// The description tells the truth about what the fitted mechanism can do.
///
/// # Panics
/// If it does not.
pub fn description_agrees(description: &'static Description) {
    for spec in variants(description) {
        assert_eq!(spec.description(), description);
        let mechanism = fitted(&spec, &setting(&[1.0, 1.0], 6, "1"));
        assert_eq!((mechanism.description(), mechanism.name()), (description, description.name));
        assert_eq!(mechanism.tunable().is_some(), description.tunable, "{spec}");
        // The likelihood of an exponential mechanism is known for the Hellinger distance only.
        let hellinger = mechanism.tunable().is_none_or(|one| one.scoring() == Scoring::default());
        let decodable = description.decodable && hellinger;
        assert_eq!(mechanism.has_likelihood(), decodable, "{spec}");
        assert!(!description.summary.is_empty() && description.proof.starts_with("docs/"), "{spec}");
    }
}

fn fitted(spec: &Spec, setting: &Setting) -> Box<dyn Mechanism> {
    spec.fit(setting.clone()).expect("a mechanism for this setting")
}

/// Calls `check` with each variant at each budget and data set; a variant that refuses a prior is left out there.
fn each_case(description: &Description, mut check: impl FnMut(&str, &dyn Mechanism, &[u64])) {
    for spec in variants(description) {
        for (prior, data) in DATA {
            for epsilon in EPSILONS {
                if let Ok(mechanism) = spec.fit(setting(prior, data.iter().sum(), epsilon)) {
                    let case = Case { spec: &spec, prior, data, epsilon }.to_string();
                    check(&case, &*mechanism, data);
                }
            }
        }
    }
}

/// What a case is called; its seed follows from that.
struct Case<'a> {
    spec: &'a Spec,
    prior: &'a [f64],
    data: &'a [u64],
    epsilon: &'a str,
}

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { spec, prior, data, epsilon } = self;
        write!(f, "{spec} at {data:?}, prior {prior:?}, epsilon {epsilon}")
    }
}
