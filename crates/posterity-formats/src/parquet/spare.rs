//! Memory that the readers of one group of rows leave to those of the next.
//!
//! New memory has to be cleared by the system, which for many short groups takes as long as reading them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::column::{ColumnValues, Store};

use super::taken::{Buffer, Taken};

/// The most bytes that the readers of one group leave.
const MOST: usize = 16 << 20;

/// What the reader of one column leaves.
#[derive(Debug)]
pub(super) struct Spare {
    pub(super) window: Buffer,
    pub(super) page: Buffer,
    pub(super) piece: ColumnValues,
    pub(super) piece_taken: Taken,
}

impl Default for Spare {
    fn default() -> Self {
        let piece = ColumnValues::Plain { values: Store::Missing(0), valid: None };
        Self { window: Buffer::default(), page: Buffer::default(), piece, piece_taken: Taken::default() }
    }
}

impl Spare {
    fn bytes(&self) -> usize {
        self.window.taken.bytes() + self.page.taken.bytes() + self.piece_taken.bytes()
    }

    /// Lets go of a dictionary, which is of one group only.
    fn forget(&mut self) {
        if let ColumnValues::Keyed { values, .. } = &mut self.piece {
            *values = Arc::new(Store::Missing(0));
        }
    }
}

/// What the readers of some groups leave, those of all columns together. No more of it lies idle than groups were read
/// at the same time.
#[derive(Debug, Default)]
pub(crate) struct Spares(Mutex<Vec<Vec<Spare>>>);

impl Spares {
    /// The memory for the readers of this many columns.
    pub(super) fn take(&self, columns: usize) -> Vec<Spare> {
        let mut spares = self.lock().pop().unwrap_or_default();
        spares.resize_with(columns, Spare::default);
        spares
    }

    /// Keeps what readers leave, unless it is so much that others may lack it.
    pub(super) fn give(&self, mut spares: Vec<Spare>) {
        spares.iter_mut().for_each(Spare::forget);
        if spares.iter().map(Spare::bytes).sum::<usize>() <= MOST {
            self.lock().push(spares);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Vec<Spare>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory_limit::MemoryLimit;

    fn spare(memory: &MemoryLimit, bytes: usize) -> Spare {
        let mut page = Buffer { bytes: vec![7; bytes], taken: Taken::default() };
        page.taken.ensure(memory, bytes).unwrap();
        let values = Arc::new(Store::Integers(vec![1; 9]));
        Spare { page, piece: ColumnValues::Keyed { keys: vec![0; 5], values }, ..Spare::default() }
    }

    #[test]
    fn memory_is_used_again_unless_there_is_much_of_it() {
        let limit = 4 * MOST;
        let memory = MemoryLimit::new(limit);
        let spares = Spares::default();
        spares.give(vec![spare(&memory, 100), spare(&memory, MOST)]);
        assert!(memory.take(limit).is_ok(), "too much was let go");
        spares.give(vec![spare(&memory, 100), spare(&memory, MOST / 2)]);
        assert!(memory.take(limit - MOST / 2).is_err(), "what is kept counts");
        let taken = spares.take(3);
        let sizes: Vec<usize> = taken.iter().map(|spare| spare.page.bytes.len()).collect();
        assert_eq!(sizes, [100, MOST / 2, 0]);
        let ColumnValues::Keyed { keys, values } = &taken[0].piece else { panic!("not keys") };
        assert_eq!((keys.len(), values.len()), (5, 0), "a dictionary is let go");
        assert_eq!(spares.take(1)[0].page.bytes.len(), 0);
    }
}
