//! The published histogram.

use serde::{Deserialize, Serialize};

/// What a mechanism drew: counts with noise, which everyone may see. They need not sum to n.
///
/// True counts are [`Counts`](super::Counts), another type: only mechanisms take those, and only released counts can be
/// decoded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Released(Vec<u64>);

impl Released {
    /// Counts that a mechanism drew or that a document holds.
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
