//! What the footer of a file says: its schema and where its columns lie.

use crate::flaw::Flaw;
use crate::memory_limit::{Held, MemoryLimit};

use super::thrift::{Known, Tag, Thrift, Type};
use crate::positional_file::PositionalFile;

/// The longest footer that is read.
const FOOTER: u64 = 64 << 20;
/// The magic bytes at both ends, and the length of the footer before the last.
const MAGIC: &[u8; 4] = b"PAR1";
const ENCRYPTED: &[u8; 4] = b"PARE";
/// What reading a schema element may hold, in bytes, besides its name.
const ELEMENT: usize = 256;

// The fields of the structures of a footer, as the format defines them: those that are read here, and all that are
// required.

/// Those of `FileMetaData`.
const FILE: [Known; 4] = [
    Known::required(1, Type::I32),
    Known::required(2, Type::LIST),
    Known::required(3, Type::I64),
    Known::required(4, Type::LIST),
];
/// Those of `SchemaElement`.
const LEAF: [Known; 9] = [
    Known::optional(1, Type::I32),
    Known::optional(2, Type::I32),
    Known::optional(3, Type::I32),
    Known::required(4, Type::BINARY),
    Known::optional(5, Type::I32),
    Known::optional(6, Type::I32),
    Known::optional(7, Type::I32),
    Known::optional(8, Type::I32),
    Known::optional(10, Type::STRUCT),
];
/// Those of `DecimalType`.
const DECIMAL: [Known; 2] = [Known::required(1, Type::I32), Known::required(2, Type::I32)];
/// Those of `TimestampType`.
const TIMESTAMP: [Known; 2] = [Known::required(1, Type::TRUE), Known::required(2, Type::STRUCT)];
/// Those of `IntType`.
const INTEGER: [Known; 2] = [Known::required(1, Type::BYTE), Known::required(2, Type::TRUE)];
/// Those of `RowGroup`.
const GROUP: [Known; 3] =
    [Known::required(1, Type::LIST), Known::required(2, Type::I64), Known::required(3, Type::I64)];
/// Those of `ColumnChunk`.
const CHUNK: [Known; 2] = [Known::required(2, Type::I64), Known::optional(3, Type::STRUCT)];
/// Those of `ColumnMetaData`.
const PLACE: [Known; 9] = [
    Known::required(1, Type::I32),
    Known::required(2, Type::LIST),
    Known::required(3, Type::LIST),
    Known::required(4, Type::I32),
    Known::required(5, Type::I64),
    Known::required(6, Type::I64),
    Known::required(7, Type::I64),
    Known::required(9, Type::I64),
    Known::optional(11, Type::I64),
];

/// The footer of a file.
#[derive(Debug)]
pub(super) struct Metadata {
    /// The tree of columns: each element comes before its children.
    pub(super) schema: Vec<Element>,
    /// The groups of rows.
    pub(super) groups: Vec<Group>,
    /// Where the footer begins: all pages end before.
    pub(super) end: u64,
    /// The memory that all this takes.
    pub(super) held: Vec<Held>,
}

/// An element of the schema.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    /// How values are stored, as the format numbers it; groups have none.
    pub(super) physical: Option<i32>,
    /// How many bytes each value of a fixed length has.
    pub(super) length: i32,
    /// Whether it is required (0), optional (1) or repeated (2).
    pub(super) repetition: i32,
    pub(super) children: i32,
    /// What values mean, as older writers say it.
    pub(super) converted: Option<i32>,
    pub(super) scale: i32,
    pub(super) precision: i32,
    /// What values mean, as newer writers say it.
    pub(super) logical: Option<Logical>,
}

/// What values mean, as newer writers say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Logical {
    String,
    Map,
    List,
    Enum,
    Decimal { scale: i32, precision: i32 },
    Date,
    Time,
    Timestamp { per_second: u32 },
    Integer { bits: i32, signed: bool },
    Unknown,
    Json,
    Bson,
    Uuid,
    Half,
    Other,
}

/// A group of rows.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) rows: u64,
    pub(super) chunks: Vec<Chunk>,
}

/// Where a column of a group lies.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) physical: i32,
    pub(super) codec: i32,
    pub(super) values: i64,
    pub(super) bytes: i64,
    pub(super) data: i64,
    pub(super) dictionary: Option<i64>,
    /// Why it cannot be read, if so.
    pub(super) unsupported: Option<&'static str>,
}

impl Metadata {
    /// Reads the footer of a file.
    pub(super) fn read(source: &PositionalFile, memory: &MemoryLimit) -> Result<Self, Flaw> {
        let length = source.len();
        let tail_at = length.checked_sub(8).filter(|at| *at >= 4).ok_or(Flaw::Damaged)?;
        let (mut head, mut tail) = ([0; 4], [0; 8]);
        source.fill(0, &mut head)?;
        source.fill(tail_at, &mut tail)?;
        let [a, b, c, d, magic @ ..] = tail;
        if &magic == ENCRYPTED || &head == ENCRYPTED {
            return Err(Flaw::Unsupported("encryption"));
        }
        if &magic != MAGIC || &head != MAGIC {
            return Err(Flaw::Damaged);
        }
        let size = u64::from(u32::from_le_bytes([a, b, c, d]));
        let end = tail_at.checked_sub(size).filter(|at| *at >= 4).ok_or(Flaw::Damaged)?;
        if size > FOOTER {
            return Err(Flaw::TooLarge);
        }
        let size = usize::try_from(size).map_err(|_| Flaw::TooLarge)?;
        let _footer = memory.take(size)?;
        let mut footer = vec![0; size];
        source.fill(end, &mut footer)?;
        Self::parse(&footer, end, memory)
    }

    fn parse(footer: &[u8], end: u64, memory: &MemoryLimit) -> Result<Self, Flaw> {
        let mut metadata = Self { schema: Vec::new(), groups: Vec::new(), end, held: Vec::new() };
        let mut rows = None;
        Thrift::new(footer).fields(&FILE, &mut |thrift, tag| {
            match tag.id {
                2 => {
                    let count = thrift.structures(tag)?;
                    metadata.held.push(take(memory, count, ELEMENT)?);
                    metadata.schema = list(thrift, count, element)?;
                }
                3 => rows = u64::try_from(thrift.integer(tag)?).ok(),
                4 => {
                    let count = thrift.structures(tag)?;
                    metadata.held.push(take(memory, count, size_of::<Group>() + size_of::<Held>())?);
                    let held = &mut metadata.held;
                    metadata.groups = list(thrift, count, |thrift| group(thrift, memory, held))?;
                }
                8 => return Err(Flaw::Unsupported("encryption")),
                _ => thrift.skip(tag)?,
            }
            Ok(())
        })?;
        let sum = metadata.groups.iter().try_fold(0u64, |sum, group| sum.checked_add(group.rows));
        // Early versions of a writer state no number of all rows, but zero.
        if sum.is_some() && (sum == rows || rows == Some(0)) { Ok(metadata) } else { Err(Flaw::Damaged) }
    }
}

/// Takes memory for this many things of one size.
fn take(memory: &MemoryLimit, count: usize, size: usize) -> Result<Held, Flaw> {
    Ok(memory.take(count.checked_mul(size).ok_or(Flaw::TooLarge)?)?)
}

/// Reads this many structures; memory for them has been taken.
fn list<T>(
    thrift: &mut Thrift,
    count: usize,
    mut read: impl FnMut(&mut Thrift) -> Result<T, Flaw>,
) -> Result<Vec<T>, Flaw> {
    let mut all = Vec::with_capacity(count);
    for _ in 0..count {
        all.push(read(thrift)?);
    }
    Ok(all)
}

fn element(thrift: &mut Thrift) -> Result<Element, Flaw> {
    let mut element = Element::default();
    thrift.fields(&LEAF, &mut |thrift, tag| {
        match tag.id {
            1 => element.physical = Some(thrift.small(tag)?),
            2 => element.length = thrift.small(tag)?,
            3 => element.repetition = thrift.small(tag)?,
            4 => {
                let name = std::str::from_utf8(thrift.binary(tag)?).map_err(|_| Flaw::NotUtf8)?;
                element.name = name.to_owned();
            }
            5 => element.children = thrift.small(tag)?,
            6 => element.converted = Some(thrift.small(tag)?),
            7 => element.scale = thrift.small(tag)?,
            8 => element.precision = thrift.small(tag)?,
            10 => element.logical = Some(logical(thrift, tag)?),
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    Ok(element)
}

/// A logical type: a structure with one field, whose number says which type it is.
fn logical(thrift: &mut Thrift, tag: Tag) -> Result<Logical, Flaw> {
    thrift.structure(tag)?;
    let mut logical = None;
    thrift.fields(&[], &mut |thrift, tag| {
        thrift.structure(tag)?;
        if logical.is_some() {
            return Err(Flaw::Damaged);
        }
        logical = Some(match tag.id {
            5 => decimal(thrift)?,
            8 => timestamp(thrift)?,
            10 => integer(thrift)?,
            id => {
                thrift.skip(tag)?;
                match id {
                    1 => Logical::String,
                    2 => Logical::Map,
                    3 => Logical::List,
                    4 => Logical::Enum,
                    6 => Logical::Date,
                    7 => Logical::Time,
                    11 => Logical::Unknown,
                    12 => Logical::Json,
                    13 => Logical::Bson,
                    14 => Logical::Uuid,
                    15 => Logical::Half,
                    _ => Logical::Other,
                }
            }
        });
        Ok(())
    })?;
    Ok(logical.unwrap_or(Logical::Other))
}

fn decimal(thrift: &mut Thrift) -> Result<Logical, Flaw> {
    let (mut scale, mut precision) = (0, 0);
    thrift.fields(&DECIMAL, &mut |thrift, tag| {
        match tag.id {
            1 => scale = thrift.small(tag)?,
            2 => precision = thrift.small(tag)?,
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    Ok(Logical::Decimal { scale, precision })
}

fn timestamp(thrift: &mut Thrift) -> Result<Logical, Flaw> {
    let mut per_second = None;
    thrift.fields(&TIMESTAMP, &mut |thrift, tag| {
        if tag.id != 2 {
            return thrift.skip(tag);
        }
        thrift.fields(&[], &mut |thrift, tag| {
            thrift.structure(tag)?;
            per_second = match tag.id {
                1 => Some(1_000),
                2 => Some(1_000_000),
                3 => Some(1_000_000_000),
                _ => None,
            };
            thrift.skip(tag)
        })
    })?;
    Ok(per_second.map_or(Logical::Other, |per_second| Logical::Timestamp { per_second }))
}

fn integer(thrift: &mut Thrift) -> Result<Logical, Flaw> {
    let (mut bits, mut signed) = (0, false);
    thrift.fields(&INTEGER, &mut |thrift, tag| {
        match tag.id {
            1 => bits = i32::from(thrift.tiny(tag)?),
            2 => signed = thrift.boolean(tag)?,
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    Ok(Logical::Integer { bits, signed })
}

fn group(thrift: &mut Thrift, memory: &MemoryLimit, held: &mut Vec<Held>) -> Result<Group, Flaw> {
    let (mut chunks, mut rows) = (Vec::new(), None);
    thrift.fields(&GROUP, &mut |thrift, tag| {
        match tag.id {
            1 => {
                let count = thrift.structures(tag)?;
                held.push(take(memory, count, size_of::<Chunk>())?);
                chunks = list(thrift, count, chunk)?;
            }
            3 => rows = u64::try_from(thrift.integer(tag)?).ok(),
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    Ok(Group { rows: rows.ok_or(Flaw::Damaged)?, chunks })
}

fn chunk(thrift: &mut Thrift) -> Result<Chunk, Flaw> {
    let mut chunk = Chunk::default();
    let (mut described, mut unsupported) = (false, None);
    thrift.fields(&CHUNK, &mut |thrift, tag| {
        match tag.id {
            1 => {
                thrift.skip(tag)?;
                unsupported = Some("columns in other files");
            }
            3 => {
                chunk = place(thrift)?;
                described = true;
            }
            8 | 9 => {
                thrift.skip(tag)?;
                unsupported = Some("encryption");
            }
            _ => thrift.skip(tag)?,
        }
        Ok(())
    })?;
    if !described && unsupported.is_none() {
        return Err(Flaw::Damaged);
    }
    chunk.unsupported = unsupported;
    Ok(chunk)
}

/// The metadata of a column of a group.
fn place(thrift: &mut Thrift) -> Result<Chunk, Flaw> {
    let mut chunk = Chunk::default();
    thrift.fields(&PLACE, &mut |thrift, tag| {
        match tag.id {
            1 => chunk.physical = thrift.small(tag)?,
            4 => chunk.codec = thrift.small(tag)?,
            5 => chunk.values = thrift.integer(tag)?,
            7 => chunk.bytes = thrift.integer(tag)?,
            9 => chunk.data = thrift.integer(tag)?,
            11 => chunk.dictionary = Some(thrift.integer(tag)?),
            _ => return thrift.skip(tag),
        }
        Ok(())
    })?;
    Ok(chunk)
}
