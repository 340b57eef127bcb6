//! Each unit counts once, however many records it has, or with as many as its rule allows.
//!
//! A *unit* is what privacy protects, such as a person. A rule, [`PerUnit`], picks one category for each unit by
//! looking at the unit's own records only. So replacing all records of one unit moves at most one count, which
//! `docs/proofs/units.md` proves. By the rule `all` a unit counts several times, and moves as many counts.
//!
//! Readers hash the value of the unit column ([`UnitHash`]), give every record a random rank if the rule needs one
//! ([`Ranks`]), and hand over batches of rows from several threads ([`Units::add`], [`Units::add_ordered`]).
//! [`Units::finish`] gives the counts. The result depends on the rows only, not on their order, their division into
//! batches or the number of threads.
//!
//! Where many tables are counted of the same records, a whole record is kept of each unit ([`UnitRecords`]) rather than
//! one cell: the same rules, with the codes of all columns in place of the cell.
//!
//! # Memory
//! Units are divided into shards by the first bits of their hash. A shard is a table with one entry per unit, or per
//! unit and category for the rule `mode`, or one per record that is kept for the rule `all`. Records of a unit that is in the table need no more room, so that few units
//! with many records never leave memory. A table that has used up its share of the memory is written to a temporary
//! file and starts anew. At the end the parts of each shard are merged; a shard that is too large for that is divided
//! again by the first bits in which the hashes differ. All tables together keep to the limit, and so do the rows that
//! wait to be merged into them. On top of it come, per thread, two buffers of 64 KiB, the counts, and the larger half
//! of a share while a table grows. Two things have to fit whatever the limit says: a few entries per shard, and for the
//! rule `mode` the categories of a single unit, which take 70 MB if one unit has a million of them, or for the rule
//! `all` the records that a single unit keeps.
//!
//! # What temporary files hold
//! Hashes, cells or codes of all columns, and ranks, and for the rule `latest` the values of the ordered column; no identifiers. The files have
//! no name, so that they are gone when the program ends, even if it is killed.

mod error;
mod greatest;
mod group;
mod hash;
mod key;
mod latest;
mod least;
mod mode;
mod order;
mod ranks;
mod record_mode;
mod record_rows;
mod row;
mod rule;
mod settle;
mod several;
mod shard;
mod sharded;
mod spool;
mod table;
#[cfg(test)]
mod tests;
mod unit_records;
mod units;
mod workers;

pub use error::UnitError;
pub(crate) use hash::UnitHash;
pub(crate) use ranks::Ranks;
pub(crate) use record_rows::RecordRows;
pub(crate) use row::{MAX_ORDER, OrderedRows, UnitRow};
pub use rule::{NoSuchRule, PerUnit};
pub(crate) use spool::{Block, Spool};
pub(crate) use unit_records::UnitRecords;
pub(crate) use units::Units;
