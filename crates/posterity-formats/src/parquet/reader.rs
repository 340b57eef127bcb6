//! One column of one group of rows, page by page.

use std::sync::Arc;

use crate::column::{ColumnValues, Store};
use crate::flaw::Flaw;
use crate::memory_limit::MemoryLimit;

use super::checksum::Checksum;
use super::codec::Codec;
use super::flow::Flow;
use super::hybrid::{Hybrid, zeros};
use super::metadata::Chunk;
use super::missing::{spread, spread_keys};
use super::page::{Header, Page};
use super::plain;
use super::schema::{Leaf, Physical, Shape};
use super::spare::Spare;
use super::taken::{Buffer, Taken};
use super::values::Values;
use super::window::Window;
use crate::positional_file::PositionalFile;

/// How many bytes of a header are looked at first, and at most: a header may hold long statistics.
const HEADER: usize = 4 << 10;
const LONG_HEADER: usize = 16 << 20;
/// Pages beyond this many bytes are not held if they need not be.
const LARGE: usize = 8 << 20;

/// The bytes of a page.
#[derive(Debug)]
enum Body {
    /// They were decompressed.
    Own(Vec<u8>),
    /// They were not compressed, and are the next bytes of the window.
    Next(usize, Vec<u8>),
    /// They are read piece by piece, after the levels.
    Flow(Flow),
}

impl Body {
    fn bytes<'a>(&'a self, window: &'a Window<'_>) -> &'a [u8] {
        match self {
            Self::Own(bytes) => bytes,
            Self::Next(count, _) => window.seen(*count),
            Self::Flow(flow) => flow.head(),
        }
    }
}

/// Reads a column of a group from its first row to its last.
pub(super) struct Reader<'a> {
    leaf: Leaf,
    codec: Codec,
    memory: &'a MemoryLimit,
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
    /// How many of the rows that are left in the page are missing, if its header says so.
    missing: Option<usize>,
    values: Values,
    dictionary: Option<Arc<Store>>,
    dictionary_taken: Taken,
    /// Whether a page of rows has been seen, after which no dictionary may come.
    begun: bool,
    piece_taken: Taken,
}

impl<'a> Reader<'a> {
    /// Checks what the footer says of a chunk of this many rows, which ends before the footer begins. Returns also a
    /// piece whose memory can be used again.
    pub(super) fn new(
        leaf: Leaf,
        chunk: &Chunk,
        rows: u64,
        source: &'a PositionalFile,
        footer: u64,
        memory: &'a MemoryLimit,
        spare: Spare,
    ) -> Result<(Self, ColumnValues), Flaw> {
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
        let reader = Self {
            leaf,
            codec: Codec::new(chunk.codec)?,
            memory,
            window: Window::new(source, start, end, spare.window),
            unread: rows,
            left: 0,
            page: Body::Own(spare.page.bytes),
            page_taken: spare.page.taken,
            levels: None,
            missing: None,
            values: Values::Empty,
            dictionary: None,
            dictionary_taken: Taken::default(),
            begun: false,
            piece_taken: spare.piece_taken,
        };
        Ok((reader, spare.piece))
    }

    /// How many rows may be read from the page, which is the next one if the last has been read.
    pub(super) fn rows(&mut self) -> Result<usize, Flaw> {
        if self.leaf.shape == Shape::Missing {
            return Ok(usize::MAX);
        }
        while self.left == 0 {
            self.next_page()?;
        }
        let at_once = match (&mut self.page, &self.values) {
            (Body::Flow(flow), Values::Flowing) => flow.fill(&self.leaf, &mut self.window, self.memory)?,
            (_, values) => values.at_once(),
        };
        Ok(self.left.min(at_once))
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
        let fixed = rows.saturating_mul(bytes + usize::from(valid.is_some()));
        let (taken, memory) = (&mut self.piece_taken, self.memory);
        let mut hold = |strings: usize| taken.ensure(memory, fixed.saturating_add(strings));
        hold(0)?;
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
        let mut values = match (&mut self.page, &mut self.values) {
            (Body::Flow(flow), Values::Flowing) => {
                flow.read(&self.leaf, &mut self.window, present, store, &mut hold)?
            }
            (page, values) => values.read(&self.leaf, page.bytes(&self.window), present, store, &mut hold)?,
        };
        if let Some(valid) = &valid {
            spread(&mut values, valid);
        }
        Ok(ColumnValues::Plain { values, valid })
    }

    /// Checks that the last page has been read to its end, and that no rows follow. Leaves its memory and that of the
    /// last piece.
    pub(super) fn finish(mut self, piece: ColumnValues) -> Result<Spare, Flaw> {
        if self.leaf.shape != Shape::Missing {
            self.close()?;
            while self.window.left() > 0 {
                self.next_page()?;
                self.close()?;
            }
            if self.unread > 0 {
                return Err(Flaw::Damaged);
            }
        }
        Ok(Spare {
            page: Buffer { bytes: self.own(), taken: self.page_taken },
            window: self.window.into_buffer(),
            piece,
            piece_taken: self.piece_taken,
        })
    }

    /// How many of the next rows are there, and which; all if that is not said.
    fn present(&mut self, rows: usize, old: Option<Vec<bool>>) -> Result<(usize, Option<Vec<bool>>), Flaw> {
        let Some(levels) = &mut self.levels else {
            return Ok((rows, None));
        };
        let page = self.page.bytes(&self.window);
        let (present, valid) = match levels.same(page, rows)? {
            Some(0) => (0, Some(vec![false; rows])),
            Some(_) => (rows, None),
            None => {
                let mut valid = old.unwrap_or_default();
                valid.clear();
                (levels.read_bits(page, rows, &mut valid)?, Some(valid))
            }
        };
        if let Some(missing) = &mut self.missing {
            *missing = missing.checked_sub(rows - present).ok_or(Flaw::Damaged)?;
        }
        Ok((present, valid))
    }

    /// Reads the next page, whatever it is.
    fn next_page(&mut self) -> Result<(), Flaw> {
        self.close()?;
        let header = self.header()?;
        if header.stored as u64 > self.window.left() {
            return Err(Flaw::Damaged);
        }
        match header.kind {
            Page::Other => self.window.skip(header.stored),
            Page::Dictionary { values, encoding } => self.read_dictionary(header, values, encoding),
            Page::First { values, encoding, levels } => {
                self.count(values)?;
                if self.leaf.optional && levels != 3 {
                    return Err(Flaw::Unsupported("levels that are not in runs"));
                }
                if self.flows(header, encoding, true) {
                    let head = if self.leaf.optional {
                        plain::stated(self.window.peek(4, self.memory)?)?.saturating_add(4)
                    } else {
                        0
                    };
                    return self.flow(header, 4, head);
                }
                self.load(header, 0, true)?;
                let head = if self.leaf.optional {
                    4 + plain::length(self.page.bytes(&self.window), 0, header.size)?
                } else {
                    0
                };
                self.begin(encoding, 4, head, header.size)
            }
            Page::Second { values, missing, encoding, levels, compressed } => {
                self.count(values)?;
                self.missing = Some(missing);
                let head = levels.repetition.checked_add(levels.definition).ok_or(Flaw::Damaged)?;
                if self.flows(header, encoding, compressed) {
                    return self.flow(header, levels.repetition, head);
                }
                self.load(header, head, compressed)?;
                self.begin(encoding, levels.repetition, head, header.size)
            }
        }
    }

    /// Checks that the page has been read to its end, and goes on behind it.
    fn close(&mut self) -> Result<(), Flaw> {
        let page = self.page.bytes(&self.window);
        let levels = self.levels.take().is_none_or(|levels| levels.is_done(page));
        let missing = self.missing.take().is_none_or(|left| left == 0);
        let values = std::mem::replace(&mut self.values, Values::Empty);
        if self.left > 0 || !levels || !missing || !values.is_done(page) {
            return Err(Flaw::Damaged);
        }
        let own = match std::mem::replace(&mut self.page, Body::Own(Vec::new())) {
            Body::Own(own) => own,
            Body::Next(count, own) => {
                self.window.advance(count);
                own
            }
            Body::Flow(flow) => {
                flow.finish(&mut self.window, matches!(values, Values::Ignored), self.memory)?
            }
        };
        self.page = Body::Own(own);
        Ok(())
    }

    fn header(&mut self) -> Result<Header, Flaw> {
        let mut size = HEADER;
        loop {
            let bytes = self.window.peek(size, self.memory)?;
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

    /// Whether a page is too large to be held, and need not be.
    fn flows(&self, header: Header, encoding: i32, compressed: bool) -> bool {
        let plain = encoding == 0 && self.leaf.physical != Physical::Boolean;
        plain && header.stored > LARGE && (!compressed || self.codec == Codec::None)
    }

    /// Begins with a page that is not held. Its levels end before its values begin, at `head`.
    fn flow(&mut self, header: Header, levels: usize, head: usize) -> Result<(), Flaw> {
        if header.size != header.stored || head > header.size {
            return Err(Flaw::Damaged);
        }
        self.page_taken.ensure(self.memory, head)?;
        let own = self.own();
        let checksum = Checksum::new(header.checksum);
        let flow = Flow::new(&mut self.window, (head, header.size), own, checksum, self.memory)?;
        self.page = Body::Flow(flow);
        self.levels = if self.leaf.optional { Some(Hybrid::new(levels, head, 1)?) } else { None };
        self.values = if self.leaf.shape == Shape::Strange { Values::Ignored } else { Values::Flowing };
        Ok(())
    }

    /// The memory of the page before.
    fn own(&mut self) -> Vec<u8> {
        match &mut self.page {
            Body::Own(own) => std::mem::take(own),
            Body::Next(..) | Body::Flow(_) => Vec::new(),
        }
    }

    /// Decompresses the bytes of a page, the first of which never are compressed.
    fn load(&mut self, header: Header, plain: usize, compressed: bool) -> Result<(), Flaw> {
        if plain > header.size || plain > header.stored {
            return Err(Flaw::Damaged);
        }
        let mut page = self.own();
        let bytes = self.window.peek(header.stored, self.memory)?;
        let mut checksum = Checksum::new(header.checksum);
        checksum.add(bytes);
        if !checksum.holds() {
            return Err(Flaw::Damaged);
        }
        if !compressed || self.codec == Codec::None {
            if header.size != header.stored {
                return Err(Flaw::Damaged);
            }
            self.page = Body::Next(header.stored, page);
            return Ok(());
        }
        self.page_taken.ensure(self.memory, header.size)?;
        if header.size > page.len() {
            page.reserve_exact(header.size - page.len());
        }
        page.resize(header.size, 0);
        let (levels, values) = page.split_at_mut(plain);
        levels.copy_from_slice(&bytes[..plain]);
        // A page without values may have no bytes at all, which no codec writes.
        if !(values.is_empty() && bytes.len() == plain) {
            self.codec.decompress(&bytes[plain..], values, self.memory)?;
        }
        self.page = Body::Own(page);
        self.window.advance(header.stored);
        Ok(())
    }

    /// Begins with the levels and the values of a page, which follow them from `at` to `end`.
    fn begin(&mut self, encoding: i32, levels: usize, at: usize, end: usize) -> Result<(), Flaw> {
        self.levels = if self.leaf.optional { Some(Hybrid::new(levels, at, 1)?) } else { None };
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
        self.dictionary_taken.ensure(self.memory, size)?;
        let page = self.page.bytes(&self.window);
        let mut at = 0;
        let store = plain::read(&self.leaf, page, &mut at, count, Store::Missing(0), &mut |_| Ok(()))?;
        if !zeros(page, at, header.size) {
            return Err(Flaw::Damaged);
        }
        self.dictionary = Some(Arc::new(store));
        Ok(())
    }
}
