//! The fast audits of exponential mechanisms agree with the comparison of complete laws.

mod complete;

use complete::Complete;
use posterity_core::audit::{Audit, Scope, audit, enumerate};
use posterity_core::calibrate::tight;
use posterity_core::mechanism::Mechanism;
use posterity_core::score::EXAMPLES;
use posterity_testkit::fixture::{mechanism, setting_f64, spec};
use posterity_testkit::{Random, trials};

const LIMIT: f64 = 1e10;

/// Both audits enclose the same loss, state deltas that are upper bounds of the same numbers, and have a witness of
/// that loss.
fn check(mechanism: &dyn Mechanism, case: &str) -> f64 {
    let exponential = mechanism.tunable().expect("an exponential mechanism");
    if exponential.scoring().is_hellinger() {
        compare(mechanism, &Complete(exponential.clone()), case)
    } else {
        compare(mechanism, mechanism, case)
    }
}

/// The width of the enclosure that the fast audit found, beside the comparison of all laws of `all`.
fn compare(mechanism: &dyn Mechanism, all: &dyn Mechanism, case: &str) -> f64 {
    let loss = audit(mechanism, &[], LIMIT, &|_| ()).expect("small").loss_up();
    let epsilons = [0.0, 0.3 * loss, 0.9 * loss, loss, 2.0 * loss];
    let expected = enumerate(all, &epsilons, LIMIT, &|_| ()).expect("small");
    let found = audit(mechanism, &epsilons, LIMIT, &|_| ()).expect("small");
    assert!(Scope::of(mechanism).probabilities <= Scope::by_enumeration(mechanism).probabilities, "{case}");
    assert!(
        found.loss_down() <= expected.loss_up() && expected.loss_down() <= found.loss_up(),
        "{case}: {found:?} and {expected:?}"
    );
    let slack = found.rounding() + expected.rounding();
    for (&(epsilon, delta), &(_, other)) in found.profile_up().iter().zip(expected.profile_up()) {
        // Both are at most this far above the true value, so they are that near to each other.
        let error = (1.0 + epsilon.exp()) * slack;
        assert!((delta - other).abs() <= 1.5 * error + 1e-300, "{case} at {epsilon}: {delta} and {other}");
    }
    let witness = |of: &Audit| {
        let law = |counts: &[u64]| {
            let counts = posterity_testkit::fixture::counts(counts);
            all.ln_probabilities(&counts).expect("fits")
        };
        let (mut index, mut at) = (0, 0);
        let (k, n) = (mechanism.setting().k(), mechanism.setting().n());
        mechanism.space().for_each(k, n, |outcome| {
            if outcome == of.witness().outcome {
                at = index;
            }
            index += 1;
        });
        law(&of.witness().from)[at] - law(&of.witness().to)[at]
    };
    let shown = witness(&found);
    assert!(found.loss_down() <= shown && shown <= found.loss_up(), "{case}: the witness shows {shown}");
    found.loss_up() - found.loss_down()
}

/// If this fails, a law takes an outcome for far that is not.
#[test]
fn laws_of_two_categories_are_those_of_the_definition() {
    let mut random = Random::new(77);
    for _ in 0..40 {
        let n = 1 + random.below(3_000);
        let setting = setting_f64(&random.prior(2, 0.02, 100.0), n, random.log_uniform(0.01, 20.0));
        let mechanism = mechanism("ehds", &setting);
        let complete = Complete(mechanism.tunable().expect("an exponential mechanism").clone());
        let counts = posterity_testkit::fixture::counts(&random.counts(2, n));
        let (law, expected) = (mechanism.ln_probabilities(&counts), complete.ln_probabilities(&counts));
        let pairs = law.expect("fits").into_iter().zip(expected.expect("fits"));
        // The elementary functions may differ in the last place.
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1e-14 * (1.0 + b.abs())), "{setting:?}");
    }
}

/// Random priors from 0.02 to 100 and epsilons from 0.01 to 20, for every exponential mechanism.
#[test]
fn random_settings() {
    let mut random = Random::new(2_025);
    let mut widest = 0.0_f64;
    for case in 0..trials(16) {
        let (k, n) = match case % 4 {
            0 => (2, 150 + random.below(150)),
            1 => (2, 300 + random.below(1_200)),
            2 => (3, 12 + random.below(10)),
            _ => (4 + random.below(2) as usize, 5 + random.below(3)),
        };
        let prior = if random.below(3) == 0 {
            vec![random.log_uniform(0.02, 100.0); k]
        } else {
            random.prior(k, 0.02, 100.0)
        };
        let setting = setting_f64(&prior, n, random.log_uniform(0.01, 20.0));
        let name = ["ehd", "ehds", "ehdl", "mh", "ehds(gamma=0.1)"][random.below(5) as usize];
        let case = format!("{name} at prior {prior:?}, n {n}, epsilon {}", setting.epsilon().to_f64());
        widest = widest.max(check(&*mechanism(name, &setting), &case));
    }
    println!("widest enclosure {widest:e}");
    assert!(widest < 1e-9, "{widest:e}");
}

/// Every other score, for two categories and for more.
#[test]
fn other_scores() {
    let mut random = Random::new(31_009);
    let mut widest = 0.0_f64;
    for (case, score) in EXAMPLES.iter().flat_map(|score| [(0, score), (1, score), (2, score)]) {
        let (k, n) =
            [(2, 150 + random.below(200)), (3, 12 + random.below(10)), (4, 5 + random.below(3))][case];
        if *score == "hellinger" || (*score == "tv" && k > 2) {
            continue;
        }
        let prior = if random.below(2) == 0 {
            vec![random.log_uniform(0.1, 10.0); k]
        } else {
            random.prior(k, 0.1, 10.0)
        };
        let setting = setting_f64(&prior, n, random.log_uniform(0.1, 5.0));
        for name in ["ehd", "ehdl", "ehds"] {
            let name = format!("{name}(score={score})");
            let case = format!("{name} at prior {prior:?}, n {n}, epsilon {}", setting.epsilon().to_f64());
            widest = widest.max(check(&*mechanism(&name, &setting), &case));
        }
    }
    println!("widest enclosure {widest:e}");
    assert!(widest < 1e-9, "{widest:e}");
}

/// Scales that an audit has found.
#[test]
fn tight_scales() {
    let mut random = Random::new(9);
    let mut widest = 0.0_f64;
    for case in 0..6 {
        let (k, n) = if case % 2 == 0 { (2, 150 + random.below(400)) } else { (3, 12 + random.below(6)) };
        let prior = random.prior(k, 0.02, 100.0);
        let setting = setting_f64(&prior, n, random.log_uniform(0.01, 20.0));
        for name in ["ehd", "ehds", "ehdl", "mh"] {
            let found = tight(&spec(name), &setting, LIMIT, &|_| ()).expect("small");
            let budget = setting.epsilon().to_f64();
            let case = format!("tight {name} at prior {prior:?}, n {n}, epsilon {budget}");
            widest = widest.max(check(found.mechanism(), &case));
            assert!(found.audit().loss_up() <= budget, "{case}");
        }
    }
    println!("widest enclosure {widest:e}");
    assert!(widest < 1e-9, "{widest:e}");
}

/// If this fails, the result depends on how the work was divided.
#[test]
fn the_number_of_threads_does_not_matter() {
    for (prior, n) in [(&[0.3, 2.0][..], 700), (&[1.0, 1.0], 500), (&[1.0, 1.0, 1.0], 17)] {
        let mechanism = mechanism("ehds", &setting_f64(prior, n, 1.0));
        let found = [1, 2, 5].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| audit(&*mechanism, &[0.0, 0.1], LIMIT, &|_| ()).expect("small"))
        });
        assert_eq!(found[0], found[1]);
        assert_eq!(found[0], found[2]);
        let complete = Complete(mechanism.tunable().expect("an exponential mechanism").clone());
        let all = enumerate(&complete, &[], LIMIT, &|_| ()).expect("small");
        assert_eq!(found[0].witness(), all.witness(), "prior {prior:?} n {n}");
    }
}

/// A million records are within the limit of the command, and progress adds up to the number of data sets.
#[test]
fn work_is_counted_as_it_is_done() {
    let million = mechanism("ehds", &setting_f64(&[1.0, 1.0], 1_000_000, 1.0));
    assert!(Scope::of(&*million).probabilities < 2e10);
    for (prior, n) in [(&[1.0, 1.0][..], 400), (&[1.0, 1.0, 1.0], 15)] {
        let mechanism = mechanism("ehd", &setting_f64(prior, n, 1.0));
        for epsilons in [&[][..], &[0.5]] {
            let done = std::sync::atomic::AtomicU64::new(0);
            let count = |more| {
                done.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
            };
            audit(&*mechanism, epsilons, LIMIT, &count).expect("small");
            assert_eq!(done.into_inner() as f64, Scope::of(&*mechanism).data_sets);
        }
    }
}
