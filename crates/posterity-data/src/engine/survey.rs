//! A look at text files before the engine reads them: where records end, and how long they are.
//!
//! The engine holds whole batches of records in memory, so one endless line, or a quote that is never closed, would
//! make it hold the file. It also cuts files at line breaks to read the pieces in parallel, which is wrong if a quoted
//! field holds one. Both are decided here, in one pass that mostly looks for bytes and is far faster than parsing.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use datafusion::arrow::csv::reader::Format as CsvFormat;
use flate2::read::MultiGzDecoder;

use crate::error::DataError;
use crate::files::{shown, unreadable};
use crate::quotes::{Quotes, State};

/// The longest record, in bytes, that a text file may hold.
pub const MAX_RECORD: usize = 8 << 20;

/// How text is divided into records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Fields separated by this byte, some in quotes.
    Csv {
        /// The delimiter.
        delimiter: u8,
    },
    /// One object per line.
    Json,
}

/// What a pass over text files has shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// The names in the header; empty unless CSV.
    pub(crate) header: Vec<String>,
    /// An upper bound on the length of the longest record, in bytes.
    pub(crate) longest: usize,
    /// Whether a quoted field holds a line break.
    pub(crate) quoted_breaks: bool,
}

impl Survey {
    /// Looks at all files.
    ///
    /// Ends early, with an error nobody sees, once `cancelled` is set.
    pub(crate) fn of(
        paths: &[PathBuf],
        gzip: bool,
        layout: Layout,
        cancelled: &AtomicBool,
    ) -> Result<Self, DataError> {
        let mut survey = Self::default();
        for (index, path) in paths.iter().enumerate() {
            let mut header = Vec::new();
            if let Layout::Csv { delimiter } = layout {
                header = read_header(path, gzip, delimiter)?;
                if index == 0 {
                    survey.header.clone_from(&header);
                } else if header != survey.header {
                    let first = shown(&paths[0]);
                    return Err(DataError::MixedColumns { first, second: shown(path) });
                }
            }
            let mut scan = Scan::new(layout, header.len() == 1);
            let mut reader = open(path, gzip)?;
            let mut buffer = vec![0; 1 << 18];
            loop {
                let len = match reader.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(len) => len,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(failed(path, gzip, &error)),
                };
                scan.feed(&buffer[..len]).and_then(|()| stop(cancelled)).map_err(|flaw| flaw.of(path))?;
            }
            scan.finish().map_err(|flaw| flaw.of(path))?;
            survey.longest = survey.longest.max(scan.longest);
            survey.quoted_breaks |= scan.quoted_breaks;
        }
        Ok(survey)
    }
}

fn stop(cancelled: &AtomicBool) -> Result<(), Flaw> {
    if cancelled.load(Ordering::Relaxed) { Err(Flaw::Cancelled) } else { Ok(()) }
}

fn open(path: &Path, gzip: bool) -> Result<Box<dyn Read>, DataError> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    Ok(if gzip { Box::new(MultiGzDecoder::new(io::BufReader::new(file))) } else { Box::new(file) })
}

fn failed(path: &Path, gzip: bool, error: &io::Error) -> DataError {
    // The system's own errors have a number; those of the decompressor do not.
    if gzip && error.raw_os_error().is_none() {
        DataError::DamagedGzip { path: shown(path) }
    } else {
        unreadable(path, error)
    }
}

fn read_header(path: &Path, gzip: bool, delimiter: u8) -> Result<Vec<String>, DataError> {
    let mut start = Vec::new();
    let mut reader = open(path, gzip)?.take(MAX_RECORD as u64);
    // Headers are short: a first piece usually holds the whole of it.
    let mut piece = 1 << 16;
    loop {
        let read =
            (&mut reader).take(piece).read_to_end(&mut start).map_err(|error| failed(path, gzip, &error))?;
        if read == 0 || holds_a_record(&start, delimiter) {
            break;
        }
        piece *= 4;
    }
    let format = CsvFormat::default().with_header(true).with_delimiter(delimiter);
    let (schema, _) = format.infer_schema(start.as_slice(), Some(0)).map_err(|_| DataError::NotUtf8)?;
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    if names.is_empty() {
        return Err(DataError::EmptyFile { path: shown(path) });
    }
    Ok(names)
}

/// Whether a record surely ends within these bytes.
fn holds_a_record(start: &[u8], delimiter: u8) -> bool {
    // Line breaks before the header are skipped.
    let start = start.strip_prefix(MARK).unwrap_or(start);
    let blank = start.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let mut scan = Scan::new(Layout::Csv { delimiter }, false);
    scan.feed(&start[blank..]).is_err() || scan.records
}

/// What is wrong with a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    TooLong,
    BlankLine,
    NotLines,
    OpenQuote,
    Cancelled,
}

impl Flaw {
    fn of(self, path: &Path) -> DataError {
        let path = shown(path);
        match self {
            Self::TooLong => DataError::TooLong { path },
            Self::BlankLine => DataError::BlankLine { path },
            Self::NotLines => DataError::NotLines { path },
            Self::OpenQuote => DataError::OpenQuote { path },
            Self::Cancelled => DataError::Engine { stage: "because it was cancelled" },
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
    layout: Layout,
    one_column: bool,
    quotes: Quotes,
    /// Where in a field it stands; CSV only.
    state: State,
    /// The byte before.
    previous: u8,
    /// Bytes since the last record ended.
    run: usize,
    /// The first and the last byte of the line that are not blank; JSON only.
    edges: Option<(u8, u8)>,
    longest: usize,
    quoted_breaks: bool,
    /// Whether a record has ended.
    records: bool,
    /// Nothing has been read.
    fresh: bool,
}

impl Scan {
    fn new(layout: Layout, one_column: bool) -> Self {
        // Without fields there is no delimiter, and the table is not used.
        let delimiter = match layout {
            Layout::Csv { delimiter } => delimiter,
            Layout::Json => b',',
        };
        Self {
            layout,
            one_column,
            quotes: Quotes::new(delimiter),
            state: State::START,
            previous: b'\n',
            run: 0,
            edges: None,
            longest: 0,
            quoted_breaks: false,
            records: false,
            fresh: true,
        }
    }

    fn feed(&mut self, bytes: &[u8]) -> Result<(), Flaw> {
        let mut bytes = bytes;
        if let Layout::Csv { .. } = self.layout
            && self.fresh
        {
            // A quote after a byte order mark starts a field.
            bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
            self.fresh = false;
        }
        for piece in bytes.chunks(PIECE) {
            match self.layout {
                Layout::Json => self.lines(piece)?,
                Layout::Csv { .. } => {
                    let outside = self.state == State::START || self.state == State::PLAIN;
                    if outside && memchr::memchr(QUOTE, piece).is_none() {
                        self.plain(piece)?;
                    } else {
                        self.fields(piece)?;
                    }
                }
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
        if self.state == State::QUOTED {
            return Err(Flaw::OpenQuote);
        }
        self.end_of_line()
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
        self.records = true;
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

    /// Refuses a line of which so many bytes were in an earlier piece, if there is nothing in it.
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
            if self.state == State::QUOTED {
                self.quoted_breaks = true;
            } else if text[at] == b'\n' {
                if self.one_column {
                    self.refuse_blank(self.run, &text[start..at])?;
                }
                self.longest = self.longest.max(self.run + at - start);
                self.records = true;
                self.run = 0;
                start = at + 1;
            }
        }
        self.state = self.quotes.advance(self.state, &text[done..]);
        self.run += text.len() - start;
        Ok(())
    }

    /// Lines that must each be an object.
    fn lines(&mut self, text: &[u8]) -> Result<(), Flaw> {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text).chain([text.len()]) {
            let line = text.get(start..end).unwrap_or_default();
            let trimmed = line.trim_ascii();
            if let (Some(&first), Some(&last)) = (trimmed.first(), trimmed.last()) {
                self.edges = Some((self.edges.map_or(first, |(first, _)| first), last));
            }
            self.run += line.len();
            if end < text.len() {
                self.longest = self.longest.max(self.run);
                self.run = 0;
                self.end_of_line()?;
            }
            start = end + 1;
        }
        Ok(())
    }

    fn end_of_line(&mut self) -> Result<(), Flaw> {
        match self.edges.take() {
            None | Some((b'{', b'}')) => Ok(()),
            Some(_) => Err(Flaw::NotLines),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CSV: Layout = Layout::Csv { delimiter: b',' };

    fn scanned(layout: Layout, one_column: bool, chunks: &[&[u8]]) -> Result<Scan, Flaw> {
        let mut scan = Scan::new(layout, one_column);
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
            let whole = scanned(CSV, false, &[text.as_bytes()]).expect("short");
            assert_eq!(whole.quoted_breaks, expected, "{text:?}");
        }
    }

    #[test]
    fn long_records_are_refused() {
        let long = vec![b'x'; MAX_RECORD + 1];
        let head = b"a,b\nx,y\n".as_slice();
        assert_eq!(scanned(CSV, false, &[&long]).err(), Some(Flaw::TooLong));
        assert_eq!(scanned(CSV, false, &[head, &long, b"\nx,y\n"]).err(), Some(Flaw::TooLong));
        assert_eq!(
            scanned(CSV, false, &[head, b"\"", b"x,y\n".repeat(MAX_RECORD / 4).as_slice()]).err(),
            Some(Flaw::TooLong)
        );
        assert_eq!(scanned(Layout::Json, false, &[b"{", &long]).err(), Some(Flaw::TooLong));
        let fits = vec![b'x'; MAX_RECORD];
        assert_eq!(scanned(CSV, false, &[head, &fits, b"\nx,y\n"]).map(|scan| scan.longest), Ok(MAX_RECORD));
    }

    #[test]
    fn blank_lines_are_refused_in_one_column() {
        for text in ["a\nx\n\ny\n", "a\r\nx\r\n\r\ny", "a\n\n", "\na\nx"] {
            assert_eq!(scanned(CSV, true, &[text.as_bytes()]).err(), Some(Flaw::BlankLine), "{text:?}");
            assert!(scanned(CSV, false, &[text.as_bytes()]).is_ok());
        }
        for text in ["a\nx\n\"\"\ny\n", "a\r\nx\r\ny", "a\n\"\n\n\"\n"] {
            assert!(scanned(CSV, true, &[text.as_bytes()]).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn json_is_one_object_per_line() {
        for text in ["{\"a\":1}\n{\"a\":2}\n", "{\"a\":1}", "\n\n {} \r\n{}\n"] {
            assert!(scanned(Layout::Json, false, &[text.as_bytes()]).is_ok(), "{text:?}");
        }
        for text in ["[{\"a\":1}]", "{\n\"a\":1\n}\n", "{\"a\":1}\n1\n", "{\"a\":", "{\"a\":{}\n}"] {
            assert_eq!(
                scanned(Layout::Json, false, &[text.as_bytes()]).err(),
                Some(Flaw::NotLines),
                "{text:?}"
            );
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
            let scan = match scanned(CSV, false, &[left, right]) {
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
