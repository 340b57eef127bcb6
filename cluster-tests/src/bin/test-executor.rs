//! An executor for tests that runs one task at a time: `test-executor SCHEDULER_PORT PORT FOLDER`.

use std::error::Error;
use std::net::Ipv4Addr;
use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use cluster_tests::{end_with_parent, log_to_stderr};

fn main() -> Result<(), Box<dyn Error>> {
    end_with_parent();
    log_to_stderr();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scheduler, port, folder] = arguments.as_slice() else {
        return Err("usage: test-executor SCHEDULER_PORT PORT FOLDER".into());
    };
    let localhost = Ipv4Addr::LOCALHOST.to_string();
    let config = ExecutorProcessConfig {
        bind_host: localhost.clone(),
        external_host: Some(localhost.clone()),
        port: port.parse()?,
        scheduler_host: localhost,
        scheduler_port: scheduler.parse()?,
        // Any number but zero: try until the scheduler is there.
        scheduler_connect_timeout_seconds: 60,
        concurrent_tasks: 1,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        work_dir: Some(folder.clone()),
        ..ExecutorProcessConfig::default()
    };
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(32 << 20).build()?;
    runtime.block_on(start_executor_process(Arc::new(config)))?;
    Ok(())
}
