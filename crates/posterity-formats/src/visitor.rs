//! What takes the records of a source.

use crate::column::Field;
use crate::column_hint::ColumnHint;
use crate::piece::Piece;
use crate::read_error::ReadError;

/// Which columns of a source are wanted, and what is allowed of its records.
pub trait Wanted: Sync {
    /// Why a source is refused.
    type Error: From<ReadError> + Send;

    /// The names of the columns that are wanted. Every piece has them in this order.
    fn columns(&self) -> &[String];

    /// Where the wanted columns stand among these names. Of one that is not there, `hint` tells what may be said.
    ///
    /// # Errors
    /// If a column is not there, or there twice.
    fn find(&self, names: &[&str], hint: &dyn Fn(&str) -> ColumnHint) -> Result<Vec<usize>, Self::Error>;

    /// Where the wanted columns stand in a file that declares types.
    ///
    /// # Errors
    /// If a column is not there, or its type does not allow what is asked of it.
    fn bind(&self, fields: &[Field]) -> Result<Vec<usize>, Self::Error>;

    /// No record of a JSON source has a wanted column, which is told by its position.
    ///
    /// # Errors
    /// If that is not allowed. Otherwise the value of every record is missing.
    fn absent(&self, column: usize) -> Result<(), Self::Error>;

    /// Whether a record that has no plain meaning makes a source refused. If not, then
    /// - text that is not UTF-8 is [`Value::Bytes`](crate::Value::Bytes), and a blank line of a CSV file is nothing;
    /// - a JSON value whose key stands twice is [`Value::Strange`](crate::Value::Strange);
    /// - a line of JSON that is no object, an object with text that Unicode does not allow, a CSV record of another
    ///   length than the header, and a row of a database that is too long are records without values;
    /// - a value in the name of a folder that is no text is missing.
    ///
    /// No other record is read in another way because of it. What leaves unknown where other records are is refused all
    /// the same: a quote that is never closed, an array of JSON that is none, damage.
    fn strict(&self) -> bool {
        true
    }

    /// Whether all records of a unit are protected together. A view is read only if they are.
    fn has_unit(&self) -> bool;
}

/// Takes the records of a source, piece by piece. Several threads call it at once.
pub trait Visitor: Sync {
    /// Why it ends the reading.
    type Error: From<ReadError> + Send;

    /// What is wanted of the source.
    type Wanted: Wanted<Error = Self::Error>;

    /// What belongs to one part of a file, such as a group of rows. Its pieces come in order, one at a time.
    type Part;

    /// What is wanted of the source.
    fn wanted(&self) -> &Self::Wanted;

    /// A part of a file is about to be read. The numbers tell its place, whatever thread reads it.
    fn part(&self, file: u32, part: u32) -> Self::Part;

    /// Takes some records of a part.
    ///
    /// # Errors
    /// What ends the reading.
    fn piece<P: Piece + ?Sized>(&self, part: &mut Self::Part, piece: &P) -> Result<(), Self::Error>;
}
