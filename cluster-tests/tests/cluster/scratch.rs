//! A folder, and short names for common things.

use std::fs;
use std::path::PathBuf;

use posterity_data::{Cluster, Column, Counted, DataError, Question, Resources, Source, count, count_on};
use tempfile::TempDir;

/// A folder that disappears.
pub(crate) struct Scratch(TempDir);

impl Scratch {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Source {
        fs::create_dir_all(self.path(name).parent().expect("a parent")).expect("a folder");
        fs::write(self.path(name), bytes).expect("written");
        self.source(name)
    }

    pub(crate) fn source(&self, name: &str) -> Source {
        Source::files(self.path(name).to_str().expect("UTF-8"))
    }
}

pub(crate) fn about(column: &str, values: &[&str]) -> Question {
    Question::new(vec![Column::new(column, values.iter().copied())])
}

pub(crate) fn cluster(address: &str, partitions: usize) -> Cluster {
    let cluster: Cluster = address.parse().expect("an address");
    cluster.with_partitions(partitions.try_into().expect("not zero"))
}

/// The answer of this machine, as the cluster should give it: the cluster does not tell how many rows it read.
pub(crate) fn here(source: &Source, question: &Question) -> Result<Counted, DataError> {
    let counted = count(source, question, &Resources::default(), &|_| ())?;
    Ok(Counted { rows_scanned: None, ..counted })
}

pub(crate) fn there(source: &Source, question: &Question, cluster: &Cluster) -> Result<Counted, DataError> {
    count_on(source, question, cluster)
}
