//! The mechanism `optimal`: its accuracy against the limit, its exact loss, and the sizes that it refuses.

use posterity_core::accuracy::{MAX_VARIABLES, limit, over_data};
use posterity_core::audit::audit;
use posterity_core::mechanism::{FitError, MAX_CANDIDATES, Mechanism, MostAccurate, Optimal, Spec, optimal};
use posterity_core::model::Setting;
use posterity_testkit::all_counts;
use posterity_testkit::fixture::{counts, setting};

const PRIORS: [(&[f64], &[u64]); 6] = [
    (&[1.0, 1.0], &[1, 5, 20]),
    (&[7.0, 4.0], &[12]),
    (&[1.0, 1.0, 1.0], &[3, 6, 8]),
    (&[0.5, 1.0, 2.0], &[4, 6]),
    (&[2.0, 0.3, 2.0, 0.3], &[4]),
    (&[1.0, 1.0, 1.0, 1.0], &[5]),
];

/// Calls `check` for each prior, size and budget.
fn each_setting(epsilons: &[&str], check: impl Fn(&Setting, &MostAccurate)) {
    for (prior, sizes) in PRIORS {
        for &n in sizes {
            for epsilon in epsilons {
                let setting = setting(prior, n, epsilon);
                check(&setting, &optimal(setting.clone()).expect("solved"));
            }
        }
    }
}

/// If this fails, the repair in whole numbers costs accuracy, or the solver stopped early.
#[test]
fn at_the_limit() {
    each_setting(&["0.1", "0.5", "1", "2", "3"], |setting, found| {
        let limit = limit(setting, MAX_VARIABLES).expect("solved");
        let mean = over_data(found, 1e9).expect("small").mean;
        let case = format!("{setting:?}: {mean} against {} to {}", limit.lower, limit.value);
        assert!((mean - found.expected_distance()).abs() < 1e-12, "{case}");
        assert!(mean >= limit.lower - 1e-12 && mean <= limit.value + 1e-8, "{case}");
        assert!(mean <= 1.0001 * limit.lower, "{case}");
        assert_eq!(found.lower(), limit.lower, "{case}");
    });
}

/// At extreme budgets the expected distance is within 1e-6 of the limit.
#[test]
fn extreme_budgets() {
    each_setting(&["0.001", "10", "20", "50"], |setting, found| {
        let limit = limit(setting, MAX_VARIABLES).expect("solved");
        assert!(found.expected_distance() <= limit.lower + 1e-6, "{setting:?}");
    });
}

/// The audit, which knows nothing of tables, finds that the budget is used up and not exceeded. (At smaller budgets the
/// mechanism may release the same candidate whatever the data are, and use nothing.)
#[test]
fn the_budget_is_used_up() {
    each_setting(&["1", "3"], |setting, found| {
        let epsilon = setting.epsilon().to_f64();
        let audited = audit(found, &[epsilon], 1e9, &|_| ()).expect("small");
        assert!(audited.loss_down() <= epsilon, "{setting:?}: {audited:?}");
        assert!(audited.loss_up() >= epsilon - 1e-5, "{setting:?}: {audited:?}");
    });
}

/// A second fit is the same mechanism: every probability, to the last bit.
#[test]
fn fits_are_repeatable() {
    let setting = setting(&[1.0, 2.0, 0.5], 6, "1");
    let [one, other] = [0, 1].map(|_| optimal(setting.clone()).expect("solved"));
    for data in all_counts(3, 6) {
        let [one, other] = [&one, &other].map(|found| found.ln_probabilities(&counts(&data)).expect("fits"));
        assert_eq!(one, other);
    }
}

#[test]
fn rejects_large_spaces() {
    let refused = |prior: &[f64], n| Spec::from(Optimal).fit(setting(prior, n, "1")).err();
    for (prior, n) in
        [(&[1.0, 1.0][..], 200), (&[0.5, 1.0, 2.0][..], 16), (&[1.0, 1.0][..], 1_000_000_000_000)]
    {
        let found = refused(prior, n);
        assert!(
            matches!(
                found,
                Some(FitError::TooLarge { variables, max_variables: MAX_VARIABLES, .. })
                    if variables > MAX_VARIABLES as f64
            ),
            "{prior:?} {n}: {found:?}"
        );
    }
    // Few orbits, but many candidates.
    let found = refused(&[1.0; 40], 4);
    assert!(
        matches!(
            found,
            Some(FitError::TooLarge { variables, candidates, max_candidates: MAX_CANDIDATES, .. })
                if variables < 1_000.0 && candidates == 123_410.0
        ),
        "{found:?}"
    );
}

#[test]
fn rejects_budgets_that_the_solver_cannot_resolve() {
    let found = optimal(setting(&[1.0, 1.0, 1.0], 5, "1e-9"));
    assert!(matches!(found, Err(FitError::Unsolved { .. })), "{found:?}");
}

#[test]
fn sizes_for_advice() {
    let advised = |spec: &str, prior: &[f64], n| {
        spec.parse::<Spec>().expect("a mechanism").suits_advice(&setting(prior, n, "1"))
    };
    assert!(advised("optimal", &[1.0; 3], 11) && advised("optimal", &[1.0; 2], 70));
    assert!(!advised("optimal", &[1.0; 3], 24) && !advised("optimal", &[1.0; 2], 600));
    assert!(advised("simplex", &[1.0; 3], 50) && !advised("simplex", &[1.0; 2], 50));
    assert!(!advised("simplex", &[1.0; 3], 100));
    assert!(advised("lattice", &[1.0; 3], 1_000_000));
}
