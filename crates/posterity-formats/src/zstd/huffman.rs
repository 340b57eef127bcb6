//! Huffman codes of literals.

use super::bits::Backwards;
use super::fse::Table;
use crate::flaw::Flaw;

/// The bits of the longest code.
const LONGEST: u32 = 11;
const SIZE: usize = 1 << LONGEST;
/// How many codes fit into what one load gives.
const AT_ONCE: usize = (Backwards::LOADED / LONGEST) as usize;

/// For each sequence of as many bits as the longest code of the format has: the byte that it begins with, and the bits of
/// its code below it.
#[derive(Clone, Debug)]
pub(super) struct Codes(Box<[u16; SIZE]>);

impl Codes {
    /// The codes that a block describes, and what comes after them.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, &[u8]), Flaw> {
        let (&head, rest) = bytes.split_first().ok_or(Flaw::Damaged)?;
        if head < 128 {
            let (described, rest) = rest.split_at_checked(usize::from(head)).ok_or(Flaw::Damaged)?;
            return Ok((Self::new(coded_weights(described)?)?, rest));
        }
        let number = usize::from(head - 127);
        let (packed, rest) = rest.split_at_checked(number.div_ceil(2)).ok_or(Flaw::Damaged)?;
        let mut weights: Vec<u8> = packed.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect();
        weights.truncate(number);
        Ok((Self::new(weights)?, rest))
    }

    /// The codes of bytes with these weights. That of one byte more follows from them.
    fn new(mut weights: Vec<u8>) -> Result<Self, Flaw> {
        let places = |weight: u8| if weight == 0 { 0 } else { 1usize << (weight - 1) };
        if weights.iter().any(|weight| u32::from(*weight) > LONGEST) || weights.len() > 255 {
            return Err(Flaw::Damaged);
        }
        let sum: usize = weights.iter().map(|weight| places(*weight)).sum();
        let longest = sum.checked_ilog2().ok_or(Flaw::Damaged)? + 1;
        let last = (1usize << longest) - sum;
        if longest > LONGEST || !last.is_power_of_two() {
            return Err(Flaw::Damaged);
        }
        weights.push(last.ilog2() as u8 + 1);
        // The longest code of a tree has another beside it.
        if !weights.contains(&1) {
            return Err(Flaw::Damaged);
        }
        let mut codes = Box::new([0; SIZE]);
        // Longer codes come first. Each stands for all sequences that begin with it.
        let mut from = 0;
        for weight in 1..=longest as u8 {
            let entries = places(weight) << (LONGEST - longest);
            let bits = longest as u16 + 1 - u16::from(weight);
            for (byte, _) in weights.iter().enumerate().filter(|(_, known)| **known == weight) {
                codes[from..from + entries].fill((byte as u16) << 8 | bits);
                from += entries;
            }
        }
        Ok(Self(codes))
    }

    /// The next byte of some bits.
    #[inline]
    fn next(&self, bits: &mut Backwards<'_>) -> u8 {
        let entry = self.0[bits.peek(LONGEST) as usize];
        bits.skip(u32::from(entry & 0xff));
        (entry >> 8) as u8
    }

    /// Fills a buffer with what one stream holds.
    pub(super) fn one(&self, stream: &[u8], out: &mut [u8]) -> Result<(), Flaw> {
        self.end(Backwards::new(stream)?, out)
    }

    /// Fills a buffer with what four streams hold, a quarter each. Their sizes come first.
    pub(super) fn four(&self, bytes: &[u8], out: &mut [u8]) -> Result<(), Flaw> {
        let (sizes, bytes) = bytes.split_first_chunk::<6>().ok_or(Flaw::Damaged)?;
        let size = |place: usize| usize::from(u16::from_le_bytes([sizes[place], sizes[place + 1]]));
        let (first, bytes) = bytes.split_at_checked(size(0)).ok_or(Flaw::Damaged)?;
        let (second, bytes) = bytes.split_at_checked(size(2)).ok_or(Flaw::Damaged)?;
        let (third, fourth) = bytes.split_at_checked(size(4)).ok_or(Flaw::Damaged)?;
        if out.len() < 6 {
            return Err(Flaw::Damaged);
        }
        let quarter = out.len().div_ceil(4);
        let (a, out) = out.split_at_mut(quarter);
        let (b, out) = out.split_at_mut(quarter);
        let (c, d) = out.split_at_mut(quarter);
        let mut streams = [
            Backwards::new(first)?,
            Backwards::new(second)?,
            Backwards::new(third)?,
            Backwards::new(fourth)?,
        ];
        // Codes wait for the one before, so four streams at once take little longer than one.
        let mut written = 0;
        {
            let [a, b, c, d] = [&mut *a, &mut *b, &mut *c, &mut *d]
                .map(|quarter| quarter.as_chunks_mut::<AT_ONCE>().0.iter_mut());
            let [s, t, u, v] = &mut streams;
            for (((a, b), c), d) in a.zip(b).zip(c).zip(d) {
                if !(s.has_many() && t.has_many() && u.has_many() && v.has_many()) {
                    break;
                }
                s.load();
                t.load();
                u.load();
                v.load();
                for place in 0..AT_ONCE {
                    a[place] = self.next(s);
                    b[place] = self.next(t);
                    c[place] = self.next(u);
                    d[place] = self.next(v);
                }
                written += AT_ONCE;
            }
        }
        for (stream, out) in streams.into_iter().zip([a, b, c, d]) {
            self.end(stream, &mut out[written..])?;
        }
        Ok(())
    }

    /// Fills a buffer with all that is left of a stream.
    fn end(&self, mut bits: Backwards<'_>, out: &mut [u8]) -> Result<(), Flaw> {
        for chunk in out.chunks_mut(AT_ONCE) {
            bits.load();
            chunk.iter_mut().for_each(|byte| *byte = self.next(&mut bits));
            if bits.overrun() {
                return Err(Flaw::Damaged);
            }
        }
        bits.load();
        if bits.ended() { Ok(()) } else { Err(Flaw::Damaged) }
    }
}

/// Weights from two states that take turns, until the bits end.
fn coded_weights(bytes: &[u8]) -> Result<Vec<u8>, Flaw> {
    let (table, bytes) = Table::read(bytes, 256, 6)?;
    let mut bits = Backwards::new(bytes)?;
    let mut states = [0, 0].map(|_: usize| table.state(bits.take(table.log) as usize));
    if bits.overrun() {
        return Err(Flaw::Damaged);
    }
    let mut weights = Vec::new();
    // The last weight but one of a byte has no bits after it; the other state gives the last.
    while weights.len() < 255 {
        weights.push(states[0].symbol);
        bits.load();
        let next = states[0].next(&mut bits);
        if bits.overrun() {
            weights.push(states[1].symbol);
            return Ok(weights);
        }
        states = [states[1], table.state(next)];
    }
    Err(Flaw::Damaged)
}
