//! Runs of equal values and of packed ones: levels, keys and truth values.

use crate::flaw::Flaw;

/// Packed values come in groups of eight, and some writers pack this many at once: the last ones of a page may be
/// anything.
const FILLED: usize = 256;

/// Where a reader of runs stands. The bytes are given to it with every call.
#[derive(Debug)]
pub(super) struct Hybrid {
    /// The next byte.
    at: usize,
    /// The end of the bytes.
    end: usize,
    /// How many bits a value has, 32 at most.
    width: u32,
    run: Run,
}

#[derive(Clone, Copy, Debug)]
enum Run {
    /// One value, repeated.
    Repeated { value: u32, left: u64 },
    /// Values of `width` bits each, from a byte on; `next` is the first that has not been read, `count` all of them.
    Packed { start: usize, next: usize, count: usize },
}

impl Hybrid {
    /// Reads the bytes from `at` to `end`.
    pub(super) fn new(at: usize, end: usize, width: u32) -> Result<Self, Flaw> {
        if width > 32 || at > end {
            return Err(Flaw::Damaged);
        }
        Ok(Self { at, end, width, run: Run::Repeated { value: 0, left: 0 } })
    }

    /// The value that the next `count` values all have, if one run says so. They are then read.
    ///
    /// So the levels of a column without missing values are read in one step.
    pub(super) fn same(&mut self, bytes: &[u8], count: usize) -> Result<Option<u32>, Flaw> {
        while self.is_empty_run() && count > 0 {
            self.next_run(bytes)?;
        }
        match &mut self.run {
            Run::Repeated { value, left } if *left >= count as u64 => {
                *left -= count as u64;
                Ok(Some(*value))
            }
            _ => Ok(None),
        }
    }

    /// Fills a slice with the next values.
    pub(super) fn read(&mut self, bytes: &[u8], mut out: &mut [u32]) -> Result<(), Flaw> {
        while !out.is_empty() {
            while self.is_empty_run() {
                self.next_run(bytes)?;
            }
            let (now, later) = out.split_at_mut(self.available().min(out.len()));
            match &mut self.run {
                Run::Repeated { value, left } => {
                    now.fill(*value);
                    *left -= now.len() as u64;
                }
                Run::Packed { start, next, .. } => {
                    let packed = bytes.get(*start..self.end).ok_or(Flaw::Damaged)?;
                    unpack(packed, self.width, *next, now);
                    *next += now.len();
                }
            }
            out = later;
        }
        Ok(())
    }

    /// Adds the next values, of one bit each, and says how many are true.
    pub(super) fn read_bits(
        &mut self,
        bytes: &[u8],
        count: usize,
        out: &mut Vec<bool>,
    ) -> Result<usize, Flaw> {
        let (mut left, mut set) = (count, 0);
        while left > 0 {
            while self.is_empty_run() {
                self.next_run(bytes)?;
            }
            let now = self.available().min(left);
            match &mut self.run {
                Run::Repeated { value, left } => {
                    let value = *value & 1 == 1;
                    out.resize(out.len() + now, value);
                    set += if value { now } else { 0 };
                    *left -= now as u64;
                }
                Run::Packed { start, next, .. } => {
                    let packed = bytes.get(*start..self.end).ok_or(Flaw::Damaged)?;
                    let before = out.len();
                    unpack_bits(packed, *next, now, out);
                    set += out[before..].iter().map(|bit| usize::from(*bit)).sum::<usize>();
                    *next += now;
                }
            }
            left -= now;
        }
        Ok(set)
    }

    /// Whether all runs have been read, and only zeros follow, with which some writers fill pages up.
    pub(super) fn is_done(&self, bytes: &[u8]) -> bool {
        let rest = match self.run {
            Run::Repeated { left, .. } if self.width > 0 => left == 0,
            // Values without bits may be any number.
            Run::Repeated { .. } => true,
            Run::Packed { next, count, .. } => count - next < FILLED,
        };
        rest && zeros(bytes, self.at, self.end)
    }

    fn is_empty_run(&self) -> bool {
        self.available() == 0
    }

    fn available(&self) -> usize {
        match self.run {
            Run::Repeated { left, .. } => usize::try_from(left).unwrap_or(usize::MAX),
            Run::Packed { next, count, .. } => count - next,
        }
    }

    /// Reads the header of a run, which may be empty.
    fn next_run(&mut self, bytes: &[u8]) -> Result<(), Flaw> {
        let bytes = bytes.get(..self.end).ok_or(Flaw::Damaged)?;
        let header = varint(bytes, &mut self.at)?;
        if header & 1 == 0 {
            let width = self.width.div_ceil(8) as usize;
            let stored = bytes[self.at..].get(..width).ok_or(Flaw::Damaged)?;
            let value = stored.iter().rev().fold(0u32, |value, byte| value << 8 | u32::from(*byte));
            self.at += width;
            if self.width < 32 && value >> self.width != 0 {
                return Err(Flaw::Damaged);
            }
            self.run = Run::Repeated { value, left: header >> 1 };
            return Ok(());
        }
        let groups = header >> 1;
        if self.width == 0 {
            self.run = Run::Repeated { value: 0, left: groups.saturating_mul(8) };
            return Ok(());
        }
        let size = usize::try_from(groups).ok().and_then(|groups| groups.checked_mul(self.width as usize));
        let size = size.filter(|size| *size <= bytes.len() - self.at).ok_or(Flaw::Damaged)?;
        self.run = Run::Packed { start: self.at, next: 0, count: size / self.width as usize * 8 };
        self.at += size;
        Ok(())
    }
}

/// Whether nothing but zeros stands in a range of the bytes, or it has none.
pub(super) fn zeros(bytes: &[u8], at: usize, end: usize) -> bool {
    at >= end || bytes.get(at..end).is_some_and(|rest| rest.iter().all(|byte| *byte == 0))
}

/// A number of seven bits a byte. Moves `at`, which must lie within the bytes.
pub(super) fn varint(bytes: &[u8], at: &mut usize) -> Result<u64, Flaw> {
    varint_of(|| {
        let byte = *bytes.get(*at).ok_or(Flaw::Damaged)?;
        *at += 1;
        Ok(byte)
    })
}

/// Reads a number of variable length from bytes that come one by one.
pub(super) fn varint_of(mut next: impl FnMut() -> Result<u8, Flaw>) -> Result<u64, Flaw> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = next()?;
        let bits = u64::from(byte & 127);
        if shift == 63 && bits > 1 {
            return Err(Flaw::Damaged);
        }
        value |= bits << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    Err(Flaw::Damaged)
}

/// The value of `width` bits at a position: 64 bits at most. Bits beyond the end are zero.
pub(super) fn packed_at(packed: &[u8], width: u32, index: usize) -> u64 {
    if width == 0 {
        return 0;
    }
    let bit = index.saturating_mul(width as usize);
    let from = packed.get(bit / 8..).unwrap_or_default();
    let word = match from.first_chunk::<16>() {
        Some(chunk) => u128::from_le_bytes(*chunk),
        None => {
            let mut chunk = [0; 16];
            chunk[..from.len()].copy_from_slice(from);
            u128::from_le_bytes(chunk)
        }
    };
    // Of at most 7 + 64 bits the lower are dropped first and the upper then.
    ((word >> (bit % 8)) as u64) & (u64::MAX >> (64 - width))
}

/// Unpacks values of 1 to 32 bits from the one of this index on. All of them are there.
fn unpack(packed: &[u8], width: u32, first: usize, out: &mut [u32]) {
    // One by one up to a whole byte, by eights then, and one by one again.
    let head = (first.next_multiple_of(8) - first).min(out.len());
    let (head, body) = out.split_at_mut(head);
    for (offset, value) in head.iter_mut().enumerate() {
        *value = packed_at(packed, width, first + offset) as u32;
    }
    let start = (first + head.len()) / 8 * width as usize;
    let from = packed.get(start..).unwrap_or_default();
    match width {
        1 => eights::<1>(from, body),
        2 => eights::<2>(from, body),
        3 => eights::<3>(from, body),
        4 => eights::<4>(from, body),
        5 => eights::<5>(from, body),
        6 => eights::<6>(from, body),
        7 => eights::<7>(from, body),
        8 => eights::<8>(from, body),
        _ => wide(from, width, body),
    }
}

/// Unpacks values of `W` bits, 8 at most: each eight of them from one word.
fn eights<const W: usize>(packed: &[u8], out: &mut [u32]) {
    let mask = (1u32 << W) - 1;
    let (whole, rest) = out.as_chunks_mut::<8>();
    let done = whole.len();
    for (eight, bytes) in whole.iter_mut().zip(packed.as_chunks::<W>().0) {
        let mut word = [0; 8];
        word[..W].copy_from_slice(bytes);
        let word = u64::from_le_bytes(word);
        // Of two halves, so that no shift needs more than 32 bits.
        let (low, high) = (word as u32, (word >> (4 * W)) as u32);
        for index in 0..4 {
            eight[index] = (low >> (index * W)) & mask;
            eight[index + 4] = (high >> (index * W)) & mask;
        }
    }
    for (offset, value) in rest.iter_mut().enumerate() {
        *value = packed_at(packed, W as u32, done * 8 + offset) as u32;
    }
}

/// Unpacks values of 9 to 32 bits.
fn wide(packed: &[u8], width: u32, out: &mut [u32]) {
    macro_rules! by_width {
        ($($width:literal)*) => {
            match width {
                $($width => wide_eights::<$width>(packed, out),)*
                _ => {}
            }
        };
    }
    by_width!(9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
}

/// Unpacks values of `W` bits, 9 to 32: each from the word of 64 bits that holds it.
fn wide_eights<const W: usize>(packed: &[u8], out: &mut [u32]) {
    let mask = (u64::MAX >> (64 - W)) as u32;
    let (whole, rest) = out.as_chunks_mut::<8>();
    let done = whole.len();
    for (eight, bytes) in whole.iter_mut().zip(packed.as_chunks::<W>().0) {
        for (index, value) in eight.iter_mut().enumerate() {
            // The last word ends with the last byte, and holds the last value entirely.
            let bit = index * W;
            let byte = (bit / 8).min(W - 8);
            let word = bytes[byte..].first_chunk::<8>().copied().unwrap_or_default();
            *value = (u64::from_le_bytes(word) >> (bit - 8 * byte)) as u32 & mask;
        }
    }
    for (offset, value) in rest.iter_mut().enumerate() {
        *value = packed_at(packed, W as u32, done * 8 + offset) as u32;
    }
}

/// Adds bits, the lowest of each byte first.
pub(super) fn unpack_bits(packed: &[u8], first: usize, count: usize, out: &mut Vec<bool>) {
    let head = (first.next_multiple_of(8) - first).min(count);
    out.extend((first..first + head).map(|index| packed_at(packed, 1, index) == 1));
    let (start, count) = ((first + head) / 8, count - head);
    let whole = packed.get(start..).unwrap_or_default();
    let whole = &whole[..whole.len().min(count / 8)];
    let before = out.len();
    out.resize(before + whole.len() * 8, false);
    for (eight, byte) in out[before..].as_chunks_mut::<8>().0.iter_mut().zip(whole) {
        *eight = std::array::from_fn(|index| byte >> index & 1 == 1);
    }
    out.extend((whole.len() * 8..count).map(|index| packed_at(packed, 1, start * 8 + index) == 1));
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pack(values: &[u32], width: u32) -> Vec<u8> {
        let mut bytes = vec![0u8; (values.len() * width as usize).div_ceil(8)];
        for (index, value) in values.iter().enumerate() {
            for bit in 0..width as usize {
                let at = index * width as usize + bit;
                bytes[at / 8] |= u8::try_from(value >> bit & 1).unwrap() << (at % 8);
            }
        }
        bytes
    }

    proptest! {
        #[test]
        fn packed_values_come_back_from_any_place(
            width in 1u32..=32,
            raw in prop::collection::vec(any::<u32>(), 1..200),
            cuts in prop::collection::vec(1usize..40, 0..10),
        ) {
            let values: Vec<u32> = raw.iter().map(|v| v & (u64::MAX >> (64 - width)) as u32).collect();
            let mut padded = values.clone();
            padded.resize(values.len().next_multiple_of(8), 0);
            let mut bytes = vec![];
            let mut header = (padded.len() / 8) << 1 | 1;
            while header > 127 { bytes.push((header & 127) as u8 | 128); header >>= 7; }
            bytes.push(header as u8);
            bytes.extend(pack(&padded, width));
            // Then a run of the first value.
            bytes.push(200u8 & 127 | 128);
            bytes.push(1);
            bytes.extend(&values[0].to_le_bytes()[..width.div_ceil(8) as usize]);
            let mut expected = padded.clone();
            expected.extend(std::iter::repeat_n(values[0], 100));

            let mut hybrid = Hybrid::new(0, bytes.len(), width).unwrap();
            let mut got = vec![0; expected.len()];
            let mut at = 0;
            for cut in cuts {
                let to = (at + cut).min(got.len());
                hybrid.read(&bytes, &mut got[at..to]).unwrap();
                at = to;
            }
            hybrid.read(&bytes, &mut got[at..]).unwrap();
            prop_assert_eq!(&got, &expected);
            prop_assert!(hybrid.read(&bytes, &mut [0]).is_err());

            if width == 1 {
                let mut hybrid = Hybrid::new(0, bytes.len(), 1).unwrap();
                let mut bits = vec![];
                let third = expected.len() / 3;
                let mut set = hybrid.read_bits(&bytes, third, &mut bits).unwrap();
                set += hybrid.read_bits(&bytes, expected.len() - third, &mut bits).unwrap();
                prop_assert_eq!(set as u32, expected.iter().sum::<u32>());
                let bits: Vec<u32> = bits.into_iter().map(u32::from).collect();
                prop_assert_eq!(bits, expected);
            }
        }

        #[test]
        fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..60), width in 0u32..=32) {
            let mut hybrid = Hybrid::new(0, bytes.len(), width).unwrap();
            // A run may state any number of values.
            let mut out = [0; 77];
            let _ = (0..100).try_for_each(|_| hybrid.read(&bytes, &mut out));
            let mut hybrid = Hybrid::new(0, bytes.len(), 1).unwrap();
            let mut bits = vec![];
            let _ = (0..100).try_for_each(|_| hybrid.read_bits(&bytes, 33, &mut bits).map(drop));
        }
    }

    #[test]
    fn one_long_run_is_seen_at_once() {
        // 2^31 - 1 times a one.
        let bytes = [0xfe, 0xff, 0xff, 0xff, 0x0f, 0x01];
        let mut hybrid = Hybrid::new(0, 6, 1).unwrap();
        assert_eq!(hybrid.same(&bytes, 1 << 30).unwrap(), Some(1));
        assert_eq!(hybrid.same(&bytes, 1 << 30).unwrap(), None);
        assert_eq!(hybrid.same(&bytes, (1 << 30) - 1).unwrap(), Some(1));
        assert!(hybrid.same(&bytes, 1).is_err());
    }
}
