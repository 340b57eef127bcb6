//! Tables to the last digit, on any number of threads.
//!
//! `POSTERITY_GOLDEN=write cargo test -p posterity-reproduce --test golden` writes the files anew; look at the
//! difference.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use posterity_reproduce::{Experiment, ExperimentResult, Mode, Silent, experiments, run, with_threads};

fn result(experiment: &Experiment, threads: usize) -> ExperimentResult {
    let threads = NonZeroUsize::new(threads);
    with_threads(threads, || run(experiment, Mode::Quick, &Silent)).expect("threads").expect("runs")
}

fn shipped(name: &str) -> Experiment {
    let library = experiments().expect("valid");
    library.experiments.into_iter().find(|one| one.name() == name).expect("shipped")
}

/// The three are exact, one with decoding.
#[test]
fn tables() {
    for name in ["steps-table", "six-algorithms", "optimality-radius"] {
        let found = result(&shipped(name), 2).table.to_csv();
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.csv"));
        if std::env::var_os("POSTERITY_GOLDEN").is_some_and(|value| value == "write") {
            fs::write(&path, &found).expect("writable");
        }
        let golden = fs::read_to_string(&path).expect("a golden table");
        for (line, (found, golden)) in found.lines().zip(golden.lines()).enumerate() {
            assert_eq!(found, golden, "{name}.csv, line {}", line + 1);
        }
        assert_eq!(found.lines().count(), golden.lines().count(), "{name}");
    }
}

/// One definition of each kind that draws or sums in parallel.
const DEFINITIONS: [(&str, &str); 8] = [
    (
        "boxes",
        "[boxes]
         epsilon = 1
         mechanisms = ['lshist', 'ehds', 'lattice+best']
         repetitions = 60
         panel = [{ title = 'a', prior = [1, 1, 1], counts = [8, 7, 5] }, { title = 'b', prior = [1, 1], counts = [9, 4] }]",
    ),
    (
        "means",
        "[sweep]
         over = 'n'
         measure = 'sampled-mean'
         epsilon = 1
         values = [10, 20, 30]
         repetitions = 50
         mechanisms = ['lsdim', 'mh']
         panel = [{ title = '', prior = [1, 1], shape = [1, 1] }]",
    ),
    (
        "limits",
        "[sweep]
         over = 'n'
         measure = 'limit-ratio'
         epsilon = 1
         values = [3, 4, 5]
         mechanisms = ['lshist', 'lattice+best', 'ehds']
         panel = [{ title = '', prior = [1, 1, 1], shape = [1, 1, 1] }]",
    ),
    (
        "shares",
        "[sweep]
         over = 'share'
         measure = 'mean'
         epsilon = 1
         values = [0, 0.1, 0.5]
         mechanisms = ['lshist', 'mhg']
         panel = [{ title = '', prior = [1, 1], n = 40 }, { title = 'loss', prior = [1, 1], n = 40, measure = 'loss-at-data' },
         { title = 'profile', prior = [1, 1], n = 40, measure = 'profile' }]",
    ),
    (
        "together",
        "[boxes]
         epsilon = 1
         mechanisms = ['lshist', 'ehds']
         repetitions = 60
         together = 'data'
         panel = [{ title = 'a', prior = [1, 1, 1], counts = [8, 7, 5] }, { title = 'b', prior = [1, 1], counts = [9, 4] }]",
    ),
    (
        "map",
        "[map]
         prior = [1, 1]
         mechanisms = ['lsdim', 'ehds']
         challenger = 'ehds'
         against = ['lsdim']
         sizes = [4, 20]
         values = [0.5, 2, 8]",
    ),
    (
        "tails",
        "[tails]
         prior = [1, 1]
         counts = [10, 10]
         epsilon = 1
         mechanisms = ['mh', 'ehds']
         values = [0.1, 0.5]
         sizes = [10, 20]",
    ),
    (
        "coverage",
        "[coverage]
         prior = [1, 1, 1]
         n = 20
         mechanism = 'lattice'
         values = [0.5, 1]
         level = 0.9
         trials = 300",
    ),
];

#[test]
fn the_number_of_threads_changes_nothing() {
    for (name, kind) in DEFINITIONS {
        let text = format!(
            "title = 't'\ngroup = 'beyond'\nseed = 5\n{kind}\n\
             [[claim]]\nid = 'c'\ntext = 't'\nsource = 's'\nquantifier = 'in-these-settings'\n\
             holds = [{{ check = 'at-most', of = 'mean', is = 1 }}]"
        );
        let experiment = Experiment::from_toml(name, &text).expect(name);
        let one = result(&experiment, 1);
        assert!(!one.table.rows().is_empty());
        for threads in [2, 5] {
            assert_eq!(one, result(&experiment, threads), "{name} on {threads} threads");
        }
        // Another seed gives other numbers, where numbers are drawn.
        if !["limits", "shares", "map", "tails"].contains(&name) {
            let other = Experiment::from_toml(name, &text.replace("seed = 5", "seed = 6")).expect(name);
            assert_ne!(one.table, result(&other, 2).table, "{name}");
        }
    }
}
