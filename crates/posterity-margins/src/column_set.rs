//! Sets of columns.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A set of columns by their numbers, in increasing order. Smaller sets come first; sets of the same size are in the
/// order of their columns.
///
/// ```
/// use posterity_margins::ColumnSet;
/// let set = ColumnSet::new([4, 1])?;
/// assert_eq!(set.columns(), [1, 4]);
/// assert!(ColumnSet::new([1])?.is_subset(&set));
/// # Ok::<(), posterity_margins::RepeatedColumn>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<u16>", into = "Vec<u16>")]
pub struct ColumnSet {
    columns: Box<[u16]>,
}

/// A column occurs twice in a set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column} (counted from 0) occurs twice in a set; name it once")]
pub struct RepeatedColumn {
    /// Which.
    pub column: u16,
}

impl ColumnSet {
    /// The set of these columns, in any order.
    ///
    /// # Errors
    /// [`RepeatedColumn`] if one occurs twice.
    pub fn new(columns: impl IntoIterator<Item = u16>) -> Result<Self, RepeatedColumn> {
        let mut columns: Vec<u16> = columns.into_iter().collect();
        columns.sort_unstable();
        match columns.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(RepeatedColumn { column: two[0] }),
            None => Ok(Self { columns: columns.into() }),
        }
    }

    /// A set of columns that increase already.
    pub(crate) fn of_increasing(columns: Vec<u16>) -> Self {
        debug_assert!(columns.windows(2).all(|two| two[0] < two[1]));
        Self { columns: columns.into() }
    }

    /// The columns, in increasing order.
    #[must_use]
    pub fn columns(&self) -> &[u16] {
        &self.columns
    }

    /// How many columns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether it has no column.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Whether a column is in it.
    #[must_use]
    pub fn contains(&self, column: u16) -> bool {
        self.columns.binary_search(&column).is_ok()
    }

    /// Whether all its columns are in another set.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.columns.iter().all(|&column| other.contains(column))
    }

    /// The columns at the places whose bits are set.
    pub(crate) fn masked(&self, mask: usize) -> Self {
        let picked = self.columns.iter().enumerate().filter(|(place, _)| mask >> place & 1 == 1);
        Self { columns: picked.map(|(_, &column)| column).collect() }
    }

    /// The set with one column in the place of another, which it holds.
    pub(crate) fn exchanged(&self, old: u16, new: u16) -> Self {
        let mut columns: Vec<u16> =
            self.columns.iter().map(|&column| if column == old { new } else { column }).collect();
        columns.sort_unstable();
        Self { columns: columns.into() }
    }
}

impl Ord for ColumnSet {
    fn cmp(&self, other: &Self) -> Ordering {
        self.len().cmp(&other.len()).then_with(|| self.columns.cmp(&other.columns))
    }
}

impl PartialOrd for ColumnSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for ColumnSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.columns.iter().map(u16::to_string).collect();
        write!(f, "{{{}}}", names.join(", "))
    }
}

impl TryFrom<Vec<u16>> for ColumnSet {
    type Error = RepeatedColumn;

    fn try_from(columns: Vec<u16>) -> Result<Self, RepeatedColumn> {
        Self::new(columns)
    }
}

impl From<ColumnSet> for Vec<u16> {
    fn from(set: ColumnSet) -> Self {
        set.columns.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(columns: &[u16]) -> ColumnSet {
        ColumnSet::new(columns.iter().copied()).expect("different columns")
    }

    #[test]
    fn sets_are_ordered_by_size_first() {
        let mut sets = vec![set(&[0, 1]), set(&[2]), set(&[]), set(&[0])];
        sets.sort();
        assert_eq!(sets, [set(&[]), set(&[0]), set(&[2]), set(&[0, 1])]);
        assert_eq!(ColumnSet::new([3, 1, 3]), Err(RepeatedColumn { column: 3 }));
    }

    #[test]
    fn parts_of_a_set() {
        let of_three = set(&[1, 4, 7]);
        assert_eq!(of_three.masked(0b101), set(&[1, 7]));
        assert_eq!(of_three.exchanged(4, 9), set(&[1, 7, 9]));
        assert!(set(&[]).is_subset(&of_three) && !set(&[2]).is_subset(&of_three));
    }
}
