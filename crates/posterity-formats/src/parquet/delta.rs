//! Whole numbers as differences: `DELTA_BINARY_PACKED`.

use crate::flaw::Flaw;

use super::hybrid::{packed_at, varint, zeros};

/// Where a reader of differences stands. The bytes are given to it with every call.
///
/// Nothing is held for values to come: a few bytes can state thousands of millions of them.
#[derive(Debug)]
pub(super) struct Delta {
    /// The next byte after the block that is being read.
    at: usize,
    /// The end of the bytes.
    end: usize,
    /// How many bits a value has, which no width exceeds: 32 or 64.
    bits: u32,
    /// How many values are left.
    left: u64,
    /// How many parts a block has, and how many values a part has.
    parts: usize,
    part_values: usize,
    /// Whether the first value, which stands in the header, has been read.
    started: bool,
    last: i64,
    /// The least difference of the block.
    least: i64,
    /// Where the widths of the parts of the block stand.
    widths: usize,
    /// The part that is being read: its position, where its bytes begin, and how many of its values have been read.
    part: usize,
    part_at: usize,
    part_read: usize,
    /// Where the bytes of the last part that holds values end, with what pads it.
    full: usize,
}

impl Delta {
    /// Reads the header of values of this many bits.
    pub(super) fn new(bytes: &[u8], at: usize, end: usize, bits: u32) -> Result<Self, Flaw> {
        let bytes = bytes.get(..end).ok_or(Flaw::Damaged)?;
        let mut at = at;
        let block = varint(bytes, &mut at)?;
        let parts = varint(bytes, &mut at)?;
        let left = varint(bytes, &mut at)?;
        let first = zigzag(varint(bytes, &mut at)?, bits)?;
        let block = usize::try_from(block).map_err(|_| Flaw::Damaged)?;
        let parts = usize::try_from(parts).map_err(|_| Flaw::Damaged)?;
        // The format says of what the sizes are multiples. A page has at most 2^31 values, and so has a block.
        let whole = block % 128 == 0 && parts != 0 && block % parts == 0 && (block / parts) % 32 == 0;
        if block == 0 || block > 1 << 31 || !whole {
            return Err(Flaw::Damaged);
        }
        Ok(Self {
            at,
            end,
            bits,
            left,
            parts,
            part_values: block / parts,
            started: false,
            last: first,
            least: 0,
            widths: at,
            // No block has been read: all parts of the one before are done.
            part: parts,
            part_at: at,
            part_read: 0,
            full: at,
        })
    }

    /// Adds the next values.
    pub(super) fn read(&mut self, bytes: &[u8], count: usize, out: &mut Vec<i64>) -> Result<(), Flaw> {
        let bytes = bytes.get(..self.end).ok_or(Flaw::Damaged)?;
        self.left = self.left.checked_sub(count as u64).ok_or(Flaw::Damaged)?;
        let mut count = count;
        if count > 0 && !self.started {
            self.started = true;
            out.push(self.last);
            count -= 1;
        }
        while count > 0 {
            if self.part == self.parts {
                self.block(bytes)?;
            }
            let width = self.width(bytes)?;
            self.full = self.part_end(width);
            let now = count.min(self.part_values - self.part_read);
            // The last part is as long as the others, however few values it has.
            let packed = bytes.get(self.part_at..self.full).ok_or(Flaw::Damaged)?;
            for index in self.part_read..self.part_read + now {
                let difference = packed_at(packed, width, index).cast_signed().wrapping_add(self.least);
                self.last = self.last.wrapping_add(difference);
                out.push(self.last);
            }
            self.part_read += now;
            count -= now;
            if self.part_read == self.part_values {
                self.part_at = self.full;
                self.part += 1;
                self.part_read = 0;
                self.at = self.part_at;
            }
        }
        Ok(())
    }

    /// Whether all values have been read, and only zeros follow them.
    pub(super) fn is_done(&self, bytes: &[u8]) -> bool {
        self.left == 0 && zeros(bytes, self.full, self.end)
    }

    /// Where the bytes of all values end, without reading the values.
    pub(super) fn end(mut self, bytes: &[u8]) -> Result<usize, Flaw> {
        let bytes = bytes.get(..self.end).ok_or(Flaw::Damaged)?;
        let mut left = self.left.saturating_sub(1);
        while left > 0 {
            self.block(bytes)?;
            // Parts that hold no values have a width, which may be anything, but no bytes.
            while self.part < self.parts && left > 0 {
                self.part_at = self.part_end(self.width(bytes)?);
                if self.part_at > bytes.len() {
                    return Err(Flaw::Damaged);
                }
                left = left.saturating_sub(self.part_values as u64);
                self.part += 1;
            }
            self.at = self.part_at;
        }
        Ok(self.at)
    }

    /// Reads the header of the next block.
    fn block(&mut self, bytes: &[u8]) -> Result<(), Flaw> {
        self.least = zigzag(varint(bytes, &mut self.at)?, self.bits)?;
        self.widths = self.at;
        self.part_at = self.at.checked_add(self.parts).ok_or(Flaw::Damaged)?;
        if self.part_at > bytes.len() {
            return Err(Flaw::Damaged);
        }
        self.part = 0;
        self.part_read = 0;
        Ok(())
    }

    /// How many bits each value of the part takes, which holds values.
    fn width(&self, bytes: &[u8]) -> Result<u32, Flaw> {
        let width = bytes.get(self.widths + self.part).map(|width| u32::from(*width));
        width.filter(|width| *width <= self.bits).ok_or(Flaw::Damaged)
    }

    fn part_end(&self, width: u32) -> usize {
        self.part_at.saturating_add((self.part_values / 8).saturating_mul(width as usize))
    }
}

/// A number with a sign, of this many bits.
fn zigzag(value: u64, bits: u32) -> Result<i64, Flaw> {
    if value > u64::MAX >> (64 - bits) {
        return Err(Flaw::Damaged);
    }
    Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
}
