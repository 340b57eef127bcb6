//! The experiments at the root of the repository: that they can be read, that their claims refer to what is there, and
//! the numbers that the research prints.

use posterity_reproduce::{Experiment, ExperimentResult, Mode, Silent, Verdict, experiments, run};

fn result(name: &str) -> ExperimentResult {
    let library = experiments().expect("valid");
    let experiment = library.experiments.iter().find(|one| one.name() == name).expect("shipped");
    run(experiment, Mode::Quick, &Silent).expect("runs")
}

fn value(result: &ExperimentResult, series: &str, quantity: &str, x: Option<f64>) -> f64 {
    let mine = result.table.rows().iter().filter(|row| row.series == series && row.quantity == quantity);
    let mut mine = mine.filter(|row| row.x == x);
    let value = mine.next().expect(quantity).value;
    assert!(mine.next().is_none(), "two {quantity} of {series} at {x:?}");
    value
}

/// Each decides a claim and cites where it is from: a file of the research, or this project.
#[test]
fn every_experiment_is_valid_and_names_a_claim_and_its_source() {
    let library = experiments().expect("valid");
    assert!(library.experiments.len() >= 25, "{}", library.experiments.len());
    let files =
        ["000_e4035", "001_620ea", "002_d2a24", "003_726db", "004_952c3", "this project", "docs/fidelity.md"];
    for experiment in &library.experiments {
        assert!(!experiment.claims().is_empty() && !experiment.reading().is_empty(), "{}", experiment.name());
        for claim in experiment.claims() {
            let source = &claim.source;
            assert!(files.iter().any(|file| source.contains(file)), "{}: {source}", experiment.name());
        }
    }
}

#[test]
fn every_conclusion_refers_to_claims_that_exist() {
    let library = experiments().expect("valid");
    assert!(library.conclusions.all.len() >= 15);
    for conclusion in &library.conclusions.all {
        assert!(!conclusion.decided_by.is_empty(), "{}", conclusion.text);
        // With the distance of the pictures it is decided too, or it says why not.
        assert_eq!(conclusion.as_drawn.is_empty(), !conclusion.not_drawn.is_empty(), "{}", conclusion.text);
        let all = [&conclusion.decided_by, &conclusion.as_drawn, &conclusion.as_printed];
        for reference in all.into_iter().flatten() {
            let (name, id) = reference.split_once('/').expect("experiment/claim");
            let found = library.experiments.iter().filter(|experiment| experiment.name() == name);
            let found: Vec<&str> =
                found.flat_map(Experiment::claims).map(|claim| claim.id.as_str()).collect();
            assert!(found.contains(&id), "{reference} of {:?}", conclusion.text);
        }
    }
}

/// 001_620eaed63190b1ed.txt, table 1, to all digits that are printed.
#[test]
fn the_six_printed_probabilities() {
    let result = result("steps-table");
    for (series, printed) in [
        ("lsdim", [0.19673467014, 0.11932560927, 0.07237464051]),
        ("lshist", [0.31606027941, 0.11627207896, 0.04277410743]),
    ] {
        for (step, printed) in printed.into_iter().enumerate() {
            let found = value(&result, series, "candidate", Some(step as f64));
            assert!((found - printed).abs() < 1e-11, "{series} {step}: {found}");
        }
    }
    let verdict = |id: &str| result.decisions.iter().find(|one| one.claim.id == id).expect("decided").verdict;
    assert_eq!((verdict("lsdim"), verdict("lshist")), (Verdict::Confirmed, Verdict::Confirmed));
    // A second candidate is as far away as the one that the formula is about.
    assert_eq!(verdict("at-distance"), Verdict::Refuted);
}

/// For large n the law of mh at balanced data is geometric in steps of LS, whatever delta: P(exact) tends to
/// tanh(eps/4). The published 0.24455 at n = 10^6 lost its digits in differences of log-gammas.
#[test]
fn the_limit_of_the_probability_of_the_truth() {
    let text = "
        title = 't'
        group = 'accuracy-exact'
        [sweep]
        over = 'n'
        measure = 'exact'
        epsilon = 1
        values = [10000, 100000, 1000000]
        mechanisms = ['mh']
        panel = [{ title = '', prior = [1, 1], shape = [1, 1] }]
        [[claim]]
        id = 'published'
        text = 't'
        source = 's'
        quantifier = 'in-these-settings'
        holds = [{ check = 'value', of = 'exact', from = 1000000, is = 0.24455 }]
        instead = 'It is the limit.'
        instead_holds = [{ check = 'value', of = 'exact', from = 1000000, is = 0.244918 }]";
    let result =
        run(&Experiment::from_toml("limit", text).expect("valid"), Mode::Full, &Silent).expect("runs");
    // The gap to the limit shrinks tenfold with every tenfold n.
    let gap = |n: f64| 0.244918662 - value(&result, "mh", "exact", Some(n));
    assert!((0.0..1e-6).contains(&gap(1e6)), "{}", gap(1e6));
    for n in [1e4, 1e5] {
        assert!((9.0..11.0).contains(&(gap(n) / gap(10.0 * n))), "{n}: {} {}", gap(n), gap(10.0 * n));
    }
    assert!((0.25_f64.tanh() - 0.244918662).abs() < 1e-9);
    assert_eq!(result.decisions[0].verdict, Verdict::Refuted);
    assert!(result.decisions[0].instead.is_some());
}

#[test]
#[ignore = "runs every experiment: a minute or two in a release build"]
fn every_experiment_runs_quickly_and_decides_its_claims() {
    let library = experiments().expect("valid");
    for experiment in &library.experiments {
        let result = run(experiment, Mode::Quick, &Silent).expect("runs");
        assert_eq!(result.decisions.len(), experiment.claims().len());
        for decision in &result.decisions {
            for finding in &decision.findings {
                let missing = finding.evidence.contains("was computed")
                    || finding.evidence.contains("nothing to compare");
                assert!(!missing, "{}: {}", experiment.name(), finding.evidence);
            }
        }
    }
}
