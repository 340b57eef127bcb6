//! The headers of pages.

use crate::column::Flaw;

use super::thrift::{Tag, Thrift};

/// The largest page that is read, compressed and not.
const PAGE: usize = 128 << 20;

/// The header of a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) kind: Page,
    /// How many bytes follow.
    pub(super) stored: usize,
    /// How many bytes they hold.
    pub(super) size: usize,
}

/// What a page is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Page {
    /// A list of values that keys stand for.
    Dictionary { values: usize, encoding: i32 },
    /// Rows, whose levels are compressed along with their values.
    First { values: usize, encoding: i32, levels: i32 },
    /// Rows, whose levels come first and are not compressed.
    Second { values: usize, encoding: i32, definition: usize, repetition: usize, compressed: bool },
    /// Something that need not be read.
    Other,
}

impl Header {
    /// Reads a header, and says how many bytes it has; or says nothing if more bytes may help.
    pub(super) fn read(bytes: &[u8]) -> Result<Option<(Self, usize)>, Flaw> {
        let mut thrift = Thrift::new(bytes);
        match header(&mut thrift) {
            Ok(header) => Ok(Some((header, thrift.position()))),
            Err(_) if thrift.ran_out() => Ok(None),
            Err(flaw) => Err(flaw),
        }
    }
}

fn header(thrift: &mut Thrift) -> Result<Header, Flaw> {
    let (mut kind, mut size, mut stored) = (None, None, None);
    let (mut first, mut second, mut dictionary) = (None, None, None);
    thrift.fields(&mut |thrift, tag| {
        match tag.id {
            1 => kind = Some(thrift.small(tag)?),
            2 => size = Some(bytes(thrift, tag)?),
            3 => stored = Some(bytes(thrift, tag)?),
            5 => first = Some(first_version(thrift, tag)?),
            7 => dictionary = Some(dictionary_page(thrift, tag)?),
            8 => second = Some(second_version(thrift, tag)?),
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    let kind = match kind {
        Some(0) => first,
        Some(1) => Some(Page::Other),
        Some(2) => dictionary,
        Some(3) => second,
        _ => None,
    };
    match (kind, size, stored) {
        (Some(kind), Some(size), Some(stored)) => {
            if size > PAGE || stored > PAGE {
                return Err(Flaw::TooLarge);
            }
            Ok(Header { kind, stored, size })
        }
        _ => Err(Flaw::Damaged),
    }
}

/// A count or a size.
fn bytes(thrift: &mut Thrift, tag: Tag) -> Result<usize, Flaw> {
    usize::try_from(thrift.small(tag)?).map_err(|_| Flaw::Damaged)
}

fn first_version(thrift: &mut Thrift, tag: Tag) -> Result<Page, Flaw> {
    thrift.structure(tag)?;
    let (mut values, mut encoding, mut levels) = (None, None, 3);
    thrift.fields(&mut |thrift, tag| {
        match tag.id {
            1 => values = Some(bytes(thrift, tag)?),
            2 => encoding = Some(thrift.small(tag)?),
            3 => levels = thrift.small(tag)?,
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    match (values, encoding) {
        (Some(values), Some(encoding)) => Ok(Page::First { values, encoding, levels }),
        _ => Err(Flaw::Damaged),
    }
}

fn second_version(thrift: &mut Thrift, tag: Tag) -> Result<Page, Flaw> {
    thrift.structure(tag)?;
    let (mut values, mut rows, mut encoding) = (None, None, None);
    let (mut definition, mut repetition, mut compressed) = (0, 0, true);
    thrift.fields(&mut |thrift, tag| {
        match tag.id {
            1 => values = Some(bytes(thrift, tag)?),
            3 => rows = Some(bytes(thrift, tag)?),
            4 => encoding = Some(thrift.small(tag)?),
            5 => definition = bytes(thrift, tag)?,
            6 => repetition = bytes(thrift, tag)?,
            7 => compressed = thrift.boolean(tag)?,
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    match (values, encoding) {
        // Only columns that hold one value a row are read.
        (Some(values), Some(encoding)) if rows.is_none_or(|rows| rows == values) => {
            Ok(Page::Second { values, encoding, definition, repetition, compressed })
        }
        _ => Err(Flaw::Damaged),
    }
}

fn dictionary_page(thrift: &mut Thrift, tag: Tag) -> Result<Page, Flaw> {
    thrift.structure(tag)?;
    let (mut values, mut encoding) = (None, None);
    thrift.fields(&mut |thrift, tag| {
        match tag.id {
            1 => values = Some(bytes(thrift, tag)?),
            2 => encoding = Some(thrift.small(tag)?),
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    match (values, encoding) {
        (Some(values), Some(encoding)) => Ok(Page::Dictionary { values, encoding }),
        _ => Err(Flaw::Damaged),
    }
}
