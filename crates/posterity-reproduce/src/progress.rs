//! Signs of life.

/// Who wants to know how far an experiment is.
pub trait Progress: Sync {
    /// An experiment begins, which has this many cells.
    fn start(&self, name: &str, cells: u64);

    /// So many more are done.
    fn advance(&self, cells: u64);
}

/// Nobody.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn start(&self, _: &str, _: u64) {}

    fn advance(&self, _: u64) {}
}
