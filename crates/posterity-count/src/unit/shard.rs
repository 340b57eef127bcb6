//! A table that may leave memory.

use super::error::UnitError;
use super::spool::{Block, Spool};
use super::table::UnitTable;

/// The entries of some units: a table in memory, and those before it in a temporary file.
pub(super) struct Shard<T> {
    table: T,
    /// The bytes that the table may take.
    share: usize,
    written: Written,
}

/// The entries in a file. A unit may have several.
#[derive(Default)]
pub(super) struct Written {
    pub(super) blocks: Vec<Block>,
    pub(super) entries: u64,
    pub(super) bytes: u64,
    /// One of the units, and the bits in which any other differs from it.
    unit: Option<u128>,
    differ: u128,
}

/// What is left of a shard when no more rows come.
pub(super) enum Closed<T> {
    /// Everything is in memory.
    Table(T),
    /// Everything is in the file.
    Written(Written),
}

/// The bytes of a block at which it is written. One more row may come on top.
const BLOCK: usize = 64 << 10;

impl<T: UnitTable> Shard<T> {
    pub(super) fn new(rule: T::Rule, share: usize) -> Self {
        Self { table: T::with_room(rule, 0), share, written: Written::default() }
    }

    /// Merges a row, and makes room for the next one.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if there is no room in the file either. Entries are lost then.
    #[inline]
    pub(super) fn keep(&mut self, row: T::Row<'_>, spool: &Spool) -> Result<(), UnitError> {
        self.table.keep(row);
        if self.table.is_full(self.share) { self.spill(spool) } else { Ok(()) }
    }

    /// Ends the shard, and gives its memory back if a part of it is in the file already.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if the rest cannot be written.
    pub(super) fn close(mut self, spool: &Spool) -> Result<Closed<T>, UnitError> {
        if self.written.blocks.is_empty() {
            return Ok(Closed::Table(self.table));
        }
        self.spill(spool)?;
        Ok(Closed::Written(self.written))
    }

    #[cold]
    fn spill(&mut self, spool: &Spool) -> Result<(), UnitError> {
        let Self { table, written, .. } = self;
        let mut buffer = Vec::with_capacity(BLOCK + 64);
        table.drain(|row| {
            T::write(row, &mut buffer);
            written.entries += 1;
            written.see(T::unit(row));
            if buffer.len() >= BLOCK { written.append(&mut buffer, spool) } else { Ok(()) }
        })?;
        written.append(&mut buffer, spool)
    }
}

impl Written {
    /// How many bits at the top of the hash all units have in common: all bits if there is one unit.
    pub(super) fn common_bits(&self) -> u32 {
        self.differ.leading_zeros()
    }

    #[inline]
    fn see(&mut self, unit: u128) {
        self.differ |= unit ^ *self.unit.get_or_insert(unit);
    }

    fn append(&mut self, buffer: &mut Vec<u8>, spool: &Spool) -> Result<(), UnitError> {
        if !buffer.is_empty() {
            self.blocks.push(spool.write(buffer)?);
            self.bytes += buffer.len() as u64;
            buffer.clear();
        }
        Ok(())
    }

    /// Hands all rows over.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if the file cannot be read, and those of `each`.
    pub(super) fn rows<T: UnitTable>(
        &self,
        spool: &Spool,
        mut each: impl FnMut(T::Row<'_>) -> Result<(), UnitError>,
    ) -> Result<(), UnitError> {
        let mut buffer = Vec::new();
        for &block in &self.blocks {
            spool.read(block, &mut buffer)?;
            let mut rest = buffer.as_slice();
            while let Some(row) = T::read(&mut rest) {
                each(row)?;
            }
        }
        Ok(())
    }
}
