//! What the computation of an experiment is given, and what it returns.

use posterity_core::parallelism::Parallelism;
use posterity_plot::Panel;

use crate::mode::Mode;
use crate::table::ResultTable;
use crate::watcher::Watcher;

/// A table and the panels of its figure, or what went wrong.
pub(crate) type Computed = Result<(ResultTable, Vec<Vec<Panel>>), String>;

/// The experiment that is run, how much of it, and who watches its progress.
pub(crate) struct RunContext<'c> {
    pub(crate) name: &'c str,
    pub(crate) seed: u64,
    pub(crate) mode: Mode,
    pub(crate) watcher: &'c dyn Watcher,
}

impl RunContext<'_> {
    /// Computes all cells on all threads. The results are in the order of the cells.
    pub(crate) fn compute<T: Sync, R: Send>(
        &self,
        cells: &[T],
        one: impl Fn(&T) -> Result<R, String> + Sync,
    ) -> Result<Vec<R>, String> {
        self.watcher.start(self.name, cells.len() as u64);
        Parallelism::AllCores.try_map(cells, |cell| {
            let result = one(cell)?;
            self.watcher.advance(1);
            Ok(result)
        })
    }
}
