//! A scheduler and some executors.

use std::collections::BTreeSet;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::http::get;
use crate::process::Process;

/// Seconds without a sign of life after which the scheduler takes an executor for dead. An executor gives one between
/// tasks, which take well under a second.
const TIMEOUT: u64 = 10;

/// How long the processes may take to find each other.
const PATIENCE: Duration = Duration::from_secs(120);

/// A scheduler and executors, each a process. They are killed when this is dropped.
#[derive(Debug)]
pub struct SmallCluster {
    port: u16,
    // Executors end first: they log errors when the scheduler has ended.
    executors: Vec<Executor>,
    scheduler: Process,
}

/// An executor that runs one task at a time.
#[derive(Debug)]
pub struct Executor {
    process: Process,
}

impl SmallCluster {
    /// Starts the processes, and returns when they know each other. All their files go to the folder.
    ///
    /// # Errors
    /// If they do not start, or do not find each other.
    pub fn start(folder: &Path, executors: usize) -> io::Result<Self> {
        let port = free_port()?;
        let mut command = Command::new(program("test-scheduler")?);
        command.args([port.to_string(), TIMEOUT.to_string()]);
        let scheduler = Process::start(&mut command, &folder.join("scheduler.log"))?;
        let executors = (0..executors)
            .map(|number| {
                let work = folder.join(format!("executor-{number}"));
                std::fs::create_dir(&work)?;
                let mut command = Command::new(program("test-executor")?);
                command.arg(port.to_string()).arg(free_port()?.to_string()).arg(&work);
                let process = Process::start(&mut command, &folder.join(format!("executor-{number}.log")))?;
                Ok(Executor { process })
            })
            .collect::<io::Result<Vec<_>>>()?;
        let cluster = Self { port, executors, scheduler };
        let start = Instant::now();
        while cluster.known_executors() < cluster.executors.len() {
            if start.elapsed() > PATIENCE {
                let said = cluster.scheduler.said()?;
                return Err(io::Error::other(format!("the processes do not find each other: {said}")));
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(cluster)
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> String {
        format!("df://127.0.0.1:{}", self.port)
    }

    /// One of the executors.
    pub fn executor(&mut self, number: usize) -> &mut Executor {
        &mut self.executors[number]
    }

    /// Ends the scheduler at once.
    ///
    /// # Errors
    /// If the signal cannot be sent.
    pub fn kill_scheduler(&mut self) -> io::Result<()> {
        self.scheduler.kill()
    }

    /// The jobs that the scheduler knows, as it describes them, newest last.
    #[must_use]
    pub fn jobs(&self) -> Vec<Value> {
        let mut jobs = match get(self.port, "/api/jobs") {
            Some(Value::Array(jobs)) => jobs,
            _ => Vec::new(),
        };
        jobs.sort_by_key(|job| job["start_time"].as_u64());
        jobs
    }

    /// The stages of a job, with the plan and the metrics of each, in the order of their numbers.
    #[must_use]
    pub fn stages(&self, job: &Value) -> Vec<Value> {
        let id = job["job_id"].as_str().unwrap_or_default();
        let mut stages = match get(self.port, &format!("/api/job/{id}/stages?plan_format=metrics")) {
            Some(mut answer) => answer["stages"].as_array_mut().map(std::mem::take).unwrap_or_default(),
            None => Vec::new(),
        };
        stages.sort_by_key(|stage| stage["stage_id"].as_str().and_then(|id| id.parse::<u64>().ok()));
        stages
    }

    fn known_executors(&self) -> usize {
        get(self.port, "/api/executors").and_then(|answer| Some(answer.as_array()?.len())).unwrap_or(0)
    }
}

impl Executor {
    /// The process.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// The tasks it has begun, by stage and partition.
    ///
    /// # Errors
    /// If its log cannot be read.
    pub fn begun(&self) -> io::Result<BTreeSet<String>> {
        self.tasks("Received task: [")
    }

    /// The tasks it has finished, by stage and partition.
    ///
    /// # Errors
    /// If its log cannot be read.
    pub fn finished(&self) -> io::Result<BTreeSet<String>> {
        self.tasks("Finished task : [")
    }

    /// A task is named `TID 7 job/stage.attempt/partition.attempt`.
    fn tasks(&self, what: &str) -> io::Result<BTreeSet<String>> {
        let said = self.process.said()?;
        let name = |line: &str| {
            let (_, task) = line.split_once(what)?;
            let mut parts = task.split(']').next()?.split('/').skip(1);
            let number = |part: &str| part.split('.').next().map(str::to_owned);
            Some(format!("stage {} partition {}", number(parts.next()?)?, number(parts.next()?)?))
        };
        // The last line may be cut.
        let whole = said.rfind('\n').map_or("", |end| &said[..end]);
        Ok(whole.lines().filter_map(name).collect())
    }
}

/// A program of this crate; tests and examples lie in folders beside them.
fn program(name: &str) -> io::Result<PathBuf> {
    let this = std::env::current_exe()?;
    let folder = this.ancestors().nth(2).ok_or_else(|| io::Error::other("no folder of programs"))?;
    Ok(folder.join(name))
}

/// A port that is free at the moment.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
