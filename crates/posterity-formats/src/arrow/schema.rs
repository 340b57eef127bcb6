//! The columns that a file declares, and where their parts stand among the parts of a batch.
//!
//! A batch lists its parts depth first: a node (length and missing values) for each column and each column nested in
//! it, and for each of these its buffers. So every type must be known, also of columns that are not asked for, to find
//! the parts of the next.

use super::flatbuffer::{FlatTable, Vector};
use super::form::{Form, Whole};
use crate::column::Field;
use crate::flaw::Flaw;

/// The deepest nesting of columns.
const MAX_DEPTH: usize = 64;

/// The most columns, with all that are nested in them.
const MAX_FIELDS: usize = 1 << 18;

/// The columns of a file.
#[derive(Debug)]
pub(super) struct Schema {
    pub(super) fields: Vec<Field>,
    pub(super) columns: Vec<Layout>,
    /// The parts of a whole batch.
    pub(super) parts: Parts,
}

/// How a column is stored, and the parts before it.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) form: Form,
    pub(super) before: Parts,
}

/// Numbers of parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) nodes: usize,
    /// Buffers, except those that depend on the version or the batch.
    pub(super) buffers: usize,
    /// Unions, which have a buffer more in files of version 4.
    pub(super) unions: usize,
    /// Columns of views, which have as many further buffers as each batch says.
    pub(super) views: usize,
}

impl Parts {
    /// The parts of one column that is not nested.
    pub(super) fn of(form: &Form) -> Self {
        let (buffers, views) = match form {
            Form::Missing => (0, 0),
            Form::Offsets { .. } => (3, 0),
            Form::Views { .. } => (2, 1),
            _ => (2, 0),
        };
        Self { nodes: 1, buffers, unions: 0, views }
    }
}

impl Schema {
    /// Reads the table `Schema`.
    pub(super) fn read(table: FlatTable<'_>) -> Result<Self, Flaw> {
        match table.i16(0, 0)? {
            0 => {}
            1 => return Err(Flaw::Unsupported("big-endian files")),
            _ => return Err(Flaw::Damaged),
        }
        let declared = table.tables(1)?;
        let mut schema = Self { fields: Vec::new(), columns: Vec::new(), parts: Parts::default() };
        for index in 0..declared.len() {
            let field = declared.table(index)?;
            let before = schema.parts;
            let (form, described) = column(field, 0, &mut schema.parts)?;
            let name = field.string(0)?.unwrap_or_default().to_owned();
            schema.fields.push(Field { name, kind: form.kind(), described });
            schema.columns.push(Layout { form, before });
        }
        schema.check_dictionaries()?;
        Ok(schema)
    }

    /// Columns that share a dictionary must agree on its values.
    fn check_dictionaries(&self) -> Result<(), Flaw> {
        let mut known = std::collections::HashMap::new();
        for layout in &self.columns {
            if let Form::Keyed { id, values, .. } = &layout.form
                && known.insert(*id, values).is_some_and(|before| before != values)
            {
                return Err(Flaw::Damaged);
            }
        }
        Ok(())
    }
}

/// The form of the column that the table `Field` declares, and its type in words. Adds its parts.
fn column(field: FlatTable<'_>, depth: usize, parts: &mut Parts) -> Result<(Form, String), Flaw> {
    if depth >= MAX_DEPTH {
        return Err(Flaw::Unsupported("columns nested more than 64 deep"));
    }
    let Some(dictionary) = field.table(4)? else { return stored(field, depth, parts) };
    // The values stand in messages of their own, and so do the parts of what is nested in them.
    let (values, described) = stored(field, depth, &mut Parts::default())?;
    let id = dictionary.i64(0, 0)?;
    let keys = match dictionary.table(1)? {
        None => Whole { bytes: 4, signed: true },
        Some(table) => whole(table)?,
    };
    let described = format!("Dictionary({}, {described})", name(keys));
    let form = match values {
        Form::Missing => Form::Missing,
        Form::Strange { .. } => Form::Strange { validity: true },
        values => Form::Keyed { keys, id, values: Box::new(values) },
    };
    add(parts, 2)?;
    Ok((form, described))
}

/// The same, of the values themselves.
fn stored(field: FlatTable<'_>, depth: usize, parts: &mut Parts) -> Result<(Form, String), Flaw> {
    let code = field.u8(2, 0)?;
    let details = field.table(3)?.ok_or(Flaw::Damaged)?;
    let children = field.tables(5)?;
    let (form, described, buffers) = kind(code, details)?;
    let expected = match code {
        LIST | FIXED_SIZE_LIST | MAP | LARGE_LIST | LIST_VIEW | LARGE_LIST_VIEW => children.len() == 1,
        RUN_END_ENCODED => children.len() == 2,
        STRUCT | UNION => true,
        _ => children.len() == 0,
    };
    if !expected {
        return Err(Flaw::Damaged);
    }
    add(parts, buffers)?;
    parts.unions += usize::from(code == UNION);
    parts.views += usize::from(matches!(form, Form::Views { .. }));
    nested(children, depth, parts)?;
    Ok((form, described))
}

fn nested(children: Vector<'_>, depth: usize, parts: &mut Parts) -> Result<(), Flaw> {
    (0..children.len()).try_for_each(|index| column(children.table(index)?, depth + 1, parts).map(drop))
}

fn add(parts: &mut Parts, buffers: usize) -> Result<(), Flaw> {
    parts.nodes += 1;
    parts.buffers += buffers;
    if parts.nodes > MAX_FIELDS { Err(Flaw::TooLarge) } else { Ok(()) }
}

const LIST: u8 = 12;
const STRUCT: u8 = 13;
const UNION: u8 = 14;
const FIXED_SIZE_LIST: u8 = 16;
const MAP: u8 = 17;
const LARGE_LIST: u8 = 21;
const RUN_END_ENCODED: u8 = 22;
const LIST_VIEW: u8 = 25;
const LARGE_LIST_VIEW: u8 = 26;

/// The form of a type, its name, and its number of buffers. The codes are those of the union `Type` of the format.
fn kind(code: u8, details: FlatTable<'_>) -> Result<(Form, String, usize), Flaw> {
    let strange = Form::Strange { validity: true };
    let bare = Form::Strange { validity: false };
    let string = |wide, text| Form::Offsets { wide, text };
    Ok(match code {
        1 => (Form::Missing, "Null".into(), 0),
        2 => {
            let whole = whole(details)?;
            (Form::Whole(whole), name(whole), 2)
        }
        3 => {
            let bytes = match details.i16(0, 0)? {
                0 => 2,
                1 => 4,
                2 => 8,
                _ => return Err(Flaw::Damaged),
            };
            (Form::Float { bytes }, format!("Float{}", 8 * bytes), 2)
        }
        4 => (string(false, false), "Binary".into(), 3),
        5 => (string(false, true), "Utf8".into(), 3),
        6 => (Form::Boolean, "Boolean".into(), 2),
        7 => {
            let (form, described) = decimal(details)?;
            (form, described, 2)
        }
        8 => match details.i16(0, 1)? {
            0 => (Form::Day, "Date32".into(), 2),
            1 => (Form::Instant { per_second: 1000 }, "Date64".into(), 2),
            _ => return Err(Flaw::Damaged),
        },
        9 => {
            let (unit, _) = unit(details.i16(0, 1)?)?;
            match details.i32(1, 32)? {
                bits @ (32 | 64) => (strange, format!("Time{bits}({unit})"), 2),
                _ => return Err(Flaw::Damaged),
            }
        }
        10 => {
            let (unit, per_second) = unit(details.i16(0, 0)?)?;
            let zone = details.string(1)?.filter(|zone| !zone.is_empty());
            let zone = zone.map(|zone| format!(", {}", shown(zone))).unwrap_or_default();
            (Form::Instant { per_second }, format!("Timestamp({unit}{zone})"), 2)
        }
        11 => {
            let unit = match details.i16(0, 0)? {
                0 => "YearMonth",
                1 => "DayTime",
                2 => "MonthDayNano",
                _ => return Err(Flaw::Damaged),
            };
            (strange, format!("Interval({unit})"), 2)
        }
        LIST => (strange, "List".into(), 2),
        STRUCT => (strange, "Struct".into(), 1),
        UNION => match details.i16(0, 0)? {
            0 => (bare, "Union".into(), 1),
            1 => (bare, "Union".into(), 2),
            _ => return Err(Flaw::Damaged),
        },
        15 => {
            let width = details.i32(0, 0)?;
            let form = Form::Fixed { width: usize::try_from(width).map_err(|_| Flaw::Damaged)? };
            (form, format!("FixedSizeBinary({width})"), 2)
        }
        FIXED_SIZE_LIST => (strange, format!("FixedSizeList({})", details.i32(0, 0)?), 1),
        MAP => (strange, "Map".into(), 2),
        18 => {
            let (unit, _) = unit(details.i16(0, 1)?)?;
            (strange, format!("Duration({unit})"), 2)
        }
        19 => (string(true, false), "LargeBinary".into(), 3),
        20 => (string(true, true), "LargeUtf8".into(), 3),
        LARGE_LIST => (strange, "LargeList".into(), 2),
        RUN_END_ENCODED => (bare, "RunEndEncoded".into(), 0),
        23 => (Form::Views { text: false }, "BinaryView".into(), 2),
        24 => (Form::Views { text: true }, "Utf8View".into(), 2),
        LIST_VIEW => (strange, "ListView".into(), 3),
        LARGE_LIST_VIEW => (strange, "LargeListView".into(), 3),
        0 => return Err(Flaw::Damaged),
        _ => return Err(Flaw::Unsupported("a type of columns that this version does not know")),
    })
}

/// Reads the table `Int`.
fn whole(table: FlatTable<'_>) -> Result<Whole, Flaw> {
    let bytes = match table.i32(0, 0)? {
        bits @ (8 | 16 | 32 | 64) => bits as usize / 8,
        _ => return Err(Flaw::Damaged),
    };
    Ok(Whole { bytes, signed: table.u8(1, 0)? != 0 })
}

fn name(whole: Whole) -> String {
    format!("{}{}", if whole.signed { "Int" } else { "UInt" }, 8 * whole.bytes)
}

/// Reads the table `Decimal`.
fn decimal(table: FlatTable<'_>) -> Result<(Form, String), Flaw> {
    let (precision, scale, bits) = (table.i32(0, 0)?, table.i32(1, 0)?, table.i32(2, 128)?);
    let most = match bits {
        32 => 9,
        64 => 18,
        128 => 38,
        256 => 76,
        _ => return Err(Flaw::Damaged),
    };
    if !(1..=most).contains(&precision) || !(-128..=127).contains(&scale) {
        return Err(Flaw::Damaged);
    }
    Ok((Form::Decimal { bytes: bits as usize / 8, scale }, format!("Decimal{bits}({precision}, {scale})")))
}

/// The sign of a unit of time, and how many of it make a second.
fn unit(code: i16) -> Result<(&'static str, u32), Flaw> {
    match code {
        0 => Ok(("s", 1)),
        1 => Ok(("ms", 1_000)),
        2 => Ok(("us", 1_000_000)),
        3 => Ok(("ns", 1_000_000_000)),
        _ => Err(Flaw::Damaged),
    }
}

/// The name of a time zone, fit for a message.
fn shown(zone: &str) -> String {
    zone.chars().take(64).map(|letter| if letter.is_ascii_graphic() { letter } else { '?' }).collect()
}
