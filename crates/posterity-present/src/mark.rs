//! The mark of everything that comes from a draw, or shows data: whether it is private.

use std::iter::once;

use posterity::Document;
use posterity::document::Kind;

use crate::sheet::{Column, Sheet, Value};

/// Whether something that comes from a draw, or shows data, is private. Every output has it: a table of comma-separated
/// values as the column [`Mark::COLUMN`], JSON as a field of that name, text and pages as the line [`Mark::line`].
///
/// ```
/// use posterity_present::{Column, Mark, Sheet, Value, csv};
/// let mark = Mark::new(false, Some(7));
/// let sheet = || Sheet::new(vec![Column::number("share")], [vec![Value::Real(0.25)]]);
/// assert_eq!(csv::text(mark.on(sheet())), "share,private\n0.25,false\n");
/// assert!(mark.line().is_some_and(|line| line.starts_with("NOT PRIVATE: anyone can repeat the noise of seed 7")));
/// assert_eq!(Mark::new(true, None).line(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It promises something to the people in the data.
    Private,
    /// Its noise was drawn from a seed.
    Seeded(u64),
    /// Nothing is proven of the mechanism.
    Unproven,
    /// It shows data, or what depends on data, without protection.
    Data,
}

impl Mark {
    /// The name of the column, and of the field.
    pub const COLUMN: &'static str = "private";

    /// How the line begins.
    pub const ALARM: &'static str = "NOT PRIVATE";

    /// The mark of a draw.
    #[must_use]
    pub fn new(is_private: bool, seed: Option<u64>) -> Self {
        match (is_private, seed) {
            (true, _) => Self::Private,
            (false, Some(seed)) => Self::Seeded(seed),
            (false, None) => Self::Unproven,
        }
    }

    /// The mark of a document.
    #[must_use]
    pub fn of<K: Kind>(document: &Document<K>) -> Self {
        Self::new(document.is_private(), document.seed())
    }

    /// Whether it is private.
    #[must_use]
    pub fn is_private(self) -> bool {
        self == Self::Private
    }

    /// Why it is not private, in a sentence without its end; nothing if it is.
    #[must_use]
    pub fn why(self) -> Option<String> {
        match self {
            Self::Private => None,
            Self::Seeded(seed) => {
                Some(format!("anyone can repeat the noise of seed {seed}; do not publish this as private"))
            }
            Self::Unproven => {
                Some("the mechanism has no proven guarantee; do not publish this as private".to_owned())
            }
            Self::Data => Some(
                "this shows the data, or what depends on it, without protection; it is for the owner of the data, and not for \
                 publication"
                    .to_owned(),
            ),
        }
    }

    /// The line for text, standard error and pages; nothing if it is private.
    #[must_use]
    pub fn line(self) -> Option<String> {
        self.why().map(|why| format!("{}: {why}", Self::ALARM))
    }

    /// The table with the mark in every row, in a column of its own at the end.
    #[must_use]
    pub fn on<'a>(self, sheet: Sheet<'a>) -> Sheet<'a> {
        let Sheet { mut columns, rows } = sheet;
        columns.push(Column::text(Self::COLUMN));
        Sheet::new(columns, rows.map(move |row| row.into_iter().chain(once(self.value())).collect()))
    }

    fn value<'a>(self) -> Value<'a> {
        Value::Truth(self.is_private())
    }
}
