//! The rows that readers give to the count of units.

use super::error::UnitError;

/// A record for every rule but `latest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnitRow {
    /// The hash of its unit.
    pub(crate) unit: u128,
    /// Its category.
    pub(crate) cell: u32,
    /// Its random rank. Only the rules `random` and `all` look at it.
    pub(crate) rank: u64,
}

/// Records for the rule `latest`, with an order each. All orders lie one after the other in one vector, so that a
/// record needs no allocation of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct OrderedRows {
    pub(super) rows: Vec<OrderedRow>,
    pub(super) orders: Vec<u8>,
}

/// The most bytes of an order.
pub(crate) const MAX_ORDER: usize = u16::MAX as usize;

/// A record whose order is elsewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderedRow {
    pub(super) unit: u128,
    pub(super) start: usize,
    pub(super) length: u16,
    pub(super) cell: u32,
}

impl OrderedRows {
    /// Adds a record. The greater of two orders, compared byte by byte, comes later.
    ///
    /// # Errors
    /// [`UnitError::Order`] for an order of more than [`MAX_ORDER`] bytes.
    pub(crate) fn push(&mut self, unit: u128, order: &[u8], cell: u32) -> Result<(), UnitError> {
        let length = u16::try_from(order.len()).map_err(|_| UnitError::Order)?;
        self.rows.push(OrderedRow { unit, start: self.orders.len(), length, cell });
        self.orders.extend_from_slice(order);
        Ok(())
    }

    /// How many records there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Removes all records and keeps the memory for the next ones.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.orders.clear();
    }
}

impl OrderedRow {
    /// The order, in the vector that holds all of them.
    pub(super) fn order(self, orders: &[u8]) -> &[u8] {
        orders.get(self.start..self.start + usize::from(self.length)).unwrap_or_default()
    }
}
