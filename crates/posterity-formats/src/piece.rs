//! Some records of a source, as the count sees them.

use crate::column::ColumnValues;
use crate::value::Value;

/// Records side by side, of which the columns that a question needs are known by their positions in its list.
pub trait Piece: Sync {
    /// How many records there are.
    fn rows(&self) -> usize;

    /// The value of a record in a column.
    fn value(&self, column: usize, row: usize) -> Value<'_>;

    /// The whole column, where it is held as one.
    fn column(&self, _column: usize) -> Option<&ColumnValues> {
        None
    }
}

/// Columns of a typed file.
impl Piece for [ColumnValues] {
    fn rows(&self) -> usize {
        self.first().map_or(0, ColumnValues::len)
    }

    fn value(&self, column: usize, row: usize) -> Value<'_> {
        self[column].get(row)
    }

    fn column(&self, column: usize) -> Option<&ColumnValues> {
        self.get(column)
    }
}
