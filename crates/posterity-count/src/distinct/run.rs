//! Sorted strings, one after the other, in memory or in a temporary file.

use std::io::ErrorKind;
use std::ops::Range;
use std::sync::Arc;

use crate::unit::{Block, Spool, UnitError};

/// Strings in their order, each with a number.
pub(super) enum Run {
    /// All of them in memory.
    Held(Vec<u8>),
    /// In blocks of a temporary file.
    Written {
        spool: Arc<Spool>,
        blocks: Vec<Block>,
        /// The bytes of the largest block.
        largest: usize,
    },
}

/// The bytes of a block at which it is written. One more string may come on top.
pub(super) const BLOCK: usize = 64 << 10;

impl Run {
    /// A run in memory.
    pub(super) fn held<'a>(strings: impl Iterator<Item = (&'a [u8], u64)>) -> Self {
        let mut bytes = Vec::new();
        strings.for_each(|(string, count)| write(string, count, &mut bytes));
        Self::Held(bytes)
    }

    /// The bytes that its reader takes besides what the run holds already.
    pub(super) fn largest(&self) -> usize {
        match self {
            Self::Held(_) => 0,
            Self::Written { largest, .. } => *largest,
        }
    }
}

/// Writes a run to a temporary file.
pub(super) struct RunWriter {
    spool: Arc<Spool>,
    blocks: Vec<Block>,
    largest: usize,
    block: Vec<u8>,
}

impl RunWriter {
    pub(super) fn new(spool: &Arc<Spool>) -> Self {
        Self { spool: Arc::clone(spool), blocks: Vec::new(), largest: 0, block: Vec::new() }
    }

    /// Adds a string, which comes after those before.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if the system refuses.
    #[inline]
    pub(super) fn push(&mut self, string: &[u8], count: u64) -> Result<(), UnitError> {
        write(string, count, &mut self.block);
        if self.block.len() >= BLOCK { self.flush() } else { Ok(()) }
    }

    /// The run.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if the system refuses.
    pub(super) fn finish(mut self) -> Result<Run, UnitError> {
        self.flush()?;
        Ok(Run::Written { spool: self.spool, blocks: self.blocks, largest: self.largest })
    }

    fn flush(&mut self) -> Result<(), UnitError> {
        if !self.block.is_empty() {
            self.blocks.push(self.spool.write(&self.block)?);
            self.largest = self.largest.max(self.block.len());
            self.block.clear();
        }
        Ok(())
    }
}

/// Reads a run, string by string.
pub(super) struct RunReader {
    run: Run,
    /// How many blocks of the run were read.
    read: usize,
    block: Vec<u8>,
    /// Where the string is in the block.
    string: Range<usize>,
    count: u64,
}

impl RunReader {
    /// The first string is there after [`RunReader::advance`].
    pub(super) fn new(run: Run) -> Self {
        Self { run, read: 0, block: Vec::new(), string: 0..0, count: 0 }
    }

    /// The string.
    #[inline]
    pub(super) fn string(&self) -> &[u8] {
        &self.block[self.string.clone()]
    }

    /// Its number.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Goes to the next string, if there is one.
    ///
    /// # Errors
    /// [`UnitError::Temporary`] if the file cannot be read, or holds something else than was written.
    #[inline]
    pub(super) fn advance(&mut self) -> Result<bool, UnitError> {
        let mut start = self.string.end;
        if start == self.block.len() {
            if !self.next_block()? {
                return Ok(false);
            }
            start = 0;
        }
        let mut rest = &self.block[start..];
        let mut head = || Some((read_number(&mut rest)?, read_number(&mut rest)?, rest.len()));
        let (length, count, left) = head().ok_or_else(damaged)?;
        let length = usize::try_from(length).ok().filter(|&length| length <= left).ok_or_else(damaged)?;
        let begin = self.block.len() - left;
        self.string = begin..begin + length;
        self.count = count;
        Ok(true)
    }

    /// Puts the next block in place of the one before, if there is one.
    fn next_block(&mut self) -> Result<bool, UnitError> {
        match &mut self.run {
            Run::Held(bytes) if self.read == 0 => self.block = std::mem::take(bytes),
            Run::Held(_) => return Ok(false),
            Run::Written { spool, blocks, .. } => match blocks.get(self.read) {
                Some(&block) => spool.read(block, &mut self.block)?,
                None => return Ok(false),
            },
        }
        self.read += 1;
        Ok(!self.block.is_empty())
    }
}

/// The error of a temporary file that holds something else than was written.
pub(super) fn damaged() -> UnitError {
    UnitError::Temporary { kind: ErrorKind::InvalidData }
}

/// Appends a string: its length, its number, and its bytes.
#[inline]
fn write(string: &[u8], count: u64, to: &mut Vec<u8>) {
    write_number(string.len() as u64, to);
    write_number(count, to);
    to.extend_from_slice(string);
}

/// Appends a number, seven bits to a byte, the lowest first. All bytes but the last have the highest bit.
#[inline]
fn write_number(mut number: u64, to: &mut Vec<u8>) {
    while number >= 0x80 {
        to.push(number as u8 | 0x80);
        number >>= 7;
    }
    to.push(number as u8);
}

/// Takes a number off what was written.
#[inline]
fn read_number(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(run: Run) -> Vec<(Vec<u8>, u64)> {
        let mut reader = RunReader::new(run);
        let mut found = Vec::new();
        while reader.advance().expect("no error") {
            found.push((reader.string().to_vec(), reader.count()));
        }
        found
    }

    #[test]
    fn runs_come_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let spool = Arc::new(Spool::new(folder.path()));
        let lengths = [0, 1, 127, 128, 70_000, 3, 200_000, 0];
        let counts = [1, 127, 128, 300, u64::from(u32::MAX), u64::MAX, 1 << 56, 0];
        let strings: Vec<(Vec<u8>, u64)> =
            lengths.iter().zip(counts).map(|(&length, count)| (vec![length as u8; length], count)).collect();
        for some in [&strings[..], &strings[..1], &[]] {
            let each = || some.iter().map(|(string, count)| (string.as_slice(), *count));
            assert!(read(Run::held(each())) == some);
            let mut writer = RunWriter::new(&spool);
            each().for_each(|(string, count)| writer.push(string, count).expect("no error"));
            let run = writer.finish().expect("no error");
            assert_eq!(run.largest() > 200_000, some.len() == strings.len());
            assert!(read(run) == some);
        }
    }

    #[test]
    fn a_damaged_file_is_refused() {
        for bytes in [&[2, 1, 7][..], &[5], &[0x80], &[0xff; 12], &[1, 0xff]] {
            let mut reader = RunReader::new(Run::Held(bytes.to_vec()));
            assert_eq!(reader.advance(), Err(damaged()), "{bytes:?}");
        }
    }
}
