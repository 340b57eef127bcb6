//! Tables over many sets of columns, counted in one pass over the records.
//!
//! The columns together may have more combinations of values than anyone can list. Only the tables of the sets are
//! counted. A record counts in all of them or in none, and of a unit the same record counts in all of them. So all
//! tables are margins of one table that is never made, and replacing one record, or the records of one unit, moves one
//! count of each of them at most.

mod checked_margins;
mod count_margins;
mod count_together;
mod counted_margins;
mod cover;
mod record_packing;
mod record_tally;
#[cfg(test)]
mod speed;
mod wide_question;

#[cfg(any(feature = "arrow", feature = "datafusion"))]
pub(crate) use checked_margins::CheckedMargins;
pub use checked_margins::{check_margins, check_together};
pub use count_margins::count_margins;
pub use count_together::count_together;
pub use counted_margins::{CountedMargins, CountedTogether};
pub(crate) use record_packing::RecordPacking;
pub(crate) use record_tally::RecordTally;
pub use wide_question::WideQuestion;
