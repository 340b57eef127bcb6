//! What crosses the network in a count: `cargo build --bins && cargo run --example exchange`
//!
//! Starts a cluster of two executors on this machine, counts with and without units, and prints the stages of each query with
//! what they put out, and the bytes that went to the scheduler and came back.

use std::error::Error;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use cluster_tests::{CATEGORIES, People, SmallCluster};
use posterity_count::{Cluster, Column, PerUnit, Question, Source, count_on};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let cluster = SmallCluster::start(folder.path(), 2)?;
    let way = Way::to(cluster.address().trim_start_matches("df://").to_owned())?;
    let many = folder.path().join("many");
    People::folder(&many, 8, 50_000)?;
    let few = folder.path().join("few");
    People::folder(&few, 8, 100)?;
    let hundreds = folder.path().join("hundreds");
    People::folder(&hundreds, 208, 100)?;
    for (what, source, unit) in [
        ("8 files of 50,000 rows, 8 partitions", &many, None),
        ("the same by person", &many, Some("person")),
        ("8 files of 100 rows, 8 partitions", &few, None),
        ("208 files of 100 rows, 8 partitions", &hundreds, None),
    ] {
        let (sent, received) = ask(&way, source, unit)?;
        println!("== {what}: {sent} bytes to the scheduler, {received} back");
        let jobs = cluster.jobs();
        for stage in jobs.last().map(|job| cluster.stages(job)).unwrap_or_default() {
            let tasks = stage["tasks"].as_array().map_or(0, Vec::len);
            println!("stage {}, {tasks} tasks", stage["stage_id"]);
            println!("{}", stage["stage_plan"].as_str().unwrap_or_default());
        }
    }
    Ok(())
}

fn ask(way: &Way, source: &Path, unit: Option<&str>) -> Result<(u64, u64), Box<dyn Error>> {
    let question = Question {
        unit: unit.map(Into::into),
        per_unit: PerUnit::First,
        ..Question::new(vec![Column::new("outcome", CATEGORIES)]).with_missing("unknown")
    };
    let cluster: Cluster = format!("df://{}", way.address).parse()?;
    let before = way.bytes();
    count_on(&Source::files(source.to_string_lossy()), &question, &cluster.with_partitions(8.try_into()?))?;
    let after = way.bytes();
    Ok((after.0 - before.0, after.1 - before.1))
}

/// A proxy to the scheduler that counts bytes.
struct Way {
    address: String,
    there: Arc<AtomicU64>,
    back: Arc<AtomicU64>,
}

impl Way {
    fn to(scheduler: String) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let way =
            Self { address: listener.local_addr()?.to_string(), there: Arc::default(), back: Arc::default() };
        let (there, back) = (Arc::clone(&way.there), Arc::clone(&way.back));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(&scheduler) else { return };
                let (Ok(client_again), Ok(server_again)) = (client.try_clone(), server.try_clone()) else {
                    return;
                };
                let (there, back) = (Arc::clone(&there), Arc::clone(&back));
                thread::spawn(move || pass(client, server, &there));
                thread::spawn(move || pass(server_again, client_again, &back));
            }
        });
        Ok(way)
    }

    fn bytes(&self) -> (u64, u64) {
        (self.there.load(Ordering::Relaxed), self.back.load(Ordering::Relaxed))
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, bytes: &AtomicU64) {
    let mut buffer = [0; 1 << 16];
    while let Ok(read) = from.read(&mut buffer) {
        if read == 0 || to.write_all(&buffer[..read]).is_err() {
            break;
        }
        bytes.fetch_add(read as u64, Ordering::Relaxed);
    }
    // The other side learns that this one is done.
    let _ = to.shutdown(std::net::Shutdown::Write);
}
