//! The rows that readers give to the count of whole records.

use super::error::UnitError;
use super::row::MAX_ORDER;

/// Records with an order and the codes of all columns each. All bytes lie one after the other in one vector, so that a
/// record needs no allocation of its own.
#[derive(Debug, Default)]
pub(crate) struct RecordRows {
    pub(super) rows: Vec<RecordRow>,
    pub(super) bytes: Vec<u8>,
}

/// A record whose bytes are elsewhere: its order, and then its codes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordRow {
    pub(super) unit: u128,
    start: usize,
    length: u32,
}

/// A record of a unit: its order, and then its codes, which have the same length for all records.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) unit: u128,
    pub(super) bytes: &'a [u8],
}

impl RecordRows {
    /// Adds a record, whose codes are appended by `codes`. The greater of two orders, compared byte by byte, comes
    /// later.
    ///
    /// # Errors
    /// [`UnitError::Order`] for an order of more than [`MAX_ORDER`] bytes.
    pub(crate) fn push(
        &mut self,
        unit: u128,
        order: &[u8],
        codes: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), UnitError> {
        if order.len() > MAX_ORDER {
            return Err(UnitError::Order);
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(order);
        codes(&mut self.bytes);
        self.rows.push(RecordRow { unit, start, length: (self.bytes.len() - start) as u32 });
        Ok(())
    }

    /// Removes all records and keeps the memory for the next ones.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.bytes.clear();
    }
}

impl RecordRow {
    /// The record, with the vector that holds all bytes.
    pub(super) fn record(self, bytes: &[u8]) -> Record<'_> {
        let end = self.start + self.length as usize;
        Record { unit: self.unit, bytes: bytes.get(self.start..end).unwrap_or_default() }
    }
}
