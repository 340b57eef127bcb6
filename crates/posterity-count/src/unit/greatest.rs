//! The table of the rules `random`, `first` and `latest`, where whole records are kept.

use std::collections::hash_map::Entry;

use super::error::UnitError;
use super::key::{Key, KeyMap, most_entries};
use super::order::Order;
use super::record_rows::Record;
use super::table::{UnitTable, take};

/// Of each unit the record of the greatest order, and among equals the one whose codes are least.
///
/// The rule is the number of bytes that the codes take, at the end of each record.
pub(super) struct Greatest {
    codes: usize,
    entries: KeyMap<Key, Order>,
    /// What the records take of the memory beyond the map.
    allocated: usize,
}

/// The bytes that are written of an entry besides its record: its hash and the length.
const FIXED: u64 = 16 + 4;

/// The order of a record, and its codes.
fn split(bytes: &[u8], codes: usize) -> (&[u8], &[u8]) {
    bytes.split_at(bytes.len().saturating_sub(codes))
}

/// Whether a record counts rather than another one of its unit.
fn comes_first(codes: usize, record: &[u8], other: &[u8]) -> bool {
    let ((order, own), (other_order, others)) = (split(record, codes), split(other, codes));
    (order, others) > (other_order, own)
}

impl UnitTable for Greatest {
    type Rule = usize;
    type Row<'a> = Record<'a>;
    type Chosen = [u8];

    fn with_room(codes: usize, entries: usize) -> Self {
        let entries = KeyMap::with_capacity_and_hasher(entries, Default::default());
        Self { codes, entries, allocated: 0 }
    }

    fn unit(row: Record<'_>) -> u128 {
        row.unit
    }

    fn keep(&mut self, row: Record<'_>) {
        match self.entries.entry(Key::new(row.unit)) {
            Entry::Vacant(vacant) => {
                let record = vacant.insert(Order::new(row.bytes));
                self.allocated += record.allocated();
            }
            Entry::Occupied(mut occupied) => {
                let record = occupied.get_mut();
                if comes_first(self.codes, row.bytes, record.bytes()) {
                    self.allocated -= record.allocated();
                    *record = Order::new(row.bytes);
                    self.allocated += record.allocated();
                }
            }
        }
    }

    fn is_full(&mut self, bytes: usize) -> bool {
        self.entries.len() >= most_entries::<Key, Order>(bytes.saturating_sub(self.allocated))
    }

    fn drain(&mut self, mut each: impl FnMut(Record<'_>) -> Result<(), UnitError>) -> Result<(), UnitError> {
        self.allocated = 0;
        self.entries
            .drain()
            .try_for_each(|(key, record)| each(Record { unit: key.unit(), bytes: record.bytes() }))
    }

    fn fits(entries: u64, written: u64, bytes: usize) -> bool {
        // Records that are allocated are so long that they take at most twice their length.
        let records = 2 * written.saturating_sub(entries * FIXED);
        entries <= most_entries::<Key, Order>(bytes.saturating_sub(records as usize)) as u64
    }

    fn tally(self, each: &mut dyn FnMut(&[u8])) {
        self.entries.values().for_each(|record| each(split(record.bytes(), self.codes).1));
    }

    fn write(row: Record<'_>, to: &mut Vec<u8>) {
        to.extend_from_slice(&row.unit.to_le_bytes());
        // Orders of more than 64 KiB are refused when they come in, and codes are short.
        to.extend_from_slice(&(row.bytes.len() as u32).to_le_bytes());
        to.extend_from_slice(row.bytes);
    }

    fn read<'a>(from: &mut &'a [u8]) -> Option<Record<'a>> {
        let unit = u128::from_le_bytes(take(from)?);
        let length = u32::from_le_bytes(take(from)?);
        let (bytes, rest) = from.split_at_checked(length as usize)?;
        *from = rest;
        Some(Record { unit, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, another record of a unit counts than its rule says.
    #[test]
    fn the_order_decides_and_then_the_codes() {
        let table: [(&[u8], &[u8], bool); 6] = [
            (b"b..", b"a..", true),
            (b"a..", b"b..", false),
            (b"a.1", b"a.2", true),
            (b"a.2", b"a.2", false),
            // The longer order is the greater one, whatever the codes are.
            (b"ab.9", b"a.0", true),
            (b".0", b"a.9", false),
        ];
        for (record, other, expected) in table {
            assert_eq!(comes_first(2, record, other), expected, "{record:?} {other:?}");
        }
    }
}
