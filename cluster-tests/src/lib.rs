//! A real cluster on this machine, for tests: one process for the scheduler and one for each executor.

mod http;
mod logger;
mod people;
mod process;
mod scratch;
mod small_cluster;

pub use logger::log_to_stderr;
pub use people::{CATEGORIES, People};
pub use process::{Process, end_with_parent};
pub use scratch::{Scratch, about, cluster, here, margins_here, margins_within, there, within};
pub use small_cluster::{Executor, SmallCluster};
