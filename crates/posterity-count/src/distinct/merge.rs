//! Several sorted runs as one.

use std::path::Path;
use std::sync::Arc;

use super::buffer::same;
use super::run::{BLOCK, Run, RunReader, RunWriter};
use crate::error::DataError;
use crate::unit::{Spool, UnitError};

/// The strings of several runs in their order. Those of one group are one, as in a [`Buffer`](super::buffer::Buffer).
pub(super) struct Merged {
    readers: Vec<RunReader>,
    /// Those readers that have a string, as a heap: the least string is that of the first.
    heap: Vec<usize>,
    group: usize,
    string: Vec<u8>,
}

/// The most runs that are merged at once. More would not fit into fast memory.
const MOST_RUNS: usize = 128;

/// How often a long merge asks whether to go on: after so many strings.
pub(super) const STEPS: u64 = 1 << 16;

impl Merged {
    /// The strings of these runs.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if a file cannot be read.
    pub(super) fn new(runs: Vec<Run>, group: usize) -> Result<Self, UnitError> {
        let mut readers: Vec<RunReader> = runs.into_iter().map(RunReader::new).collect();
        let mut heap = Vec::with_capacity(readers.len());
        for (index, reader) in readers.iter_mut().enumerate() {
            if reader.advance()? {
                heap.push(index);
            }
        }
        let mut merged = Self { readers, heap, group, string: Vec::new() };
        for place in (0..merged.heap.len() / 2).rev() {
            merged.sift(place);
        }
        Ok(merged)
    }

    /// The next string and its number, if there is one.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if a file cannot be read.
    pub(super) fn next(&mut self) -> Result<Option<(&[u8], u64)>, UnitError> {
        let Some(&first) = self.heap.first() else { return Ok(None) };
        self.string.clear();
        self.string.extend_from_slice(self.readers[first].string());
        let mut sum = 0_u64;
        while let Some(&least) = self.heap.first() {
            let reader = &mut self.readers[least];
            if !same(reader.string(), &self.string, self.group) {
                break;
            }
            sum = sum.saturating_add(reader.count());
            if !reader.advance()? {
                self.heap.swap_remove(0);
            }
            self.sift(0);
        }
        Ok(Some((&self.string, sum)))
    }

    /// Moves the reader at a place down until those below it have no lesser string.
    fn sift(&mut self, mut place: usize) {
        let string = |heap: &[usize], place: usize| self.readers[heap[place]].string();
        loop {
            let mut least = place;
            for child in [2 * place + 1, 2 * place + 2] {
                if child < self.heap.len() && string(&self.heap, child) < string(&self.heap, least) {
                    least = child;
                }
            }
            if least == place {
                return;
            }
            self.heap.swap(place, least);
            place = least;
        }
    }
}

/// Where runs are merged, and what they are.
#[derive(Clone, Copy)]
pub(super) struct MergeRoom<'a> {
    /// The bytes that readers may take.
    pub(super) memory: usize,
    /// Where temporary files are made.
    pub(super) folder: &'a Path,
    /// How many bytes a group has in common.
    pub(super) group: usize,
    /// Says whether to go on.
    pub(super) go_on: &'a (dyn Fn() -> Result<(), DataError> + Sync),
}

/// Merges runs until so few are left that they can be read at once.
///
/// # Errors
/// [`UnitError::Temporary`] if the system refuses a file, and what `go_on` says.
pub(super) fn reduce(mut runs: Vec<Run>, room: MergeRoom<'_>) -> Result<Vec<Run>, DataError> {
    loop {
        let most = most_at_once(&runs, room.memory);
        if runs.len() <= most {
            return Ok(runs);
        }
        // The files of all runs before are gone when the last of them is merged.
        let spool = Arc::new(Spool::new(room.folder));
        let mut rest = runs.into_iter();
        let mut merged = Vec::new();
        while rest.len() > 0 {
            merged.push(joined(rest.by_ref().take(most).collect(), &spool, room)?);
        }
        runs = merged;
    }
}

/// How many of these runs can be read at once within this memory: at least two.
fn most_at_once(runs: &[Run], memory: usize) -> usize {
    let block = runs.iter().map(Run::largest).fold(BLOCK, usize::max);
    (memory / block).clamp(2, MOST_RUNS)
}

/// These runs as one.
fn joined(runs: Vec<Run>, spool: &Arc<Spool>, room: MergeRoom<'_>) -> Result<Run, DataError> {
    let mut merged = Merged::new(runs, room.group)?;
    let mut writer = RunWriter::new(spool);
    for step in 0.. {
        if step % STEPS == 0 {
            (room.go_on)()?;
        }
        let Some((string, count)) = merged.next()? else { break };
        writer.push(string, count)?;
    }
    Ok(writer.finish()?)
}
