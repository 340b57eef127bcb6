//! What a check found, in words.

use crate::table::ResultRow;
use posterity::number::{brief, digits};

/// What a check found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// How many comparisons it is made of: pairs of numbers, numbers or curves.
    pub comparisons: usize,
    /// How many of them hold.
    pub holding: usize,
    /// The number that decides it.
    pub evidence: String,
}

impl Finding {
    /// The finding that a check does not hold.
    pub(super) fn fails(evidence: String) -> Self {
        Self::one(false, evidence)
    }

    /// A check that is one comparison.
    pub(super) fn one(holds: bool, evidence: String) -> Self {
        Self { comparisons: 1, holding: usize::from(holds), evidence }
    }

    /// Whether all comparisons hold.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.holding == self.comparisons
    }
}

/// The value of a row, with its standard error if it was sampled.
pub(super) fn measured(row: &ResultRow) -> String {
    match row.error {
        Some(error) => format!("{} ± {}", brief(row.value), brief(error)),
        None => brief(row.value),
    }
}

/// A value with as many digits as a table prints.
pub(super) fn exact(value: f64) -> String {
    digits(value)
}

/// Where a row is, ending in a blank.
pub(super) fn place(row: &ResultRow) -> String {
    match (row.x, row.panel.is_empty()) {
        (None, true) => String::new(),
        (None, false) => format!("in {} ", row.panel),
        (Some(x), true) => format!("at {} ", brief(x)),
        (Some(x), false) => format!("at {} in {} ", brief(x), row.panel),
    }
}
