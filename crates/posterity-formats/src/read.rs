//! Reading all records of some files.

use crate::files::Files;
use crate::format::Format;
use crate::partitions::WithPartitions;
#[cfg(feature = "postgres")]
use crate::postgres::read_postgres as read_server;
use crate::read_error::ReadError;
use crate::relation::Relation;
use crate::sqlite::read_sqlite;
use crate::text::read_text;
use crate::typed::read_typed;
use crate::visitor::{Visitor, Wanted};

/// Hands the records of all files to a visitor, piece by piece, on the threads of the current pool of rayon. If several
/// pieces are at fault, the error is that of the first in the order of the files.
///
/// # Errors
/// What is wrong with a file, or what the visitor refuses.
pub fn read<V: Visitor>(files: &Files, visitor: &V) -> Result<(), V::Error> {
    if matches!(files.relation, Some(Relation::View(_))) && !visitor.wanted().has_unit() {
        return Err(ReadError::ViewUnit.into());
    }
    if files.paths.is_empty() {
        return Ok(());
    }
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
        Format::Postgres => {
            files.server.as_ref().map_or(Ok(()), |server| read_server(server, files, visitor))
        }
    }
}

#[cfg(not(feature = "postgres"))]
fn read_server<V: Visitor>(
    server: &crate::postgres_server::PostgresServer,
    _files: &Files,
    _visitor: &V,
) -> Result<(), V::Error> {
    let fault = crate::postgres_fault::PostgresFault::NotBuilt;
    Err(ReadError::Postgres { address: server.to_string(), fault }.into())
}
