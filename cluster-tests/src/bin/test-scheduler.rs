//! A scheduler for tests: `test-scheduler PORT SECONDS`, where an executor that was silent for so long is dead.

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use cluster_tests::{end_with_parent, log_to_stderr};

fn main() -> Result<(), Box<dyn Error>> {
    end_with_parent();
    log_to_stderr();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, timeout] = arguments.as_slice() else {
        return Err("usage: test-scheduler PORT SECONDS".into());
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.parse()?));
    let config = SchedulerConfig {
        bind_host: address.ip().to_string(),
        external_host: address.ip().to_string(),
        bind_port: address.port(),
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        executor_timeout_seconds: timeout.parse()?,
        expire_dead_executor_interval_seconds: 1,
        ..SchedulerConfig::default()
    };
    // Plans are trees, and unoptimised code needs much stack for them.
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(32 << 20).build()?;
    runtime.block_on(async {
        let cluster = BallistaCluster::new_from_config(&config).await?;
        start_server(cluster, address, Arc::new(config)).await
    })?;
    Ok(())
}
