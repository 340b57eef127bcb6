//! An executor that is killed while it has work.

use std::thread;
use std::time::{Duration, Instant};

use cluster_tests::{CATEGORIES, Executor, People, Scratch, SmallCluster, about, cluster, here, there};
use posterity_count::{DataError, PerUnit, Question};

/// Kills the executor while it runs a task and holds the results of another, which the rest of the query needs.
fn kill_at_work(executor: &mut Executor) {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(300), "the executor has never been at its second task");
        thread::sleep(Duration::from_millis(5));
        let finished = executor.finished().expect("a log").len();
        if finished == 0 || executor.begun().expect("a log").len() == finished {
            continue;
        }
        // Things may have changed since the log was read. A process that is halted changes nothing.
        executor.process().halt().expect("halted");
        if executor.begun().expect("a log").len() > executor.finished().expect("a log").len() {
            executor.process().kill().expect("killed");
            return;
        }
        executor.process().go_on().expect("going on");
    }
}

/// Counts files in several tasks while an executor is killed.
fn counts_survive(question: &Question, files: usize, rows: usize, tasks: usize) {
    let scratch = Scratch::new();
    People::folder(&scratch.path("parquet"), files, rows).expect("written");
    let source = scratch.source("parquet");
    let expected = here(&source, question).expect("counted here");
    let mut small = SmallCluster::start(&scratch.path(""), 2).expect("a cluster");
    let remote = cluster(&small.address(), tasks);
    thread::scope(|scope| {
        let counting = scope.spawn(|| there(&source, question, &remote));
        kill_at_work(small.executor(1));
        let jobs = small.jobs();
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        assert_eq!(jobs[0]["status"], "Running", "the work was under way");
        assert!(!counting.is_finished(), "the count was under way");
        let counted = counting.join().expect("no panic").expect("counted there");
        assert_eq!(counted, expected);
    });
    let last = format!("stage 1 partition {}", tasks - 1);
    let dead = small.executor(1).begun().expect("a log");
    let alive = small.executor(0).finished().expect("a log");
    assert!(
        dead.is_subset(&alive),
        "what one had begun, {dead:?}, is among what the other finished, {alive:?}"
    );
    assert!(
        alive.contains(&last) || dead.contains(&last),
        "the work was divided as asked: {alive:?} {dead:?}"
    );
}

#[test]
fn counts_survive_the_loss_of_an_executor() {
    let question = about("outcome", &CATEGORIES).with_missing("unknown");
    // Files of more than 10 MiB in all are divided if there are more tasks than files.
    counts_survive(&question, 12, 150_000, 24);
}

#[test]
fn counts_of_units_survive_the_loss_of_an_executor() {
    let question = Question {
        unit: Some("person".into()),
        per_unit: PerUnit::First,
        ..about("outcome", &CATEGORIES).with_missing("unknown")
    };
    counts_survive(&question, 6, 60_000, 6);
}

#[test]
fn the_loss_of_the_scheduler_is_an_error() {
    let scratch = Scratch::new();
    People::folder(&scratch.path("parquet"), 12, 50_000).expect("written");
    let source = scratch.source("parquet");
    let question = about("outcome", &CATEGORIES).with_missing("unknown");
    let mut small = SmallCluster::start(&scratch.path(""), 1).expect("a cluster");
    let remote = cluster(&small.address(), 12);
    thread::scope(|scope| {
        let counting = scope.spawn(|| there(&source, &question, &remote));
        let start = Instant::now();
        while small.executor(0).begun().expect("a log").is_empty() {
            assert!(start.elapsed() < Duration::from_secs(300), "no task has begun");
            thread::sleep(Duration::from_millis(5));
        }
        assert!(!counting.is_finished(), "the count was under way");
        small.kill_scheduler().expect("killed");
        let error = counting.join().expect("no panic");
        assert_eq!(error, Err(DataError::Cluster { address: remote.to_string() }));
    });
}
