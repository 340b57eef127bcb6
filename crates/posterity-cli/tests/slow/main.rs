//! Tests that take long or need the network to set themselves up: `./test --slow`.

use std::path::Path;

use posterity_core::audit::audit;
use posterity_core::mechanism::{Mechanism, Spec};
use posterity_core::model::{Counts, Prior, Setting};
use posterity_testkit::Peer;

fn ln_law(mechanism: &dyn Mechanism, counts: &[u64]) -> Vec<f64> {
    mechanism.ln_probabilities(&Counts::new(counts.to_vec()).expect("valid")).expect("fits")
}

/// The profile by audit is that of Google's dp-accounting, which discretises privacy losses to multiples of 1e-5: an
/// optimistic and a pessimistic value enclose the truth. Compared over all adjacent pairs, for five mechanisms.
#[test]
#[ignore = "installs dp-accounting from the package index"]
fn profiles_agree_with_dp_accounting() {
    let epsilons = [0.0, 0.1, 0.3, 0.5];
    let mut cases = Vec::new();
    let mut expected = Vec::new();
    let n = 8;
    for name in ["geometric", "lshist", "ehd", "ehds", "mh"] {
        let prior = Prior::new(vec![0.5, 3.0]).expect("valid");
        let setting = Setting::new(prior, n, "0.8".parse().expect("positive")).expect("valid");
        let mechanism = name.parse::<Spec>().expect("a mechanism").fit(setting).expect("valid");
        let found = audit(&*mechanism, &epsilons, 1e6, &|_| ()).expect("small");
        for &(epsilon, delta) in found.profile_up() {
            let pairs = (0..n).map(|c| ([c, n - c], [c + 1, n - c - 1]));
            for (from, to) in pairs.clone() {
                let (from, to) = (ln_law(&*mechanism, &from), ln_law(&*mechanism, &to));
                cases.push(serde_json::json!({ "from": from, "to": to, "epsilon": epsilon }).to_string());
            }
            expected.push((name, epsilon, delta, pairs.count()));
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slow/profile.py");
    let answers = Peer::DP_ACCOUNTING.ask(Path::new(env!("CARGO_TARGET_TMPDIR")), &script, &[], &cases);
    let mut lines = answers.iter().map(|line| serde_json::from_str::<[f64; 2]>(line).expect("two numbers"));
    for (name, epsilon, delta, pairs) in expected {
        let (mut optimistic, mut pessimistic) = (0.0_f64, 0.0_f64);
        for [low, high] in lines.by_ref().take(pairs) {
            optimistic = optimistic.max(low);
            pessimistic = pessimistic.max(high);
        }
        println!("{name} at epsilon {epsilon}: {delta} between {optimistic} and {pessimistic}");
        assert!(optimistic - 1e-9 <= delta && delta <= pessimistic + 1e-9, "{name} at {epsilon}");
        assert!(pessimistic - optimistic < 1e-4, "{name} at {epsilon}: the enclosure is narrow");
    }
    assert_eq!(lines.next(), None);
}
