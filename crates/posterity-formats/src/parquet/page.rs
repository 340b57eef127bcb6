//! The headers of pages.

use crate::flaw::Flaw;

use super::thrift::{Known, Tag, Thrift, Type};

// The fields of the structures of a header, as the format defines them: those that are read here, and all that are
// required.

/// Those of `PageHeader`.
const HEADER: [Known; 7] = [
    Known::required(1, Type::I32),
    Known::required(2, Type::I32),
    Known::required(3, Type::I32),
    Known::optional(4, Type::I32),
    Known::optional(5, Type::STRUCT),
    Known::optional(7, Type::STRUCT),
    Known::optional(8, Type::STRUCT),
];
/// Those of `DataPageHeader`.
const FIRST: [Known; 4] = [
    Known::required(1, Type::I32),
    Known::required(2, Type::I32),
    Known::required(3, Type::I32),
    Known::required(4, Type::I32),
];
/// Those of `DataPageHeaderV2`.
const SECOND: [Known; 7] = [
    Known::required(1, Type::I32),
    Known::required(2, Type::I32),
    Known::required(3, Type::I32),
    Known::required(4, Type::I32),
    Known::required(5, Type::I32),
    Known::required(6, Type::I32),
    Known::optional(7, Type::TRUE),
];
/// Those of `DictionaryPageHeader`.
const DICTIONARY: [Known; 2] = [Known::required(1, Type::I32), Known::required(2, Type::I32)];

/// The header of a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) kind: Page,
    /// How many bytes follow.
    pub(super) stored: usize,
    /// How many bytes they hold.
    pub(super) size: usize,
    /// The CRC-32 of the bytes that follow, if the writer gave it.
    pub(super) checksum: Option<u32>,
}

/// What a page is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Page {
    /// A list of values that keys stand for.
    Dictionary { values: usize, encoding: i32 },
    /// Rows, whose levels are compressed along with their values.
    First { values: usize, encoding: i32, levels: i32 },
    /// Rows, whose levels come first and are not compressed.
    Second { values: usize, missing: usize, encoding: i32, levels: Levels, compressed: bool },
    /// Something that need not be read.
    Other,
}

/// How many bytes the levels before the values of a page take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Levels {
    pub(super) repetition: usize,
    pub(super) definition: usize,
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
    let (mut kind, mut size, mut stored, mut checksum) = (0, 0, 0, None);
    let (mut first, mut second, mut dictionary) = (None, None, None);
    thrift.fields(&HEADER, &mut |thrift, tag| {
        match tag.id {
            1 => kind = thrift.small(tag)?,
            2 => size = bytes(thrift, tag)?,
            3 => stored = bytes(thrift, tag)?,
            4 => checksum = Some(thrift.small(tag)?.cast_unsigned()),
            5 => first = Some(first_version(thrift)?),
            7 => dictionary = Some(dictionary_page(thrift)?),
            8 => second = Some(second_version(thrift)?),
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    let kind = match kind {
        0 => first,
        1 => Some(Page::Other),
        2 => dictionary,
        3 => second,
        _ => None,
    };
    Ok(Header { kind: kind.ok_or(Flaw::Damaged)?, stored, size, checksum })
}

/// A count or a size.
fn bytes(thrift: &mut Thrift, tag: Tag) -> Result<usize, Flaw> {
    usize::try_from(thrift.small(tag)?).map_err(|_| Flaw::Damaged)
}

fn first_version(thrift: &mut Thrift) -> Result<Page, Flaw> {
    let (mut values, mut encoding, mut levels) = (0, 0, 0);
    thrift.fields(&FIRST, &mut |thrift, tag| {
        match tag.id {
            1 => values = bytes(thrift, tag)?,
            2 => encoding = thrift.small(tag)?,
            3 => levels = thrift.small(tag)?,
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    Ok(Page::First { values, encoding, levels })
}

fn second_version(thrift: &mut Thrift) -> Result<Page, Flaw> {
    let (mut values, mut missing, mut rows, mut encoding) = (0, 0, 0, 0);
    let (mut definition, mut repetition, mut compressed) = (0, 0, true);
    thrift.fields(&SECOND, &mut |thrift, tag| {
        match tag.id {
            1 => values = bytes(thrift, tag)?,
            2 => missing = bytes(thrift, tag)?,
            3 => rows = bytes(thrift, tag)?,
            4 => encoding = thrift.small(tag)?,
            5 => definition = bytes(thrift, tag)?,
            6 => repetition = bytes(thrift, tag)?,
            7 => compressed = thrift.boolean(tag)?,
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    // Only columns that hold one value a row are read.
    if rows != values || missing > values {
        return Err(Flaw::Damaged);
    }
    let levels = Levels { repetition, definition };
    Ok(Page::Second { values, missing, encoding, levels, compressed })
}

fn dictionary_page(thrift: &mut Thrift) -> Result<Page, Flaw> {
    let (mut values, mut encoding) = (0, 0);
    thrift.fields(&DICTIONARY, &mut |thrift, tag| {
        match tag.id {
            1 => values = bytes(thrift, tag)?,
            2 => encoding = thrift.small(tag)?,
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    Ok(Page::Dictionary { values, encoding })
}
