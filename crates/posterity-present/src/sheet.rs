//! Rows under named columns, before they are written in a format.

use std::borrow::Cow;
use std::fmt;

use posterity::number::decimal;

/// Rows under named columns. Rows are made one by one, because there may be millions.
pub struct Sheet<'a> {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with one value for each column.
    pub rows: Box<dyn Iterator<Item = Vec<Value<'a>>> + 'a>,
}

impl<'a> Sheet<'a> {
    /// Columns, and rows with one value for each of them.
    pub fn new(columns: Vec<Column>, rows: impl IntoIterator<Item = Vec<Value<'a>>> + 'a) -> Self {
        Self { columns, rows: Box::new(rows.into_iter()) }
    }
}

impl fmt::Debug for Sheet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sheet").field("columns", &self.columns).finish_non_exhaustive()
    }
}

/// The name of a column, and how a table sets its cells.
#[derive(Clone, Debug)]
pub struct Column {
    /// The name.
    pub name: Cow<'static, str>,
    /// How its cells are set.
    pub setting: Setting,
}

/// How a table sets the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// To the left, and wrapped at the end of the line. Only the last column can be wrapped.
    Wrapped,
}

impl Column {
    /// A column of short texts.
    pub fn text(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), setting: Setting::Left }
    }

    /// A column of numbers, or of texts that are set like numbers.
    pub fn number(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), setting: Setting::Right }
    }

    /// A last column of long texts.
    pub fn prose(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), setting: Setting::Wrapped }
    }
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// A text, or a number that is written already.
    Text(Cow<'a, str>),
    /// A text that the reader must not miss.
    Warning(Cow<'a, str>),
    /// A whole number.
    Whole(u64),
    /// A probability or a distance.
    Real(f64),
    /// Yes or no.
    Truth(bool),
    /// No value.
    Missing,
}

impl<'a> Value<'a> {
    /// A text.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// A number if there is one.
    #[must_use]
    pub fn optional(number: Option<f64>) -> Self {
        number.map_or(Self::Missing, Self::Real)
    }

    /// As a reader sees it in a table.
    #[must_use]
    pub fn shown(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) | Self::Warning(text) => Cow::Borrowed(text),
            Self::Whole(number) => Cow::Owned(number.to_string()),
            Self::Real(number) => Cow::Owned(decimal(*number)),
            Self::Truth(true) => Cow::Borrowed("yes"),
            Self::Truth(false) => Cow::Borrowed("no"),
            Self::Missing => Cow::Borrowed(""),
        }
    }
}
