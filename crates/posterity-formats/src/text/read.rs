//! Reading text files, block by block and in parallel.
//!
//! A block begins after a line break, which may stand within quotes. So the records of all blocks of a wave are found
//! at once, as if each began with a record; then, in order, a block that turns out to continue a record of the one
//! before is joined with it and read again. That happens only where a quoted field reaches over the end of a block.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::blocks::{Blocks, Written};
use super::csv::{Csv, CsvHeader, CsvPiece};
use super::json::{Json, JsonPiece};
use super::{MAX_RECORD, Signature, TextFlaw};
use crate::column_hint::ColumnHint;
use crate::encoding::Encoding;
use crate::files::Files;
use crate::format::Format;
use crate::in_order::{both, in_order};
use crate::piece::Piece;
use crate::read_error::ReadError;
use crate::repeated::refuse_repeated;
use crate::value::Value;
use crate::visitor::{Visitor, Wanted};

/// Records of either kind.
#[derive(Debug)]
enum TextPiece {
    Csv(CsvPiece),
    Json(JsonPiece),
}

impl Piece for TextPiece {
    fn rows(&self) -> usize {
        match self {
            Self::Csv(piece) => piece.rows(),
            Self::Json(piece) => piece.rows(),
        }
    }

    #[inline]
    fn value(&self, column: usize, row: usize) -> Value<'_> {
        match self {
            Self::Csv(piece) => piece.value(column, row),
            Self::Json(piece) => piece.value(column, row),
        }
    }
}

/// How the records of a file are found.
enum Parser {
    Csv(Csv),
    Json(Json),
}

impl Parser {
    /// The records of a block; one that cannot be read is given back, because it may continue a record of the one
    /// before.
    fn parse(&self, block: Vec<u8>, last: bool) -> Parsed {
        match self {
            Self::Csv(csv) => csv.parse(block, last).map(TextPiece::Csv),
            Self::Json(json) => json.parse(block).map(TextPiece::Json).map_err(|flaw| (flaw, Vec::new())),
        }
    }

    /// The records of all blocks of a wave, as if each began with a record, and whether each block is the last.
    fn parse_each(&self, wave: Wave) -> Vec<(Parsed, bool)> {
        wave.into_par_iter().map(|(block, last)| (self.parse(block, last), last)).collect()
    }
}

/// The records of a block, or why it cannot be read, and the block.
type Parsed = Result<TextPiece, (TextFlaw, Vec<u8>)>;

/// Hands over the records of all files.
pub(crate) fn read_text<V: Visitor>(files: &Files, visitor: &V) -> Result<(), V::Error> {
    let strict = visitor.wanted().strict();
    let (csv, header, input) = if files.format.has_fields() {
        let (header, input) = common_header(files)?;
        let names: Vec<&str> = header.names.iter().map(String::as_str).collect();
        let hint = |column: &str| ColumnHint::in_header(column, &names, char::from(header.delimiter));
        let positions = visitor.wanted().find(&names, &hint)?;
        (Some(Csv::new(&header, &positions, strict)), Some(header), input)
    } else {
        (None, None, None)
    };
    let input = Mutex::new(input);
    let seen: Vec<AtomicBool> = visitor.wanted().columns().iter().map(|_| AtomicBool::new(false)).collect();
    let any = AtomicBool::new(false);
    in_order(files.paths.len(), |file| {
        let path = &files.paths[file];
        let begun = input.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let (blocks, rest) = match (begun, &header) {
            (Some(begun), _) => begun,
            (None, Some(_)) => {
                let (_, begun) = begin(files, path)?;
                begun
            }
            (None, None) => (opened(files, path, strict)?, Vec::new()),
        };
        let parser = match &csv {
            Some(csv) => Parser::Csv(csv.clone()),
            None => Parser::Json(Json::new(visitor.wanted().columns(), strict, blocks.is_array())),
        };
        let file = file as u32;
        let reader = FileReader { visitor, parser, seen: &seen, any: &any, files, file };
        reader.read(blocks, rest, path)
    })?;
    // Of a file without records nothing can be said about its columns.
    if header.is_some() || !any.load(Ordering::Relaxed) {
        return Ok(());
    }
    let absent = |(_, seen): &(usize, &AtomicBool)| !seen.load(Ordering::Relaxed);
    seen.iter().enumerate().filter(absent).try_for_each(|(column, _)| visitor.wanted().absent(column))
}

/// One file that is being read.
struct FileReader<'a, V> {
    visitor: &'a V,
    parser: Parser,
    /// Which of the wanted columns some record has.
    seen: &'a [AtomicBool],
    /// Whether there is a record.
    any: &'a AtomicBool,
    files: &'a Files,
    file: u32,
}

/// Some blocks that follow each other, the last of them perhaps the last of the file.
type Wave = Vec<(Vec<u8>, bool)>;

impl<V: Visitor> FileReader<'_, V> {
    /// Hands over what is left of a file after its header.
    fn read(&self, mut blocks: Blocks, rest: Vec<u8>, path: &Path) -> Result<(), V::Error> {
        let mut ahead = Ahead { held: (!rest.is_empty()).then_some(rest), blocks: &mut blocks };
        let mut wave = ahead.wave(rayon::current_num_threads());
        let mut joint = Vec::new();
        let mut number = 0;
        loop {
            let (current, flaw) = std::mem::take(&mut wave);
            let last = current.last().is_none_or(|(_, last)| *last) || flaw.is_some();
            let mut done = Ok(());
            let mut current = Some(current);
            let mut hand_over =
                || done = current.take().map_or(Ok(()), |wave| self.wave(wave, &mut joint, &mut number));
            if last {
                hand_over();
            } else {
                both(&mut hand_over, &mut || wave = ahead.wave(rayon::current_num_threads()));
            }
            done.map_err(|stop| stop.at(self.files, path))?;
            if let Some(flaw) = flaw {
                return Err(named(flaw, self.files, path).into());
            }
            if last {
                return Ok(());
            }
        }
    }

    /// Hands over the records of a wave. What does not end within it is left in `joint`.
    fn wave(&self, wave: Wave, joint: &mut Vec<u8>, number: &mut u32) -> Result<(), Stop<V::Error>> {
        let mut pieces = Vec::with_capacity(wave.len());
        for (piece, last) in self.parser.parse_each(wave) {
            let piece = if joint.is_empty() {
                piece
            } else {
                match piece {
                    Ok(TextPiece::Csv(piece)) => joint.extend_from_slice(&piece.into_block()),
                    Ok(TextPiece::Json(_)) => {}
                    Err((_, block)) => joint.extend_from_slice(&block),
                }
                self.parser.parse(std::mem::take(joint), last)
            };
            let piece = piece.map_err(|(flaw, _)| flaw)?;
            if let TextPiece::Csv(piece) = &piece {
                joint.extend_from_slice(piece.rest());
                if joint.len() > MAX_RECORD {
                    return Err(TextFlaw::TooLong.into());
                }
            }
            pieces.push((*number, piece));
            *number = number.saturating_add(1);
        }
        in_order(pieces.len(), |index| {
            let (number, piece) = &pieces[index];
            if let TextPiece::Json(piece) = piece {
                for (column, seen) in self.seen.iter().enumerate() {
                    if !seen.load(Ordering::Relaxed) && piece.has(column) {
                        seen.store(true, Ordering::Relaxed);
                    }
                }
            }
            if piece.rows() > 0 {
                self.any.store(true, Ordering::Relaxed);
            }
            let mut part = self.visitor.part(self.file, *number);
            self.visitor.piece(&mut part, piece).map_err(Stop::Visitor)
        })
    }
}

/// Reads blocks before they are needed.
struct Ahead<'a> {
    blocks: &'a mut Blocks,
    /// The block that was read last. It is the end of the file if no other block follows.
    held: Option<Vec<u8>>,
}

impl Ahead<'_> {
    /// The next blocks, and what stopped the reading if something did.
    fn wave(&mut self, threads: usize) -> (Wave, Option<TextFlaw>) {
        let mut wave = Wave::new();
        while wave.len() < 2 * threads {
            match self.blocks.next() {
                Ok(Some(block)) => {
                    if let Some(before) = self.held.replace(block) {
                        wave.push((before, false));
                    }
                }
                Ok(None) => {
                    wave.extend(self.held.take().map(|block| (block, true)));
                    break;
                }
                Err(flaw) => {
                    wave.extend(self.held.take().map(|block| (block, false)));
                    return (wave, Some(flaw));
                }
            }
        }
        (wave, None)
    }
}

/// Why a wave ended early.
enum Stop<E> {
    /// The file is at fault.
    Text(TextFlaw),
    /// The visitor ended it.
    Visitor(E),
}

impl<E> From<TextFlaw> for Stop<E> {
    fn from(flaw: TextFlaw) -> Self {
        Self::Text(flaw)
    }
}

impl<E: From<ReadError>> Stop<E> {
    fn at(self, files: &Files, path: &Path) -> E {
        match self {
            Self::Text(flaw) => named(flaw, files, path).into(),
            Self::Visitor(error) => error,
        }
    }
}

/// The error of a flaw in a file.
fn named(flaw: TextFlaw, files: &Files, path: &Path) -> ReadError {
    let (path, encoding) = (files.shown(path), files.encoding);
    match flaw {
        TextFlaw::TooLong => ReadError::TooLong { path },
        TextFlaw::BlankLine => ReadError::BlankLine { path },
        TextFlaw::NotLines => ReadError::NotLines { path },
        TextFlaw::RepeatedKey => ReadError::RepeatedKey { path },
        TextFlaw::OpenQuote => ReadError::OpenQuote { path },
        TextFlaw::FieldCount => ReadError::FieldCount,
        TextFlaw::NotUtf8 if encoding == Encoding::Utf8 => ReadError::NotUtf8,
        TextFlaw::NotUtf8 | TextFlaw::NotEncoded => ReadError::NotEncoded { encoding },
        TextFlaw::ByteOrder => ReadError::ByteOrder { path, encoding },
        TextFlaw::Other(Signature::Gzip) => ReadError::IsGzip { path },
        TextFlaw::Other(Signature::Zip) => ReadError::IsZip { path },
        TextFlaw::Other(Signature::Utf16) => ReadError::IsUtf16 { path, encodings: "utf-16" },
        TextFlaw::Other(Signature::Utf16Unmarked) => {
            ReadError::IsUtf16 { path, encodings: "utf-16le or utf-16be, by which byte comes first" }
        }
        TextFlaw::NotFinite => ReadError::NotFinite { path },
        TextFlaw::Malformed => ReadError::Malformed { format: Format::Json },
        TextFlaw::Gzip => ReadError::DamagedGzip { path },
        TextFlaw::Unreadable(kind) => ReadError::Unreadable { path, kind },
    }
}

/// The names of the columns of CSV files, which must be the same in all, and of those that stand in the names of folders.
///
/// # Errors
/// [`ReadError`] if a file cannot be read, has a name twice, or has other names than the first.
pub fn common_names(files: &Files) -> Result<Vec<String>, ReadError> {
    let (header, _) = common_header(files)?;
    Ok(header.names.into_iter().chain(files.partitions.keys.iter().cloned()).collect())
}

/// A file whose header was read: what comes then, and what was read of it already.
type Begun = (Blocks, Vec<u8>);

/// The header of all files, which must be the same. The standard input comes with what is left of it, because it cannot
/// be opened again.
fn common_header(files: &Files) -> Result<(CsvHeader, Option<Begun>), ReadError> {
    let mut common: Option<CsvHeader> = None;
    let mut input = None;
    for path in &files.paths {
        let (header, begun) = begin(files, path)?;
        if header.names.is_empty() {
            return Err(ReadError::EmptyFile { path: files.shown(path) });
        }
        if files.standard_input {
            input = Some(begun);
        }
        match &common {
            None => common = Some(header),
            Some(first) if *first == header => {}
            Some(_) => {
                let first = files.paths.first().map(|path| files.shown(path)).unwrap_or_default();
                return Err(ReadError::MixedColumns { first, second: files.shown(path) });
            }
        }
    }
    let header = common.unwrap_or(CsvHeader { names: Vec::new(), delimiter: files.delimiter });
    refuse_repeated(header.names.iter().map(String::as_str))?;
    Ok((header, input))
}

/// Opens a file and reads its header.
fn begin(files: &Files, path: &Path) -> Result<(CsvHeader, Begun), ReadError> {
    let mut blocks = opened(files, path, true)?;
    let (header, rest) =
        read_header(&mut blocks, files.delimiter).map_err(|flaw| named(flaw, files, path))?;
    Ok((header, (blocks, rest)))
}

fn opened(files: &Files, path: &Path, strict: bool) -> Result<Blocks, ReadError> {
    let json = files.format == Format::Json;
    let written = Written { gzip: files.gzip, encoding: files.encoding, json, cut: !strict };
    Blocks::new(files.open_stream(path)?, written).map_err(|flaw| named(flaw, files, path))
}

/// The header, and the bytes that were read after it.
fn read_header(blocks: &mut Blocks, delimiter: u8) -> Result<(CsvHeader, Vec<u8>), TextFlaw> {
    let mut start = Vec::new();
    loop {
        let block = blocks.next()?;
        let last = block.is_none();
        start.extend(block.unwrap_or_default());
        if let Some((header, end)) = CsvHeader::parse(&start, delimiter, last)? {
            start.drain(..end);
            return Ok((header, start));
        }
        if start.len() > MAX_RECORD {
            return Err(TextFlaw::TooLong);
        }
    }
}
