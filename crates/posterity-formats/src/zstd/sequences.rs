//! Sequences of a block: a number of literals, then a number of bytes from a distance back.

use super::bits::Backwards;
use super::fse::Table;
use crate::flaw::Flaw;

/// The first length of each code of literals, and how many bits are added to it.
const LITERALS: [(u32, u8); 36] = lengths(
    0,
    [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16,
    ],
);
/// The first length of each code of matches, and how many bits are added to it.
const MATCHES: [(u32, u8); 53] = lengths(
    3,
    [
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1,
        1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ],
);
/// The bits of the largest distance that is read.
const DISTANCES: usize = 32;

/// Each length begins where those of the code before end.
const fn lengths<const N: usize>(mut length: u32, bits: [u8; N]) -> [(u32, u8); N] {
    let mut codes = [(0, 0); N];
    let mut code = 0;
    while code < N {
        codes[code] = (length, bits[code]);
        length += 1 << bits[code];
        code += 1;
    }
    codes
}

/// A kind of code in a sequence.
struct CodeKind {
    symbols: usize,
    most: u32,
    /// The shares of a block that describes none, and two to which power they add up.
    usual: (&'static [i16], u32),
}

const KINDS: [CodeKind; 3] = [
    CodeKind {
        symbols: LITERALS.len(),
        most: 9,
        usual: (
            &[
                4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1,
                1, -1, -1, -1, -1,
            ],
            6,
        ),
    },
    CodeKind {
        symbols: DISTANCES,
        most: 8,
        usual: (
            &[1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
            5,
        ),
    },
    CodeKind {
        symbols: MATCHES.len(),
        most: 9,
        usual: (
            &[
                1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
            ],
            6,
        ),
    },
];

/// What one block of a frame leaves to the next.
#[derive(Debug)]
pub(super) struct Sequences {
    /// The codes of literals, distances and matches.
    tables: [Option<Table>; 3],
    /// The last three distances.
    distances: [usize; 3],
}

impl Sequences {
    pub(super) fn new() -> Self {
        Self { tables: [None, None, None], distances: [1, 4, 8] }
    }

    /// Writes what the sequences of a block make of its literals.
    pub(super) fn write(
        &mut self,
        bytes: &[u8],
        mut literals: &[u8],
        out: &mut Output<'_>,
    ) -> Result<(), Flaw> {
        let (number, bytes) = number(bytes)?;
        if number == 0 {
            return if bytes.is_empty() { out.literals(literals) } else { Err(Flaw::Damaged) };
        }
        let bytes = self.describe(bytes)?;
        let [Some(lengths), Some(distances), Some(matches)] = &self.tables else {
            return Err(Flaw::Damaged);
        };
        let mut bits = Backwards::new(bytes)?;
        let mut first = |table: &Table| table.state(bits.take(table.log) as usize);
        let (mut length, mut distance, mut matched) = (first(lengths), first(distances), first(matches));
        for left in (0..number).rev() {
            bits.load();
            let far = u32::from(distance.symbol);
            let far = (1 << far) + bits.take(far) as usize;
            let (base, more) = MATCHES[usize::from(matched.symbol)];
            let many = base as usize + bits.take(u32::from(more)) as usize;
            bits.load();
            let (base, more) = LITERALS[usize::from(length.symbol)];
            let before = base as usize + bits.take(u32::from(more)) as usize;
            if left > 0 {
                length = lengths.state(length.next(&mut bits));
                matched = matches.state(matched.next(&mut bits));
                distance = distances.state(distance.next(&mut bits));
            }
            let (now, later) = literals.split_at_checked(before).ok_or(Flaw::Damaged)?;
            literals = later;
            out.literals(now)?;
            out.again(repeated(&mut self.distances, far, before)?, many)?;
            if bits.overrun() {
                return Err(Flaw::Damaged);
            }
        }
        bits.load();
        if bits.ended() { out.literals(literals) } else { Err(Flaw::Damaged) }
    }

    /// Reads the codes of a block, and returns what comes after them.
    fn describe<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], Flaw> {
        let (&modes, mut bytes) = bytes.split_first().ok_or(Flaw::Damaged)?;
        if modes & 3 != 0 {
            return Err(Flaw::Damaged);
        }
        for (place, (kind, table)) in KINDS.iter().zip(&mut self.tables).enumerate() {
            match (modes >> (6 - 2 * place)) & 3 {
                0 => *table = Some(Table::new(kind.usual.0, kind.usual.1)),
                1 => {
                    let (&symbol, rest) = bytes.split_first().ok_or(Flaw::Damaged)?;
                    if usize::from(symbol) >= kind.symbols {
                        return Err(Flaw::Damaged);
                    }
                    (*table, bytes) = (Some(Table::one(symbol)), rest);
                }
                2 => {
                    let (read, rest) = Table::read(bytes, kind.symbols, kind.most)?;
                    (*table, bytes) = (Some(read), rest);
                }
                _ => {}
            }
        }
        Ok(bytes)
    }
}

/// How many sequences a block has.
fn number(bytes: &[u8]) -> Result<(usize, &[u8]), Flaw> {
    match *bytes {
        [few @ 0..=127, ref rest @ ..] => Ok((usize::from(few), rest)),
        [high @ 128..=254, low, ref rest @ ..] => Ok((usize::from(high - 128) << 8 | usize::from(low), rest)),
        [255, low, high, ref rest @ ..] => Ok((usize::from(low) + (usize::from(high) << 8) + 0x7f00, rest)),
        _ => Err(Flaw::Damaged),
    }
}

/// The distance of a number, which is one of the last three or a new one. After no literals the last distance itself is
/// not among them, but one less is.
fn repeated(last: &mut [usize; 3], number: usize, literals: usize) -> Result<usize, Flaw> {
    let place = number - usize::from(literals > 0);
    let [first, second, third] = *last;
    let distance = match place {
        _ if number > 3 => number - 3,
        0 => first,
        1 => second,
        2 => third,
        _ => first.checked_sub(1).filter(|distance| *distance > 0).ok_or(Flaw::Damaged)?,
    };
    *last = match place {
        0 => [first, second, third],
        1 => [distance, first, third],
        _ => [distance, first, second],
    };
    Ok(distance)
}

/// A frame's part of the buffer.
#[derive(Debug)]
pub(super) struct Output<'a> {
    buffer: &'a mut [u8],
    written: usize,
}

impl<'a> Output<'a> {
    pub(super) fn new(buffer: &'a mut [u8]) -> Self {
        Self { buffer, written: 0 }
    }

    /// What was written.
    pub(super) fn written(&self) -> &[u8] {
        &self.buffer[..self.written]
    }

    fn next(&mut self, many: usize) -> Result<&mut [u8], Flaw> {
        let from = self.written;
        self.written += many;
        self.buffer.get_mut(from..self.written).ok_or(Flaw::Damaged)
    }

    pub(super) fn literals(&mut self, literals: &[u8]) -> Result<(), Flaw> {
        self.next(literals.len())?.copy_from_slice(literals);
        Ok(())
    }

    pub(super) fn fill(&mut self, byte: u8, many: usize) -> Result<(), Flaw> {
        self.next(many)?.fill(byte);
        Ok(())
    }

    /// Writes what was written this many bytes back. Where that is less than what is asked for, it repeats itself.
    fn again(&mut self, distance: usize, many: usize) -> Result<(), Flaw> {
        let to = self.written;
        let from = to.checked_sub(distance).ok_or(Flaw::Damaged)?;
        self.next(many)?;
        let mut done = 0;
        while done < many {
            // All from the first byte on has been written and repeats itself, so longer pieces can be copied each time.
            let now = (to + done - from).min(many - done);
            self.buffer.copy_within(from..from + now, to + done);
            done += now;
        }
        Ok(())
    }
}
