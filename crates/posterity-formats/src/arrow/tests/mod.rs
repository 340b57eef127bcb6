//! Tests with files that another implementation writes, and with damaged and hostile files.
#![allow(clippy::unwrap_used, clippy::panic)]

mod agrees;
mod craft;
mod expected;
mod hostile;
pub(crate) mod mutants;
mod pieces;
pub(crate) mod sample;

use std::fs::File;
use std::io::Write;

use super::ArrowFile;
use crate::column::ColumnValues;
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;

/// A file with these bytes.
pub(crate) fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

/// Reads all columns of all batches, and gives each piece with the number of its batch and of its first row.
pub(crate) fn read_all(
    file: File,
    memory: &MemoryLimit,
    each: &mut dyn FnMut(usize, u64, &[ColumnValues]),
) -> Result<ArrowFile, Flaw> {
    let mut file = ArrowFile::open(file, memory)?;
    let columns: Vec<usize> = (0..file.fields().len()).collect();
    file.prepare(&columns, true, memory)?;
    for batch in 0..file.batches() {
        let mut start = 0;
        file.read(batch, &columns, memory, &mut |piece| {
            each(batch, start, piece);
            start += piece.first().map_or(0, ColumnValues::len) as u64;
            Ok::<_, Flaw>(())
        })?;
        assert!(columns.is_empty() || start == file.batch_rows(batch));
    }
    Ok(file)
}
