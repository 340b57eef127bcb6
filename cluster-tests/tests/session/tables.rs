//! A table that the session knows.

use std::ops::ControlFlow;
use std::sync::Arc;

use cluster_tests::{Scratch, about, within};
use posterity_count::datafusion::arrow::array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use posterity_count::datafusion::datasource::MemTable;
use posterity_count::datafusion::prelude::SessionContext;
use posterity_count::{Bins, Column, DataError, Question, ReadError, Source, count, count_with};

fn session(columns: Vec<(&str, ArrayRef)>) -> SessionContext {
    let table = RecordBatch::try_from_iter(columns).expect("a batch");
    let session = SessionContext::new();
    let provider = MemTable::try_new(table.schema(), vec![vec![table]]).expect("a table");
    session.register_table("people", Arc::new(provider)).expect("registered");
    session
}

#[test]
fn a_table_of_a_session() {
    let cured: ArrayRef = Arc::new(StringArray::from(vec!["yes", "no", "yes"]));
    let weight: ArrayRef = Arc::new(Float64Array::from(vec![1.0, 2.0, 3.0]));
    let session = session(vec![("cured", cured), ("weight", weight)]);
    let people = Source::table("people");
    let question = about("cured", &["yes", "no"]);
    let counted = within(&session, &people, &question).expect("counted");
    assert_eq!(counted.counts.as_slice(), [2, 1]);
    let unknown = within(&session, &Source::table("nobody"), &question);
    assert_eq!(unknown, Err(DataError::Read(ReadError::UnknownTable { table: "nobody".into() })));
    let bins = Bins::new(["0", "2", "9"]).expect("valid");
    let wrong = [
        about("weight", &["1", "2"]),
        Question::new(vec![Column::binned("weight", bins)]),
        Question { unit: Some("weight".into()), ..question.clone() },
    ];
    for question in wrong {
        let refused = within(&session, &people, &question);
        assert!(matches!(refused, Err(DataError::UnsupportedType { .. })), "{refused:?}");
    }
    let lost = within(&session, &people, &about("Cured", &["yes", "no"]));
    assert!(matches!(lost, Err(DataError::UnknownColumn { .. })), "{lost:?}");
}

/// A table is known to its session only.
#[test]
fn this_machine_knows_no_table() {
    let mut bits = posterity_core::sampler::SeededBits::new(1);
    let go_on = |_| ControlFlow::Continue(());
    let question = about("a", &["x", "y"]);
    let unknown = count(&Source::table("people"), &question, &mut bits, &Default::default(), &go_on);
    assert_eq!(unknown, Err(DataError::Read(ReadError::UnknownTable { table: "people".into() })));
}

#[test]
fn a_count_can_be_stopped_or_dropped() {
    let scratch = Scratch::new();
    let source = scratch.write("a.csv", format!("cured,id\n{}", "yes,1\nno,2\n".repeat(1_000_000)));
    let question = Question { unit: Some("id".into()), ..about("cured", &["yes", "no"]) };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build();
    runtime.expect("threads").block_on(async {
        let session = SessionContext::new();
        let stop = |_| ControlFlow::Break(());
        let stopped = count_with(&session, &source, &question, &stop).await;
        assert_eq!(stopped, Err(DataError::Stopped));
        let go_on = |_| ControlFlow::Continue(());
        let work = count_with(&session, &source, &question, &go_on);
        assert!(tokio::time::timeout(std::time::Duration::ZERO, work).await.is_err());
    });
}
