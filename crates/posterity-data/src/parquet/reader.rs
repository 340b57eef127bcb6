//! One column of one group of rows, page by page.

use std::sync::Arc;

use crate::column::{ColumnValues, Flaw, Store};
use crate::room::Room;

use super::codec::Codec;
use super::hybrid::Hybrid;
use super::metadata::Chunk;
use super::missing::{spread, spread_keys};
use super::page::{Header, Page};
use super::plain;
use super::schema::{Leaf, Shape};
use super::values::Values;
use super::window::{Taken, Window};
use crate::positional_file::PositionalFile;

/// How many bytes of a header are looked at first, and at most: a header may hold long statistics.
const HEADER: usize = 4 << 10;
const LONG_HEADER: usize = 16 << 20;

/// The bytes of a page.
#[derive(Debug)]
enum Body {
    /// They were decompressed.
    Own(Vec<u8>),
    /// They were not compressed, and are the next bytes of the window.
    Next(usize, Vec<u8>),
}

impl Body {
    fn bytes<'a>(&'a self, window: &'a Window<'_>) -> &'a [u8] {
        match self {
            Self::Own(bytes) => bytes,
            Self::Next(count, _) => window.seen(*count),
        }
    }
}

/// Reads a column of a group from its first row to its last.
pub(super) struct Reader<'a> {
    leaf: Leaf,
    codec: Codec,
    room: &'a Room,
    window: Window<'a>,
    /// Rows that are in none of the pages read so far.
    unread: u64,
    /// Rows that are left in the page.
    left: usize,
    /// The page.
    page: Body,
    page_taken: Taken,
    /// Which rows are there, unless all are.
    levels: Option<Hybrid>,
    values: Values,
    dictionary: Option<Arc<Store>>,
    dictionary_taken: Taken,
    /// Whether a page of rows has been seen, after which no dictionary may come.
    begun: bool,
    piece_taken: Taken,
}

impl<'a> Reader<'a> {
    /// Checks what the footer says of a chunk of this many rows, which ends before the footer begins.
    pub(super) fn new(
        leaf: Leaf,
        chunk: &Chunk,
        rows: u64,
        source: &'a PositionalFile,
        footer: u64,
        room: &'a Room,
    ) -> Result<Self, Flaw> {
        if let Some(what) = chunk.unsupported {
            return Err(Flaw::Unsupported(what));
        }
        if u64::try_from(chunk.values).ok() != Some(rows) || chunk.physical != leaf.physical.number() {
            return Err(Flaw::Damaged);
        }
        // Some writers state an offset of zero if there is no dictionary.
        let start = match chunk.dictionary {
            Some(dictionary) if dictionary > 0 => dictionary.min(chunk.data),
            _ => chunk.data,
        };
        let start = u64::try_from(start).map_err(|_| Flaw::Damaged)?;
        let bytes = u64::try_from(chunk.bytes).map_err(|_| Flaw::Damaged)?;
        let end = start.checked_add(bytes).filter(|end| *end <= footer).ok_or(Flaw::Damaged)?;
        if start < 4 {
            return Err(Flaw::Damaged);
        }
        Ok(Self {
            leaf,
            codec: Codec::new(chunk.codec)?,
            room,
            window: Window::new(source, start, end),
            unread: rows,
            left: 0,
            page: Body::Own(Vec::new()),
            page_taken: Taken::default(),
            levels: None,
            values: Values::Empty,
            dictionary: None,
            dictionary_taken: Taken::default(),
            begun: false,
            piece_taken: Taken::default(),
        })
    }

    /// How many rows may be read from the page, which is the next one if the last has been read.
    pub(super) fn rows(&mut self) -> Result<usize, Flaw> {
        if self.leaf.shape == Shape::Missing {
            return Ok(usize::MAX);
        }
        while self.left == 0 {
            self.next_page()?;
        }
        Ok(self.left.min(self.values.at_once()))
    }

    /// Reads rows that are left in the page. The memory of an older piece is used again.
    pub(super) fn piece(&mut self, rows: usize, old: ColumnValues) -> Result<ColumnValues, Flaw> {
        if self.leaf.shape == Shape::Missing {
            return Ok(ColumnValues::Plain { values: Store::Missing(rows), valid: None });
        }
        self.left = self.left.checked_sub(rows).ok_or(Flaw::Damaged)?;
        let (mut keys, store, old_valid) = match old {
            ColumnValues::Keyed { keys, .. } => (keys, Store::Missing(0), None),
            ColumnValues::Plain { values, valid } => (Vec::new(), values, valid),
        };
        let (present, valid) = self.present(rows, old_valid)?;
        let bytes = match &self.values {
            Values::Keys(_) => 4,
            _ => 16,
        };
        self.piece_taken.ensure(self.room, rows.saturating_mul(bytes + usize::from(valid.is_some())))?;
        if let (Values::Keys(runs), Some(dictionary)) = (&mut self.values, &self.dictionary) {
            let page = self.page.bytes(&self.window);
            keys.resize(rows, 0);
            let there = keys.get_mut(..present).ok_or(Flaw::Damaged)?;
            runs.read(page, there)?;
            if let Some(highest) = there.iter().copied().reduce(u32::max)
                && highest as usize >= dictionary.len()
            {
                return Err(Flaw::Damaged);
            }
            if let Some(valid) = &valid {
                spread_keys(&mut keys, present, valid);
            }
            return Ok(ColumnValues::Keyed { keys, values: Arc::clone(dictionary) });
        }
        let page = self.page.bytes(&self.window);
        let taken = (&mut self.piece_taken, self.room);
        let mut values = self.values.read(&self.leaf, page, present, store, taken)?;
        if let Some(valid) = &valid {
            spread(&mut values, valid);
        }
        Ok(ColumnValues::Plain { values, valid })
    }

    /// Checks that no rows follow those that were to be read.
    pub(super) fn finish(mut self) -> Result<(), Flaw> {
        if self.leaf.shape == Shape::Missing {
            return Ok(());
        }
        self.release();
        while self.left == 0 && self.window.left() > 0 {
            self.next_page()?;
            self.release();
        }
        if self.left == 0 && self.unread == 0 { Ok(()) } else { Err(Flaw::Damaged) }
    }

    /// How many of the next rows are there, and which; all if that is not said.
    fn present(&mut self, rows: usize, old: Option<Vec<bool>>) -> Result<(usize, Option<Vec<bool>>), Flaw> {
        let Some(levels) = &mut self.levels else {
            return Ok((rows, None));
        };
        let page = self.page.bytes(&self.window);
        match levels.same(page, rows)? {
            Some(0) => Ok((0, Some(vec![false; rows]))),
            Some(_) => Ok((rows, None)),
            None => {
                let mut valid = old.unwrap_or_default();
                valid.clear();
                let present = levels.read_bits(page, rows, &mut valid)?;
                Ok((present, Some(valid)))
            }
        }
    }

    /// Reads the next page, whatever it is.
    fn next_page(&mut self) -> Result<(), Flaw> {
        self.release();
        let header = self.header()?;
        if header.stored as u64 > self.window.left() {
            return Err(Flaw::Damaged);
        }
        match header.kind {
            Page::Other => self.window.skip(header.stored),
            Page::Dictionary { values, encoding } => self.read_dictionary(header, values, encoding),
            Page::First { values, encoding, levels } => {
                self.count(values)?;
                self.load(header, 0, true)?;
                let mut at = 0;
                self.levels = None;
                if self.leaf.optional {
                    if levels != 3 {
                        return Err(Flaw::Unsupported("levels that are not in runs"));
                    }
                    let length = plain::length(self.page.bytes(&self.window), 0, header.size)?;
                    at = 4 + length;
                    self.levels = Some(Hybrid::new(4, at, 1)?);
                }
                self.begin(encoding, at, header.size)
            }
            Page::Second { values, encoding, definition, repetition, compressed } => {
                self.count(values)?;
                let at = repetition.checked_add(definition).ok_or(Flaw::Damaged)?;
                self.load(header, at, compressed)?;
                self.levels = None;
                if self.leaf.optional {
                    self.levels = Some(Hybrid::new(repetition, at, 1)?);
                }
                self.begin(encoding, at, header.size)
            }
        }
    }

    /// Is done with the page: the window goes on.
    fn release(&mut self) {
        if let Body::Next(count, own) = &mut self.page {
            self.window.advance(*count);
            self.page = Body::Own(std::mem::take(own));
        }
    }

    fn header(&mut self) -> Result<Header, Flaw> {
        let mut size = HEADER;
        loop {
            let bytes = self.window.peek(size, self.room)?;
            let all = bytes.len() < size;
            if let Some((header, length)) = Header::read(bytes)? {
                self.window.advance(length);
                return Ok(header);
            }
            if all || size >= LONG_HEADER {
                return Err(Flaw::Damaged);
            }
            size *= 8;
        }
    }

    /// Counts the rows of a page.
    fn count(&mut self, rows: usize) -> Result<(), Flaw> {
        self.unread = self.unread.checked_sub(rows as u64).ok_or(Flaw::Damaged)?;
        self.left = rows;
        self.begun = true;
        Ok(())
    }

    /// Decompresses the bytes of a page, the first of which never are compressed.
    fn load(&mut self, header: Header, plain: usize, compressed: bool) -> Result<(), Flaw> {
        if plain > header.size || plain > header.stored {
            return Err(Flaw::Damaged);
        }
        // The strings of a page are copied into pieces.
        self.page_taken.ensure(self.room, header.size.saturating_mul(2))?;
        let bytes = self.window.peek(header.stored, self.room)?;
        let Body::Own(page) = &mut self.page else {
            return Err(Flaw::Damaged);
        };
        if !compressed || self.codec == Codec::None {
            if header.size != header.stored {
                return Err(Flaw::Damaged);
            }
            self.page = Body::Next(header.stored, std::mem::take(page));
            return Ok(());
        }
        if header.size > page.len() {
            page.reserve_exact(header.size - page.len());
        }
        page.resize(header.size, 0);
        let (levels, values) = page.split_at_mut(plain);
        levels.copy_from_slice(&bytes[..plain]);
        // A page without values may have no bytes at all, which no codec writes.
        if !(values.is_empty() && bytes.len() == plain) {
            self.codec.decompress(&bytes[plain..], values, self.room)?;
        }
        self.window.advance(header.stored);
        Ok(())
    }

    /// Begins with the values of a page.
    fn begin(&mut self, encoding: i32, at: usize, end: usize) -> Result<(), Flaw> {
        self.values = Values::new(encoding, &self.leaf, self.page.bytes(&self.window), at, end)?;
        if matches!(self.values, Values::Keys(_)) && self.dictionary.is_none() {
            return Err(Flaw::Damaged);
        }
        Ok(())
    }

    fn read_dictionary(&mut self, header: Header, count: usize, encoding: i32) -> Result<(), Flaw> {
        if self.begun || self.dictionary.is_some() {
            return Err(Flaw::Damaged);
        }
        if self.leaf.shape == Shape::Strange {
            return self.window.skip(header.stored);
        }
        if encoding != 0 && encoding != 2 {
            return Err(Flaw::Unsupported("a dictionary that is encoded"));
        }
        self.load(header, 0, true)?;
        // Each value takes a byte at least, and 16 bytes in memory at most besides those of strings.
        if count > header.size {
            return Err(Flaw::Damaged);
        }
        let size = count.saturating_mul(16).saturating_add(header.size.saturating_mul(2));
        self.dictionary_taken.ensure(self.room, size)?;
        let store = plain::read(&self.leaf, self.page.bytes(&self.window), &mut 0, count, Store::Missing(0))?;
        self.dictionary = Some(Arc::new(store));
        Ok(())
    }
}
