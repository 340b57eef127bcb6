//! How a shard that left memory is counted.

use std::path::Path;

use super::error::UnitError;
use super::shard::{Closed, Shard, Written};
use super::spool::Spool;
use super::table::UnitTable;

/// The memory and the folder that counting a shard may use.
#[derive(Clone, Copy)]
pub(super) struct SettleRoom<'a> {
    /// The bytes that tables may take.
    pub(super) memory: usize,
    /// Where temporary files are made.
    pub(super) folder: &'a Path,
}

/// How many bits of the hash divide a shard, and into how many parts.
const BITS: u32 = 4;
const PARTS: usize = 1 << BITS;

/// Tells what counts of each of the units whose entries are in a file.
///
/// Entries that fit into memory are merged in one table. Others are divided by the first bits of the hash in which
/// units differ, so that every part has fewer units, and the parts are counted one after the other. The entries of a
/// single unit cannot be divided.
///
/// # Errors
/// [`UnitError::Temporary`] if the system refuses a file.
pub(super) fn settle<T: UnitTable>(
    rule: T::Rule,
    written: Written,
    spool: &Spool,
    room: SettleRoom<'_>,
    each: &mut dyn FnMut(&T::Chosen),
) -> Result<(), UnitError> {
    let common = written.common_bits();
    let fits = T::fits(written.entries, written.bytes, room.memory);
    if fits || common == u128::BITS {
        let mut table = T::with_room(rule, if fits { written.entries as usize } else { 0 });
        written.rows::<T>(spool, |row| {
            table.keep(row);
            Ok(())
        })?;
        table.tally(each);
        return Ok(());
    }
    let inner = Spool::new(room.folder);
    let mut parts: Vec<Shard<T>> = (0..PARTS).map(|_| Shard::new(rule, room.memory / PARTS)).collect();
    written.rows::<T>(spool, |row| {
        let part = (T::unit(row) << common >> (u128::BITS - BITS)) as usize;
        parts[part].keep(row, &inner)
    })?;
    drop(written);
    // All parts give their memory back before the first of them is merged.
    let mut large = Vec::new();
    for part in parts {
        match part.close(&inner)? {
            Closed::Table(table) => table.tally(each),
            Closed::Written(written) => large.push(written),
        }
    }
    large.into_iter().try_for_each(|written| settle::<T>(rule, written, &inner, room, each))
}
