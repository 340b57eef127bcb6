//! A folder, and short names for common things.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use posterity_core::sampler::SeededBits;
use posterity_count::datafusion::prelude::SessionContext;
use posterity_count::{
    Cluster, Column, Counted, CountedMargins, DataError, Question, Resources, Source, count, count_margins,
    count_margins_with, count_on, count_with,
};
use tempfile::TempDir;

/// A temporary folder. It is removed when this is dropped.
#[derive(Debug)]
pub struct Scratch(TempDir);

#[allow(clippy::new_without_default, reason = "a default that touches the disk would surprise")]
impl Scratch {
    /// A new folder.
    ///
    /// # Panics
    /// If it cannot be made. The other methods panic alike.
    #[must_use]
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// A path within.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Source {
        fs::create_dir_all(self.path(name).parent().expect("a parent")).expect("a folder");
        fs::write(self.path(name), bytes).expect("written");
        self.source(name)
    }

    /// The file, or the folder of files, of this name.
    #[must_use]
    pub fn source(&self, name: &str) -> Source {
        Source::files(self.path(name).to_str().expect("UTF-8"))
    }
}

/// A question about one column.
#[must_use]
pub fn about(column: &str, values: &[&str]) -> Question {
    Question::new(vec![Column::new(column, values.iter().copied())])
}

/// A cluster and into how many tasks it divides a scan.
///
/// # Panics
/// If there is no such cluster.
#[must_use]
pub fn cluster(address: &str, partitions: usize) -> Cluster {
    let cluster: Cluster = address.parse().expect("an address");
    cluster.with_partitions(partitions.try_into().expect("not zero"))
}

/// The answer of this machine, without the rows that were read: a cluster does not tell those.
///
/// # Errors
/// Those of [`count`].
pub fn here(source: &Source, question: &Question) -> Result<Counted, DataError> {
    let counted =
        count(source, question, &mut SeededBits::new(1), &two_threads(), &|_| ControlFlow::Continue(()))?;
    Ok(Counted { rows_scanned: None, ..counted })
}

/// The tables over sets of columns that this machine counts, without the rows that were read.
///
/// # Errors
/// Those of [`count_margins`].
pub fn margins_here(
    source: &Source,
    question: &Question,
    sets: &[Vec<usize>],
) -> Result<CountedMargins, DataError> {
    let (mut bits, go_on) = (SeededBits::new(1), |_| ControlFlow::Continue(()));
    let counted = count_margins(source, question, sets, &mut bits, &two_threads(), &go_on)?;
    Ok(CountedMargins { rows_scanned: None, ..counted })
}

fn two_threads() -> Resources {
    Resources { threads: NonZeroUsize::MIN.saturating_add(1), ..Resources::default() }
}

/// The answer of a cluster.
///
/// # Errors
/// Those of [`count_on`].
pub fn there(source: &Source, question: &Question, cluster: &Cluster) -> Result<Counted, DataError> {
    count_on(source, question, cluster)
}

/// The answer of a session, without the rows that were read.
///
/// # Errors
/// Those of [`count_with`].
///
/// # Panics
/// If the system gives no threads.
pub fn within(session: &SessionContext, source: &Source, question: &Question) -> Result<Counted, DataError> {
    let counted =
        runtime().block_on(count_with(session, source, question, &|_| ControlFlow::Continue(())))?;
    Ok(Counted { rows_scanned: None, ..counted })
}

/// The tables over sets of columns that a session counts, without the rows that were read.
///
/// # Errors
/// Those of [`count_margins_with`].
///
/// # Panics
/// If the system gives no threads.
pub fn margins_within(
    session: &SessionContext,
    source: &Source,
    question: &Question,
    sets: &[Vec<usize>],
) -> Result<CountedMargins, DataError> {
    let go_on = |_| ControlFlow::Continue(());
    let counted = runtime().block_on(count_margins_with(session, source, question, sets, &go_on))?;
    Ok(CountedMargins { rows_scanned: None, ..counted })
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(32 << 20)
        .enable_time()
        .build()
        .expect("threads")
}
