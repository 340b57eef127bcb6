//! Bits of a compressed block: headers are read forwards, everything else backwards.

use crate::flaw::Flaw;

/// Reads from the last bit of some bytes to the first. The highest bit that is set in the last byte marks the beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backwards<'a> {
    /// What was not loaded yet.
    bytes: &'a [u8],
    /// The bits that come next, from the highest. Below those that count there may be more of them.
    word: u64,
    /// How many bits of the word count. Negative once more were read than there are.
    loaded: i32,
}

impl<'a> Backwards<'a> {
    /// After [`load`](Self::load) at least this many bits can be read, unless the bytes end.
    pub(super) const LOADED: u32 = 56;

    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, Flaw> {
        let last = bytes.last().filter(|last| **last != 0).ok_or(Flaw::Damaged)?;
        let mut bits = Self { bytes, word: 0, loaded: 0 };
        bits.load();
        bits.skip(last.leading_zeros() + 1);
        Ok(bits)
    }

    /// Whether at least [`LOADED`](Self::LOADED) bits are there after the next load.
    #[inline]
    pub(super) fn has_many(&self) -> bool {
        self.bytes.len() >= 8
    }

    #[inline]
    pub(super) fn load(&mut self) {
        let Some((_, last)) = self.bytes.split_last_chunk::<8>().filter(|_| self.loaded >= 0) else {
            return self.load_the_rest();
        };
        // What is below the bits that count is loaded once more by the next load, and is the same then.
        self.word |= u64::from_le_bytes(*last) >> self.loaded;
        let bytes = (63 - self.loaded) >> 3;
        self.bytes = &self.bytes[..self.bytes.len() - bytes as usize];
        self.loaded += 8 * bytes;
    }

    #[cold]
    fn load_the_rest(&mut self) {
        while (0..=Self::LOADED as i32).contains(&self.loaded) {
            let Some((last, rest)) = self.bytes.split_last() else { return };
            self.word |= u64::from(*last) << (56 - self.loaded);
            self.loaded += 8;
            self.bytes = rest;
        }
    }

    /// The next bits, at most 63 of them, as a number. Beyond the first bit there are zeros.
    #[inline]
    pub(super) fn peek(&self, bits: u32) -> u64 {
        (self.word >> 1) >> (63 - bits)
    }

    #[inline]
    pub(super) fn skip(&mut self, bits: u32) {
        self.word <<= bits;
        self.loaded -= bits as i32;
    }

    #[inline]
    pub(super) fn take(&mut self, bits: u32) -> u64 {
        let value = self.peek(bits);
        self.skip(bits);
        value
    }

    /// Whether more was read than there is.
    #[inline]
    pub(super) fn overrun(&self) -> bool {
        self.loaded < 0
    }

    /// Whether everything was read, and no more.
    pub(super) fn ended(&self) -> bool {
        self.loaded == 0 && self.bytes.is_empty()
    }
}

/// Reads from the lowest bit of the first byte on.
#[derive(Debug)]
pub(super) struct Forwards<'a> {
    bytes: &'a [u8],
    read: usize,
}

impl<'a> Forwards<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, read: 0 }
    }

    /// The next bits, at most 16 of them. Beyond the end there are zeros.
    pub(super) fn peek(&self, bits: u32) -> u32 {
        let byte = |place: usize| self.bytes.get(self.read / 8 + place).map_or(0, |byte| u32::from(*byte));
        let word = byte(0) | byte(1) << 8 | byte(2) << 16;
        (word >> (self.read % 8)) & ((1 << bits) - 1)
    }

    pub(super) fn skip(&mut self, bits: u32) {
        self.read += bits as usize;
    }

    pub(super) fn take(&mut self, bits: u32) -> u32 {
        let value = self.peek(bits);
        self.skip(bits);
        value
    }

    /// The bytes after the one that holds the last bit read.
    pub(super) fn rest(self) -> Result<&'a [u8], Flaw> {
        self.bytes.get(self.read.div_ceil(8)..).ok_or(Flaw::Damaged)
    }
}
