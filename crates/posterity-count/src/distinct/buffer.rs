//! Strings in memory, and how often they occur.

use super::key_sort::{Entry, sort};
use crate::error::DataError;

/// Strings one after the other, with their numbers.
///
/// Of strings that begin with the same bytes, as many as `group` says, the least stays, with the sum of their numbers.
/// So if the group is longer than any string, only equal strings become one.
pub(super) struct Buffer {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    group: usize,
}

/// The most bytes of strings that a buffer holds before the last one, so that places are numbers of 32 bits.
pub(super) const MAX_BYTES: usize = 1 << 30;

/// Whether two strings begin with the same bytes, of which a group has so many.
#[inline]
pub(super) fn same(a: &[u8], b: &[u8], group: usize) -> bool {
    a[..a.len().min(group)] == b[..b.len().min(group)]
}

impl Buffer {
    pub(super) fn new(group: usize) -> Self {
        Self { bytes: Vec::new(), entries: Vec::new(), group }
    }

    /// Adds a string this many times.
    ///
    /// # Errors
    /// [`DataError::Memory`] for a string that is longer than any reader allows.
    #[inline]
    pub(super) fn push(&mut self, string: &[u8], count: u64) -> Result<(), DataError> {
        let place = |length: usize| u32::try_from(length).map_err(|_| DataError::Memory);
        self.entries.push(Entry::new(place(self.bytes.len())?, place(string.len())?, count));
        self.bytes.extend_from_slice(string);
        Ok(())
    }

    /// The memory that is in use.
    #[inline]
    pub(super) fn used(&self) -> usize {
        self.bytes.len() + self.entries.len() * size_of::<Entry>()
    }

    /// Sorts the strings, and makes one entry of those in the same group. Returns the memory that the rest needs.
    pub(super) fn settle(&mut self) -> usize {
        let Self { bytes, entries, group } = self;
        sort(entries, bytes);
        entries.dedup_by(|next, kept| {
            let is_same = same(next.string(bytes), kept.string(bytes), *group);
            if is_same {
                kept.count = kept.count.saturating_add(next.count);
            }
            is_same
        });
        self.strings().map(|(string, _)| string.len() + size_of::<Entry>()).sum()
    }

    /// Gives the memory of strings back that are no longer there.
    pub(super) fn pack(&mut self) {
        let mut packed = Vec::with_capacity(self.strings().map(|(string, _)| string.len()).sum());
        for entry in &mut self.entries {
            let start = packed.len();
            packed.extend_from_slice(entry.string(&self.bytes));
            // It is not further behind than before.
            *entry = entry.moved(start as u32);
        }
        self.bytes = packed;
    }

    /// The strings and their numbers, sorted if nothing was added since the last [`Buffer::settle`].
    pub(super) fn strings(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.entries.iter().map(|entry| (entry.string(&self.bytes), entry.count))
    }

    /// Removes all strings, and keeps the memory for the next ones.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
    }
}
