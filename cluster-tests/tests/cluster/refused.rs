//! Questions that are refused before a cluster is asked.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use cluster_tests::{People, Scratch, about, cluster, here, there, within};
use posterity_count::datafusion::prelude::SessionContext;
use posterity_count::{Adjacency, Bins, Cluster, Column, DataError, Format, Question, ReadError, Source};

/// An address where nothing listens.
fn nobody() -> String {
    let port = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    format!("df://{}", port.expect("a port"))
}

#[test]
fn addresses() {
    for address in ["", "localhost:50050", "http://localhost:50050", "df://localhost", "df://a:1/b"] {
        let error = address.parse::<Cluster>().expect_err("no address");
        assert_eq!(error, DataError::ClusterAddress { address: address.into() });
        assert!(error.to_string().contains("df://host:port"), "{error}");
    }
}

#[test]
fn formats() {
    let scratch = Scratch::new();
    let csv = scratch.write("a.csv", "a\nx\n");
    let table = [
        (scratch.write("a.csv.gz", "x"), "a.csv.gz", "csv with gzip"),
        (scratch.write("a.jsonl", "{}"), "a.jsonl", "json"),
        (scratch.write("a.json.gz", "x"), "a.json.gz", "json with gzip"),
        (scratch.write("a.arrow", "x"), "a.arrow", "arrow"),
        (csv.with_format(Format::Arrow), "a.csv", "arrow"),
    ];
    // Nothing listens there, and nothing has to.
    let nobody = cluster(&nobody(), 2);
    for (source, name, kind) in table {
        let path = scratch.path(name).to_str().expect("UTF-8").to_owned();
        let error = there(&source, &about("a", &["x", "y"]), &nobody);
        assert_eq!(error, Err(DataError::ClusterFormat { path, kind: kind.into() }));
    }
    let error = there(&Source::table("t"), &about("a", &["x", "y"]), &nobody);
    assert_eq!(
        error,
        Err(DataError::ClusterFormat { path: "t".into(), kind: "a table of a session".into() })
    );
    let lost = there(&Source::files("nowhere.parquet"), &about("a", &["x", "y"]), &nobody);
    assert_eq!(lost, Err(DataError::Read(ReadError::NotFound { path: "nowhere.parquet".into() })));
}

/// If this fails, a question is sent that one record could make fail, and the failure would tell of it.
#[test]
fn where_n_is_private_no_record_may_make_a_count_fail() {
    let scratch = Scratch::new();
    let csv = scratch.write("a.csv", "a,b\nx,1\ny\n");
    let people = People { file: 0, rows: 10 };
    people.write_parquet(&scratch.path("people.parquet")).expect("written");
    let people = scratch.source("people.parquet");
    let session = SessionContext::new();
    let private = |question: Question| Question { adjacency: Adjacency::AddRemove, ..question };
    let ward = || private(about("Ward.name", &["A", "C"]));
    let filtered = Question { filter: Some("person > 3".into()), ..ward() };
    let bins = Bins::new(["0", "1", "2"]).expect("valid");
    let binned = private(Question::new(vec![Column::binned("person", bins)]));
    for (source, question, word) in [
        (&csv, private(about("a", &["x", "y"])), "CSV"),
        (&people, filtered, "filter"),
        (&people, binned, "bins"),
    ] {
        let error = within(&session, source, &question).expect_err(word);
        assert!(
            matches!(&error, DataError::ClusterAdjacency { what, .. } if what.contains(word)),
            "{error:?}"
        );
    }
    let inside = Question { within: Some("person > 3".into()), ..about("Ward.name", &["A", "C"]) };
    let refused = within(&session, &people, &inside);
    assert_eq!(refused, Err(DataError::ClusterWithin { filter: "person > 3".into() }));
    assert_eq!(within(&session, &people, &ward()), here(&people, &ward()));
}

#[test]
fn nobody_there() {
    let scratch = Scratch::new();
    let source = scratch.write("a.csv", "a\nx\n");
    // The last is a name that never exists (RFC 6761), so that it cannot be resolved.
    for address in [nobody(), "df://scheduler.invalid:50050".into()] {
        let start = Instant::now();
        let error = there(&source, &about("a", &["x", "y"]), &cluster(&address, 2));
        assert_eq!(error, Err(DataError::ClusterUnreachable { address: address.clone() }));
        assert!(start.elapsed() < Duration::from_secs(30), "{address}: {:?}", start.elapsed());
        assert!(error.expect_err("an error").to_string().contains(&address));
    }
}

/// The server takes the connection and never answers.
#[test]
fn no_scheduler_there() {
    let scratch = Scratch::new();
    let source = scratch.write("a.csv", "a\nx\n");
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let address = format!("df://{}", listener.local_addr().expect("an address"));
    let start = Instant::now();
    let error = there(&source, &about("a", &["x", "y"]), &cluster(&address, 2));
    assert_eq!(error, Err(DataError::Cluster { address }));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}
