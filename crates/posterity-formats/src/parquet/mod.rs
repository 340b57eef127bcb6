//! Parquet files, as far as their columns are flat.
//!
//! The format is that of <https://github.com/apache/parquet-format>. A file may be hostile: every length that it
//! states is checked against what is there, and taken from the [`MemoryLimit`], before any memory is.

mod checksum;
mod codec;
mod delta;
mod flow;
mod hybrid;
mod metadata;
mod missing;
mod page;
mod plain;
mod reader;
mod schema;
mod spare;
mod taken;
#[cfg(test)]
mod tests;
mod thrift;
mod values;
mod window;

use std::fs::File;

use crate::column::{ColumnValues, Field, Store};
use crate::flaw::Flaw;
use crate::memory_limit::{Held, MemoryLimit};

use crate::positional_file::PositionalFile;
use metadata::{Group, Metadata};
use reader::Reader;
use schema::{Layout, Schema, Shape};
use spare::Spare;
pub(crate) use spare::Spares;

/// The most rows that are given at once.
const PIECE: usize = 65_536;

/// A Parquet file, open for reading by any number of threads.
#[derive(Debug)]
pub(crate) struct ParquetFile {
    source: PositionalFile,
    schema: Schema,
    groups: Vec<Group>,
    /// Where the footer begins.
    footer: u64,
    _held: Vec<Held>,
}

impl ParquetFile {
    /// Reads the footer of a file.
    pub(crate) fn open(file: File, memory: &MemoryLimit) -> Result<Self, Flaw> {
        let source = PositionalFile::new(file)?;
        let metadata = Metadata::read(&source, memory)?;
        let schema = Schema::new(&metadata.schema)?;
        if metadata.groups.iter().any(|group| group.chunks.len() != schema.leaves) {
            return Err(Flaw::Damaged);
        }
        Ok(Self { source, schema, groups: metadata.groups, footer: metadata.end, _held: metadata.held })
    }

    /// The columns at the top.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.schema.fields
    }

    /// Refuses columns that are not read, whatever groups there are. Where the file says that bytes are text, they are
    /// read as bytes if they are not, unless this is strict.
    pub(crate) fn prepare(&mut self, columns: &[usize], strict: bool) -> Result<(), Flaw> {
        for &column in columns {
            match self.schema.layouts.get_mut(column) {
                Some(Layout::Flat(leaf)) if leaf.shape == Shape::Text && !strict => {
                    leaf.shape = Shape::TextOrBytes
                }
                Some(Layout::Flat(_)) => {}
                Some(Layout::Nested) => return Err(Flaw::Unsupported("nested columns")),
                None => return Err(Flaw::Damaged),
            }
        }
        Ok(())
    }

    /// How many groups of rows there are.
    pub(crate) fn groups(&self) -> usize {
        self.groups.len()
    }

    /// How many rows a group has; none if there is no such group.
    #[cfg(test)]
    pub(crate) fn group_rows(&self, group: usize) -> u64 {
        self.groups.get(group).map_or(0, |group| group.rows)
    }

    /// Gives the rows of a group piece by piece and in order: of each piece all columns asked for, in their order.
    ///
    /// A piece ends where a page of any of its columns ends, so that each column of it is in one encoding: that of
    /// a dictionary comes as keys. The memory for them comes from spares and goes back there.
    pub(crate) fn read<E: From<Flaw>>(
        &self,
        group: usize,
        columns: &[usize],
        memory: &MemoryLimit,
        spares: &Spares,
        each: &mut dyn FnMut(&[ColumnValues]) -> Result<(), E>,
    ) -> Result<(), E> {
        let group = self.groups.get(group).ok_or(Flaw::Damaged)?;
        if columns.is_empty() || group.rows == 0 {
            return Ok(());
        }
        let mut readers = Vec::new();
        let mut pieces = Vec::new();
        for (column, spare) in columns.iter().zip(spares.take(columns.len())) {
            let (reader, piece) = self.reader(group, *column, memory, spare)?;
            readers.push(reader);
            pieces.push(piece);
        }
        let mut left = group.rows;
        while left > 0 {
            let mut rows = usize::try_from(left).map_or(PIECE, |left| left.min(PIECE));
            for reader in &mut readers {
                rows = rows.min(reader.rows()?);
            }
            for (reader, piece) in readers.iter_mut().zip(&mut pieces) {
                let old =
                    std::mem::replace(piece, ColumnValues::Plain { values: Store::Missing(0), valid: None });
                *piece = reader.piece(rows, old)?;
            }
            each(&pieces)?;
            left -= rows as u64;
        }
        let spare = readers.into_iter().zip(pieces).map(|(reader, piece)| reader.finish(piece));
        spares.give(spare.collect::<Result<_, _>>()?);
        Ok(())
    }

    fn reader<'a>(
        &'a self,
        group: &'a Group,
        column: usize,
        memory: &'a MemoryLimit,
        spare: Spare,
    ) -> Result<(Reader<'a>, ColumnValues), Flaw> {
        match self.schema.layouts.get(column) {
            Some(Layout::Flat(leaf)) => {
                let chunk = group.chunks.get(leaf.chunk).ok_or(Flaw::Damaged)?;
                Reader::new(*leaf, chunk, group.rows, &self.source, self.footer, memory, spare)
            }
            Some(Layout::Nested) => Err(Flaw::Unsupported("nested columns")),
            None => Err(Flaw::Damaged),
        }
    }
}
