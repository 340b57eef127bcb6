//! Which data sets an account makes look alike.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// Which data sets must look alike, and so whether the number of records is private.
///
/// An account counts in one adjacency. What is private under [`Adjacency::AddRemove`] is so under
/// [`Adjacency::Replace`] too, at a higher price; the converse is false.
///
/// ```
/// use posterity_ledger::Adjacency;
/// assert_eq!("add-remove".parse(), Ok(Adjacency::AddRemove));
/// assert_eq!(Adjacency::default().to_string(), "replace");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Adjacency {
    /// One record, or all records of one unit, is replaced by others. How many there are is public.
    #[default]
    Replace,
    /// One record, or all records of one unit, is there or not. How many there are is private.
    AddRemove,
}

/// Why a text names no adjacency.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the adjacency is {text:?}; write replace if n is public, or add-remove if n is private")]
pub struct AdjacencyError {
    /// What was written, cut if it is long.
    text: String,
}

impl Adjacency {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Replace, Self::AddRemove];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::AddRemove => "add-remove",
        }
    }
}

impl fmt::Display for Adjacency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Adjacency {
    type Err = AdjacencyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|adjacency| adjacency.name() == text);
        named.ok_or_else(|| AdjacencyError { text: text.chars().take(40).collect() })
    }
}

impl Serialize for Adjacency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        for adjacency in Adjacency::ALL {
            assert_eq!(adjacency.to_string().parse(), Ok(adjacency));
        }
    }

    #[test]
    fn rejects() {
        for text in ["", "Replace", "add_remove", "addremove", " replace"] {
            assert_eq!(text.parse::<Adjacency>(), Err(AdjacencyError { text: text.to_owned() }), "{text:?}");
        }
    }
}
