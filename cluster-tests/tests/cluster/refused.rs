//! Questions that are refused before a cluster is asked.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use cluster_tests::{Scratch, about, cluster, there};
use posterity_count::{Cluster, DataError, Format, ReadError, Source};

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
