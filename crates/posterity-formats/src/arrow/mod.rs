//! Arrow files and streams, also called Feather: the IPC format of Arrow, of versions 4 and 5.
//!
//! Nothing that a file states is trusted. Each length is compared with the file's own and with a limit before memory is
//! taken for it, and the parts of a batch must be exactly those that the schema tells. Buffers that are not compressed
//! are read piece by piece, so that a batch can be larger than the memory; those that are compressed are held whole, up
//! to a limit.

mod bits;
mod buffers;
mod container;
mod decode;
mod decompress;
mod dictionary;
mod flatbuffer;
mod form;
mod message;
mod numbers;
mod pieces;
mod schema;
mod snapshot;
mod strings;
mod views;
mod wanted;

#[cfg(test)]
pub(crate) mod tests;

use std::collections::HashMap;
use std::fs::File;

use self::container::Container;
use self::dictionary::Dictionary;
use self::form::Form;
use self::pieces::pieces;
use self::wanted::Wanted;
use crate::column::{ColumnValues, Field};
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::positional_file::PositionalFile;

/// An open Arrow file or stream. Several threads can read it at once.
#[derive(Debug)]
pub(crate) struct ArrowFile {
    source: PositionalFile,
    container: Container,
    dictionaries: HashMap<i64, Dictionary>,
    /// Whether text that is not UTF-8 is refused.
    strict: bool,
}

impl ArrowFile {
    /// Reads the schema and where the batches are.
    pub(crate) fn open(file: File, memory: &MemoryLimit) -> Result<Self, Flaw> {
        let source = PositionalFile::new(file)?;
        let container = Container::read(&source, memory)?;
        Ok(Self { source, container, dictionaries: HashMap::new(), strict: true })
    }

    /// The columns.
    pub(crate) fn fields(&self) -> &[Field] {
        &self.container.schema.fields
    }

    /// The number of batches.
    pub(crate) fn batches(&self) -> usize {
        self.container.batches.len()
    }

    /// The number of records in a batch; none if there is no such batch.
    #[cfg(test)]
    pub(crate) fn batch_rows(&self, batch: usize) -> u64 {
        self.container.batches.get(batch).map_or(0, |batch| batch.rows)
    }

    /// Reads the dictionaries of some columns, without which [`Self::read`] cannot read these. They stay in memory. Text
    /// that is not UTF-8 is read as bytes, unless this is strict.
    pub(crate) fn prepare(
        &mut self,
        columns: &[usize],
        strict: bool,
        memory: &MemoryLimit,
    ) -> Result<(), Flaw> {
        self.strict = strict;
        for &column in columns {
            let layout = self.container.schema.columns.get(column).ok_or(Flaw::Damaged)?;
            if let Form::Keyed { id, values, .. } = &layout.form
                && !self.dictionaries.contains_key(id)
            {
                let dictionary =
                    Dictionary::read(&self.source, &self.container, *id, (values, strict), memory)?;
                self.dictionaries.insert(*id, dictionary);
            }
        }
        Ok(())
    }

    /// Gives the records of a batch in pieces, in order. A piece has at most 65,536 records, of which it holds the
    /// columns that are asked for. If none is asked for, there is nothing to give.
    pub(crate) fn read<E: From<Flaw>>(
        &self,
        batch: usize,
        columns: &[usize],
        memory: &MemoryLimit,
        each: &mut dyn FnMut(&[ColumnValues]) -> Result<(), E>,
    ) -> Result<(), E> {
        let wanted: Vec<Wanted<'_>> =
            columns.iter().map(|&column| self.wanted(batch, column)).collect::<Result<_, _>>()?;
        let batch = self.container.batches.get(batch).ok_or(Flaw::Damaged)?;
        pieces(&self.source, batch, self.container.schema.parts, &wanted, memory, each)
    }

    fn wanted(&self, batch: usize, column: usize) -> Result<Wanted<'_>, Flaw> {
        let layout = self.container.schema.columns.get(column).ok_or(Flaw::Damaged)?;
        let dictionary = match &layout.form {
            Form::Keyed { id, .. } => self
                .dictionaries
                .get(id)
                .ok_or(Flaw::Unsupported("dictionaries that were not loaded"))?
                .at(batch),
            _ => None,
        };
        Ok(Wanted { form: &layout.form, before: layout.before, dictionary, strict: self.strict })
    }
}
