//! The forms of a question.

use std::fmt;
use std::str::FromStr;

use crate::release::nodes;

/// What is asked of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The share of each value of a column.
    Share,
    /// The share of an outcome within each group.
    Rate,
    /// By how much such a share differs between two groups.
    Difference,
    /// All combinations of the values of several columns.
    Table,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Share, Self::Rate, Self::Difference, Self::Table];

    /// What it is called.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Share => "A share",
            Self::Rate => "A rate within groups",
            Self::Difference => "A difference between two groups",
            Self::Table => "A table of several columns",
        }
    }

    /// A question of this form.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Self::Share => "How many of all patients were cured?",
            Self::Rate => "What is the cure rate of each ward?",
            Self::Difference => "By how much does the cure rate differ between ward A and ward B?",
            Self::Table => "How are ward, sex and outcome distributed together?",
        }
    }

    /// The fewest and the most columns that it is about.
    pub(super) fn columns(self) -> (usize, usize) {
        match self {
            Self::Share => (1, 1),
            Self::Rate => (2, nodes::COLUMNS),
            Self::Difference => (2, 2),
            Self::Table => (2, 3),
        }
    }

    /// Whether it is about an outcome within groups.
    pub(crate) fn has_groups(self) -> bool {
        matches!(self, Self::Rate | Self::Difference)
    }
}

/// As it is named in addresses.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Share => "share",
            Self::Rate => "rate",
            Self::Difference => "difference",
            Self::Table => "table",
        })
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.to_string() == text);
        found.ok_or_else(|| format!("{text:?} is no form of a question; choose one of the four"))
    }
}
