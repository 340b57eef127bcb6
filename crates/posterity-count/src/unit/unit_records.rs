//! One whole record of each unit.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::OnceLock;

use super::error::UnitError;
use super::greatest::Greatest;
use super::record_mode::RecordMode;
use super::record_rows::RecordRows;
use super::rule::PerUnit;
use super::sharded::Sharded;

/// What the rule keeps of every unit, in memory and in temporary files, filled by several threads.
///
/// # Guarantee
/// One record of each unit is told in the end, by its codes: the one whose order is greatest, and among equals the one
/// whose codes are least; or, by the rule `mode`, the codes that most of its records have, and among equals the least.
/// It depends on the unit's own records only, and not on the order of rows, on batches, threads or the memory. After an
/// error nothing is told, because entries may be lost.
pub(crate) struct UnitRecords {
    kept: Kept,
    failed: OnceLock<UnitError>,
}

enum Kept {
    Greatest(Sharded<Greatest>),
    Mode(Sharded<RecordMode>),
}

impl UnitRecords {
    /// No units yet, of records whose codes take this many bytes. Tables take at most this memory, and temporary files
    /// are made in this folder when it does not suffice.
    ///
    /// By every rule but `mode` one record of each unit is kept, so the rule `all` must be refused before.
    pub(crate) fn new(rule: &PerUnit, codes: usize, memory: usize, folder: &Path) -> Self {
        let kept = match rule {
            PerUnit::Mode => Kept::Mode(Sharded::new((), memory, folder)),
            _ => Kept::Greatest(Sharded::new(codes, memory, folder)),
        };
        Self { kept, failed: OnceLock::new() }
    }

    /// Adds rows, and empties the batch. By the rule `mode` they must have an empty order.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if the system refuses a file; after an error, always that one.
    pub(crate) fn add(&self, batch: &mut RecordRows) -> Result<(), UnitError> {
        if let Some(&error) = self.failed.get() {
            return Err(error);
        }
        let RecordRows { rows, bytes } = batch;
        let result = match &self.kept {
            Kept::Greatest(kept) => kept.add(rows, |row| row.unit, |row| row.record(bytes)),
            Kept::Mode(kept) => kept.add(rows, |row| row.unit, |row| RecordMode::row(row.record(bytes))),
        };
        batch.clear();
        result.map_err(|error| *self.failed.get_or_init(|| error))
    }

    /// Tells the codes of each unit's record, on at most so many threads. Each of them has a state of its own, and
    /// `take` adds one record to it. Returns the states.
    ///
    /// # Errors
    /// The first error of any addition, and [`UnitError::Temporary`] if the system refuses a file.
    pub(crate) fn finish<S: Send>(
        self,
        threads: NonZeroUsize,
        start: impl Fn() -> S + Sync,
        take: impl Fn(&mut S, &[u8]) + Sync,
    ) -> Result<Vec<S>, UnitError> {
        if let Some(&error) = self.failed.get() {
            return Err(error);
        }
        match self.kept {
            Kept::Greatest(kept) => kept.finish(threads, start, take),
            Kept::Mode(kept) => kept.finish(threads, start, take),
        }
    }
}

impl std::fmt::Debug for UnitRecords {
    /// Leaves the entries out, because they are data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UnitRecords").finish_non_exhaustive()
    }
}
