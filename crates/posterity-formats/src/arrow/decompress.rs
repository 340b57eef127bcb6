//! Compressed buffers.

use std::io::{self, Read};

use lz4_flex::frame::FrameDecoder as Lz4;

use crate::flaw::Flaw;
use crate::memory_limit::{Held, MemoryLimit};
use crate::positional_file::PositionalFile;
use crate::zstd;

/// The most memory for the compressed buffers of one batch.
pub(super) const MAX_HELD: usize = 256 << 20;

/// What frames of LZ4 begin with, except those of a format that Arrow does not use.
const LZ4_MAGIC: [u8; 4] = 0x184D_2204_u32.to_le_bytes();

/// A method of compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    Lz4,
    Zstd,
}

/// What one batch may still hold.
#[derive(Debug)]
pub(super) struct Allowance<'a> {
    memory: &'a MemoryLimit,
    left: usize,
}

impl<'a> Allowance<'a> {
    pub(super) fn new(memory: &'a MemoryLimit) -> Self {
        Self { memory, left: MAX_HELD }
    }

    /// Takes memory that is held as long as the batch.
    fn take(&mut self, bytes: usize) -> Result<Held, Flaw> {
        self.left = self.left.checked_sub(bytes).ok_or(Flaw::TooLarge)?;
        Ok(self.memory.take(bytes)?)
    }
}

/// Decompresses a range of the file to exactly the stated length.
pub(super) fn decompress(
    codec: Codec,
    source: &PositionalFile,
    range: (u64, u64),
    stated: u64,
    allowance: &mut Allowance<'_>,
) -> Result<(Vec<u8>, Held), Flaw> {
    let len = usize::try_from(stated).map_err(|_| Flaw::TooLarge)?;
    let held = allowance.take(len)?;
    let mut reader = RangeReader::new(source, range);
    let outcome = match codec {
        Codec::Lz4 => lz4(&mut reader, len, allowance),
        Codec::Zstd => zstd(&reader, len, allowance),
    };
    match (outcome, reader.refused) {
        (Ok(bytes), _) => Ok((bytes, held)),
        (Err(_), Some(error)) => Err(error.into()),
        (Err(flaw), None) => Err(flaw),
    }
}

fn lz4(reader: &mut RangeReader<'_>, len: usize, allowance: &Allowance<'_>) -> Result<Vec<u8>, Flaw> {
    // No byte of LZ4 stands for more than 255.
    if len as u64 / 255 > reader.left {
        return Err(Flaw::Damaged);
    }
    // The decoder holds a compressed block, and two blocks and 64 KiB of its output.
    let block = reader.block()?;
    let _held = scratch(allowance, 3 * block + (64 << 10))?;
    exactly(Lz4::new(reader), len)
}

fn zstd(reader: &RangeReader<'_>, len: usize, allowance: &Allowance<'_>) -> Result<Vec<u8>, Flaw> {
    let packed = usize::try_from(reader.left).map_err(|_| Flaw::TooLarge)?;
    let _held = scratch(allowance, packed.saturating_add(zstd::MEMORY))?;
    let packed = reader.source.bytes(reader.at, packed)?;
    let mut bytes = vec![0; len];
    zstd::decompress(&packed, &mut bytes)?;
    Ok(bytes)
}

/// Takes memory that is held only while a buffer is decompressed.
fn scratch(allowance: &Allowance<'_>, bytes: usize) -> Result<Held, Flaw> {
    if bytes > allowance.left { Err(Flaw::TooLarge) } else { Ok(allowance.memory.take(bytes)?) }
}

/// All that a decoder gives, which must be of this length.
fn exactly(mut decoder: impl Read, len: usize) -> Result<Vec<u8>, Flaw> {
    let mut bytes = vec![0; len];
    decoder.read_exact(&mut bytes).map_err(|_| Flaw::Damaged)?;
    match decoder.read(&mut [0]) {
        Ok(0) => Ok(bytes),
        _ => Err(Flaw::Damaged),
    }
}

/// Reads a range of a file from its beginning to its end.
struct RangeReader<'a> {
    source: &'a PositionalFile,
    at: u64,
    left: u64,
    buffer: Vec<u8>,
    read: usize,
    /// The error of the system, which decoders hide behind theirs.
    refused: Option<io::Error>,
}

impl<'a> RangeReader<'a> {
    fn new(source: &'a PositionalFile, (at, left): (u64, u64)) -> Self {
        Self { source, at, left, buffer: Vec::new(), read: 0, refused: None }
    }

    /// The size of the blocks that a frame of LZ4 declares.
    fn block(&self) -> Result<usize, Flaw> {
        let [magic @ .., _, block] = self.source.array::<6>(self.at)?;
        match (block >> 4) & 7 {
            code @ 4..=7 if magic == LZ4_MAGIC => Ok(1 << (8 + 2 * code)),
            _ => Err(Flaw::Damaged),
        }
    }
}

impl Read for RangeReader<'_> {
    fn read(&mut self, target: &mut [u8]) -> io::Result<usize> {
        if self.read == self.buffer.len() && self.left > 0 {
            let len = self.left.min(64 << 10);
            match self.source.bytes(self.at, len as usize) {
                Ok(bytes) => self.buffer = bytes,
                Err(flaw) => {
                    if let Flaw::Io(error) = flaw {
                        self.refused = Some(error);
                    }
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            (self.at, self.left, self.read) = (self.at + len, self.left - len, 0);
        }
        let copied = (&self.buffer[self.read..]).read(target)?;
        self.read += copied;
        Ok(copied)
    }
}
