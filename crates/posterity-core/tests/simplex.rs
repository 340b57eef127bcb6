//! The mechanism `simplex`: its exact loss, and its accuracy against lattice noise.

use posterity_core::accuracy::{mean_over_data, over_data};
use posterity_core::audit::audit;
use posterity_core::decode::Decoder;
use posterity_core::mechanism::{Mechanism, lattice, simplex};
use posterity_testkit::all_counts;
use posterity_testkit::fixture::{counts, setting};

const CASES: [(&[f64], u64); 5] = [
    (&[1.0, 1.0, 1.0], 5),
    (&[1.0, 1.0, 1.0], 9),
    (&[0.5, 1.0, 2.0], 6),
    (&[7.0, 4.0, 5.0], 6),
    (&[1.0, 1.0, 1.0, 1.0], 5),
];

/// The audit, which knows nothing of weights, finds that every pair of adjacent data sets uses the budget up.
#[test]
fn the_budget_is_used_up_and_not_exceeded() {
    for (prior, n) in CASES {
        for epsilon in ["0.7", "1", "3"] {
            let setting = setting(prior, n, epsilon);
            let audited =
                audit(&simplex(setting.clone()).expect("positive"), &[], 1e9, &|_| ()).expect("small");
            let budget = setting.epsilon().to_f64();
            assert!(audited.loss_down() <= budget, "{prior:?} {n} {epsilon}: {audited:?}");
            assert!(audited.loss_up() >= budget * (1.0 - 1e-9), "{prior:?} {n} {epsilon}: {audited:?}");
        }
    }
}

/// The law, written the slow way: `P(r|c) P(r'|c') / (P(r'|c) P(r|c'))` does not depend on the weights.
#[test]
fn the_law_falls_with_the_distance() {
    let mechanism = simplex(setting(&[1.0, 2.0, 0.5], 6, "1")).expect("positive");
    let all = all_counts(3, 6);
    let law = |c: &[u64]| mechanism.ln_probabilities(&counts(c)).expect("fits");
    let distance =
        |c: &[u64], r: &[u64]| c.iter().zip(r).map(|(a, b)| a.abs_diff(*b)).sum::<u64>() as f64 / 2.0;
    let (from, first) = (&all[0], law(&all[0]));
    for c in &all {
        for (r, (here, there)) in all.iter().zip(law(c).iter().zip(&first)) {
            let expected = distance(from, r) - distance(c, r);
            assert!((here - there - expected).abs() < 1e-9, "{c:?} {r:?}");
        }
    }
}

/// If this fails, there is no reason to prefer it to lattice noise.
#[test]
fn nearer_than_lattice_noise() {
    for (prior, n) in CASES {
        for epsilon in ["0.7", "1", "2", "3"] {
            let setting = setting(prior, n, epsilon);
            let [ours, theirs]: [f64; 2] = [
                mean_over_data(&simplex(setting.clone()).expect("positive"), Decoder::Best, 1e9)
                    .expect("small"),
                mean_over_data(&lattice(setting), Decoder::Best, 1e9).expect("small"),
            ];
            println!("{prior:?} {n} {epsilon}: {ours:.5} against {theirs:.5}");
            assert!(ours < theirs, "{prior:?} {n} {epsilon}: {ours} against {theirs}");
        }
    }
}

/// Prior (1,1,1): without a decoder the mean distances are the limits of `tools/limit.py`.
#[test]
fn golden_values() {
    for (n, epsilon, limit) in
        [(6, "1", 0.350_063_529_4), (9, "1", 0.352_318_942_0), (8, "2", 0.160_962_923_3)]
    {
        let mechanism = simplex(setting(&[1.0; 3], n, epsilon)).expect("positive");
        let mean = over_data(&mechanism, 1e9).expect("small").mean;
        assert!((mean - limit).abs() < 1e-9, "n {n}: {mean}");
    }
}
