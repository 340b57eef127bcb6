//! Text in blocks that end with a line.

use std::io::{self, BufRead, Read};

use flate2::read::MultiGzDecoder;

use super::array_lines::ArrayLines;
use super::decode::Decoded;
use super::{Broken, MARK, MAX_RECORD, Signature, TextFlaw, signature};
use crate::encoding::Encoding;

/// How many bytes a block has at least, unless the file ends.
const BLOCK: usize = 1 << 20;

/// Anything that bytes come from.
pub(crate) type Bytes = Box<dyn Read + Send>;

/// How the bytes of a file become lines of UTF-8.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Written {
    pub(crate) gzip: bool,
    pub(crate) encoding: Encoding,
    /// Whether an array of JSON is given as lines.
    pub(crate) json: bool,
    /// Whether a line of JSON that is too long is cut, rather than refused, into one that is no record.
    pub(crate) cut: bool,
}

/// Reads a file block by block. A block ends with a line break, or with the file.
pub(crate) struct Blocks {
    reader: Bytes,
    gzip: bool,
    /// The start of a line whose end has not been read.
    carry: Vec<u8>,
    done: bool,
    /// Whether the lines are the elements of an array of JSON.
    is_array: bool,
    cut: bool,
}

/// What stands in place of a line that was cut. It is no text, so whatever follows on the line, that is none either.
const CUT: u8 = 0xff;

impl Blocks {
    /// Blocks of an open file, uncompressed and decoded on the way.
    pub(crate) fn new(file: Bytes, written: Written) -> Result<Self, TextFlaw> {
        let Written { gzip, encoding, json, cut } = written;
        let flaw = |error: io::Error| flaw(&error, gzip);
        let reader: Bytes = if gzip { Box::new(MultiGzDecoder::new(io::BufReader::new(file))) } else { file };
        let (start, reader) = peeked(reader, signature::BYTES).map_err(flaw)?;
        match Signature::of(&start, encoding) {
            // A record may begin so that is none. The first bytes of other formats are those of a header.
            Some(Signature::Utf16 | Signature::Utf16Unmarked) if json && cut => {}
            Some(other) => return Err(TextFlaw::Other(other)),
            None => {}
        }
        let reader = match encoding {
            Encoding::Utf8 => reader,
            _ => Box::new(Decoded::new(reader, encoding).map_err(flaw)?),
        };
        let reader = without_mark(reader).map_err(flaw)?;
        let (reader, is_array) =
            if json { lines_of_json(reader, cut).map_err(flaw)? } else { (reader, false) };
        let cut = cut && json && !is_array;
        Ok(Self { reader, gzip, carry: Vec::new(), done: false, is_array, cut })
    }

    /// Whether the lines are the elements of an array of JSON.
    pub(crate) fn is_array(&self) -> bool {
        self.is_array
    }

    /// The next block; nothing after the end. Lines longer than a record may be are refused, or cut, before they are
    /// held.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, TextFlaw> {
        if self.done {
            return Ok(None);
        }
        let mut block = std::mem::take(&mut self.carry);
        let mut searched = 0;
        loop {
            let before = block.len();
            block.reserve(BLOCK);
            (&mut self.reader)
                .take(BLOCK as u64)
                .read_to_end(&mut block)
                .map_err(|error| flaw(&error, self.gzip))?;
            if block.len() == before {
                self.done = true;
                return Ok(if block.is_empty() { None } else { Some(block) });
            }
            if let Some(last) = memchr::memrchr(b'\n', &block[searched..]) {
                self.carry = block.split_off(searched + last + 1);
                return Ok(Some(block));
            }
            if block.len() > MAX_RECORD {
                if !self.cut {
                    return Err(TextFlaw::TooLong);
                }
                // All of it is one line.
                block.clear();
                block.push(CUT);
            }
            searched = block.len();
        }
    }
}

/// What a failure to read means. The system's own errors have a number; those of the decompressor do not.
fn flaw(error: &io::Error, gzip: bool) -> TextFlaw {
    match error.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(Broken::Order) => TextFlaw::ByteOrder,
        Some(Broken::Half) => TextFlaw::NotEncoded,
        Some(Broken::Array) => TextFlaw::Malformed,
        None if gzip && error.raw_os_error().is_none() => TextFlaw::Gzip,
        None => TextFlaw::Unreadable(error.kind()),
    }
}

/// The first bytes, and all bytes.
fn peeked(mut reader: Bytes, bytes: u64) -> io::Result<(Vec<u8>, Bytes)> {
    let mut start = Vec::new();
    (&mut reader).take(bytes).read_to_end(&mut start)?;
    let all = Box::new(io::Cursor::new(start.clone()).chain(reader));
    Ok((start, all))
}

fn without_mark(reader: Bytes) -> io::Result<Bytes> {
    let (start, mut reader) = peeked(reader, MARK.len() as u64)?;
    if start == MARK {
        reader.read_exact(&mut [0; MARK.len()])?;
    }
    Ok(reader)
}

/// How far the first element of an array is looked for.
const AHEAD: u64 = 4 << 10;

/// Lines of JSON as they are, or those of an array, and whether they are. The first character that is not blank tells
/// them apart: a record begins with another bracket. Where a line may be no record, it may begin with that bracket too;
/// then the next character tells whether an array of objects begins.
fn lines_of_json(reader: Bytes, any_line: bool) -> io::Result<(Bytes, bool)> {
    let mut reader = io::BufReader::with_capacity(1 << 16, reader);
    loop {
        let held = reader.fill_buf()?;
        let blank = held.iter().position(|byte| !byte.is_ascii_whitespace());
        match blank.map(|at| held[at]) {
            Some(b'[') if any_line => {
                reader.consume(blank.unwrap_or_default());
                let (start, reader) = peeked(Box::new(reader), AHEAD)?;
                let mut inside = start.iter().skip(1).filter(|byte| !byte.is_ascii_whitespace());
                let is_array = matches!(inside.next(), Some(b'{' | b']') | None);
                return Ok(if is_array {
                    (Box::new(ArrayLines::new(reader)), true)
                } else {
                    (reader, false)
                });
            }
            Some(b'[') => return Ok((Box::new(ArrayLines::new(reader)), true)),
            Some(_) => return Ok((Box::new(reader), false)),
            None if held.is_empty() => return Ok((Box::new(reader), false)),
            None => {
                let many = held.len();
                reader.consume(many);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(bytes: &[u8]) -> Blocks {
        Blocks::new(Box::new(io::Cursor::new(bytes.to_vec())), Written::default()).expect("text")
    }

    #[test]
    fn blocks_end_with_lines_and_hold_all_bytes() {
        let line = "some text of a line, and more of it\n".repeat(100_000);
        for text in [line.as_str(), &line[..line.len() - 5], "x", "\n", "x\ny"] {
            let mut blocks = blocks(text.as_bytes());
            let mut all = Vec::new();
            while let Some(block) = blocks.next().expect("read") {
                let last = all.len() + block.len() == text.len();
                assert!(last || block.ends_with(b"\n"));
                all.extend(block);
            }
            assert_eq!(all, text.as_bytes());
        }
        assert_eq!(blocks(b"").next(), Ok(None));
        let marked = blocks("\u{feff}a\n".as_bytes()).next();
        assert_eq!(marked, Ok(Some(b"a\n".to_vec())));
    }

    #[test]
    fn endless_lines_are_refused() {
        let long = vec![b'x'; MAX_RECORD + BLOCK + 1];
        assert_eq!(blocks(&long).next(), Err(TextFlaw::TooLong));
    }

    /// If this fails, the first record has a file refused where no record may.
    #[test]
    fn a_line_of_json_may_begin_as_other_encodings_do() {
        for text in [&b"\xff\xfe\n{}"[..], b"\xfe\xff", b"\0\n\0\n", b"{\0}\0", b"[1]\n{}", b"[\n1\n]"] {
            for (cut, expected) in [(true, true), (false, text.starts_with(b"["))] {
                let written = Written { json: true, cut, ..Written::default() };
                let blocks = Blocks::new(Box::new(io::Cursor::new(text.to_vec())), written);
                assert_eq!(blocks.is_ok(), expected, "{text:?}");
                if let Ok(blocks) = blocks {
                    assert_eq!(blocks.is_array(), !cut, "{text:?}");
                }
            }
        }
        for text in ["[]", " [ {\"a\":1}]", "\n[\n\n{", "["] {
            let written = Written { json: true, cut: true, ..Written::default() };
            let blocks = Blocks::new(Box::new(io::Cursor::new(text.as_bytes().to_vec())), written);
            assert!(blocks.is_ok_and(|blocks| blocks.is_array()), "{text:?}");
        }
    }

    /// If this fails, one long line has a file refused where no record may, or takes others with it.
    #[test]
    fn endless_lines_of_json_are_cut() {
        for many in [MAX_RECORD + 1, MAX_RECORD + BLOCK + 1, 3 * MAX_RECORD] {
            for end in ["", "\n", "\n{\"a\":2}"] {
                let text = format!("{{\"a\":1}}\n{{\"a\":\"{}\"}}{end}", "x".repeat(many));
                let written = Written { json: true, cut: true, ..Written::default() };
                let file = Box::new(io::Cursor::new(text.into_bytes()));
                let mut blocks = Blocks::new(file, written).expect("text");
                let mut all = Vec::new();
                while let Some(block) = blocks.next().expect("read") {
                    assert!(block.len() <= MAX_RECORD + 2 * BLOCK, "{}", block.len());
                    all.extend(block);
                }
                let lines: Vec<&[u8]> = all.split(|&byte| byte == b'\n').collect();
                assert_eq!(lines[0], b"{\"a\":1}");
                assert!(std::str::from_utf8(lines[1]).is_err() || lines[1].len() > MAX_RECORD);
                assert_eq!(lines[2..].concat(), end.trim_start().as_bytes(), "{many}");
            }
        }
    }
}
