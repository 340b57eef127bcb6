//! Text in blocks that end with a line.

use std::fs::File;
use std::io::{self, Read};

use flate2::read::MultiGzDecoder;

use super::{MARK, MAX_RECORD, TextFlaw};

/// How many bytes a block has at least, unless the file ends.
const BLOCK: usize = 1 << 20;

/// Reads a file block by block. A block ends with a line break, or with the file.
pub(crate) struct Blocks {
    reader: Box<dyn Read + Send>,
    gzip: bool,
    /// The start of a line whose end has not been read.
    carry: Vec<u8>,
    fresh: bool,
    done: bool,
}

impl Blocks {
    /// Blocks of an open file, uncompressed on the way if it is gzip.
    pub(crate) fn new(file: File, gzip: bool) -> Self {
        let reader: Box<dyn Read + Send> =
            if gzip { Box::new(MultiGzDecoder::new(io::BufReader::new(file))) } else { Box::new(file) };
        Self { reader, gzip, carry: Vec::new(), fresh: true, done: false }
    }

    /// The next block; nothing after the end. Lines longer than a record may be are refused before they are held.
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
                .map_err(|error| self.flaw(&error))?;
            if self.fresh {
                self.fresh = false;
                if block.starts_with(MARK) {
                    block.drain(..MARK.len());
                }
            } else if block.len() == before {
                self.done = true;
                return Ok(if block.is_empty() { None } else { Some(block) });
            }
            if block.is_empty() && before == 0 {
                self.done = true;
                return Ok(None);
            }
            if let Some(last) = memchr::memrchr(b'\n', &block[searched..]) {
                self.carry = block.split_off(searched + last + 1);
                return Ok(Some(block));
            }
            searched = block.len();
            if block.len() > MAX_RECORD {
                return Err(TextFlaw::TooLong);
            }
        }
    }

    /// What a failure to read means. The system's own errors have a number; those of the decompressor do not.
    fn flaw(&self, error: &io::Error) -> TextFlaw {
        if self.gzip && error.raw_os_error().is_none() {
            TextFlaw::Gzip
        } else {
            TextFlaw::Unreadable(error.kind())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};

    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(bytes).expect("written");
        file.rewind().expect("rewound");
        file
    }

    #[test]
    fn blocks_end_with_lines_and_hold_all_bytes() {
        let line = "some text of a line, and more of it\n".repeat(100_000);
        for text in [line.as_str(), &line[..line.len() - 5], "x", "\n", "x\ny"] {
            let mut blocks = Blocks::new(file(text.as_bytes()), false);
            let mut all = Vec::new();
            while let Some(block) = blocks.next().expect("read") {
                let last = all.len() + block.len() == text.len();
                assert!(last || block.ends_with(b"\n"));
                all.extend(block);
            }
            assert_eq!(all, text.as_bytes());
        }
        assert_eq!(Blocks::new(file(b""), false).next(), Ok(None));
        let marked = Blocks::new(file("\u{feff}a\n".as_bytes()), false).next();
        assert_eq!(marked, Ok(Some(b"a\n".to_vec())));
    }

    #[test]
    fn endless_lines_are_refused() {
        let long = vec![b'x'; MAX_RECORD + BLOCK + 1];
        assert_eq!(Blocks::new(file(&long), false).next(), Err(TextFlaw::TooLong));
    }
}
