//! A record, as a filter sees it.

use posterity_formats::Value;

/// One record.
pub(crate) trait Record {
    /// The value in the column of this position in the filter's list of columns.
    fn value(&self, column: usize) -> Value<'_>;
}
