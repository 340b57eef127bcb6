//! Tight calibration: the budget is used up and not exceeded, and the accuracy is the one that the documentation
//! states.

use std::sync::atomic::{AtomicU64, Ordering};

use posterity_core::audit::audit;
use posterity_core::calibrate::{CalibrationError, resolve, tight};
use posterity_core::mechanism::{Basis, Guarantee, Mechanism};
use posterity_core::model::Counts;
use posterity_testkit::fixture::{setting, spec};

const LIMIT: f64 = 1e9;

/// Prior (1,1), n = 100, epsilon = 1, balanced data: the expected distance is 0.4099 with the proven scale and gamma =
/// 1, and must be at most 0.0685 here.
#[test]
fn ehds_with_the_best_gamma() {
    let setting = setting(&[1.0, 1.0], 100, "1");
    let best = resolve(&spec("tight(ehds(gamma=auto))"), &setting, LIMIT, &|_| ()).expect("small");
    let found = tight(&best, &setting, LIMIT, &|_| ()).expect("small");
    let counts = Counts::new(vec![50, 50]).expect("valid");
    let distance = found.mechanism().law(&counts, 1_000).expect("small").expected_distance();
    let loss = found.audit().loss_up();
    println!("{best} multiplier {} expected distance {distance} loss {loss}", found.multiplier());
    assert!(distance <= 0.0685, "expected distance {distance} at {best}");
    assert!(loss > 0.999 && loss <= 1.0, "loss {loss}");
    assert!(matches!(found.mechanism().guarantee(), Guarantee::Pure { basis: Basis::Audit, .. }));
}

#[test]
fn every_exponential_mechanism_uses_its_budget_up() {
    for (prior, n, epsilon) in [
        (&[1.0, 1.0][..], 30, "0.5"),
        (&[0.3, 4.0], 12, "3"),
        (&[1.0, 1.0, 1.0], 6, "1"),
        (&[1.0, 1.0], 1, "1"),
    ] {
        let setting = setting(prior, n, epsilon);
        let budget = setting.epsilon().to_f64();
        for name in ["ehd", "ehdl", "ehds", "mh"] {
            let found = tight(&spec(name), &setting, LIMIT, &|_| ()).expect("small");
            // The audit is repeated independently.
            let loss = audit(found.mechanism(), &[], LIMIT, &|_| ()).expect("small").loss_up();
            assert!(loss <= budget && loss > 0.999 * budget, "{name} at {prior:?} n {n}: {loss} of {budget}");
        }
    }
}

/// The rounding of an audit with 91 outcomes is 2 (16 + ln 91) 2^-46 = 5.83e-13. No scale can be shown to keep a
/// smaller budget. If this fails, the search for one may not end.
#[test]
fn budgets_below_the_rounding_of_an_audit_are_refused_at_once() {
    for epsilon in ["1e-13", "5.8e-13", "1e-300"] {
        let setting = setting(&[1.0, 1.0], 90, epsilon);
        let never = |_| unreachable!("an audit at epsilon {epsilon}");
        for name in ["ehd", "ehdl", "ehds", "mh"] {
            let Err(CalibrationError::SmallBudget { epsilon: found, least }) =
                tight(&spec(name), &setting, LIMIT, &never)
            else {
                unreachable!("{name} at {epsilon} is not refused");
            };
            assert_eq!(found, setting.epsilon().to_f64());
            assert!((least - 5.83e-13).abs() < 1e-15, "{least:e}");
        }
        let best = resolve(&spec("tight(ehds(gamma=auto))"), &setting, LIMIT, &never);
        assert!(matches!(best, Err(CalibrationError::SmallBudget { .. })), "{best:?}");
    }
}

/// If this fails, the search does not end, or exceeds the budget, for budgets just above that bound.
#[test]
fn budgets_just_above_the_rounding_of_an_audit_end() {
    for epsilon in ["5.84e-13", "1e-12", "1e-9"] {
        let setting = setting(&[1.0, 1.0], 90, epsilon);
        for name in ["ehd", "ehdl", "ehds", "mh"] {
            let audits = AtomicU64::new(0);
            let count = |done| {
                let data_sets = audits.fetch_add(done, Ordering::Relaxed) + done;
                assert!(data_sets <= 100 * 91, "{name} at {epsilon}: no end in sight");
            };
            let found = tight(&spec(name), &setting, LIMIT, &count).expect("possible");
            let loss = found.audit().loss_up();
            assert!(loss <= setting.epsilon().to_f64(), "{name} at {epsilon}: {loss:e}");
        }
    }
}

#[test]
fn noisy_counts_have_no_scale() {
    let error = tight(&spec("geometric"), &setting(&[1.0, 1.0], 5, "1"), LIMIT, &|_| ());
    assert!(matches!(error, Err(CalibrationError::NoScale { mechanism: "geometric" })));
}
