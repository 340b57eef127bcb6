//! A description before it is written in a format: headings, sentences, lists and tables.

use std::borrow::Cow;

use crate::sheet::{Column, Sheet, Value};

/// A page for people who decide.
#[derive(Clone, Debug)]
pub struct Description {
    /// What it is.
    pub title: String,
    /// What nobody may miss, such as that nothing is promised.
    pub alarm: Option<String>,
    /// Its parts, in their order.
    pub sections: Vec<Section>,
    /// Whether people may sign it on paper.
    pub is_signed: bool,
}

/// A part of a description.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its heading.
    pub heading: Cow<'static, str>,
    /// What it says.
    pub blocks: Vec<Block>,
}

/// One thing that is said.
#[derive(Clone, Debug)]
pub enum Block {
    /// A paragraph.
    Say(String),
    /// A list of sentences.
    List(Vec<String>),
    /// Names with their values.
    Facts(Vec<(&'static str, String)>),
    /// A table under a caption.
    Table(String, Table),
    /// A line to type.
    Code(String),
}

/// A table of texts.
#[derive(Clone, Debug)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with one text for each column.
    pub rows: Vec<Vec<String>>,
}

impl Section {
    pub(super) fn new(heading: impl Into<Cow<'static, str>>, blocks: Vec<Block>) -> Self {
        Self { heading: heading.into(), blocks }
    }
}

impl Block {
    pub(super) fn say(text: impl Into<String>) -> Self {
        Self::Say(text.into())
    }
}

impl Table {
    /// The first rows of a sheet.
    pub(super) fn of(sheet: Sheet<'_>, most: usize) -> Self {
        let texts = |row: Vec<Value<'_>>| row.iter().map(|value| value.shown().into_owned()).collect();
        Self { columns: sheet.columns, rows: sheet.rows.take(most).map(texts).collect() }
    }

    /// The rows for whoever writes tables.
    #[must_use]
    pub fn sheet(&self) -> Sheet<'_> {
        let rows = self.rows.iter().map(|row| row.iter().map(Value::text).collect());
        Sheet::new(self.columns.clone(), rows)
    }
}
