//! Strings that are gathered by one thread, sorted and spilled.

use std::path::Path;
use std::sync::Arc;

use super::buffer::{Buffer, MAX_BYTES};
use super::run::{Run, RunWriter};
use crate::error::DataError;
use crate::unit::Spool;

/// Gathers strings with their numbers, in any order, and makes sorted runs of them.
///
/// # Guarantee
/// The runs hold every string that was added, with its number; those of one group are one, as in a [`Buffer`]. After an
/// error strings may be lost, so there are no runs.
pub(super) struct Sorter {
    buffer: Buffer,
    /// The bytes at which the buffer is sorted.
    limit: usize,
    spool: Arc<Spool>,
    runs: Vec<Run>,
}

/// The least bytes at which a buffer is sorted, whatever the memory: less would make many runs of few strings.
const LEAST_LIMIT: usize = 4 << 10;

impl Sorter {
    /// A sorter that takes at most this memory, and makes temporary files in this folder when it does not suffice.
    pub(super) fn new(group: usize, memory: usize, folder: &Path) -> Self {
        // The other half is for strings that are packed, or made a run in memory.
        let limit = (memory / 2).clamp(LEAST_LIMIT, MAX_BYTES);
        Self { buffer: Buffer::new(group), limit, spool: Arc::new(Spool::new(folder)), runs: Vec::new() }
    }

    /// Adds a string this many times.
    ///
    /// # Errors
    /// [`UnitError::Temporary`](crate::UnitError::Temporary) if there is no room in a file either.
    #[inline]
    pub(super) fn add(&mut self, string: &[u8], count: u64) -> Result<(), DataError> {
        self.buffer.push(string, count)?;
        if self.buffer.used() >= self.limit { self.make_room() } else { Ok(()) }
    }

    /// The runs of all strings.
    ///
    /// # Errors
    /// [`UnitError::Temporary`](crate::UnitError::Temporary) if the rest cannot be written.
    pub(super) fn finish(mut self) -> Result<Vec<Run>, DataError> {
        self.buffer.settle();
        if self.runs.is_empty() {
            return Ok(vec![Run::held(self.buffer.strings())]);
        }
        self.spill()?;
        Ok(self.runs)
    }

    /// Sorts the buffer. Strings that take much less room then stay, so that few of them never leave memory.
    #[cold]
    fn make_room(&mut self) -> Result<(), DataError> {
        if self.buffer.settle() > self.limit / 2 {
            return self.spill();
        }
        self.buffer.pack();
        Ok(())
    }

    fn spill(&mut self) -> Result<(), DataError> {
        let mut writer = RunWriter::new(&self.spool);
        self.buffer.strings().try_for_each(|(string, count)| writer.push(string, count))?;
        self.runs.push(writer.finish()?);
        self.buffer.clear();
        Ok(())
    }
}
