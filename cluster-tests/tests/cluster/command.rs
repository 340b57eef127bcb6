//! `posterity release --cluster`

use std::process::{Command, Output};

use cluster_tests::{CATEGORIES, People, Scratch, SmallCluster};

fn release(source: &str, more: &[&str]) -> Output {
    ask("release", source, more)
}

fn ask(command: &str, source: &str, more: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_posterity"))
        .args([command, source, "--column", "outcome", "--categories", &CATEGORIES.join(",")])
        .args(["--missing", "unknown", "--epsilon", "1", "--seed", "7", "--format", "json"])
        .args(more)
        .output()
        .expect("the command runs")
}

#[test]
fn the_same_release() {
    let scratch = Scratch::new();
    let small = SmallCluster::start(&scratch.path(""), 2).expect("a cluster");
    let folder = People::folder(&scratch.path("parquet"), 3, 10_000).expect("written");
    let folder = folder.to_str().expect("UTF-8");
    for more in [&[] as &[&str], &["--where", "age > 30"], &["--unit", "person", "--per-unit", "first"]] {
        let local = release(folder, more);
        assert!(local.status.success(), "{local:?}");
        let address = small.address();
        let remote = release(folder, &[&["--cluster", &address, "--partitions", "5"], more].concat());
        assert!(remote.status.success(), "{remote:?}");
        assert_eq!(remote.stdout, local.stdout);
    }
    assert_eq!(small.jobs().len(), 3, "the cluster did the work");
    // Executors draw which records count without the seed. The release is made nevertheless.
    let drawn = release(folder, &["--cluster", &small.address(), "--unit", "person"]);
    assert!(drawn.status.success(), "{drawn:?}");
    let refused = release(folder, &["--cluster", &small.address(), "--unit", "person", "--per-unit", "mode"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("choose random or first"), "{said}");
}

#[test]
fn the_same_tables_of_many_columns() {
    let scratch = Scratch::new();
    let small = SmallCluster::start(&scratch.path(""), 2).expect("a cluster");
    let folder = People::folder(&scratch.path("parquet"), 3, 10_000).expect("written");
    let folder = folder.to_str().expect("UTF-8");
    let pairs = ["--column", "age", "--bins", "0,18,65,100", "--sets", "2", "--delta", "1e-9"];
    let local = ask("margins", folder, &pairs);
    assert!(local.status.success(), "{local:?}");
    let address = small.address();
    let remote = [&pairs[..], &["--cluster", &address, "--partitions", "5"]].concat();
    let remote = ask("margins", folder, &remote);
    assert!(remote.status.success(), "{remote:?}");
    assert_eq!(remote.stdout, local.stdout);
    assert_eq!(small.jobs().len(), 1, "the cluster did the work");
}

#[test]
fn refusals() {
    let scratch = Scratch::new();
    scratch.write("a.csv", "outcome\nimproved\n");
    scratch.write("a.jsonl", "{}");
    let path = |name: &str| scratch.path(name).to_str().expect("UTF-8").to_owned();
    let table: [(&str, &[&str], i32, &str); 4] = [
        ("a.csv", &["--cluster", "localhost"], 2, "write df://host:port"),
        ("a.csv", &["--partitions", "5"], 2, "--cluster"),
        ("a.csv", &["--cluster", "df://127.0.0.1:1"], 1, "the cluster df://127.0.0.1:1 does not answer"),
        ("a.jsonl", &["--cluster", "df://127.0.0.1:1"], 1, "store it as Parquet"),
    ];
    for (name, more, code, message) in table {
        let output = release(&path(name), more);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(message), "{said}");
        assert!(output.stdout.is_empty());
    }
    let counts = ["release", "--counts", "1,2", "--epsilon", "1", "--cluster", "df://127.0.0.1:1"];
    let output = Command::new(env!("CARGO_BIN_EXE_posterity")).args(counts).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
}
