//! The entries of all units.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::OnceLock;

use super::error::UnitError;
use super::latest::{Latest, Ordered};
use super::least::{First, Random};
use super::mode::Mode;
use super::row::{OrderedRows, UnitRow};
use super::rule::PerUnit;
use super::several::Several;
use super::sharded::Sharded;
use super::table::UnitTable;

/// What the rule keeps of every unit, in memory and in temporary files, filled by several threads.
///
/// # Guarantee
/// The counts are those of the rule for the rows that were added: one per unit, or by the rule `all` at most as many as
/// it says. They do not depend on the order of
/// rows, on batches, threads or the memory. After an error there are no counts, because entries may be lost.
pub(crate) struct Units {
    kept: Kept,
    cells: usize,
    failed: OnceLock<UnitError>,
}

enum Kept {
    Random(Sharded<Random>),
    First(Sharded<First>),
    Mode(Sharded<Mode>),
    Latest(Sharded<Latest>),
    All(Sharded<Several>),
}

impl Units {
    /// No units yet, of this many cells. Tables take at most this memory, and temporary files are made in this folder
    /// when it does not suffice.
    pub(crate) fn new(rule: &PerUnit, cells: usize, memory: usize, folder: &Path) -> Self {
        let kept = match rule {
            PerUnit::Random => Kept::Random(Sharded::new((), memory, folder)),
            PerUnit::First => Kept::First(Sharded::new((), memory, folder)),
            PerUnit::Mode => Kept::Mode(Sharded::new((), memory, folder)),
            PerUnit::Latest(_) => Kept::Latest(Sharded::new((), memory, folder)),
            PerUnit::All(most) => Kept::All(Sharded::new(*most, memory, folder)),
        };
        Self { kept, cells, failed: OnceLock::new() }
    }

    /// Adds rows by every rule but `latest`, and empties the vector. Batches of many thousand rows are
    /// fast.
    ///
    /// # Errors
    /// [`UnitError::Cell`] for a cell that does not exist, [`UnitError::Rows`] for the rule `latest`, and
    /// [`UnitError::Temporary`] if the system refuses a file; after an error, always that one.
    pub(crate) fn add(&self, rows: &mut Vec<UnitRow>) -> Result<(), UnitError> {
        let result = self.check(rows.iter().map(|row| row.cell)).and_then(|()| match &self.kept {
            Kept::Random(kept) => kept.add(rows, |row| row.unit, Random::row),
            Kept::First(kept) => kept.add(rows, |row| row.unit, First::row),
            Kept::Mode(kept) => kept.add(rows, |row| row.unit, Mode::row),
            Kept::All(kept) => kept.add(rows, |row| row.unit, Random::row),
            Kept::Latest(_) => Err(UnitError::Rows),
        });
        rows.clear();
        self.remember(result)
    }

    /// Adds rows by the rule `latest`, and empties the batch.
    ///
    /// # Errors
    /// [`UnitError::Cell`] for a cell that does not exist, [`UnitError::Rows`] for every other rule, and
    /// [`UnitError::Temporary`] if the system refuses a file; after an error, always that one.
    pub(crate) fn add_ordered(&self, batch: &mut OrderedRows) -> Result<(), UnitError> {
        let OrderedRows { rows, orders } = batch;
        let result = self.check(rows.iter().map(|row| row.cell)).and_then(|()| match &self.kept {
            Kept::Latest(kept) => kept.add(
                rows,
                |row| row.unit,
                |row| Ordered { unit: row.unit, order: row.order(orders), cell: row.cell },
            ),
            _ => Err(UnitError::Rows),
        });
        batch.clear();
        self.remember(result)
    }

    /// How many units count to each cell, computed on at most this many threads.
    ///
    /// # Errors
    /// The first error of any addition, and [`UnitError::Temporary`] if the system refuses a file.
    pub(crate) fn finish(self, threads: NonZeroUsize) -> Result<Vec<u64>, UnitError> {
        if let Some(&error) = self.failed.get() {
            return Err(error);
        }
        match self.kept {
            Kept::Random(kept) => counts(kept, self.cells, threads),
            Kept::First(kept) => counts(kept, self.cells, threads),
            Kept::Mode(kept) => counts(kept, self.cells, threads),
            Kept::Latest(kept) => counts(kept, self.cells, threads),
            Kept::All(kept) => counts(kept, self.cells, threads),
        }
    }

    fn check(&self, mut cells: impl Iterator<Item = u32>) -> Result<(), UnitError> {
        if let Some(&error) = self.failed.get() {
            return Err(error);
        }
        if cells.all(|cell| (cell as usize) < self.cells) { Ok(()) } else { Err(UnitError::Cell) }
    }

    fn remember(&self, result: Result<(), UnitError>) -> Result<(), UnitError> {
        result.map_err(|error| *self.failed.get_or_init(|| error))
    }
}

/// How many units count to each cell.
fn counts<T: UnitTable<Chosen = u32>>(
    kept: Sharded<T>,
    cells: usize,
    threads: NonZeroUsize,
) -> Result<Vec<u64>, UnitError> {
    let start = || vec![0_u64; cells];
    let of_threads = kept.finish(threads, start, |counts, &cell| {
        // Cells were checked when rows came in.
        if let Some(count) = counts.get_mut(cell as usize) {
            *count += 1;
        }
    })?;
    let mut total = start();
    for counts in of_threads {
        total.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
    Ok(total)
}

impl std::fmt::Debug for Units {
    /// Leaves the entries out, because they are data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Units").field("cells", &self.cells).finish_non_exhaustive()
    }
}
