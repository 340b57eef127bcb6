//! What takes the records of a source.

use crate::column::Field;
use crate::column_hint::ColumnHint;
use crate::piece::Piece;
use crate::read_error::ReadError;

/// Takes the records of a source, piece by piece. Several threads call it at once.
pub trait Visitor: Sync {
    /// Why it ends the reading.
    type Error: From<ReadError> + Send;

    /// What belongs to one part of a file, such as a group of rows. Its pieces come in order, one at a time.
    type Part;

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

    /// The error of a wanted column, by its position, that no record has.
    fn absent(&self, column: usize) -> Self::Error;

    /// A part of a file is about to be read. The numbers tell its place, whatever thread reads it.
    fn part(&self, file: u32, part: u32) -> Self::Part;

    /// Takes some records of a part.
    ///
    /// # Errors
    /// What ends the reading.
    fn piece<P: Piece + ?Sized>(&self, part: &mut Self::Part, piece: &P) -> Result<(), Self::Error>;
}
