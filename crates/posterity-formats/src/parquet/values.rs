//! The values of a page, in each of the encodings.

use crate::column::{Store, Strings};
use crate::flaw::Flaw;

use super::delta::Delta;
use super::hybrid::{Hybrid, unpack_bits, zeros};
use super::plain;
use super::schema::{Leaf, Physical, Shape};

/// How many rows of strings that share their beginnings are read at once, since few bytes may hold long ones.
const SHARED: usize = 4_096;
/// How many bits the length of a string has.
const LENGTH: u32 = 32;

/// Where the reader of a page's values stands. The bytes are given to it with every call.
#[derive(Debug)]
pub(super) enum Values {
    /// There are none: all rows are missing.
    Empty,
    /// Only whether values are there is known.
    Ignored,
    /// Values one after the other, in a page that is not held.
    Flowing,
    /// Values one after the other.
    Plain { at: usize, end: usize },
    /// Truth values, a bit each.
    Bits { at: usize, end: usize, next: usize },
    /// Truth values in runs.
    Runs(Hybrid),
    /// Keys of a dictionary, in runs.
    Keys(Hybrid),
    /// The first bytes of all values, the second bytes of all values, and so on.
    Split { at: usize, count: usize, next: usize },
    /// Differences of whole numbers.
    Delta(Delta),
    /// The lengths of strings as differences, and the strings then.
    Lengths { lengths: Delta, at: usize, end: usize },
    /// How much each string shares with the one before, as differences, and the strings of what it does not.
    Shared { prefixes: Delta, suffixes: Delta, at: usize, end: usize, last: Vec<u8> },
}

impl Values {
    /// Reads what stands before the values, which lie from `at` to `end`.
    pub(super) fn new(encoding: i32, leaf: &Leaf, bytes: &[u8], at: usize, end: usize) -> Result<Self, Flaw> {
        if leaf.shape == Shape::Strange {
            return Ok(Self::Ignored);
        }
        if at == end {
            return Ok(Self::Empty);
        }
        match (encoding, leaf.physical) {
            (0, Physical::Boolean) => Ok(Self::Bits { at, end, next: 0 }),
            (0, _) => Ok(Self::Plain { at, end }),
            (2 | 8, Physical::Boolean) => Err(Flaw::Damaged),
            (2 | 8, _) => {
                let width = *bytes.get(at).ok_or(Flaw::Damaged)?;
                Ok(Self::Keys(Hybrid::new(at + 1, end, u32::from(width))?))
            }
            (3, Physical::Boolean) => {
                let last = at + 4 + plain::length(bytes, at, end)?;
                if !zeros(bytes, last, end) {
                    return Err(Flaw::Damaged);
                }
                Ok(Self::Runs(Hybrid::new(at + 4, last, 1)?))
            }
            (5, Physical::Int32) => Ok(Self::Delta(Delta::new(bytes, at, end, 32)?)),
            (5, Physical::Int64) => Ok(Self::Delta(Delta::new(bytes, at, end, 64)?)),
            (6, Physical::Bytes) => {
                let at_lengths = at;
                let at = Delta::new(bytes, at_lengths, end, LENGTH)?.end(bytes)?;
                Ok(Self::Lengths { lengths: Delta::new(bytes, at_lengths, at, LENGTH)?, at, end })
            }
            (7, Physical::Bytes | Physical::Fixed(_)) => {
                let second = Delta::new(bytes, at, end, LENGTH)?.end(bytes)?;
                let strings = Delta::new(bytes, second, end, LENGTH)?.end(bytes)?;
                Ok(Self::Shared {
                    prefixes: Delta::new(bytes, at, second, LENGTH)?,
                    suffixes: Delta::new(bytes, second, strings, LENGTH)?,
                    at: strings,
                    end,
                    last: Vec::new(),
                })
            }
            (9, physical) => {
                let width = physical.width().filter(|width| *width > 0).ok_or(Flaw::Damaged)?;
                if !(end - at).is_multiple_of(width) {
                    return Err(Flaw::Damaged);
                }
                Ok(Self::Split { at, count: (end - at) / width, next: 0 })
            }
            (3 | 5 | 6 | 7, _) => Err(Flaw::Damaged),
            (4, _) => Err(Flaw::Unsupported("the encoding BIT_PACKED")),
            _ => Err(Flaw::Unsupported("an unknown encoding")),
        }
    }

    /// How many rows may be read at once.
    pub(super) fn at_once(&self) -> usize {
        match self {
            Self::Shared { .. } => SHARED,
            _ => usize::MAX,
        }
    }

    /// Whether all that the page holds has been read. Otherwise it has more values than its levels say. Some writers
    /// fill pages up with zeros.
    pub(super) fn is_done(&self, bytes: &[u8]) -> bool {
        match self {
            // Of a page that is not held, its own reader knows.
            Self::Empty | Self::Ignored | Self::Flowing => true,
            Self::Plain { at, end } => zeros(bytes, *at, *end),
            Self::Bits { at, end, next } => zeros(bytes, at + next.div_ceil(8), *end),
            Self::Runs(runs) | Self::Keys(runs) => runs.is_done(bytes),
            Self::Split { count, next, .. } => next == count,
            Self::Delta(delta) => delta.is_done(bytes),
            Self::Lengths { lengths, at, end } => lengths.is_done(bytes) && zeros(bytes, *at, *end),
            Self::Shared { prefixes, suffixes, at, end, .. } => {
                prefixes.is_done(bytes) && suffixes.is_done(bytes) && zeros(bytes, *at, *end)
            }
        }
    }

    /// Reads the next values into a store, whose memory may come from an older one. What strings take is held before.
    pub(super) fn read(
        &mut self,
        leaf: &Leaf,
        bytes: &[u8],
        count: usize,
        old: Store,
        hold: &mut dyn FnMut(usize) -> Result<(), Flaw>,
    ) -> Result<Store, Flaw> {
        match self {
            Self::Ignored => Ok(Store::Strange(count)),
            Self::Empty | Self::Flowing | Self::Keys(_) if count > 0 => Err(Flaw::Damaged),
            Self::Empty | Self::Flowing | Self::Keys(_) => plain::read(leaf, &[], &mut 0, 0, old, hold),
            Self::Plain { at, end } => {
                let page = bytes.get(..*end).ok_or(Flaw::Damaged)?;
                plain::read(leaf, page, at, count, old, hold)
            }
            Self::Bits { at, end, next } => {
                let packed = bytes.get(*at..*end).ok_or(Flaw::Damaged)?;
                if next.saturating_add(count) > packed.len().saturating_mul(8) {
                    return Err(Flaw::Damaged);
                }
                let mut bits = booleans(old);
                unpack_bits(packed, *next, count, &mut bits);
                *next += count;
                Ok(Store::Booleans(bits))
            }
            Self::Runs(runs) => {
                let mut bits = booleans(old);
                runs.read_bits(bytes, count, &mut bits)?;
                Ok(Store::Booleans(bits))
            }
            Self::Split { at, count: all, next } => {
                let width = leaf.physical.width().ok_or(Flaw::Damaged)?;
                if count > *all - *next {
                    return Err(Flaw::Damaged);
                }
                hold(count.saturating_mul(width).saturating_mul(2))?;
                let mut joined = vec![0; count * width];
                for byte in 0..width {
                    let from = *at + byte * *all + *next;
                    let stream = bytes.get(from..from + count).ok_or(Flaw::Damaged)?;
                    for (target, source) in joined.iter_mut().skip(byte).step_by(width).zip(stream) {
                        *target = *source;
                    }
                }
                *next += count;
                plain::read(leaf, &joined, &mut 0, count, old, &mut |_| Ok(()))
            }
            Self::Delta(delta) => {
                let mut numbers = match old {
                    Store::Integers(mut numbers) | Store::Instants { ticks: mut numbers, .. } => {
                        numbers.clear();
                        numbers
                    }
                    _ => Vec::new(),
                };
                delta.read(bytes, count, &mut numbers)?;
                plain::integers(leaf, numbers)
            }
            Self::Lengths { lengths, at, end } => {
                let mut total = 0usize;
                let mut ends = next_lengths(lengths, bytes, count)?;
                for end in &mut ends {
                    total = total.checked_add(*end).ok_or(Flaw::Damaged)?;
                    *end = total;
                }
                let all = slice(bytes, at, *end, total)?;
                hold(total)?;
                plain::strings(leaf, Strings { bytes: all.to_vec(), ends })
            }
            Self::Shared { prefixes, suffixes, at, end, last } => {
                let mut strings = Strings::default();
                let prefixes = next_lengths(prefixes, bytes, count)?;
                for (prefix, suffix) in prefixes.into_iter().zip(next_lengths(suffixes, bytes, count)?) {
                    if prefix > last.len() {
                        return Err(Flaw::Damaged);
                    }
                    last.truncate(prefix);
                    last.extend_from_slice(slice(bytes, at, *end, suffix)?);
                    // The memory doubles as it grows.
                    hold((strings.bytes.len() + last.len()).saturating_mul(2))?;
                    strings.push(last);
                }
                plain::strings(leaf, strings)
            }
        }
    }
}

fn booleans(old: Store) -> Vec<bool> {
    match old {
        Store::Booleans(mut bits) => {
            bits.clear();
            bits
        }
        _ => Vec::new(),
    }
}

/// The next lengths; a piece has few of them.
fn next_lengths(lengths: &mut Delta, bytes: &[u8], count: usize) -> Result<Vec<usize>, Flaw> {
    let mut numbers = Vec::with_capacity(count);
    lengths.read(bytes, count, &mut numbers)?;
    numbers.into_iter().map(|length| usize::try_from(length).map_err(|_| Flaw::Damaged)).collect()
}

/// The next bytes, within a page.
fn slice<'a>(bytes: &'a [u8], at: &mut usize, end: usize, length: usize) -> Result<&'a [u8], Flaw> {
    let to = at.checked_add(length).filter(|to| *to <= end).ok_or(Flaw::Damaged)?;
    let slice = bytes.get(*at..to).ok_or(Flaw::Damaged)?;
    *at = to;
    Ok(slice)
}
