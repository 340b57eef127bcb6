//! The tables over sets of columns.

use std::fmt;

use crate::count::Counted;

/// Tables over sets of columns. They are the private data; their `Debug` form does not show them.
#[derive(Clone, PartialEq, Eq)]
pub struct CountedMargins {
    /// For each set of columns, how many records, or units, have each combination of its categories, in row-major
    /// order: the last column changes fastest. The table of the empty set is n alone.
    pub tables: Vec<Vec<u64>>,
    /// How many records, or units, count: the sum of each table. It is private under
    /// [`Adjacency::AddRemove`](crate::Adjacency::AddRemove).
    pub n: u64,
    /// How many rows were read, if that is known. This is private where units have several records, unlike n, and
    /// where n is private: show it to the owner of the data only.
    pub rows_scanned: Option<u64>,
}

/// The answers to questions, and tables over sets of columns that were counted beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedTogether {
    /// The answers to the questions.
    pub questions: Vec<Counted>,
    /// The tables of each wide question.
    pub margins: Vec<CountedMargins>,
}

/// Hides the data.
impl fmt::Debug for CountedMargins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountedMargins").finish_non_exhaustive()
    }
}
