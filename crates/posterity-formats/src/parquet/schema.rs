//! From the tree of a file's schema to its columns.

use crate::column::{Field, ValueKind};
use crate::flaw::Flaw;

use super::metadata::{Element, Logical};

/// The columns of a file.
#[derive(Debug)]
pub(super) struct Schema {
    /// The columns at the top, as they are shown.
    pub(super) fields: Vec<Field>,
    /// How each of them is read.
    pub(super) layouts: Vec<Layout>,
    /// How many leaves the tree has: as many as a group has chunks.
    pub(super) leaves: usize,
}

/// How a column at the top is read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Layout {
    /// A leaf.
    Flat(Leaf),
    /// A group of columns, or a repeated one.
    Nested,
}

/// A leaf at the top that holds at most one value in each row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    /// Its position among the chunks of a group.
    pub(super) chunk: usize,
    /// Whether values may be missing.
    pub(super) optional: bool,
    pub(super) physical: Physical,
    pub(super) shape: Shape,
}

/// How values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Physical {
    Boolean,
    Int32,
    Int64,
    Int96,
    Float,
    Double,
    Bytes,
    Fixed(usize),
}

/// What stored values become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Missing,
    Boolean,
    Integer,
    Unsigned,
    Decimal {
        scale: i32,
    },
    Single,
    Half,
    Double,
    Day,
    Instant {
        per_second: u32,
    },
    Text,
    /// What is said to be text, if it may be other bytes all the same.
    TextOrBytes,
    Bytes,
    /// Bytes of which the file does not say what they are. Writers before the annotation of text left it out.
    BytesOrText,
    Strange,
}

impl Schema {
    /// Goes through the elements, each of which comes before its children.
    pub(super) fn new(elements: &[Element]) -> Result<Self, Flaw> {
        let mut schema = Self { fields: Vec::new(), layouts: Vec::new(), leaves: 0 };
        let (root, elements) = elements.split_first().ok_or(Flaw::Damaged)?;
        // How many children are still to come, of each group that is open.
        let mut open = vec![children(root)?];
        for element in elements {
            let left = open.last_mut().ok_or(Flaw::Damaged)?;
            *left = left.checked_sub(1).ok_or(Flaw::Damaged)?;
            if open.len() == 1 {
                schema.add(element)?;
            }
            if element.physical.is_some() {
                schema.leaves += 1;
            } else {
                open.push(children(element)?);
            }
            while open.last() == Some(&0) {
                open.pop();
            }
        }
        // A root without children stays open.
        if open.iter().all(|left| *left == 0) { Ok(schema) } else { Err(Flaw::Damaged) }
    }

    /// Adds a column at the top.
    fn add(&mut self, element: &Element) -> Result<(), Flaw> {
        let (kind, described, layout) = match element.physical {
            None => (ValueKind::Strange, group(element).to_owned(), Layout::Nested),
            Some(_) if element.repetition == 2 => (ValueKind::Strange, "List".to_owned(), Layout::Nested),
            Some(physical) => {
                let physical = Physical::new(physical, element.length)?;
                let (shape, described) = meaning(element, physical);
                let optional = match element.repetition {
                    0 => false,
                    1 => true,
                    _ => return Err(Flaw::Damaged),
                };
                (
                    shape.kind(),
                    described,
                    Layout::Flat(Leaf { chunk: self.leaves, optional, physical, shape }),
                )
            }
        };
        self.fields.push(Field { name: element.name.clone(), kind, described });
        self.layouts.push(layout);
        Ok(())
    }
}

impl Physical {
    fn new(number: i32, length: i32) -> Result<Self, Flaw> {
        Ok(match number {
            0 => Self::Boolean,
            1 => Self::Int32,
            2 => Self::Int64,
            3 => Self::Int96,
            4 => Self::Float,
            5 => Self::Double,
            6 => Self::Bytes,
            7 => Self::Fixed(usize::try_from(length).map_err(|_| Flaw::Damaged)?),
            _ => return Err(Flaw::Damaged),
        })
    }

    /// The number of the format.
    pub(super) fn number(self) -> i32 {
        match self {
            Self::Boolean => 0,
            Self::Int32 => 1,
            Self::Int64 => 2,
            Self::Int96 => 3,
            Self::Float => 4,
            Self::Double => 5,
            Self::Bytes => 6,
            Self::Fixed(_) => 7,
        }
    }

    /// How many bytes each value has, if all have the same number of whole ones.
    pub(super) fn width(self) -> Option<usize> {
        match self {
            Self::Boolean | Self::Bytes => None,
            Self::Int32 | Self::Float => Some(4),
            Self::Int64 | Self::Double => Some(8),
            Self::Int96 => Some(12),
            Self::Fixed(width) => Some(width),
        }
    }
}

impl Shape {
    fn kind(self) -> ValueKind {
        match self {
            Self::Missing => ValueKind::Missing,
            Self::Boolean => ValueKind::Boolean,
            Self::Integer | Self::Unsigned | Self::Decimal { scale: 0 } => ValueKind::Integer,
            Self::Decimal { .. } => ValueKind::Decimal,
            Self::Single | Self::Half | Self::Double => ValueKind::Float,
            Self::Day => ValueKind::Day,
            Self::Instant { .. } => ValueKind::Instant,
            Self::Text | Self::TextOrBytes => ValueKind::Text,
            Self::Bytes => ValueKind::Bytes,
            Self::BytesOrText => ValueKind::Mixed,
            Self::Strange => ValueKind::Strange,
        }
    }
}

fn children(element: &Element) -> Result<u32, Flaw> {
    u32::try_from(element.children).map_err(|_| Flaw::Damaged)
}

/// What a group of columns is.
fn group(element: &Element) -> &'static str {
    match (element.repetition, element.logical, element.converted) {
        (2, _, _) | (_, Some(Logical::List), _) | (_, None, Some(3)) => "List",
        (_, Some(Logical::Map), _) | (_, None, Some(1 | 2)) => "Map",
        _ => "Struct",
    }
}

/// What the values of a leaf become, and how their type is described.
fn meaning(element: &Element, physical: Physical) -> (Shape, String) {
    let logical = element.logical.or_else(|| converted(element));
    let plain = |shape, described: &str| (shape, described.to_owned());
    match (physical, logical) {
        (_, Some(Logical::Unknown)) => plain(Shape::Missing, "Null"),
        (_, Some(Logical::Decimal { scale, precision })) => decimal(physical, scale, precision),
        (Physical::Boolean, _) => plain(Shape::Boolean, "Boolean"),
        (Physical::Int32, None) => plain(Shape::Integer, "Int32"),
        (Physical::Int64, None) => plain(Shape::Integer, "Int64"),
        (Physical::Int32 | Physical::Int64, Some(Logical::Integer { bits, signed: true })) => {
            (Shape::Integer, format!("Int{bits}"))
        }
        (Physical::Int32 | Physical::Int64, Some(Logical::Integer { bits, signed: false })) => {
            (Shape::Unsigned, format!("UInt{bits}"))
        }
        (Physical::Int32, Some(Logical::Date)) => plain(Shape::Day, "Date32"),
        (Physical::Int64, Some(Logical::Timestamp { per_second })) => {
            let unit = match per_second {
                1_000 => "ms",
                1_000_000 => "us",
                _ => "ns",
            };
            (Shape::Instant { per_second }, format!("Timestamp({unit})"))
        }
        (Physical::Int32 | Physical::Int64, Some(Logical::Time)) => plain(Shape::Strange, "Time"),
        (Physical::Int32 | Physical::Int64, Some(_)) => plain(Shape::Strange, "Unknown"),
        (Physical::Int96, _) => plain(Shape::Instant { per_second: 1_000_000_000 }, "Timestamp(ns)"),
        (Physical::Float, _) => plain(Shape::Single, "Float32"),
        (Physical::Double, _) => plain(Shape::Double, "Float64"),
        (Physical::Bytes, Some(Logical::String | Logical::Enum | Logical::Json)) => {
            plain(Shape::Text, "Utf8")
        }
        (Physical::Bytes, None) => plain(Shape::BytesOrText, "Binary"),
        (Physical::Bytes, _) => plain(Shape::Bytes, "Binary"),
        (Physical::Fixed(2), Some(Logical::Half)) => plain(Shape::Half, "Float16"),
        (Physical::Fixed(12), _) if element.logical.is_none() && element.converted == Some(21) => {
            plain(Shape::Strange, "Interval")
        }
        // Values without any bytes cannot be counted by them.
        (Physical::Fixed(0), _) => plain(Shape::Strange, "FixedSizeBinary(0)"),
        (Physical::Fixed(width), _) => (Shape::Bytes, format!("FixedSizeBinary({width})")),
    }
}

/// Decimals of up to 38 digits are read; those of other kinds can only be seen to be there.
fn decimal(physical: Physical, scale: i32, precision: i32) -> (Shape, String) {
    let described = format!("Decimal({precision}, {scale})");
    let fits = match physical {
        Physical::Int32 | Physical::Int64 | Physical::Bytes => true,
        Physical::Fixed(width) => (1..=16).contains(&width),
        _ => false,
    };
    if fits && (1..=38).contains(&precision) && (0..=precision).contains(&scale) {
        (Shape::Decimal { scale }, described)
    } else {
        (Shape::Strange, described)
    }
}

/// What an older writer says values mean, in newer words.
fn converted(element: &Element) -> Option<Logical> {
    let integer = |bits, signed| Logical::Integer { bits, signed };
    Some(match element.converted? {
        0 => Logical::String,
        1 | 2 => Logical::Map,
        3 => Logical::List,
        4 => Logical::Enum,
        5 => Logical::Decimal { scale: element.scale, precision: element.precision },
        6 => Logical::Date,
        7 | 8 => Logical::Time,
        9 => Logical::Timestamp { per_second: 1_000 },
        10 => Logical::Timestamp { per_second: 1_000_000 },
        11 => integer(8, false),
        12 => integer(16, false),
        13 => integer(32, false),
        14 => integer(64, false),
        15 => integer(8, true),
        16 => integer(16, true),
        17 => integer(32, true),
        18 => integer(64, true),
        19 => Logical::Json,
        20 => Logical::Bson,
        _ => Logical::Other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str, children: i32) -> Element {
        Element { name: name.to_owned(), children, ..Element::default() }
    }

    fn leaf(name: &str) -> Element {
        Element { name: name.to_owned(), physical: Some(1), ..Element::default() }
    }

    #[test]
    fn leaves_are_numbered_through_any_nesting() {
        let mut tree = vec![group("root", 3), leaf("a"), group("b", 1)];
        tree.extend((0..10_000).map(|_| group("deeper", 1)));
        tree.extend([leaf("deepest"), leaf("c")]);
        let schema = Schema::new(&tree).unwrap();
        assert_eq!(schema.leaves, 3);
        let names: Vec<_> = schema.fields.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert!(matches!(schema.layouts[1], Layout::Nested));
        assert!(matches!(schema.layouts[2], Layout::Flat(Leaf { chunk: 2, .. })));
    }

    #[test]
    fn trees_that_do_not_add_up_are_refused() {
        assert!(Schema::new(&[]).is_err());
        assert!(Schema::new(&[group("root", 2), leaf("a")]).is_err());
        assert!(Schema::new(&[group("root", 1), leaf("a"), leaf("b")]).is_err());
        assert!(Schema::new(&[group("root", -1)]).is_err());
        assert!(Schema::new(&[group("root", 1), group("b", i32::MAX), leaf("a")]).is_err());
    }
}
