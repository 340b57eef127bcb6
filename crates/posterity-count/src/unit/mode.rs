//! The table of the rule `mode`.

use std::cmp::Reverse;
use std::hash::{Hash, Hasher};

use super::error::UnitError;
use super::key::{Key, KeyMap, most_entries};
use super::row::UnitRow;
use super::table::{UnitTable, take};

/// How many records each unit has in each of its cells.
pub(super) struct Mode {
    entries: KeyMap<KeyCell, u64>,
}

/// A unit and a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
struct KeyCell(Key, u32);

impl Hash for KeyCell {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The product with an odd number spreads the cells of one unit over high and low bits.
        let cell = u64::from(self.1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        state.write_u64(self.0.low() ^ cell.rotate_left(32));
    }
}

/// So many records of a unit have this cell.
#[derive(Clone, Copy)]
pub(super) struct CellCount {
    unit: u128,
    cell: u32,
    count: u64,
}

impl Mode {
    pub(super) fn row(row: &UnitRow) -> CellCount {
        CellCount { unit: row.unit, cell: row.cell, count: 1 }
    }
}

impl UnitTable for Mode {
    type Rule = ();
    type Row<'a> = CellCount;
    type Chosen = u32;

    fn with_room((): (), entries: usize) -> Self {
        Self { entries: KeyMap::with_capacity_and_hasher(entries, Default::default()) }
    }

    fn unit(row: CellCount) -> u128 {
        row.unit
    }

    #[inline]
    fn keep(&mut self, row: CellCount) {
        *self.entries.entry(KeyCell(Key::new(row.unit), row.cell)).or_default() += row.count;
    }

    #[inline]
    fn is_full(&mut self, bytes: usize) -> bool {
        self.entries.len() >= most_entries::<KeyCell, u64>(bytes)
    }

    fn drain(&mut self, mut each: impl FnMut(CellCount) -> Result<(), UnitError>) -> Result<(), UnitError> {
        self.entries
            .drain()
            .try_for_each(|(KeyCell(key, cell), count)| each(CellCount { unit: key.unit(), cell, count }))
    }

    fn fits(entries: u64, _written: u64, bytes: usize) -> bool {
        // A second map of the units is made to tally.
        entries <= most_entries::<KeyCell, u64>(bytes / 2) as u64
    }

    fn tally(self, each: &mut dyn FnMut(&u32)) {
        let mut best: KeyMap<Key, (Reverse<u64>, u32)> = KeyMap::default();
        for (KeyCell(key, cell), count) in self.entries {
            let candidate = (Reverse(count), cell);
            let entry = best.entry(key).or_insert(candidate);
            *entry = candidate.min(*entry);
        }
        best.values().for_each(|(_, cell)| each(cell));
    }

    #[inline]
    fn write(row: CellCount, to: &mut Vec<u8>) {
        to.extend_from_slice(&row.unit.to_le_bytes());
        to.extend_from_slice(&row.cell.to_le_bytes());
        to.extend_from_slice(&row.count.to_le_bytes());
    }

    #[inline]
    fn read(from: &mut &[u8]) -> Option<CellCount> {
        let unit = u128::from_le_bytes(take(from)?);
        let cell = u32::from_le_bytes(take(from)?);
        let count = u64::from_le_bytes(take(from)?);
        Some(CellCount { unit, cell, count })
    }
}
