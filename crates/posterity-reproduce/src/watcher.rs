//! Progress of an experiment.

/// Is told how far an experiment is.
pub trait Watcher: Sync {
    /// An experiment with this many cells begins.
    fn start(&self, name: &str, cells: u64);

    /// This many more cells are done.
    fn advance(&self, cells: u64);
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Watcher for Silent {
    fn start(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {}
}
