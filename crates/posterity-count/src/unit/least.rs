//! The table of the rules `random` and `first`, which keep the least of something.

use super::error::UnitError;
use super::key::{Key, KeyMap, most_entries};
use super::row::UnitRow;
use super::table::{UnitTable, take};

/// The least words of each unit, compared from the first to the last, which is the cell.
pub(super) struct Least<const N: usize> {
    entries: KeyMap<Key, [u32; N]>,
    /// Rows that are not among the entries yet. Merging many of them at once is faster, because each finds parts of the
    /// map in fast memory that those before it looked at.
    waiting: Vec<(Key, [u32; N])>,
}

/// The most rows that wait.
const WAITING: usize = 2048;

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

impl<const N: usize> Least<N> {
    fn merge(&mut self) {
        for (key, words) in self.waiting.drain(..) {
            let entry = self.entries.entry(key).or_insert(words);
            if words < *entry {
                *entry = words;
            }
        }
    }
}

impl<const N: usize> UnitTable for Least<N> {
    type Rule = ();
    type Row<'a> = (u128, [u32; N]);
    type Chosen = u32;

    fn with_room((): (), entries: usize) -> Self {
        let entries = KeyMap::with_capacity_and_hasher(entries, Default::default());
        Self { entries, waiting: Vec::new() }
    }

    fn unit((unit, _): Self::Row<'_>) -> u128 {
        unit
    }

    #[inline]
    fn keep(&mut self, (unit, words): Self::Row<'_>) {
        self.waiting.push((Key::new(unit), words));
        if self.waiting.len() >= WAITING {
            self.merge();
        }
    }

    #[inline]
    fn is_full(&mut self, bytes: usize) -> bool {
        // Those that wait get a sixteenth of the memory, and fill half of it, as vectors double when they grow.
        let row = size_of::<(Key, [u32; N])>();
        let room = (bytes / row / 32).min(WAITING - 1);
        if self.waiting.len() < room {
            return false;
        }
        self.merge();
        self.entries.len() + room >= most_entries::<Key, [u32; N]>(bytes - 2 * room * row)
    }

    fn drain(
        &mut self,
        mut each: impl FnMut(Self::Row<'_>) -> Result<(), UnitError>,
    ) -> Result<(), UnitError> {
        self.merge();
        self.entries.drain().try_for_each(|(key, words)| each((key.unit(), words)))
    }

    fn fits(entries: u64, _written: u64, bytes: usize) -> bool {
        entries <= most_entries::<Key, [u32; N]>(bytes) as u64
    }

    fn tally(mut self, each: &mut dyn FnMut(&u32)) {
        self.merge();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, tables of the rules `random` and `first` take more memory than is allowed.
    #[test]
    fn entries_and_rows_that_wait_take_no_more_than_is_allowed() {
        for bytes in [0, 500, 3_000, 40_000, 475_000, 2 << 20] {
            let mut table = Random::with_room((), 0);
            let mut kept = 0;
            while !table.is_full(bytes) {
                table.keep((kept, [1, 2, 3]));
                kept += 1;
            }
            let row = size_of::<(Key, [u32; 3])>();
            let map = table.entries.capacity() / 7 * 8 * (row + 1);
            // A vector has room for four rows at least.
            let waiting = table.waiting.capacity().saturating_sub(4) * row;
            assert!(kept <= 3 || map + waiting <= bytes, "{bytes}");
            assert!(2 * kept as usize >= most_entries::<Key, [u32; 3]>(bytes), "{bytes}: {kept}");
        }
    }

    #[test]
    fn rows_of_units_that_are_known_do_not_fill_a_table() {
        let mut table = First::with_room((), 0);
        for row in 0..100_000 {
            table.keep((row % 50, [row as u32]));
            assert!(!table.is_full(3_000), "{row}");
        }
        let mut cells = Vec::new();
        table.tally(&mut |cell| cells.push(*cell));
        cells.sort_unstable();
        assert_eq!(cells, (0..50).collect::<Vec<u32>>());
    }
}
