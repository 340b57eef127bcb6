//! What a rule keeps in memory.

use super::error::UnitError;

/// The entries of units by one rule. Rows may come in any order, and entries that were drained may come back as rows.
pub(super) trait UnitTable: Send {
    /// What the rule says besides its name.
    type Rule: Copy + Send + Sync;

    /// What is kept, and what is written to temporary files.
    type Row<'a>: Copy;

    /// What counts of a unit in the end.
    type Chosen: ?Sized;

    /// A table that will hold at most this many entries, or one that grows with them if that is zero.
    fn with_room(rule: Self::Rule, entries: usize) -> Self;

    /// The unit of a row.
    fn unit(row: Self::Row<'_>) -> u128;

    /// Merges a row into the entry of its unit.
    fn keep(&mut self, row: Self::Row<'_>);

    /// Whether one more entry might take more memory than this.
    fn is_full(&mut self, bytes: usize) -> bool;

    /// Takes all entries out, and keeps the memory for others.
    ///
    /// # Errors
    /// Those of `each`, after which the entries are lost.
    fn drain(&mut self, each: impl FnMut(Self::Row<'_>) -> Result<(), UnitError>) -> Result<(), UnitError>;

    /// Whether this many entries, which take this many bytes in a file, can be merged and tallied within this memory.
    fn fits(entries: u64, written: u64, bytes: usize) -> bool;

    /// Tells what counts of each unit, if all rows of these units have been kept.
    fn tally(self, each: &mut dyn FnMut(&Self::Chosen));

    /// Appends a row to what is written to a file.
    fn write(row: Self::Row<'_>, to: &mut Vec<u8>);

    /// Takes a row off what was written; nothing at the end.
    fn read<'a>(from: &mut &'a [u8]) -> Option<Self::Row<'a>>;
}

/// Takes a whole number off what was written.
pub(super) fn take<const N: usize>(from: &mut &[u8]) -> Option<[u8; N]> {
    let (bytes, rest) = from.split_first_chunk::<N>()?;
    *from = rest;
    Some(*bytes)
}
