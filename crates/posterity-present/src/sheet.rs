//! Rows under named columns, before they are written in a format.

use std::borrow::Cow;

/// Rows under named columns. Rows are made one by one, because there may be millions.
pub(crate) struct Sheet<'a> {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Box<dyn Iterator<Item = Vec<Value<'a>>> + 'a>,
}

impl<'a> Sheet<'a> {
    /// Columns, and rows with one value for each of them.
    pub(crate) fn new(columns: Vec<Column>, rows: impl IntoIterator<Item = Vec<Value<'a>>> + 'a) -> Self {
        Self { columns, rows: Box::new(rows.into_iter()) }
    }
}

/// The name of a column, and how a table sets its cells.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(super) name: Cow<'static, str>,
    pub(super) setting: Setting,
}

/// How a table sets the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// To the left, and wrapped at the end of the line. Only the last column can be wrapped.
    Wrapped,
}

impl Column {
    /// A column of short texts.
    pub(crate) fn text(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), setting: Setting::Left }
    }

    /// A column of numbers, or of texts that are set like numbers.
    pub(crate) fn number(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), setting: Setting::Right }
    }

    /// A last column of long texts.
    pub(crate) fn prose(name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), setting: Setting::Wrapped }
    }
}

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value<'a> {
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
    pub(crate) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// A number if there is one.
    pub(crate) fn optional(number: Option<f64>) -> Self {
        number.map_or(Self::Missing, Self::Real)
    }
}
