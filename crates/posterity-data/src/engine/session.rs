//! The session of this machine.

use std::num::NonZeroUsize;
use std::sync::Arc;

use datafusion::error::DataFusionError;
use datafusion::execution::memory_pool::FairSpillPool;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};

/// What a count may use of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// Bytes for hash tables and the like; beyond them the engine writes to temporary files. Buffers for reading come
    /// on top: some tens of megabytes per thread.
    pub memory: usize,
    /// Threads that read and count.
    pub threads: NonZeroUsize,
}

impl Default for Resources {
    /// 512 MiB, and as many threads as the machine runs at once, but at most eight.
    fn default() -> Self {
        let eight = NonZeroUsize::MIN.saturating_add(7);
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN).min(eight);
        Self { memory: 512 << 20, threads }
    }
}

impl Resources {
    /// A session that keeps to these limits.
    pub(crate) fn session(&self) -> Result<SessionContext, DataFusionError> {
        let runtime = RuntimeEnvBuilder::new()
            .with_memory_pool(Arc::new(FairSpillPool::new(self.memory)))
            .build_arc()?;
        let mut config = SessionConfig::new().with_target_partitions(self.threads.get());
        config.options_mut().sql_parser.enable_ident_normalization = false;
        Ok(SessionContext::new_with_config_rt(config, runtime))
    }
}

/// The most bytes of text that one batch should hold.
const BATCH_BYTES: usize = 32 << 20;

/// The state, with batches small enough for records of this length.
pub(crate) fn fitted(state: SessionState, longest_record: usize) -> SessionState {
    let usual = state.config().batch_size();
    let rows = (BATCH_BYTES / longest_record.max(1)).clamp(4, usual.max(4));
    if rows >= usual {
        return state;
    }
    let config = state.config().clone().with_batch_size(rows);
    SessionStateBuilder::new_from_existing(state).with_config(config).build()
}
