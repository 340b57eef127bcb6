//! Which data sets must look alike.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Which data sets must look alike, and so what is private.
///
/// ```
/// use posterity_core::model::Adjacency;
/// assert_eq!("add-remove".parse(), Ok(Adjacency::AddRemove));
/// assert_eq!(Adjacency::default().to_string(), "replace");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Adjacency {
    /// One record, or all records of one unit, is replaced by others. How many there are is public.
    #[default]
    Replace,
    /// One record, or all records of one unit, is there or not. How many there are is private.
    AddRemove,
}

/// Why a text names no adjacency.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} is no adjacency; write replace if n is public, or add-remove if it is private")]
pub struct AdjacencyError {
    text: String,
}

impl Adjacency {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Replace, Self::AddRemove];

    /// Whether n is public. A reference, as attributes of serde take it.
    #[must_use]
    pub fn is_replace(&self) -> bool {
        *self == Self::Replace
    }

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
