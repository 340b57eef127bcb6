//! Messages: a schema, a batch of records, or values of a dictionary. Each has metadata, a flatbuffer, and a body.

use super::decompress::Codec;
use super::flatbuffer::{FlatTable, Flatbuffer, Vector};
use super::schema::Parts;
use crate::flaw::Flaw;
use crate::memory_limit::{Held, MemoryLimit};
use crate::positional_file::PositionalFile;

/// The longest metadata of one message.
const MAX_METADATA: u64 = 16 << 20;

/// What stands before the length of metadata, except in old files.
const CONTINUATION: u32 = u32::MAX;

/// Where a message stands. All of it lies within the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    metadata_at: u64,
    metadata_len: usize,
    /// Where the body begins.
    pub(super) body: u64,
    /// How long the body is.
    pub(super) body_len: u64,
}

/// The metadata of a message, held in memory.
#[derive(Debug)]
pub(super) struct Metadata {
    bytes: Vec<u8>,
    _held: Held,
}

/// What a message is, read from its metadata.
#[derive(Debug)]
pub(super) enum Header<'b> {
    Schema(FlatTable<'b>),
    Records(Records<'b>),
    Dictionary { id: i64, delta: bool, values: Records<'b> },
}

impl Place {
    /// The message at a position of a stream, or nothing if the stream ends there.
    pub(super) fn in_stream(
        source: &PositionalFile,
        at: u64,
        memory: &MemoryLimit,
    ) -> Result<Option<Self>, Flaw> {
        let Some((metadata_at, metadata_len)) = prefix(source, at)? else { return Ok(None) };
        let body = source.end(metadata_at, metadata_len as u64)?;
        let mut place = Self { metadata_at, metadata_len, body, body_len: 0 };
        let metadata = place.metadata(source, memory)?;
        let len = Flatbuffer::new(&metadata.bytes).root()?.i64(3, 0)?;
        place.body_len = u64::try_from(len).map_err(|_| Flaw::Damaged)?;
        source.end(body, place.body_len)?;
        Ok(Some(place))
    }

    /// The message that a footer says is here.
    pub(super) fn in_file(source: &PositionalFile, at: i64, metadata: i32, body: i64) -> Result<Self, Flaw> {
        let natural = |number: i64| u64::try_from(number).map_err(|_| Flaw::Damaged);
        let (at, metadata, body_len) = (natural(at)?, natural(i64::from(metadata))?, natural(body)?);
        let body = source.end(at, metadata)?;
        source.end(body, body_len)?;
        let (metadata_at, metadata_len) = prefix(source, at)?.ok_or(Flaw::Damaged)?;
        if source.end(metadata_at, metadata_len as u64)? > body {
            return Err(Flaw::Damaged);
        }
        Ok(Self { metadata_at, metadata_len, body, body_len })
    }

    /// Where the message ends.
    pub(super) fn end(&self) -> u64 {
        self.body + self.body_len
    }

    /// Reads the metadata.
    pub(super) fn metadata(&self, source: &PositionalFile, memory: &MemoryLimit) -> Result<Metadata, Flaw> {
        let held = memory.take(self.metadata_len)?;
        Ok(Metadata { bytes: source.bytes(self.metadata_at, self.metadata_len)?, _held: held })
    }
}

/// Where the metadata behind a position begins, and its length; nothing if that is zero or the file ends.
fn prefix(source: &PositionalFile, at: u64) -> Result<Option<(u64, usize)>, Flaw> {
    if at == source.len() {
        return Ok(None);
    }
    let mut at = source.end(at, 4)?;
    let mut len = u32::from_le_bytes(source.array(at - 4)?);
    if len == CONTINUATION {
        at = source.end(at, 4)?;
        len = u32::from_le_bytes(source.array(at - 4)?);
    }
    match u64::from(len) {
        0 if at == source.len() => Ok(None),
        // Records behind the end would go uncounted.
        0 => Err(Flaw::Damaged),
        len if source.end(at, len).is_err() => Err(Flaw::Damaged),
        len if len > MAX_METADATA => Err(Flaw::TooLarge),
        _ => Ok(Some((at, len as usize))),
    }
}

impl Metadata {
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn flatbuffer(&self) -> Flatbuffer<'_> {
        Flatbuffer::new(&self.bytes)
    }
}

impl<'b> Header<'b> {
    /// Reads the table `Message`.
    pub(super) fn read(buffer: &'b Flatbuffer<'b>) -> Result<Self, Flaw> {
        let message = buffer.root()?;
        let unions_have_validity = old(message.i16(0, 0)?)?;
        let header = message.table(2)?.ok_or(Flaw::Damaged)?;
        match message.u8(1, 0)? {
            1 => Ok(Self::Schema(header)),
            2 => {
                let values = header.table(1)?.ok_or(Flaw::Damaged)?;
                let values = Records::read(values, unions_have_validity)?;
                Ok(Self::Dictionary { id: header.i64(0, 0)?, delta: header.u8(2, 0)? != 0, values })
            }
            3 => Ok(Self::Records(Records::read(header, unions_have_validity)?)),
            4 | 5 => Err(Flaw::Unsupported("tensors")),
            _ => Err(Flaw::Damaged),
        }
    }
}

/// Whether a version of the format is the fourth, in which unions have a bitmap of validity. Earlier ones are not read.
fn old(version: i16) -> Result<bool, Flaw> {
    match version {
        0..=2 => Err(Flaw::Unsupported("files of a version before 4")),
        3 => Ok(true),
        4 => Ok(false),
        _ => Err(Flaw::Unsupported("files of a version after 5")),
    }
}

/// The parts of a batch.
#[derive(Debug)]
pub(super) struct Records<'b> {
    rows: u64,
    nodes: Vector<'b>,
    buffers: Vector<'b>,
    codec: Option<Codec>,
    variadic: Vector<'b>,
    unions_have_validity: bool,
}

impl<'b> Records<'b> {
    /// Reads the table `RecordBatch`.
    fn read(table: FlatTable<'b>, unions_have_validity: bool) -> Result<Self, Flaw> {
        let rows = u64::try_from(table.i64(0, 0)?).map_err(|_| Flaw::Damaged)?;
        let codec = match table.table(3)? {
            None => None,
            Some(compression) => match (compression.u8(0, 0)?, compression.u8(1, 0)?) {
                (0, 0) => Some(Codec::Lz4),
                (1, 0) => Some(Codec::Zstd),
                _ => return Err(Flaw::Unsupported("a compression that is neither LZ4 nor Zstandard")),
            },
        };
        let (nodes, buffers, variadic) = (table.structs(1, 16)?, table.structs(2, 16)?, table.structs(4, 8)?);
        Ok(Self { rows, nodes, buffers, codec, variadic, unions_have_validity })
    }

    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    pub(super) fn codec(&self) -> Option<Codec> {
        self.codec
    }

    /// Checks that there are exactly the parts that the schema tells. Otherwise a column could be taken for another.
    pub(super) fn check(&self, parts: Parts) -> Result<Numbering, Flaw> {
        if self.nodes.len() != parts.nodes || self.variadic.len() != parts.views {
            return Err(Flaw::Damaged);
        }
        let mut variadic = Vec::with_capacity(parts.views + 1);
        let mut sum = 0u64;
        variadic.push(0);
        for view in 0..parts.views {
            sum = sum.checked_add(self.variadic.count(view, 0)?).ok_or(Flaw::Damaged)?;
            variadic.push(usize::try_from(sum).map_err(|_| Flaw::Damaged)?);
        }
        let numbering = Numbering { variadic, unions_have_validity: self.unions_have_validity };
        if numbering.first_buffer(parts)? == self.buffers.len() { Ok(numbering) } else { Err(Flaw::Damaged) }
    }

    /// The number of missing values in a column, whose length must be that of the batch.
    pub(super) fn missing(&self, node: usize) -> Result<u64, Flaw> {
        let (len, missing) = (self.nodes.count(node, 0)?, self.nodes.count(node, 8)?);
        if len == self.rows && missing <= len { Ok(missing) } else { Err(Flaw::Damaged) }
    }

    /// Where a buffer stands in the file: its position and length.
    pub(super) fn buffer(&self, index: usize, place: &Place) -> Result<(u64, u64), Flaw> {
        let (offset, len) = (self.buffers.count(index, 0)?, self.buffers.count(index, 8)?);
        let end = offset.checked_add(len).ok_or(Flaw::Damaged)?;
        // The format has buffers begin at multiples of eight.
        if end <= place.body_len && (len == 0 || offset.is_multiple_of(8)) {
            Ok((place.body + offset, len))
        } else {
            Err(Flaw::Damaged)
        }
    }
}

/// Which buffers of a batch belong to which column.
#[derive(Debug)]
pub(super) struct Numbering {
    /// How many buffers the columns of views before each have beside the two that all have.
    variadic: Vec<usize>,
    unions_have_validity: bool,
}

impl Numbering {
    /// The position of the first buffer behind this many parts.
    pub(super) fn first_buffer(&self, before: Parts) -> Result<usize, Flaw> {
        let unions = if self.unions_have_validity { before.unions } else { 0 };
        let variadic = self.variadic.get(before.views).ok_or(Flaw::Damaged)?;
        variadic.checked_add(before.buffers + unions).ok_or(Flaw::Damaged)
    }

    /// How many buffers hold the strings of a column of views.
    pub(super) fn strings(&self, before: Parts) -> Result<usize, Flaw> {
        match (self.variadic.get(before.views), self.variadic.get(before.views + 1)) {
            (Some(start), Some(end)) => Ok(end - start),
            _ => Err(Flaw::Damaged),
        }
    }
}
