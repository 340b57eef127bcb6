//! Counting every value that occurs in a column.
//!
//! Nobody declared these values, and there may be more of them than memory holds. So every thread gathers values in a
//! buffer ([`Sorter`](sorter::Sorter)); a full one is sorted, equal values become one entry with their number, and what
//! is still too large is written to a temporary file as a sorted run. At the end all runs are merged
//! ([`Merged`](merge::Merged)). Values are compared as a whole and never by a hash, none is dropped, and they come out
//! sorted by their bytes: the result depends on the records only, not on threads, pieces or memory.
//!
//! With a unit the same is done twice. First the records are sorted by a key that begins with the unit and goes on
//! with what its rule looks at ([`unit_key`]), so that the record which the rule chooses comes first; then the chosen
//! values are counted.
//!
//! # What temporary files hold
//! Values, how often they occur, and with a unit also its keyed hash and what the rule looks at. The files have no
//! name and only their owner may read them; they are gone when the count ends, whatever happens.

mod asked;
mod buffer;
mod gather;
mod gather_values;
mod key_sort;
mod merge;
mod run;
mod sorter;
#[cfg(test)]
mod tests;
mod unit_key;

pub use asked::ValuesAsked;
#[cfg(feature = "arrow")]
pub(crate) use gather_values::gather_in_memory;
pub use gather_values::{Values, gather_values};
