//! Columns and values in a reading.

use std::fmt;

use super::names::{name_text, set_text};

/// A column, or some of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The column.
    pub column: String,
    /// Which of its values.
    pub selection: Selection,
}

/// Values of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Each value by itself.
    Each,
    /// These values together.
    Set(Vec<String>),
}

impl Term {
    /// Each value of a column by itself.
    pub fn each(column: impl Into<String>) -> Self {
        Self { column: column.into(), selection: Selection::Each }
    }

    /// The columns of some terms.
    pub(crate) fn columns(terms: &[Self]) -> Vec<String> {
        terms.iter().map(|term| term.column.clone()).collect()
    }

    /// Some values of a column together.
    pub fn set<V: Into<String>>(column: impl Into<String>, values: impl IntoIterator<Item = V>) -> Self {
        Self {
            column: column.into(),
            selection: Selection::Set(values.into_iter().map(Into::into).collect()),
        }
    }
}

pub(super) fn write_terms(terms: &[Term], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (index, term) in terms.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        write!(f, "{comma}{term}")?;
    }
    Ok(())
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = name_text(&self.column);
        match &self.selection {
            Selection::Each => write!(f, "{column}"),
            Selection::Set(values) => match values.as_slice() {
                [only] => write!(f, "{column}={}", name_text(only)),
                several => write!(f, "{column} in {}", set_text(several)),
            },
        }
    }
}
