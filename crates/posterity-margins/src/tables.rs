//! The true tables. They are the private data.

use thiserror::Error;

use crate::axes::{centre_whole, sum_along};
use crate::workload::Workload;

/// The most records. With this bound, `records * cells` of every table is below `2^62`.
pub const MAX_RECORDS: u64 = 1 << 40;

/// How many records each cell of each table of a workload holds, in the order of its sets. These numbers are private.
///
/// ```
/// use posterity_margins::{Shape, Tables, Workload};
/// let workload = Workload::all(Shape::new(vec![2, 3])?, 2)?;
/// let tables = Tables::of_records(&workload, [[0, 2], [1, 2], [1, 0]])?;
/// assert_eq!(tables.table(1), [1, 2]);
/// assert_eq!(tables.table(3), [0, 0, 1, 1, 0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    tables: Vec<Vec<u64>>,
}

/// Why counts are not the tables of a workload. No message holds a count.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TablesError {
    /// There are more or fewer tables than sets.
    #[error("there are {given} tables for {expected} sets of columns; give one for each")]
    Number {
        /// How many there are.
        given: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A table has more or fewer cells than its set.
    #[error("table {table} has {given} cells and should have {expected}; give a count for every cell")]
    Cells {
        /// Which.
        table: usize,
        /// How many it has.
        given: usize,
        /// How many it should have.
        expected: u64,
    },
    /// Two tables are not of the same records.
    #[error(
        "table {table} does not sum to the number of records of the first; count all tables over the same records"
    )]
    Sum {
        /// Which.
        table: usize,
    },
    /// There are too many records.
    #[error("there are more than {MAX_RECORDS} records; this version works with at most that many")]
    TooMany,
    /// A record has more or fewer values than there are columns, or one that its column does not have.
    #[error("a record does not fit the columns; give one value for each, counted from 0")]
    Record,
}

impl Tables {
    /// The tables of all sets of a workload that are in no other, in the order of [`Workload::maximal`]. The smaller
    /// tables are their sums.
    ///
    /// # Errors
    /// [`TablesError`].
    pub fn of_maximal(workload: &Workload, maximal: Vec<Vec<u64>>) -> Result<Self, TablesError> {
        let places = workload.maximal();
        if maximal.len() != places.len() {
            return Err(TablesError::Number { given: maximal.len(), expected: places.len() });
        }
        let mut tables = vec![Vec::new(); workload.sets().len()];
        for (place, table) in places.into_iter().zip(maximal) {
            tables[place] = table;
        }
        // Sets increase, so that from the last one on every table is there before it is summed.
        for index in (1..tables.len()).rev() {
            check_cells(workload, index, &tables[index])?;
            sum_into_smaller(workload, index, &mut tables);
        }
        Self::checked(tables)
    }

    /// The tables of some records, each with a value for every column, counted from 0.
    ///
    /// # Errors
    /// [`TablesError::Record`] if a record does not fit.
    pub fn of_records<R: AsRef<[u32]>>(
        workload: &Workload,
        records: impl IntoIterator<Item = R>,
    ) -> Result<Self, TablesError> {
        let sizes = workload.shape().sizes();
        let mut tables: Vec<Vec<u64>> =
            (0..workload.sets().len()).map(|index| vec![0; workload.cells(index) as usize]).collect();
        for record in records {
            let record = record.as_ref();
            if record.len() != sizes.len() || record.iter().zip(sizes).any(|(value, size)| value >= size) {
                return Err(TablesError::Record);
            }
            for (set, table) in workload.sets().iter().zip(&mut tables) {
                let cell = set.columns().iter().map(|&column| usize::from(column));
                table[cell.fold(0, |at, column| at * sizes[column] as usize + record[column] as usize)] += 1;
            }
        }
        Self::checked(tables)
    }

    fn checked(tables: Vec<Vec<u64>>) -> Result<Self, TablesError> {
        let n = tables[0][0];
        if n > MAX_RECORDS {
            return Err(TablesError::TooMany);
        }
        let sum = |table: &Vec<u64>| table.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        match tables.iter().position(|table| sum(table) != Some(n)) {
            Some(table) => Err(TablesError::Sum { table }),
            None => Ok(Self { tables }),
        }
    }

    /// The number of records.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.tables[0][0]
    }

    /// The table of a set by its place in the workload; the last column runs fastest.
    #[must_use]
    pub fn table(&self, index: usize) -> &[u64] {
        &self.tables[index]
    }

    /// The residual of a set times the number of its cells: whole numbers that sum to zero along every axis.
    ///
    /// Each is at most `records * cells` in size, which is below `2^62`, so that nothing overflows
    /// (docs/proofs/residuals.md, lemma 2).
    #[must_use]
    pub(crate) fn whole_residual(&self, workload: &Workload, index: usize) -> Vec<i64> {
        // A count is at most 2^40.
        let mut values: Vec<i128> = self.tables[index].iter().map(|&count| i128::from(count)).collect();
        centre_whole(&mut values, &workload.sizes(index));
        values.into_iter().map(|value| value as i64).collect()
    }
}

fn check_cells(workload: &Workload, table: usize, cells: &[u64]) -> Result<(), TablesError> {
    let expected = workload.cells(table);
    if cells.len() as u64 == expected {
        return Ok(());
    }
    Err(TablesError::Cells { table, given: cells.len(), expected })
}

/// Sums a table along each of its axes into those that are still missing.
fn sum_into_smaller(workload: &Workload, index: usize, tables: &mut [Vec<u64>]) {
    let set = &workload.sets()[index];
    for axis in 0..set.len() {
        let smaller = workload.find(&set.masked(!(1 << axis))).filter(|&at| tables[at].is_empty());
        if let Some(smaller) = smaller {
            tables[smaller] = sum_along(&tables[index], &workload.sizes(index), axis);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    fn workload() -> Workload {
        Workload::all(Shape::new(vec![2, 3, 2]).expect("sizes"), 2).expect("pairs")
    }

    /// If this fails, tables that are summed are not those that are counted.
    #[test]
    fn sums_of_tables_are_the_counted_ones() {
        let workload = workload();
        let records: Vec<[u32; 3]> = (0..40).map(|i| [i % 2, (i * i + i / 3) % 3, (i / 5) % 2]).collect();
        let counted = Tables::of_records(&workload, &records).expect("records");
        let maximal = workload.maximal().into_iter().map(|index| counted.table(index).to_vec()).collect();
        assert_eq!(Tables::of_maximal(&workload, maximal), Ok(counted));
    }

    #[test]
    fn what_are_no_tables_is_refused() {
        let workload = workload();
        let of = |tables| Tables::of_maximal(&workload, tables);
        assert_eq!(of(vec![]), Err(TablesError::Number { given: 0, expected: 3 }));
        let short = vec![vec![1; 6], vec![1; 4], vec![1; 5]];
        assert_eq!(of(short), Err(TablesError::Cells { table: 6, given: 5, expected: 6 }));
        let unequal = vec![vec![2; 6], vec![3; 4], vec![3; 6]];
        assert!(matches!(of(unequal), Err(TablesError::Sum { .. })));
        let many = vec![vec![1 << 38; 6], vec![3 << 37; 4], vec![1 << 38; 6]];
        assert_eq!(of(many), Err(TablesError::TooMany));
        for record in [vec![0, 3, 0], vec![0, 0], vec![2, 0, 0]] {
            assert_eq!(Tables::of_records(&workload, [record]), Err(TablesError::Record));
        }
    }
}
