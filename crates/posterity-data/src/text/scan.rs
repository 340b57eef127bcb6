//! Counting text files, block by block and in parallel.
//!
//! A block begins after a line break, which may stand within quotes. So the records of all blocks of a wave are found at
//! once, as if each began with a record; then, in order, a block that turns out to continue a record of the one before is
//! joined with it and read again. That happens only where a quoted field reaches over the end of a block.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::blocks::Blocks;
use super::csv::{Csv, CsvHeader, CsvPiece};
use super::json::{Json, JsonPiece};
use super::{MAX_RECORD, TextFlaw};
use crate::ask::refuse_repeated;
use crate::column_hint::ColumnHint;
use crate::error::DataError;
use crate::files::{Files, shown};
use crate::format::Format;
use crate::piece::Piece;
use crate::run::Run;
use crate::value::Value;

/// How the files of a source are divided into records.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TextSource {
    /// Fields separated by this byte.
    Csv {
        /// The delimiter.
        delimiter: u8,
    },
    /// One object per line.
    Json,
}

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

/// How the records of all files are found.
enum Parser {
    Csv(Csv),
    Json(Json),
}

impl Parser {
    /// The records of a block; one that cannot be read is given back, because it may continue a record of the one before.
    fn parse(&self, block: Vec<u8>, last: bool) -> Result<TextPiece, (TextFlaw, Vec<u8>)> {
        match self {
            Self::Csv(csv) => csv.parse(block, last).map(TextPiece::Csv),
            Self::Json(json) => json.parse(block).map(TextPiece::Json).map_err(|flaw| (flaw, Vec::new())),
        }
    }
}

/// Counts the records of all files.
pub(crate) fn count_text(run: &Run<'_>, files: &Files, source: TextSource) -> Result<(), DataError> {
    let ask = run.ask;
    let (parser, header) = match source {
        TextSource::Json => (Parser::Json(Json::new(&ask.columns)), None),
        TextSource::Csv { delimiter } => {
            let header = common_header(files, delimiter)?;
            let names: Vec<&str> = header.names.iter().map(String::as_str).collect();
            let positions = ask.find(&names, |column| near(column, &names))?;
            (Parser::Csv(Csv::new(&header, &positions)), Some(header))
        }
    };
    let seen: Vec<AtomicBool> = ask.columns.iter().map(|_| AtomicBool::new(false)).collect();
    run.in_order(files.paths.len(), |file| {
        let path = &files.paths[file];
        let opened = files.open(path)?;
        let mut blocks = Blocks::new(opened, files.gzip);
        let mut rest = Vec::new();
        if let Some(header) = &header {
            let (_, start) = read_header(&mut blocks, header.delimiter).map_err(|flaw| named(flaw, path))?;
            rest = start;
        }
        let reader = FileReader { run, parser: &parser, seen: &seen, file: file as u32 };
        reader.count(blocks, rest, path)
    })?;
    let missing = seen.iter().position(|seen| !seen.load(Ordering::Relaxed));
    match missing {
        // Of a file without records nothing can be said about its columns.
        Some(needed) if header.is_none() && run.rows() > 0 => Err(ask.unknown(needed, ColumnHint::NoRecord)),
        _ => Ok(()),
    }
}

/// One file on its way through the count.
struct FileReader<'a, 'b> {
    run: &'a Run<'b>,
    parser: &'a Parser,
    seen: &'a [AtomicBool],
    file: u32,
}

/// Some blocks that follow each other, the last of them perhaps the last of the file.
type Wave = Vec<(Vec<u8>, bool)>;

impl FileReader<'_, '_> {
    /// Counts what is left of a file after its header.
    fn count(&self, mut blocks: Blocks, rest: Vec<u8>, path: &Path) -> Result<(), DataError> {
        let mut ahead = Ahead { held: (!rest.is_empty()).then_some(rest), blocks: &mut blocks };
        let mut wave = ahead.wave(self.run.threads());
        let mut joint = Vec::new();
        let mut number = 0;
        loop {
            let (current, flaw) = wave;
            let last = current.last().is_none_or(|(_, last)| *last) || flaw.is_some();
            let counted = if last {
                wave = (Wave::new(), None);
                self.wave(current, &mut joint, &mut number)
            } else {
                let (counted, next) = rayon::join(
                    || self.wave(current, &mut joint, &mut number),
                    || ahead.wave(self.run.threads()),
                );
                wave = next;
                counted
            };
            counted.map_err(|stop| stop.of(path))?;
            if let Some(flaw) = flaw {
                return Err(named(flaw, path));
            }
            if last {
                return Ok(());
            }
        }
    }

    /// Counts the records of a wave. What does not end within it is left in `joint`.
    fn wave(&self, wave: Wave, joint: &mut Vec<u8>, number: &mut u32) -> Result<(), Stop> {
        let parsed: Vec<_> =
            wave.into_par_iter().map(|(block, last)| (self.parser.parse(block, last), last)).collect();
        let mut pieces = Vec::with_capacity(parsed.len());
        for (piece, last) in parsed {
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
        pieces.into_par_iter().try_for_each(|(number, piece)| {
            if let TextPiece::Json(piece) = &piece {
                for (column, seen) in self.seen.iter().enumerate() {
                    if !seen.load(Ordering::Relaxed) && piece.has(column) {
                        seen.store(true, Ordering::Relaxed);
                    }
                }
            }
            let place = (self.file, number);
            let mut ranks = self.run.ranks(place);
            self.run.add(&piece, place, ranks.as_mut())
        })?;
        Ok(())
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

/// Why a wave was not counted.
enum Stop {
    Text(TextFlaw),
    Data(DataError),
}

impl From<TextFlaw> for Stop {
    fn from(flaw: TextFlaw) -> Self {
        Self::Text(flaw)
    }
}

impl From<DataError> for Stop {
    fn from(error: DataError) -> Self {
        Self::Data(error)
    }
}

impl Stop {
    fn of(self, path: &Path) -> DataError {
        match self {
            Self::Text(flaw) => named(flaw, path),
            Self::Data(error) => error,
        }
    }
}

/// The error of a flaw in a file.
fn named(flaw: TextFlaw, path: &Path) -> DataError {
    let path = shown(path);
    match flaw {
        TextFlaw::TooLong => DataError::TooLong { path },
        TextFlaw::BlankLine => DataError::BlankLine { path },
        TextFlaw::NotLines => DataError::NotLines { path },
        TextFlaw::RepeatedKey => DataError::RepeatedKey { path },
        TextFlaw::OpenQuote => DataError::OpenQuote { path },
        TextFlaw::FieldCount => DataError::FieldCount,
        TextFlaw::NotUtf8 => DataError::NotUtf8,
        TextFlaw::Malformed => DataError::Malformed { format: Format::Json },
        TextFlaw::Gzip => DataError::DamagedGzip { path },
        TextFlaw::Unreadable(kind) => DataError::Unreadable { path, kind },
    }
}

/// The header of all files, which must be the same.
pub(crate) fn common_header(files: &Files, delimiter: u8) -> Result<CsvHeader, DataError> {
    let mut common: Option<CsvHeader> = None;
    for path in &files.paths {
        let file = files.open(path)?;
        let mut blocks = Blocks::new(file, files.gzip);
        let (header, _) = read_header(&mut blocks, delimiter).map_err(|flaw| named(flaw, path))?;
        if header.names.is_empty() {
            return Err(DataError::EmptyFile { path: shown(path) });
        }
        match &common {
            None => common = Some(header),
            Some(first) if *first == header => {}
            Some(_) => {
                let first = files.paths.first().map(|path| shown(path)).unwrap_or_default();
                return Err(DataError::MixedColumns { first, second: shown(path) });
            }
        }
    }
    let header = common.ok_or(DataError::NoRecords)?;
    refuse_repeated(header.names.iter().map(String::as_str))?;
    Ok(header)
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

/// Names that are almost the one asked for. Others are not told: without a header they would be values of a record.
pub(crate) fn near(column: &str, names: &[&str]) -> ColumnHint {
    let same = |name: &&&str| name.trim().to_lowercase() == column.trim().to_lowercase();
    let close = |name: &&&str| column.chars().count() > 3 && distance(name, column) <= 1;
    match names.iter().find(same).or_else(|| names.iter().find(close)) {
        Some(name) => ColumnHint::Like((*name).to_owned()),
        None => ColumnHint::Header { columns: names.len() },
    }
}

/// How many letters have to be changed, added or removed to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(100).collect(), b.chars().take(100).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}
