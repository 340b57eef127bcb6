//! Sessions, progress and cancellation.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use posterity_data::datafusion::datasource::MemTable;
use posterity_data::datafusion::prelude::SessionContext;
use posterity_data::{DataError, Question, Resources, Source, count, count_async, count_with};

use crate::scratch::{Scratch, about, batch, strings};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build().expect("a runtime")
}

#[test]
fn a_table_of_a_session() {
    let session = SessionContext::new();
    let table = batch(vec![("cured", strings(&[Some("yes"), Some("no"), Some("yes")]))]);
    let provider = MemTable::try_new(table.schema(), vec![vec![table]]).expect("a table");
    session.register_table("people", Arc::new(provider)).expect("registered");
    let question = about("cured", &["yes", "no"]);
    runtime().block_on(async {
        let counted =
            count_with(&session, &Source::table("people"), &question, &|_| ()).await.expect("counted");
        assert_eq!(counted.counts.as_slice(), [2, 1]);
        let error = count_with(&session, &Source::table("nobody"), &question, &|_| ()).await;
        assert_eq!(error, Err(DataError::UnknownTable { table: "nobody".into() }));
    });
}

#[test]
fn blocking_works_within_another_runtime() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", "cured\nyes\nno\n");
    let question = about("cured", &["yes", "no"]);
    let counted = runtime().block_on(async {
        count(&Source::files(path), &question, &Resources::default(), &|_| ()).expect("counted")
    });
    assert_eq!(counted.counts.total(), 2);
}

#[test]
fn progress_ends_with_all_rows() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", format!("cured\n{}", "yes\nno\n".repeat(50_000)));
    let seen = AtomicU64::new(0);
    let progress = |rows: u64| {
        assert!(seen.swap(rows, Ordering::Relaxed) <= rows, "progress never goes back");
    };
    let question = about("cured", &["yes", "no"]);
    let counted = count(&Source::files(path), &question, &Resources::default(), &progress).expect("counted");
    assert_eq!(seen.load(Ordering::Relaxed), 100_000);
    assert_eq!(counted.rows_scanned, Some(100_000));
}

#[test]
fn a_dropped_count_is_cancelled() {
    let scratch = Scratch::new();
    let path = scratch.write("a.csv", format!("cured\n{}", "yes\nno\n".repeat(500_000)));
    let question = about("cured", &["yes", "no"]);
    runtime().block_on(async {
        let (source, resources) = (Source::files(path), Resources::default());
        let work = count_async(&source, &question, &resources, &|_| ());
        let stopped = tokio::time::timeout(std::time::Duration::ZERO, work).await;
        assert!(stopped.is_err());
    });
}

/// More units than fit into the memory, so that the engine has to use temporary files.
#[test]
fn units_beyond_memory() {
    let scratch = Scratch::new();
    let mut text = String::from("id,cured\n");
    for i in 0..200_000 {
        text.push_str(&format!(
            "person-number-{:07},{}\n",
            i % 150_000,
            if i % 3 == 0 { "yes" } else { "no" }
        ));
    }
    let path = scratch.write("a.csv", text);
    let question = Question { unit: Some("id".into()), ..about("cured", &["yes", "no"]) };
    let small = Resources { memory: 8 << 20, threads: NonZeroUsize::MIN };
    let counted = count(&Source::files(path), &question, &small, &|_| ()).expect("counted");
    // Of 0..150,000 every third is yes, and so is every third of the 50,000 that come again; 150,000 is a multiple of 3.
    assert_eq!(counted.counts.as_slice(), [50_000, 100_000]);
}
