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
    /// The bins between two edges together.
    Range(Range),
}

/// The bins of a column from one edge to another, as the edges were written.
///
/// | text | bins |
/// |---|---|
/// | `age < 65` | all below an edge |
/// | `age >= 18` | all from an edge on |
/// | `age in 18..65` | from one edge up to, but not including, another |
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// All bins below this edge.
    Below(String),
    /// All bins from this edge on.
    From(String),
    /// The bins between two edges.
    Between(String, String),
}

impl Term {
    /// Each value of a column by itself.
    pub fn each(column: impl Into<String>) -> Self {
        Self { column: column.into(), selection: Selection::Each }
    }

    /// The bins of a column between edges together.
    pub fn range(column: impl Into<String>, range: Range) -> Self {
        Self { column: column.into(), selection: Selection::Range(range) }
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

/// As it stands beside the name of a column: `< 65`, `>= 18` or `18..65`.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Below(edge) => write!(f, "< {edge}"),
            Self::From(edge) => write!(f, ">= {edge}"),
            Self::Between(from, to) => write!(f, "{from}..{to}"),
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
            Selection::Range(Range::Between(from, to)) => write!(f, "{column} in {from}..{to}"),
            Selection::Range(range) => write!(f, "{column} {range}"),
        }
    }
}
