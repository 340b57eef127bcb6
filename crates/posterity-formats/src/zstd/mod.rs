//! Zstandard (RFC 8878), into a buffer of known size. There is no window: all that a frame wrote is in the buffer.

mod bits;
mod fse;
mod huffman;
mod sequences;
#[cfg(test)]
mod tests;

use huffman::Codes;
use sequences::{Output, Sequences};
use twox_hash::XxHash64;

use crate::flaw::Flaw;

/// The memory that decoding takes: the literals of a block, and tables.
pub(crate) const MEMORY: usize = MOST + (64 << 10);

/// What a block holds at most.
const MOST: usize = 128 << 10;
/// The exponent of the widest window, as in the library in C: 2 GiB.
const WIDEST: u64 = 21;
const FRAME: u32 = 0xFD2F_B528;
const SKIPPED: std::ops::RangeInclusive<u32> = 0x184D_2A50..=0x184D_2A5F;

/// Fills the buffer with what the frames hold. It is an error if there is more or less.
pub(crate) fn decompress(mut bytes: &[u8], mut out: &mut [u8]) -> Result<(), Flaw> {
    while !bytes.is_empty() {
        let magic = number(&mut bytes, 4)? as u32;
        if SKIPPED.contains(&magic) {
            let size = number(&mut bytes, 4)?;
            take(&mut bytes, size)?;
        } else if magic == FRAME {
            let written = frame(&mut bytes, out)?;
            out = &mut out[written..];
        } else {
            return Err(Flaw::Damaged);
        }
    }
    if out.is_empty() { Ok(()) } else { Err(Flaw::Damaged) }
}

/// The first bytes, which are left out of the rest.
fn take<'a>(bytes: &mut &'a [u8], many: u64) -> Result<&'a [u8], Flaw> {
    let many = usize::try_from(many).map_err(|_| Flaw::Damaged)?;
    let (taken, rest) = bytes.split_at_checked(many).ok_or(Flaw::Damaged)?;
    *bytes = rest;
    Ok(taken)
}

/// A number of at most eight bytes.
fn number(bytes: &mut &[u8], size: u64) -> Result<u64, Flaw> {
    let taken = take(bytes, size)?;
    Ok(taken.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// Decodes a frame to the beginning of the buffer, and returns how much it holds.
fn frame(bytes: &mut &[u8], out: &mut [u8]) -> Result<usize, Flaw> {
    let descriptor = number(bytes, 1)?;
    let (one_segment, has_checksum) = (descriptor & 32 != 0, descriptor & 4 != 0);
    if descriptor & 8 != 0 {
        return Err(Flaw::Damaged);
    }
    let window = if one_segment { None } else { Some(number(bytes, 1)?) };
    if number(bytes, [0, 1, 2, 4][(descriptor & 3) as usize])? != 0 {
        return Err(Flaw::Unsupported("a dictionary of Zstandard"));
    }
    let size = match descriptor >> 6 {
        0 if one_segment => Some(number(bytes, 1)?),
        0 => None,
        1 => Some(number(bytes, 2)? + 256),
        2 => Some(number(bytes, 4)?),
        _ => Some(number(bytes, 8)?),
    };
    if window.is_some_and(|byte| byte >> 3 > WIDEST) {
        return Err(Flaw::Damaged);
    }
    // A window is at least 1 KiB, and has three bits after the point.
    let window = window.map(|byte| (8 + (byte & 7)) << (7 + (byte >> 3))).or(size).unwrap_or(0);
    let most = usize::try_from(window).map_or(MOST, |window| window.min(MOST));
    let mut blocks = Blocks { most, literals: Vec::new(), codes: None, sequences: Sequences::new() };
    let mut output = Output::new(out);
    while !blocks.next(bytes, &mut output)? {}
    let written = output.written();
    if size.is_some_and(|size| size != written.len() as u64)
        || (has_checksum && number(bytes, 4)? as u32 != XxHash64::oneshot(0, written) as u32)
    {
        return Err(Flaw::Damaged);
    }
    Ok(written.len())
}

/// The blocks of a frame, and what one of them leaves to the next.
struct Blocks {
    most: usize,
    literals: Vec<u8>,
    codes: Option<Codes>,
    sequences: Sequences,
}

impl Blocks {
    /// Decodes a block, and returns whether it is the last.
    fn next(&mut self, bytes: &mut &[u8], out: &mut Output<'_>) -> Result<bool, Flaw> {
        let head = number(bytes, 3)?;
        let size = head >> 3;
        if size > self.most as u64 {
            return Err(Flaw::Damaged);
        }
        match (head >> 1) & 3 {
            0 => out.literals(take(bytes, size)?)?,
            1 => out.fill(number(bytes, 1)? as u8, size as usize)?,
            2 => self.compressed(take(bytes, size)?, out)?,
            _ => return Err(Flaw::Damaged),
        }
        Ok(head & 1 != 0)
    }

    fn compressed(&mut self, mut bytes: &[u8], out: &mut Output<'_>) -> Result<(), Flaw> {
        let before = out.written().len();
        let &head = bytes.first().ok_or(Flaw::Damaged)?;
        let (kind, format) = (head & 3, usize::from(head >> 2) & 3);
        if kind < 2 {
            // The size alone, after three or four bits.
            let (size, shift) = ([1, 2, 1, 3][format], [3, 4, 3, 4][format]);
            let many = number(&mut bytes, size)? >> shift;
            self.room(many)?;
            let literals = if kind == 0 {
                take(&mut bytes, many)?
            } else {
                self.literals.clear();
                self.literals.resize(many as usize, number(&mut bytes, 1)? as u8);
                &self.literals
            };
            self.sequences.write(bytes, literals, out)?;
        } else {
            let (size, width) = ([3, 3, 4, 5][format], [10, 10, 14, 18][format]);
            let sizes = number(&mut bytes, size)? >> 4;
            let (many, packed) = (sizes & ((1 << width) - 1), sizes >> width);
            self.room(many)?;
            let mut packed = take(&mut bytes, packed)?;
            if kind == 2 {
                let (codes, rest) = Codes::read(packed)?;
                (self.codes, packed) = (Some(codes), rest);
            }
            let codes = self.codes.as_ref().ok_or(Flaw::Damaged)?;
            self.literals.resize(many as usize, 0);
            match format {
                0 => codes.one(packed, &mut self.literals)?,
                _ => codes.four(packed, &mut self.literals)?,
            }
            self.sequences.write(bytes, &self.literals, out)?;
        }
        if out.written().len() - before > self.most { Err(Flaw::Damaged) } else { Ok(()) }
    }

    /// Refuses literals beyond what a block holds.
    fn room(&self, literals: u64) -> Result<(), Flaw> {
        if literals > self.most as u64 { Err(Flaw::Damaged) } else { Ok(()) }
    }
}
