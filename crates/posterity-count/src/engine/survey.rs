//! A look at CSV files before the engine reads them: where records end, and how long they are.
//!
//! The engine holds whole batches of records in memory, so one endless line, or a quote that is never closed, would
//! make it hold the file. It also cuts files at line breaks to read the pieces in parallel, which is wrong if a quoted
//! field holds one. Both are decided here, in one pass that mostly looks for bytes and is far faster than parsing.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use posterity_formats::{MAX_RECORD, ReadError, shown, unreadable};

use super::quotes::{QuoteState, Quotes};
use crate::error::DataError;

/// What a pass over CSV files has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// An upper bound on the length of the longest record, in bytes.
    pub(crate) longest: usize,
    /// Whether a quoted field holds a line break.
    pub(crate) quoted_breaks: bool,
}

impl Survey {
    /// Looks at all files, whose records have this many fields.
    ///
    /// Ends early once `cancelled` is set; its error is then dropped.
    pub(crate) fn of(
        paths: &[PathBuf],
        delimiter: u8,
        columns: usize,
        cancelled: &AtomicBool,
    ) -> Result<Self, DataError> {
        let mut survey = Self::default();
        for path in paths {
            let mut scan = Scan::new(delimiter, columns == 1);
            let mut file = File::open(path).map_err(|error| unreadable(path, &error))?;
            let mut buffer = vec![0; 1 << 18];
            loop {
                let len = match file.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(len) => len,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(unreadable(path, &error).into()),
                };
                scan.feed(&buffer[..len]).map_err(|flaw| flaw.of(path))?;
                if cancelled.load(Ordering::Relaxed) {
                    return Err(DataError::Stopped);
                }
            }
            scan.finish().map_err(|flaw| flaw.of(path))?;
            survey.longest = survey.longest.max(scan.longest);
            survey.quoted_breaks |= scan.quoted_breaks;
        }
        Ok(survey)
    }
}

/// What is wrong with a CSV file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    TooLong,
    BlankLine,
    OpenQuote,
}

impl Flaw {
    fn of(self, path: &Path) -> ReadError {
        let path = shown(path);
        match self {
            Self::TooLong => ReadError::TooLong { path },
            Self::BlankLine => ReadError::BlankLine { path },
            Self::OpenQuote => ReadError::OpenQuote { path },
        }
    }
}

const QUOTE: u8 = b'"';

/// The byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Looks at pieces of this many bytes at once; lines within one are not measured further.
const PIECE: usize = 4096;

/// The state of a pass: where in a record it stands.
#[derive(Debug)]
struct Scan {
    one_column: bool,
    quotes: Quotes,
    /// Where in a field it stands.
    state: QuoteState,
    /// The byte before.
    previous: u8,
    /// Bytes since the last record ended.
    run: usize,
    longest: usize,
    quoted_breaks: bool,
    /// Nothing has been read.
    fresh: bool,
}

impl Scan {
    fn new(delimiter: u8, one_column: bool) -> Self {
        Self {
            one_column,
            quotes: Quotes::new(delimiter),
            state: QuoteState::START,
            previous: b'\n',
            run: 0,
            longest: 0,
            quoted_breaks: false,
            fresh: true,
        }
    }

    fn feed(&mut self, bytes: &[u8]) -> Result<(), Flaw> {
        let mut bytes = bytes;
        if self.fresh {
            // A quote after a byte order mark starts a field.
            bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
            self.fresh = false;
        }
        for piece in bytes.chunks(PIECE) {
            let outside = self.state == QuoteState::START || self.state == QuoteState::PLAIN;
            if outside && memchr::memchr(QUOTE, piece).is_none() {
                self.plain(piece)?;
            } else {
                self.fields(piece)?;
            }
            if let Some(&last) = piece.last() {
                self.previous = last;
            }
            if self.run > MAX_RECORD {
                return Err(Flaw::TooLong);
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Flaw> {
        self.longest = self.longest.max(self.run);
        if self.longest > MAX_RECORD {
            return Err(Flaw::TooLong);
        }
        if self.state == QuoteState::QUOTED {
            return Err(Flaw::OpenQuote);
        }
        Ok(())
    }

    /// Text without quotes.
    fn plain(&mut self, text: &[u8]) -> Result<(), Flaw> {
        // The last byte says it all.
        let last = &text[text.len().saturating_sub(1)..];
        self.state = self.quotes.advance(self.state, last);
        let (Some(first), Some(last)) = (memchr::memchr(b'\n', text), memchr::memrchr(b'\n', text)) else {
            self.run += text.len();
            return Ok(());
        };
        if self.one_column {
            self.refuse_blank_lines(text)?;
        }
        self.longest = self.longest.max(self.run + first).max(last - first);
        self.run = text.len() - last - 1;
        Ok(())
    }

    fn refuse_blank_lines(&self, text: &[u8]) -> Result<(), Flaw> {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text) {
            let line = text.get(start..end).unwrap_or_default();
            self.refuse_blank(if start == 0 { self.run } else { 0 }, line)?;
            start = end + 1;
        }
        Ok(())
    }

    /// Refuses a line of which this many bytes were in an earlier piece, if there is nothing in it.
    fn refuse_blank(&self, before: usize, line: &[u8]) -> Result<(), Flaw> {
        let blank = match (before, line) {
            (0, [] | [b'\r']) => true,
            (1, []) => self.previous == b'\r',
            _ => false,
        };
        if blank { Err(Flaw::BlankLine) } else { Ok(()) }
    }

    /// Text in which fields may be quoted.
    fn fields(&mut self, text: &[u8]) -> Result<(), Flaw> {
        let (mut start, mut done) = (0, 0);
        for at in memchr::memchr2_iter(b'\n', b'\r', text) {
            self.state = self.quotes.advance(self.state, &text[done..at]);
            done = at;
            if self.state == QuoteState::QUOTED {
                self.quoted_breaks = true;
            } else if text[at] == b'\n' {
                if self.one_column {
                    self.refuse_blank(self.run, &text[start..at])?;
                }
                self.longest = self.longest.max(self.run + at - start);
                self.run = 0;
                start = at + 1;
            }
        }
        self.state = self.quotes.advance(self.state, &text[done..]);
        self.run += text.len() - start;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scanned(one_column: bool, chunks: &[&[u8]]) -> Result<Scan, Flaw> {
        let mut scan = Scan::new(b',', one_column);
        for chunk in chunks {
            scan.feed(chunk)?;
        }
        scan.finish()?;
        Ok(scan)
    }

    #[test]
    fn quotes_open_at_the_start_of_a_field_only() {
        let table: [(&str, bool); 9] = [
            ("a,b\nx,y\n", false),
            ("a,b\n\"x\ny\",y\n", true),
            ("a,b\n5\" pipe,y\nz,\"\"\n", false),
            ("a,b\n\"x\"\"\ny\",y\n", true),
            ("a,b\n\"x\",y\n\"\",z\n", false),
            ("a,b\n\"x\"\"\",y\n", false),
            ("a,b\r\n\"x\",y\r\n\"z\",y\r\n", false),
            ("\u{feff}\"a\nb\",c\n", true),
            ("a\n\"x\"y\"\nz\n", false),
        ];
        for (text, expected) in table {
            let whole = scanned(false, &[text.as_bytes()]).expect("short");
            assert_eq!(whole.quoted_breaks, expected, "{text:?}");
        }
    }

    #[test]
    fn long_records_are_refused() {
        let long = vec![b'x'; MAX_RECORD + 1];
        let head = b"a,b\nx,y\n".as_slice();
        assert_eq!(scanned(false, &[&long]).err(), Some(Flaw::TooLong));
        assert_eq!(scanned(false, &[head, &long, b"\nx,y\n"]).err(), Some(Flaw::TooLong));
        assert_eq!(
            scanned(false, &[head, b"\"", b"x,y\n".repeat(MAX_RECORD / 4).as_slice()]).err(),
            Some(Flaw::TooLong)
        );
        let fits = vec![b'x'; MAX_RECORD];
        assert_eq!(scanned(false, &[head, &fits, b"\nx,y\n"]).map(|scan| scan.longest), Ok(MAX_RECORD));
    }

    #[test]
    fn blank_lines_are_refused_in_one_column() {
        for text in ["a\nx\n\ny\n", "a\r\nx\r\n\r\ny", "a\n\n", "\na\nx"] {
            assert_eq!(scanned(true, &[text.as_bytes()]).err(), Some(Flaw::BlankLine), "{text:?}");
            assert!(scanned(false, &[text.as_bytes()]).is_ok());
        }
        for text in ["a\nx\n\"\"\ny\n", "a\r\nx\r\ny", "a\n\"\n\n\"\n"] {
            assert!(scanned(true, &[text.as_bytes()]).is_ok(), "{text:?}");
        }
    }

    /// Reads byte by byte what the scan reads in pieces.
    fn slow(text: &[u8]) -> (bool, usize, bool) {
        let (mut breaks, mut longest, mut run) = (false, 0, 0_usize);
        let (mut quoted, mut start) = (false, true);
        let mut at = 0;
        while at < text.len() {
            let byte = text[at];
            run += 1;
            if quoted {
                breaks |= byte == b'\n' || byte == b'\r';
                if byte == QUOTE {
                    if text.get(at + 1) == Some(&QUOTE) {
                        at += 1;
                        run += 1;
                    } else {
                        quoted = false;
                    }
                }
            } else {
                quoted = byte == QUOTE && start;
                start = matches!(byte, b',' | b'\n' | b'\r');
                if byte == b'\n' {
                    longest = longest.max(run - 1);
                    run = 0;
                }
            }
            at += 1;
        }
        (breaks, longest.max(run), quoted)
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(text in "[a,\"\n\r]{0,60}", cut in 0_usize..60) {
            let bytes = text.as_bytes();
            let (left, right) = bytes.split_at(cut.min(bytes.len()));
            let (breaks, longest, open) = slow(bytes);
            let scan = match scanned(false, &[left, right]) {
                Ok(scan) => scan,
                Err(flaw) => {
                    prop_assert_eq!((flaw, open), (Flaw::OpenQuote, true));
                    return Ok(());
                }
            };
            prop_assert!(!open);
            prop_assert_eq!(scan.quoted_breaks, breaks);
            prop_assert!(scan.longest >= longest);
            prop_assert!(scan.longest <= longest.max(text.len()));
        }
    }
}
