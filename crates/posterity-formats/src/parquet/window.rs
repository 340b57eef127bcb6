//! The bytes of a chunk, read piece by piece.

use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;
use crate::positional_file::PositionalFile;

use super::taken::Buffer;

/// How many bytes are read at once.
const WINDOW: usize = 1 << 20;

/// A buffer over a range of a file, from its first byte to its last.
#[derive(Debug)]
pub(super) struct Window<'a> {
    source: &'a PositionalFile,
    /// The first byte that has not been read from the file, and the end of the range.
    at: u64,
    end: u64,
    buffer: Buffer,
    /// The part of the buffer that holds bytes to come.
    start: usize,
    filled: usize,
}

impl<'a> Window<'a> {
    /// Reads from `at` to `end`.
    pub(super) fn new(source: &'a PositionalFile, at: u64, end: u64, buffer: Buffer) -> Self {
        Self { source, at, end, buffer, start: 0, filled: 0 }
    }

    /// The buffer, for another window.
    pub(super) fn into_buffer(self) -> Buffer {
        self.buffer
    }

    /// How many bytes are to come.
    pub(super) fn left(&self) -> u64 {
        (self.end - self.at) + (self.filled - self.start) as u64
    }

    /// The next bytes: `count` of them, or all if there are fewer. They are not read by that.
    pub(super) fn peek(&mut self, count: usize, memory: &MemoryLimit) -> Result<&[u8], Flaw> {
        let count = usize::try_from(self.left()).map_or(count, |left| count.min(left));
        if self.filled - self.start < count {
            self.fill(count, memory)?;
        }
        Ok(&self.buffer.bytes[self.start..self.start + count])
    }

    /// The next bytes, as far as they have been seen before.
    pub(super) fn seen(&self, count: usize) -> &[u8] {
        &self.buffer.bytes[self.start..self.filled.min(self.start.saturating_add(count))]
    }

    /// Reads this many bytes, which have been seen before.
    pub(super) fn advance(&mut self, count: usize) {
        self.start = (self.start + count).min(self.filled);
    }

    /// Skips this many bytes.
    pub(super) fn skip(&mut self, count: usize) -> Result<(), Flaw> {
        let beyond = count.saturating_sub(self.filled - self.start) as u64;
        if beyond > self.end - self.at {
            return Err(Flaw::Damaged);
        }
        self.advance(count);
        self.at += beyond;
        Ok(())
    }

    /// Brings `count` bytes, which are there, into the buffer.
    fn fill(&mut self, count: usize, memory: &MemoryLimit) -> Result<(), Flaw> {
        let left = usize::try_from(self.left()).unwrap_or(usize::MAX);
        let Buffer { bytes, taken } = &mut self.buffer;
        bytes.copy_within(self.start..self.filled, 0);
        self.filled -= self.start;
        self.start = 0;
        let size = count.max(WINDOW.min(left));
        if size > bytes.len() {
            taken.ensure(memory, size)?;
            bytes.reserve_exact(size - bytes.len());
            bytes.resize(size, 0);
        }
        let free = bytes.len() - self.filled;
        let more = usize::try_from(self.end - self.at).map_or(free, |more| more.min(free));
        let target = &mut bytes[self.filled..self.filled + more];
        self.source.fill(self.at, target)?;
        self.at += more as u64;
        self.filled += more;
        Ok(())
    }
}
