//! The table of the rule `mode`, where whole records are kept.

use std::cmp::Reverse;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};

use super::error::UnitError;
use super::key::{Key, KeyMap, most_entries};
use super::order::Order;
use super::record_rows::Record;
use super::table::{UnitTable, take};

/// How many records each unit has of each kind.
pub(super) struct RecordMode {
    entries: KeyMap<KeyCodes, u64>,
    /// What the codes take of the memory beyond the map.
    allocated: usize,
}

/// A unit and the codes of a record.
struct KeyCodes(Key, Order);

impl PartialEq for KeyCodes {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 && self.1.bytes() == other.1.bytes()
    }
}

impl Eq for KeyCodes {}

impl Hash for KeyCodes {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The hash of the unit has a secret key, so nobody can choose codes that collide.
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(self.0.low());
        hasher.write(self.1.bytes());
        state.write_u64(hasher.finish());
    }
}

/// So many records of a unit have these codes.
#[derive(Clone, Copy)]
pub(super) struct CodesCount<'a> {
    unit: u128,
    codes: &'a [u8],
    count: u64,
}

impl RecordMode {
    pub(super) fn row(record: Record<'_>) -> CodesCount<'_> {
        CodesCount { unit: record.unit, codes: record.bytes, count: 1 }
    }
}

/// The bytes that are written of an entry besides its codes: its hash, the length and the count.
const FIXED: u64 = 16 + 4 + 8;

impl UnitTable for RecordMode {
    type Rule = ();
    type Row<'a> = CodesCount<'a>;
    type Chosen = [u8];

    fn with_room((): (), entries: usize) -> Self {
        Self { entries: KeyMap::with_capacity_and_hasher(entries, Default::default()), allocated: 0 }
    }

    fn unit(row: CodesCount<'_>) -> u128 {
        row.unit
    }

    fn keep(&mut self, row: CodesCount<'_>) {
        match self.entries.entry(KeyCodes(Key::new(row.unit), Order::new(row.codes))) {
            Entry::Vacant(vacant) => {
                self.allocated += vacant.key().1.allocated();
                vacant.insert(row.count);
            }
            Entry::Occupied(mut occupied) => *occupied.get_mut() += row.count,
        }
    }

    fn is_full(&mut self, bytes: usize) -> bool {
        self.entries.len() >= most_entries::<KeyCodes, u64>(bytes.saturating_sub(self.allocated))
    }

    fn drain(
        &mut self,
        mut each: impl FnMut(CodesCount<'_>) -> Result<(), UnitError>,
    ) -> Result<(), UnitError> {
        self.allocated = 0;
        self.entries.drain().try_for_each(|(KeyCodes(key, codes), count)| {
            each(CodesCount { unit: key.unit(), codes: codes.bytes(), count })
        })
    }

    fn fits(entries: u64, written: u64, bytes: usize) -> bool {
        // Codes that are allocated are so long that they take at most twice their length. A second map of the units is
        // made to tally.
        let codes = 2 * written.saturating_sub(entries * FIXED);
        entries <= most_entries::<KeyCodes, u64>(bytes.saturating_sub(codes as usize) / 2) as u64
    }

    fn tally(self, each: &mut dyn FnMut(&[u8])) {
        let mut best: KeyMap<Key, (Reverse<u64>, &[u8])> = KeyMap::default();
        for (KeyCodes(key, codes), &count) in &self.entries {
            let candidate = (Reverse(count), codes.bytes());
            let entry = best.entry(*key).or_insert(candidate);
            *entry = candidate.min(*entry);
        }
        best.values().for_each(|(_, codes)| each(codes));
    }

    fn write(row: CodesCount<'_>, to: &mut Vec<u8>) {
        to.extend_from_slice(&row.unit.to_le_bytes());
        to.extend_from_slice(&row.count.to_le_bytes());
        to.extend_from_slice(&(row.codes.len() as u32).to_le_bytes());
        to.extend_from_slice(row.codes);
    }

    fn read<'a>(from: &mut &'a [u8]) -> Option<CodesCount<'a>> {
        let unit = u128::from_le_bytes(take(from)?);
        let count = u64::from_le_bytes(take(from)?);
        let length = u32::from_le_bytes(take(from)?);
        let (codes, rest) = from.split_at_checked(length as usize)?;
        *from = rest;
        Some(CodesCount { unit, codes, count })
    }
}
