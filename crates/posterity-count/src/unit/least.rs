//! The table of the rules `random` and `first`, which keep the least of something.

use super::error::UnitError;
use super::key::{Key, KeyMap, most_entries};
use super::row::UnitRow;
use super::table::{UnitTable, take};

/// The least words of each unit, compared from the first to the last, which is the cell.
pub(super) struct Least<const N: usize> {
    entries: KeyMap<Key, [u32; N]>,
}

/// The rule `random`: the least rank, in two words, and then the least cell.
pub(super) type Random = Least<3>;

/// The rule `first`: the least cell.
pub(super) type First = Least<1>;

impl Random {
    pub(super) fn row(row: &UnitRow) -> (u128, [u32; 3]) {
        (row.unit, [(row.rank >> 32) as u32, row.rank as u32, row.cell])
    }
}

impl First {
    pub(super) fn row(row: &UnitRow) -> (u128, [u32; 1]) {
        (row.unit, [row.cell])
    }
}

impl<const N: usize> UnitTable for Least<N> {
    type Rule = ();
    type Row<'a> = (u128, [u32; N]);
    type Chosen = u32;

    fn with_room((): (), entries: usize) -> Self {
        Self { entries: KeyMap::with_capacity_and_hasher(entries, Default::default()) }
    }

    fn unit((unit, _): Self::Row<'_>) -> u128 {
        unit
    }

    #[inline]
    fn keep(&mut self, (unit, words): Self::Row<'_>) {
        let entry = self.entries.entry(Key::new(unit)).or_insert(words);
        if words < *entry {
            *entry = words;
        }
    }

    #[inline]
    fn is_full(&self, bytes: usize) -> bool {
        self.entries.len() >= most_entries::<Key, [u32; N]>(bytes)
    }

    fn drain(
        &mut self,
        mut each: impl FnMut(Self::Row<'_>) -> Result<(), UnitError>,
    ) -> Result<(), UnitError> {
        self.entries.drain().try_for_each(|(key, words)| each((key.unit(), words)))
    }

    fn fits(entries: u64, _written: u64, bytes: usize) -> bool {
        entries <= most_entries::<Key, [u32; N]>(bytes) as u64
    }

    fn tally(self, each: &mut dyn FnMut(&u32)) {
        self.entries.values().filter_map(|words| words.last()).for_each(each);
    }

    #[inline]
    fn write((unit, words): Self::Row<'_>, to: &mut Vec<u8>) {
        to.extend_from_slice(&unit.to_le_bytes());
        for word in words {
            to.extend_from_slice(&word.to_le_bytes());
        }
    }

    #[inline]
    fn read<'a>(from: &mut &'a [u8]) -> Option<Self::Row<'a>> {
        let unit = u128::from_le_bytes(take(from)?);
        let mut words = [0; N];
        for word in &mut words {
            *word = u32::from_le_bytes(take(from)?);
        }
        Some((unit, words))
    }
}
