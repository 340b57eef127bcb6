//! Numbers of the kinds of experiments that are about one formula each.

use posterity_reproduce::bounds::l1_tail;
use posterity_reproduce::{Experiment, ExperimentResult, Mode, Silent, run};

const CLAIM: &str = "[[claim]]\nid = 'c'\ntext = 't'\nsource = 's'\nquantifier = 'in-these-settings'\nholds = [{ check = 'falling', of = 'nothing' }]";

fn definition(kind: &str) -> String {
    format!("title = 't'\ngroup = 'beyond'\n{kind}\n{CLAIM}")
}

fn result(kind: &str) -> ExperimentResult {
    let experiment = Experiment::from_toml("test", &definition(kind)).expect("valid");
    run(&experiment, Mode::Full, &Silent).expect("runs")
}

fn value(result: &ExperimentResult, series: &str, quantity: &str, x: f64) -> f64 {
    let row = result
        .table
        .rows()
        .iter()
        .find(|row| row.series == series && row.quantity == quantity && row.x == Some(x));
    row.expect("computed").value
}

/// Sums of exponential variables by a recursion: `P_m(x) = exp(-x) + integral of exp(-t) P_(m-1)(x - t)`.
#[test]
fn the_tail_of_the_l1_norm() {
    let step = 1e-3;
    let mut tail: Vec<f64> = (0..6_000).map(|i| (-step * f64::from(i)).exp()).collect();
    for m in 2..=4 {
        let before = tail.clone();
        for (i, value) in tail.iter_mut().enumerate() {
            let inner: f64 = (0..i)
                .map(|j| step * (-step * (j as f64 + 0.5)).exp() * 0.5 * (before[i - j] + before[i - j - 1]))
                .sum();
            *value = (-step * i as f64).exp() + inner;
        }
        for i in [500, 2_000, 5_999] {
            let exact = l1_tail(m, step * i as f64);
            assert!((tail[i] - exact).abs() < 1e-5, "m {m} x {}: {} {exact}", step * i as f64, tail[i]);
        }
    }
}

/// docs/fidelity.md on 003_726dbba4c7a48de5.txt, theorem 4.3: one and a half steps allow one, and it takes two.
#[test]
fn the_radius_needs_whole_steps() {
    let found = result("[radius]\nprior = [1, 1]\ncounts = [[50, 50]]\nepsilon = 1\nvalues = [1, 1.5, 2]");
    let at = |quantity: &str, steps| value(&found, "lshist", quantity, steps);
    assert!((at("radius", 1.5) - 0.140055).abs() < 1e-6 && (at("within", 1.5) - 0.070276).abs() < 1e-6);
    assert_eq!(at("within, rounded up", 1.5), at("within", 2.0));
    assert!(at("radius", 1.0) <= at("steps times LS", 1.0) * (1.0 + 1e-9));
}

/// At large balanced data ehds passes lsdim where `tanh(eps/8) = (1 - exp(-eps/2))/2`, near 3.5255.
#[test]
fn the_budget_where_ehds_passes_lsdim() {
    let found = result(
        "[map]\nprior = [1, 1]\nmechanisms = ['lsdim', 'ehds']\nchallenger = 'ehds'\nagainst = ['lsdim']\nsizes = [100, 4000]\n\
         values = [1, 3, 4, 20]",
    );
    let crossing = |n| value(&found, "against lsdim", "budget, P(exact)", n);
    assert!((crossing(4_000.0) - 3.5255).abs() < 0.01, "{}", crossing(4_000.0));
    assert!(crossing(100.0) > crossing(4_000.0));
}

/// The largest number that may stand for the normaliser of every data set is the least of them.
#[test]
fn the_least_normaliser() {
    let found = result(
        "[tails]\nprior = [1, 1]\ncounts = [100, 100]\nepsilon = 1\nmechanisms = ['mh']\nvalues = [0.2]\nsizes = [200]",
    );
    let at = |quantity: &str, x| value(&found, "mh", quantity, x);
    assert!(at("N(n)", 200.0) <= at("NL, balanced", 200.0) && at("N(n)", 200.0) <= at("NL, edge", 200.0));
    assert!(
        at("exact", 0.2) < at("with NL", 0.2) && at("with NL", 0.2) <= at("with N(n)", 0.2) * (1.0 + 1e-12)
    );
    assert!(at("with N(n)", 0.2) < at("with 1", 0.2));
}

/// 002_d2a24f2ea53ee1f7.txt, lemmas 5.3 and 5.5.
#[test]
fn the_lemmas_of_the_long_version() {
    let found = result("[explicit]\nprior = [1, 1]\nepsilon = 1\ndelta = 0.0005\nvalues = [20]");
    let epsilon = value(&found, "lemma 5.5", "epsilon", 20.0);
    // 2 ln 2 + 1/2, and at most another 1/2, since the distance is at most the sensitivity.
    assert!(epsilon > 1.886 && epsilon <= 2.386_295, "{epsilon}");
    assert!(value(&found, "audit", "epsilon", 20.0) < 1.0);
    assert_eq!(value(&found, "audit", "delta", 20.0), 0.0);
    assert!(value(&found, "lemma 5.5, least", "delta", 20.0) < 0.0);
    let found = result(
        "[sliding]\nprior = [1, 1]\ncounts = [10, 10]\nepsilon = 1\ndelta = 1e-8\nfrom = [0]\nsteps = [1, 5]",
    );
    for steps in [1.0, 5.0] {
        let at = |quantity: &str| value(&found, "mh", quantity, steps);
        // The truth is one candidate and every other distance has two.
        assert!((at("ratio") - at("proof") / 4.0).abs() < 1e-9 * at("ratio"));
        assert!((at("proof") * at("statement") - 4.0).abs() < 1e-9);
    }
}

#[test]
fn rejects() {
    for (kind, words) in [
        ("[radius]\nprior = [1, 1]\ncounts = [[5, 5]]\nepsilon = 1\nvalues = [0]", "0 is no number of steps"),
        ("[noise]\nvalues = [1]\nmiss = [0.1]", "1 is no order of a Dirichlet distribution"),
        ("[noise]\nvalues = [2]\nmiss = [1]", "miss is 1; give probabilities between 0 and 1"),
        ("[explicit]\nprior = [1, 1]\nepsilon = 1\ndelta = 0.1\nvalues = [0]", "0 is no data size"),
        (
            "[explicit]\nprior = [1, 1, 1]\nepsilon = 1\ndelta = 0.1\nvalues = [5]",
            "this kind of experiment needs 2",
        ),
        (
            "[map]\nprior = [1, 1]\nmechanisms = ['ehd']\nchallenger = 'ehd'\nagainst = ['lsdim']\nsizes = [5]\nvalues = [1]",
            "5 is no size of balanced data; give even numbers",
        ),
        (
            "[tails]\nprior = [1, 1]\ncounts = [5, 5]\nepsilon = 1\nmechanisms = ['lshist']\nvalues = [0.1]\nsizes = [5]",
            "lshist is no exponential mechanism",
        ),
        (
            "[sweep]\nover = 'share'\nmeasure = 'mean'\nepsilon = 1\nvalues = [0.5]\nmechanisms = ['ehd']\n\
             panel = [{ title = '', prior = [1, 1], counts = [5, 5] }]",
            "n is given if, and only if, the share varies",
        ),
        (
            "[sweep]\nover = 'share'\nmeasure = 'mean'\nepsilon = 1\nvalues = [1.5]\nmechanisms = ['ehd']\n\
             panel = [{ title = '', prior = [1, 1], n = 5 }]",
            "1.5 is no share of the first category",
        ),
    ] {
        let error = Experiment::from_toml("mine", &definition(kind)).expect_err(kind).to_string();
        assert!(error.contains(words), "{kind}\n{error}");
    }
    let text = definition("[noise]\nvalues = [2]\nmiss = [0.1]").replace("holds =", "instead = 'x'\nholds =");
    let error = Experiment::from_toml("mine", &text).expect_err("refused").to_string();
    assert!(
        error.contains("give both instead, a sentence, and instead_holds, its checks, or neither"),
        "{error}"
    );
}
