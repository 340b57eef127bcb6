//! The two ways in which messages follow each other: a stream from the first to the last, and a file whose footer says
//! where each is.

use super::flatbuffer::{Flatbuffer, Vector};
use super::message::{Header, Place, Records};
use super::schema::Schema;
use crate::flaw::Flaw;
use crate::memory_limit::{Held, MemoryLimit};
use crate::positional_file::PositionalFile;

const MAGIC: [u8; 6] = *b"ARROW1";

/// What the first version of Feather begins with, which is another format.
const FEATHER: [u8; 4] = *b"FEA1";

/// The longest footer.
const MAX_FOOTER: usize = 64 << 20;

/// The messages of a file, without their bodies.
#[derive(Debug)]
pub(super) struct Container {
    pub(super) schema: Schema,
    pub(super) batches: Vec<Batch>,
    pub(super) dictionaries: Vec<DictionaryBatch>,
    /// Whether a dictionary can be replaced by a later one.
    pub(super) streamed: bool,
    held: Vec<Held>,
}

/// A batch of records.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) place: Place,
    pub(super) rows: u64,
}

/// Values of a dictionary.
#[derive(Debug)]
pub(super) struct DictionaryBatch {
    pub(super) place: Place,
    pub(super) id: i64,
    /// Whether they continue the dictionary.
    pub(super) delta: bool,
    /// The first batch of records that they are for.
    pub(super) since: usize,
}

impl Container {
    /// Reads all metadata.
    pub(super) fn read(source: &PositionalFile, memory: &MemoryLimit) -> Result<Self, Flaw> {
        let start: [u8; 6] = source.array(0)?;
        if start == MAGIC {
            file(source, memory)
        } else if start.starts_with(&FEATHER) {
            Err(Flaw::Unsupported("Feather files of version 1"))
        } else {
            stream(source, memory)
        }
    }

    fn new(schema: Schema, streamed: bool, held: Held) -> Self {
        Self { schema, batches: Vec::new(), dictionaries: Vec::new(), streamed, held: vec![held] }
    }

    fn add_batch(&mut self, place: Place, records: &Records<'_>, memory: &MemoryLimit) -> Result<(), Flaw> {
        records.check(self.schema.parts)?;
        for layout in &self.schema.columns {
            records.missing(layout.before.nodes)?;
        }
        if self.batches.len() == self.batches.capacity() {
            let more = self.batches.len().max(64);
            self.held.push(memory.take(more * size_of::<Batch>())?);
            self.batches.reserve_exact(more);
        }
        self.batches.push(Batch { place, rows: records.rows() });
        Ok(())
    }

    fn add_dictionary(
        &mut self,
        place: Place,
        id: i64,
        delta: bool,
        memory: &MemoryLimit,
    ) -> Result<(), Flaw> {
        if self.dictionaries.len() == self.dictionaries.capacity() {
            let more = self.dictionaries.len().max(64);
            self.held.push(memory.take(more * size_of::<DictionaryBatch>())?);
            self.dictionaries.reserve_exact(more);
        }
        let since = if self.streamed { self.batches.len() } else { 0 };
        self.dictionaries.push(DictionaryBatch { place, id, delta, since });
        Ok(())
    }

    /// The number of all rows can be told.
    fn checked(self) -> Result<Self, Flaw> {
        let rows = self.batches.iter().try_fold(0u64, |sum, batch| sum.checked_add(batch.rows));
        rows.map(|_| self).ok_or(Flaw::Damaged)
    }
}

/// The memory that a schema takes, whose metadata are of this length. Names can be shared, as the reader of flatbuffers
/// allows.
fn schema_cost(metadata: usize) -> usize {
    metadata.saturating_mul(3).saturating_add(4096)
}

fn stream(source: &PositionalFile, memory: &MemoryLimit) -> Result<Container, Flaw> {
    let mut at = 0;
    let mut container = None;
    while let Some(place) = Place::in_stream(source, at, memory)? {
        let metadata = place.metadata(source, memory)?;
        let buffer = metadata.flatbuffer();
        match (Header::read(&buffer)?, &mut container) {
            (Header::Schema(table), None) => {
                let held = memory.take(schema_cost(metadata.len()))?;
                container = Some(Container::new(Schema::read(table)?, true, held));
            }
            (Header::Records(records), Some(container)) => container.add_batch(place, &records, memory)?,
            (Header::Dictionary { id, delta, .. }, Some(container)) => {
                container.add_dictionary(place, id, delta, memory)?;
            }
            _ => return Err(Flaw::Damaged),
        }
        at = place.end();
    }
    container.ok_or(Flaw::Damaged)?.checked()
}

fn file(source: &PositionalFile, memory: &MemoryLimit) -> Result<Container, Flaw> {
    // The end of the file is the length of the footer and the magic.
    let tail = source.len().checked_sub(10).ok_or(Flaw::Damaged)?;
    if source.array(tail + 4)? != MAGIC {
        return Err(Flaw::Damaged);
    }
    let len = i32::from_le_bytes(source.array(tail)?);
    let len = usize::try_from(len).map_err(|_| Flaw::Damaged)?;
    let at = tail.checked_sub(len as u64).ok_or(Flaw::Damaged)?;
    if len > MAX_FOOTER {
        return Err(Flaw::TooLarge);
    }
    let _held = memory.take(len)?;
    let bytes = source.bytes(at, len)?;
    let buffer = Flatbuffer::new(&bytes);
    let footer = buffer.root()?;
    let held = memory.take(schema_cost(len))?;
    let schema = Schema::read(footer.table(1)?.ok_or(Flaw::Damaged)?)?;
    let mut container = Container::new(schema, false, held);
    // No two blocks share a byte, so that a small file cannot list its batches a million times.
    let mut left = at;
    for place in blocks(source, footer.structs(2, BLOCK)?, &mut left) {
        let place = place?;
        let metadata = place.metadata(source, memory)?;
        let buffer = metadata.flatbuffer();
        let Header::Dictionary { id, delta, .. } = Header::read(&buffer)? else { return Err(Flaw::Damaged) };
        container.add_dictionary(place, id, delta, memory)?;
    }
    for place in blocks(source, footer.structs(3, BLOCK)?, &mut left) {
        let place = place?;
        let metadata = place.metadata(source, memory)?;
        let buffer = metadata.flatbuffer();
        let Header::Records(records) = Header::read(&buffer)? else { return Err(Flaw::Damaged) };
        container.add_batch(place, &records, memory)?;
    }
    container.checked()
}

/// The length of the struct `Block`.
const BLOCK: usize = 24;

/// The messages that blocks of a footer stand for, which together are not longer than what is left.
fn blocks<'a>(
    source: &'a PositionalFile,
    blocks: Vector<'a>,
    left: &'a mut u64,
) -> impl Iterator<Item = Result<Place, Flaw>> + 'a {
    (0..blocks.len()).map(move |index| {
        let (at, metadata, body) = (blocks.i64(index, 0)?, blocks.i32(index, 8)?, blocks.i64(index, 16)?);
        let place = Place::in_file(source, at, metadata, body)?;
        let start = u64::try_from(at).map_err(|_| Flaw::Damaged)?;
        *left = left.checked_sub(place.end() - start).ok_or(Flaw::Damaged)?;
        Ok(place)
    })
}
