//! The table of the rule `all`, which keeps several of the least.

use std::collections::BinaryHeap;
use std::num::NonZeroU32;

use super::error::UnitError;
use super::key::{Key, KeyMap, most_entries};
use super::table::{UnitTable, take};

/// Of each unit the records of the least ranks, at most as many as the rule says: the rank in two words, and the cell.
pub(super) struct Several {
    most: usize,
    /// The greatest of a unit is on top, where the next smaller one takes its place.
    entries: KeyMap<Key, BinaryHeap<[u32; 3]>>,
    /// What the records take of the memory beyond the map.
    allocated: usize,
    /// How many records are kept.
    records: usize,
}

/// What an allocation takes beyond its bytes, on the systems that are common.
const ALLOCATION: usize = 16;

/// The most that a record takes beyond the map. A unit of one record has room for one, and every other for at most four
/// records or twice those it has: two records in the room of four take the most.
const RECORD: u64 = ((4 * size_of::<[u32; 3]>() + ALLOCATION) / 2) as u64;

/// The memory that is allocated for the records of a unit.
fn allocated(records: &BinaryHeap<[u32; 3]>) -> usize {
    records.capacity() * size_of::<[u32; 3]>() + ALLOCATION
}

impl UnitTable for Several {
    type Rule = NonZeroU32;
    type Row<'a> = (u128, [u32; 3]);
    type Chosen = u32;

    fn with_room(most: NonZeroU32, entries: usize) -> Self {
        Self {
            most: most.get() as usize,
            entries: KeyMap::with_capacity_and_hasher(entries, Default::default()),
            allocated: 0,
            records: 0,
        }
    }

    fn unit((unit, _): Self::Row<'_>) -> u128 {
        unit
    }

    fn keep(&mut self, (unit, words): Self::Row<'_>) {
        let mut new = false;
        let kept = self.entries.entry(Key::new(unit)).or_insert_with(|| {
            new = true;
            BinaryHeap::with_capacity(1)
        });
        if kept.len() < self.most {
            let before = if new { 0 } else { allocated(kept) };
            kept.push(words);
            self.allocated += allocated(kept) - before;
            self.records += 1;
        } else if let Some(mut greatest) = kept.peek_mut()
            && words < *greatest
        {
            *greatest = words;
        }
    }

    fn is_full(&mut self, bytes: usize) -> bool {
        let left = bytes.saturating_sub(self.allocated);
        self.entries.len() >= most_entries::<Key, BinaryHeap<[u32; 3]>>(left)
            || left == 0 && self.records >= 3
    }

    fn drain(
        &mut self,
        mut each: impl FnMut(Self::Row<'_>) -> Result<(), UnitError>,
    ) -> Result<(), UnitError> {
        (self.allocated, self.records) = (0, 0);
        self.entries
            .drain()
            .try_for_each(|(key, kept)| kept.into_iter().try_for_each(|words| each((key.unit(), words))))
    }

    fn fits(entries: u64, _written: u64, bytes: usize) -> bool {
        let left = (bytes as u64).saturating_sub(entries.saturating_mul(RECORD));
        entries <= most_entries::<Key, BinaryHeap<[u32; 3]>>(left as usize) as u64
    }

    fn tally(self, each: &mut dyn FnMut(&u32)) {
        self.entries.values().flatten().for_each(|[.., cell]| each(cell));
    }

    fn write((unit, words): Self::Row<'_>, to: &mut Vec<u8>) {
        to.extend_from_slice(&unit.to_le_bytes());
        words.iter().for_each(|word| to.extend_from_slice(&word.to_le_bytes()));
    }

    fn read<'a>(from: &mut &'a [u8]) -> Option<Self::Row<'a>> {
        let unit = u128::from_le_bytes(take(from)?);
        let mut words = [0; 3];
        for word in &mut words {
            *word = u32::from_le_bytes(take(from)?);
        }
        Some((unit, words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, tables of the rule `all` take more memory than is allowed.
    #[test]
    fn records_take_no_more_than_is_assumed() {
        let mut table = Several::with_room(NonZeroU32::MAX, 0);
        for record in 0..200 {
            table.keep((7, [record, 0, 0]));
            let heaps: usize = table.entries.values().map(allocated).sum();
            assert_eq!(table.allocated, heaps);
            assert!(heaps as u64 <= RECORD * u64::from(record + 1), "{record}: {heaps}");
        }
    }
}
