//! The published histogram.

use serde::{Deserialize, Serialize};

/// The counts that a mechanism releases, which everyone may see. They follow from what it drew, a
/// [`Drawn`](super::Drawn), and need not sum to n.
///
/// True counts are [`Counts`](super::Counts), another type: only mechanisms take those, and only released counts can be
/// decoded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Released(Vec<u64>);

impl Released {
    /// Counts that a mechanism released or that a document holds.
    #[must_use]
    pub fn new(counts: Vec<u64>) -> Self {
        Self(counts)
    }

    /// The counts in the order of the categories.
    #[must_use]
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// The number of categories.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a mechanism has at least two categories")]
    pub fn len(&self) -> usize {
        self.0.len()
    }
}
