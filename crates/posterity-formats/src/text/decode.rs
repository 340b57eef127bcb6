//! Text of other encodings, turned into UTF-8 while it is read.

use std::io::{self, Read};

use super::Broken;
use crate::encoding::Encoding;

/// How many bytes are decoded at once.
const PIECE: usize = 1 << 16;

/// Reads text of some encoding as UTF-8. Each character is decoded by itself, so what one record holds does not change
/// how another is read.
///
/// A surrogate of UTF-16 without its other half becomes the three bytes that it would have in UTF-8, which are not
/// valid there. So it is refused, or has no name, where text that is not UTF-8 is.
pub(super) struct Decoded<R> {
    reader: R,
    code: Code,
    /// Bytes that are not decoded yet: at most a pair of surrogates.
    left: Vec<u8>,
    /// Decoded text, of which this many bytes are taken already.
    text: Vec<u8>,
    taken: usize,
    done: bool,
}

#[derive(Clone, Copy)]
enum Code {
    Windows1252,
    /// UTF-16, and how two bytes make a unit.
    Utf16(fn([u8; 2]) -> u16),
}

/// The byte order marks of UTF-16.
const LOW_FIRST: [u8; 2] = [0xff, 0xfe];
const HIGH_FIRST: [u8; 2] = [0xfe, 0xff];

impl<R: Read> Decoded<R> {
    /// Begins to read. The mark of UTF-16 says which byte of a unit comes first, and is left out.
    pub(super) fn new(mut reader: R, encoding: Encoding) -> io::Result<Self> {
        let mut left = Vec::new();
        let low: fn([u8; 2]) -> u16 = u16::from_le_bytes;
        let high: fn([u8; 2]) -> u16 = u16::from_be_bytes;
        let code = if encoding == Encoding::Windows1252 {
            Code::Windows1252
        } else {
            (&mut reader).take(2).read_to_end(&mut left)?;
            let mark: Option<[u8; 2]> = left.as_slice().try_into().ok();
            let known = mark.filter(|mark| [LOW_FIRST, HIGH_FIRST].contains(mark));
            if known.is_some() {
                left.clear();
            }
            Code::Utf16(match (encoding, known) {
                (Encoding::Utf16, Some(LOW_FIRST)) | (Encoding::Utf16Le, Some(LOW_FIRST) | None) => low,
                (Encoding::Utf16, Some(HIGH_FIRST)) | (Encoding::Utf16Be, Some(HIGH_FIRST) | None) => high,
                // An empty file needs no mark.
                _ if left.is_empty() && known.is_none() => low,
                _ => return Err(Broken::Order.into()),
            })
        };
        Ok(Self { reader, code, left, text: Vec::new(), taken: 0, done: false })
    }

    /// Decodes some more bytes.
    fn fill(&mut self) -> io::Result<()> {
        self.text.clear();
        self.taken = 0;
        let before = self.left.len();
        (&mut self.reader).take(PIECE as u64).read_to_end(&mut self.left)?;
        self.done = self.left.len() == before;
        let rest = match self.code {
            Code::Windows1252 => {
                self.left.iter().for_each(|&byte| push(windows_1252(byte), &mut self.text));
                self.left.len()
            }
            Code::Utf16(unit) => utf16(&self.left, unit, self.done, &mut self.text),
        };
        self.left.drain(..rest);
        if self.done && !self.left.is_empty() { Err(Broken::Half.into()) } else { Ok(()) }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.text.len() && !self.done {
            self.fill()?;
        }
        let text = &self.text[self.taken..];
        let many = text.len().min(to.len());
        to[..many].copy_from_slice(&text[..many]);
        self.taken += many;
        Ok(many)
    }
}

/// Decodes units of UTF-16, and says how many bytes that took. A first half at the end waits for more, unless there is
/// no more.
fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16, last: bool, text: &mut Vec<u8>) -> usize {
    let units = bytes.as_chunks::<2>().0;
    let mut at = 0;
    while let Some(first) = units.get(at).map(|bytes| unit(*bytes)) {
        let second = units.get(at + 1).map(|bytes| unit(*bytes));
        let pair = (0xd800..0xdc00).contains(&first);
        match second {
            None if pair && !last => break,
            Some(second) if pair && (0xdc00..0xe000).contains(&second) => {
                push(0x1_0000 + ((u32::from(first) & 0x3ff) << 10 | u32::from(second) & 0x3ff), text);
                at += 2;
            }
            _ => {
                push(first.into(), text);
                at += 1;
            }
        }
    }
    2 * at
}

/// Writes a number as UTF-8 would, also that of a surrogate.
fn push(code: u32, text: &mut Vec<u8>) {
    let low = |shift: u32| 0x80 | (code >> shift & 0x3f) as u8;
    match code {
        0..0x80 => text.push(code as u8),
        0x80..0x800 => text.extend([0xc0 | (code >> 6) as u8, low(0)]),
        0x800..0x1_0000 => text.extend([0xe0 | (code >> 12) as u8, low(6), low(0)]),
        _ => text.extend([0xf0 | (code >> 18) as u8, low(12), low(6), low(0)]),
    }
}

/// The characters of 0x80 to 0x9f (WHATWG Encoding Standard, index windows-1252). All others are their own numbers.
const HIGH: [u16; 32] = [
    0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122,
    0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178,
];

fn windows_1252(byte: u8) -> u32 {
    match byte.checked_sub(0x80).and_then(|high| HIGH.get(usize::from(high))) {
        Some(&character) => character.into(),
        None => byte.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8], encoding: Encoding) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        Decoded::new(bytes, encoding).ok()?.read_to_end(&mut text).ok()?;
        Some(text)
    }

    fn units(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn text_is_what_it_was() {
        let text = "ward;größe\nA;\u{1f600} 5 €\n".repeat(10_000);
        let (low, high) = (units(&text, u16::to_le_bytes), units(&text, u16::to_be_bytes));
        let expected = Some(text.into_bytes());
        let marked = |mark: [u8; 2], bytes: &[u8]| [&mark, bytes].concat();
        assert_eq!(decoded(&low, Encoding::Utf16Le), expected);
        assert_eq!(decoded(&high, Encoding::Utf16Be), expected);
        for encoding in [Encoding::Utf16, Encoding::Utf16Le] {
            assert_eq!(decoded(&marked(LOW_FIRST, &low), encoding), expected);
        }
        for encoding in [Encoding::Utf16, Encoding::Utf16Be] {
            assert_eq!(decoded(&marked(HIGH_FIRST, &high), encoding), expected);
        }
        assert_eq!(decoded(b"caf\xe9 \x80 \x81\xff", Encoding::Windows1252), Some("café € \u{81}ÿ".into()));
        assert_eq!(decoded(b"", Encoding::Utf16), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_text_of_the_encoding() {
        let low = units("a", u16::to_le_bytes);
        assert_eq!(decoded(&low, Encoding::Utf16), None, "no mark says which byte comes first");
        assert_eq!(decoded(&[&HIGH_FIRST[..], &low].concat(), Encoding::Utf16Le), None, "the other order");
        assert_eq!(decoded(b"a\0b", Encoding::Utf16Le), None, "half a unit");
        for units in [[0xd83d_u16, 0x61], [0xde00, 0x61], [0x61, 0xd83d]] {
            let bytes: Vec<u8> = units.into_iter().flat_map(u16::to_le_bytes).collect();
            let text = decoded(&bytes, Encoding::Utf16Le).expect("bytes");
            assert!(std::str::from_utf8(&text).is_err() && text.contains(&b'a'), "{units:?}");
        }
    }

    #[test]
    fn all_bytes_of_windows_are_those_of_python() {
        // bytes(range(128, 160)).decode("cp1252", "replace"), whose five gaps are control characters here.
        let python = "€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ";
        for (byte, character) in (0x80..).zip(python.chars()) {
            let gap = character == '\u{fffd}';
            let expected = if gap { u32::from(byte) } else { u32::from(character) };
            assert_eq!(windows_1252(byte), expected, "{byte:x}");
        }
        assert!((0..0x80).chain(0xa0..=0xff).all(|byte| windows_1252(byte) == u32::from(byte)));
    }
}
