//! Reading all records of some files.

use crate::files::Files;
use crate::format::Format;
use crate::partitions::WithPartitions;
use crate::sqlite::read_sqlite;
use crate::text::read_text;
use crate::typed::read_typed;
use crate::visitor::Visitor;

/// Hands the records of all files to a visitor, piece by piece, on the threads of the current pool of rayon. If several
/// pieces are at fault, the error is that of the first in the order of the files.
///
/// # Errors
/// What is wrong with a file, or what the visitor refuses.
pub fn read<V: Visitor>(files: &Files, visitor: &V) -> Result<(), V::Error> {
    if files.partitions.keys.is_empty() {
        return read_files(files, visitor);
    }
    read_files(files, &WithPartitions::new(visitor, &files.partitions))
}

fn read_files<V: Visitor>(files: &Files, visitor: &V) -> Result<(), V::Error> {
    match files.format {
        Format::Csv | Format::Tsv | Format::Json => read_text(files, visitor),
        Format::Parquet | Format::Arrow => read_typed(files, visitor),
        Format::Sqlite => read_sqlite(files, visitor),
    }
}
