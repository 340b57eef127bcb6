//! Compares audits with losses that an independent program computed with 50 digits, and with the definition.

use posterity_core::audit::{AuditError, audit};
use posterity_core::mechanism::Mechanism;
use posterity_core::model::Counts;
use posterity_testkit::all_counts;
use posterity_testkit::fixture::{mechanism, setting_f64, spec};
use serde_json::Value;

const LIMIT: f64 = 1e9;

fn losses(mechanism: &dyn Mechanism) -> [f64; 2] {
    let audit = audit(mechanism, &[], LIMIT, &|_| ()).expect("small");
    [audit.loss_down(), audit.loss_up()]
}

#[test]
fn golden_losses() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("golden/privacy.json")).expect("JSON");
    let mut widest = 0.0_f64;
    for case in cases {
        let parameter = |name| case.get(name).map(|value| format!("{name}={value}"));
        let parameters: Vec<String> = ["gamma", "delta"].into_iter().filter_map(parameter).collect();
        let name = case["mechanism"].as_str().expect("a name");
        let spec = spec(&format!("{name}({})", parameters.join(", ")));
        let prior: Vec<f64> =
            case["prior"].as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
        let number = |field: &str| case[field].as_f64();
        let setting =
            setting_f64(&prior, case["n"].as_u64().expect("n"), number("epsilon").expect("epsilon"));
        let [low, high] = losses(&*spec.fit(setting).expect("valid"));
        let golden: f64 = case["loss"].as_str().expect("a decimal").parse().expect("a number");
        assert!((low - golden).abs() < 1e-8 && (high - golden).abs() < 1e-8, "{case}: {low} to {high}");
        widest = widest.max(high - low);
    }
    println!("widest enclosure: {widest:e}");
}

/// Losses that the documentation states for the prior (1, 1), n = 100, epsilon = 1, and one loss above the budget.
#[test]
fn stated_losses() {
    for (name, stated) in [("ehd", 0.5314), ("ehdl", 0.8039), ("ehds", 0.3999)] {
        let [_, loss] = losses(&*mechanism(name, &setting_f64(&[1.0, 1.0], 100, 1.0)));
        assert!((loss - stated).abs() < 5e-5, "{name}: {loss}");
    }
    let [loss, _] = losses(&*mechanism("ehdl", &setting_f64(&[0.05, 0.05], 300, 0.1)));
    assert!((loss - 0.1072).abs() < 5e-5 && loss > 0.1, "ehdl: {loss}");
}

/// If this fails, the witness does not have the loss of the audit, or the profile is not the one of the definition.
#[test]
fn witness_and_profile() {
    for name in ["geometric", "lsdim", "ehds", "mh", "lszhang"] {
        let mechanism = mechanism(name, &setting_f64(&[0.3, 2.0, 1.0], 5, 0.7));
        let [_, loss] = losses(&*mechanism);
        let found = audit(&*mechanism, &[0.0, 0.2, loss], LIMIT, &|_| ()).expect("small");
        let probability = |counts: &[u64]| {
            let law = mechanism.law(&Counts::new(counts.to_vec()).expect("valid"), 10_000).expect("small");
            law.outcomes().find(|o| o.counts == found.witness().outcome).expect("an outcome").probability
        };
        let ratio = (probability(&found.witness().from) / probability(&found.witness().to)).ln();
        assert!((ratio - found.loss_up()).abs() < 1e-11, "{name}: {ratio} and {}", found.loss_up());
        // delta(0) is the largest total variation distance of adjacent laws.
        let laws: Vec<(Vec<u64>, Vec<f64>)> = all_counts(3, 5)
            .into_iter()
            .map(|c| {
                let law = mechanism.law(&Counts::new(c.clone()).expect("valid"), 10_000).expect("small");
                let probabilities = law.outcomes().map(|outcome| outcome.probability).collect();
                (c, probabilities)
            })
            .collect();
        let mut largest = [0.0_f64; 2];
        for (c, law) in &laws {
            for (other, other_law) in &laws {
                if c.iter().zip(other).map(|(&a, &b)| a.abs_diff(b)).sum::<u64>() == 2 {
                    for (largest, epsilon) in largest.iter_mut().zip([0.0_f64, 0.2]) {
                        let excess = |(p, q): (&f64, &f64)| (p - epsilon.exp() * q).max(0.0);
                        *largest = largest.max(law.iter().zip(other_law).map(excess).sum());
                    }
                }
            }
        }
        let profile: Vec<f64> = found.profile_up().iter().map(|&(_, delta)| delta).collect();
        for (found, expected) in profile.iter().zip(largest) {
            assert!((found - expected).abs() < 1e-11, "{name}: {found} and {expected}");
        }
        assert!(profile[2] < 1e-11, "{name}: {profile:?}");
    }
}

#[test]
fn too_much_work_is_refused() {
    let mechanism = mechanism("ehds", &setting_f64(&[1.0; 4], 1000, 1.0));
    for limit in [LIMIT, 0.0, -1.0, f64::NAN] {
        assert!(
            matches!(audit(&*mechanism, &[], limit, &|_| ()), Err(AuditError::TooLarge { .. })),
            "{limit}"
        );
    }
}
