//! Scores and sensitivities under priors from 1e-300 to 1e300, against 400-digit arithmetic, and the promises that rest
//! on them.

use std::collections::BTreeMap;

use posterity_core::audit::audit;
use posterity_core::mechanism::{Exponential, FitError, Mechanism, Spec, mh_beta};
use posterity_core::model::{Delta, Setting};
use posterity_core::sampler::ln_candidates;
use posterity_core::score::ScoreError;
use posterity_testkit::fixture::{counts, setting, setting_f64};
use posterity_testkit::{Random, trials};
use serde_json::Value;

/// The golden values, or those of another file that tools/golden_extremes.py made.
fn golden() -> Vec<Value> {
    let text = posterity_testkit::text("POSTERITY_EXTREMES", include_str!("golden/extremes.json"));
    serde_json::from_str(&text).expect("valid JSON")
}

fn number(value: &Value) -> f64 {
    value.as_str().map_or_else(|| value.as_f64(), |text| text.parse().ok()).expect("a number")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

/// The unit in which the score is measured: the least power of two that is not below its largest value, and two for the
/// angle.
fn unit(score: &str, largest: f64) -> f64 {
    match score {
        "kl" | "reverse-kl" | "counts" => {
            let power = largest.log2().ceil().exp2();
            // A largest value next to a power of two is rounded up beyond it.
            if largest * (1.0 + 0.5f64.powi(38)) > power && score != "counts" { 2.0 * power } else { power }
        }
        "angle" => 2.0,
        _ => 1.0,
    }
}

fn fit(spec: &str, setting: &Setting) -> Result<Box<dyn Mechanism>, FitError> {
    spec.parse::<Spec>().expect("a mechanism").fit(setting.clone())
}

/// The largest error of each quantity of each score.
#[derive(Default)]
struct Worst(BTreeMap<(String, &'static str), (f64, String)>);

impl Worst {
    fn see(&mut self, score: &str, quantity: &'static str, error: f64, at: &str) {
        let worst = self.0.entry((score.to_owned(), quantity)).or_default();
        if error > worst.0 || error.is_nan() {
            *worst = (error, at.to_owned());
        }
    }
}

/// If this fails, a scale is computed from a sensitivity that is too small, or a score is further from the true one
/// than the proof allows: 2^-41 of the sensitivity or 2^-50 of the unit, and 2^-42 of the unit with the rounding to the
/// grid.
#[test]
fn scores_and_sensitivities_are_enclosed() {
    let (mut worst, mut refused, mut compared) = (Worst::default(), 0, 0);
    for row in golden() {
        let (prior, score) = (numbers(&row["prior"]), row["score"].as_str().expect("a name"));
        let (n, data) = (number(&row["n"]) as u64, numbers(&row["counts"]));
        let data = counts(&data.into_iter().map(|count| count as u64).collect::<Vec<_>>());
        let at = format!("{score}, prior {prior:?}, n {n}");
        let public = |epsilon: &str| setting(&prior, n, epsilon);
        let gamma = number(&row["gamma"]);
        let Ok(smooth) = fit(&format!("ehds(gamma={gamma:?}, score={score})"), &public("1")) else {
            refused += 1;
            continue;
        };
        compared += 1;
        let of = |mechanism: &dyn Mechanism| {
            let exponential: &Exponential = mechanism.tunable().expect("it has a scale");
            exponential.sensitivities(&data).expect("the counts fit")
        };
        let unit = unit(score, number(&row["largest"]));
        let mut see = |quantity, found: f64, exact: f64| {
            worst.see(score, quantity, (found - exact).abs() / (exact + 2f64.powi(-9) * unit), &at);
        };
        let found = of(&*smooth);
        see("global", found.global, number(&row["global"]));
        see("local", found.local, number(&row["local"]));
        see("gamma-smooth", found.smooth, number(&row["gamma_smooth"]));
        // The epsilon for which mh has this beta.
        let beta = number(&row["beta"]);
        let ln_share = (Delta::RESEARCH.value() / 2.0).ln() - ln_candidates(prior.len(), n);
        let epsilon = (-beta.exp_m1() * 2.0 * ln_share).to_string();
        assert!((mh_beta(&public(&epsilon), Delta::RESEARCH) / beta - 1.0).abs() < 1e-13);
        let found = of(&*fit(&format!("mh(score={score})"), &public(&epsilon)).expect("as before"));
        see("beta-smooth", found.smooth, number(&row["beta_smooth"]));
        // The law is exp(-scale score), so that its logarithms show the scores.
        let global = fit(&format!("ehd(score={score})"), &public("100")).expect("as before");
        let law = global.ln_probabilities(&data).expect("the counts fit");
        let scale = global.tunable().expect("it has a scale").scale_down(&data).expect("the counts fit");
        let exact = numbers(&row["scores"]);
        let truth = exact.iter().position(|&score| score == 0.0).expect("the truth is a candidate");
        for (ln, exact) in law.iter().zip(&exact) {
            let found = (law[truth] - ln) / scale;
            worst.see(score, "score", (found - exact / unit).abs(), &at);
        }
    }
    for ((score, quantity), (error, at)) in &worst.0 {
        println!("{score:18} {quantity:13} {error:9.2e}  {at}");
    }
    println!("{compared} settings compared, {refused} refused");
    for ((_, quantity), (error, at)) in &worst.0 {
        let most = if *quantity == "score" { 2f64.powi(-42) } else { 2f64.powi(-41) };
        assert!(*error < most, "{quantity} of {at}: {error:e}");
    }
}

/// An upper bound on what a mechanism loses, by enumeration.
fn loss(spec: &str, setting: &Setting) -> Result<f64, FitError> {
    Ok(audit(&*fit(spec, setting)?, &[], 1e9, &|_| ()).expect("small").loss_up())
}

/// Settings in which a mechanism once lost more than it promised: 1e9, 10.6, 1.352 and 0.1333.
#[test]
fn promises_that_were_broken_are_kept() {
    let table: [(&str, &[f64], u64, &str); 4] = [
        ("ehds(score=squared-hellinger)", &[1e-20, 1e-20], 1, "1"),
        ("ehd(score=chernoff:0.001)", &[1e-20, 1.0], 2, "1"),
        ("ehd(score=chernoff:0.3)", &[5.568e-17, 5.568e-17], 1, "1"),
        ("ehd(score=chernoff:0.001)", &[0.6101, 3.16e-246, 0.8947], 6, "0.1065"),
    ];
    for (spec, prior, n, epsilon) in table {
        let loss = loss(spec, &setting(prior, n, epsilon)).expect("it exists here");
        assert!(loss <= epsilon.parse().expect("a number"), "{spec} at {prior:?} loses {loss}");
    }
    // The truth was certain.
    let mechanism =
        fit("ehds(score=squared-hellinger)", &setting(&[1e-20, 1e-20], 1, "1")).expect("as before");
    let truth = mechanism.law(&counts(&[1, 0]), 2).expect("small").probability_exact();
    assert!((0.5..0.63).contains(&truth), "{truth}");
}

/// Scores of every kind, with orders at both ends.
const SCORES: [&str; 10] = [
    "hellinger",
    "angle",
    "tv",
    "squared-hellinger",
    "chernoff:0.001",
    "chernoff:0.3",
    "chernoff:0.999",
    "kl",
    "reverse-kl",
    "counts",
];

/// If this fails, somebody's record is less private than was promised. POSTERITY_TRIALS sets the number of settings.
#[test]
fn promises_are_kept_under_extreme_priors() {
    let trials = trials(150);
    let (mut random, mut refused) = (Random::new(2_512), 0);
    for trial in 0..trials {
        let score = SCORES[trial % SCORES.len()];
        let k = if score == "tv" { 2 } else { 2 + random.below(2) as usize };
        let n = 1 + random.below(if k == 2 { 12 } else { 5 });
        let size = |random: &mut Random| match random.below(4) {
            0 => random.log_uniform(0.1, 10.0),
            1 => random.log_uniform(1e-30, 1.0),
            2 => random.log_uniform(1.0, 1e30),
            _ => random.log_uniform(f64::MIN_POSITIVE, 1e307),
        };
        let first = size(&mut random);
        // Equal parameters are common.
        let prior: Vec<f64> = match random.below(4) {
            0 => vec![first; k],
            _ => (0..k).map(|_| size(&mut random)).collect(),
        };
        let epsilon = random.log_uniform(0.01, 20.0);
        let gamma = random.log_uniform(1e-3, 10.0);
        for spec in [format!("ehd(score={score})"), format!("ehds(gamma={gamma:?}, score={score})")] {
            match loss(&spec, &setting_f64(&prior, n, epsilon)) {
                Ok(loss) => {
                    assert!(loss <= epsilon, "{spec}, prior {prior:?}, n {n}: {loss} of {epsilon}");
                }
                Err(error) => {
                    assert!(matches!(error, FitError::Score(_)), "{spec}, prior {prior:?}, n {n}: {error}");
                    refused += 1;
                }
            }
        }
    }
    println!("{} audits, {refused} refused", 2 * trials);
    // Refusals are the exception: tv of large totals, and divergences beyond floating point.
    assert!(refused * 8 < trials, "{refused} of {trials}");
}

/// A refusal depends on public inputs only and says what to do.
#[test]
fn what_cannot_be_enclosed_is_refused() {
    let refused = |spec: &str, prior: &[f64]| fit(spec, &setting(prior, 5, "1")).map(drop);
    let error = refused("ehds(score=tv)", &[1e17, 1.0]);
    assert!(
        matches!(error, Err(FitError::Score(ScoreError::TotalTooLarge { score: "tv", .. }))),
        "{error:?}"
    );
    let said = error.expect_err("refused").to_string();
    assert!(said.contains("take smaller prior parameters, or the score hellinger"), "{said}");
    let error = refused("ehd(score=kl)", &[1e-306, 1.0]);
    assert!(error.is_ok(), "{error:?}");
    assert_eq!(
        refused("ehd(score=kl)", &[1e-309, 1.0]),
        Err(FitError::Score(ScoreError::Infinite { score: "kl" }))
    );
}
