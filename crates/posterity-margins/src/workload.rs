//! Which tables are released.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::column_set::ColumnSet;
use crate::shape::Shape;

/// The most cells of one table. With it and [`MAX_RECORDS`](crate::MAX_RECORDS) every residual fits a machine word.
pub const MAX_TABLE_CELLS: u64 = 1 << 22;

/// The most cells of all tables together.
pub const MAX_CELLS: u64 = 1 << 27;

/// The most tables.
pub const MAX_SETS: usize = 1 << 20;

/// Weights may differ by at most this factor from 1.
const MAX_WEIGHT: f64 = 1e6;

/// The tables that are released: sets of columns with weights, closed downwards, so that with a set all its subsets are
/// in it. The first one is the empty set, whose table is the number of records.
///
/// What a plan makes small is the sum over levels (sets of one column, of two, ...) of the level's weight times the
/// mean, over its sets, of the set's weight times the variance of a cell.
///
/// ```
/// use posterity_margins::{Shape, Workload};
/// let workload = Workload::all(Shape::new(vec![2, 3, 2])?, 2)?;
/// assert_eq!(workload.sets().len(), 1 + 3 + 3);
/// assert_eq!(workload.cells(4), 2 * 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    shape: Shape,
    /// In increasing order.
    sets: Vec<ColumnSet>,
    cells: Vec<u64>,
    weights: Vec<f64>,
    level_weights: Vec<f64>,
    /// Whether all sets of each size are there, with the same weight.
    uniform: bool,
}

/// Why sets are no workload.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum WorkloadError {
    /// There is no set.
    #[error("no set of columns is named; name at least one")]
    NoSet,
    /// A set has a column that does not exist.
    #[error(
        "the set {set} has the column {column}, but there are {columns} columns, counted from 0; name one of them"
    )]
    NoSuchColumn {
        /// The set.
        set: ColumnSet,
        /// The column.
        column: u16,
        /// How many there are.
        columns: usize,
    },
    /// The order is not possible.
    #[error(
        "tables of {order} columns were asked for, but there are {columns} columns; ask for 1 to {columns}"
    )]
    Order {
        /// How many columns a table should have.
        order: usize,
        /// How many there are.
        columns: usize,
    },
    /// A weight is not possible.
    #[error("a weight is {weight}; choose numbers from 0.000001 to 1000000")]
    Weight {
        /// The weight.
        weight: f64,
    },
    /// The weights of the levels are not as many as there are levels.
    #[error("there are {given} weights of levels, but {levels} levels; give as many")]
    Levels {
        /// How many were given.
        given: usize,
        /// How many there are.
        levels: usize,
    },
    /// A table is too large.
    #[error(
        "the table of the columns {set} has more than {MAX_TABLE_CELLS} cells; leave a column out or group its values"
    )]
    LargeTable {
        /// Its columns.
        set: ColumnSet,
    },
    /// All tables together are too large.
    #[error(
        "all tables together have more than {MAX_CELLS} cells; leave columns out, group values or ask for fewer tables"
    )]
    ManyCells,
    /// There are too many tables.
    #[error("there are more than {MAX_SETS} tables; leave columns out or ask for fewer tables")]
    ManySets,
}

impl Workload {
    /// All tables of up to `order` columns, every level with the same weight.
    ///
    /// # Errors
    /// [`WorkloadError`].
    pub fn all(shape: Shape, order: usize) -> Result<Self, WorkloadError> {
        let columns = shape.columns();
        if order == 0 || order > columns {
            return Err(WorkloadError::Order { order, columns });
        }
        let mut sets = vec![ColumnSet::default()];
        let mut first = 0;
        for _ in 0..order {
            let last = sets.len();
            for at in first..last {
                let from = sets[at].columns().last().map_or(0, |&column| column + 1);
                for column in from..columns as u16 {
                    let longer = [sets[at].columns(), &[column]].concat();
                    sets.push(ColumnSet::of_increasing(longer));
                }
                if sets.len() > MAX_SETS {
                    return Err(WorkloadError::ManySets);
                }
            }
            first = last;
        }
        let weights = vec![1.0; sets.len()];
        Self::checked(shape, sets, weights, true)
    }

    /// These sets with their weights, and all their subsets with the weight 1 unless they are named too. A set that is
    /// named twice has the larger weight.
    ///
    /// # Errors
    /// [`WorkloadError`].
    pub fn of(shape: Shape, sets: impl IntoIterator<Item = (ColumnSet, f64)>) -> Result<Self, WorkloadError> {
        let mut named: BTreeMap<ColumnSet, f64> = BTreeMap::new();
        for (set, weight) in sets {
            check_set(&shape, &set)?;
            check_weight(weight)?;
            let known = named.entry(set).or_insert(weight);
            *known = known.max(weight);
        }
        if named.keys().all(ColumnSet::is_empty) {
            return Err(WorkloadError::NoSet);
        }
        let mut closed = named.clone();
        closed.insert(ColumnSet::default(), 1.0);
        for set in named.keys() {
            add_subsets(set, &mut closed)?;
        }
        let (sets, weights) = closed.into_iter().unzip();
        Self::checked(shape, sets, weights, false)
    }

    /// The same tables with other weights for the levels: of sets of one column, of two, and so on.
    ///
    /// # Errors
    /// [`WorkloadError::Levels`] or [`WorkloadError::Weight`].
    pub fn with_level_weights(mut self, weights: Vec<f64>) -> Result<Self, WorkloadError> {
        if weights.len() != self.order() {
            return Err(WorkloadError::Levels { given: weights.len(), levels: self.order() });
        }
        weights.iter().try_for_each(|&weight| check_weight(weight))?;
        self.level_weights = weights;
        Ok(self)
    }

    fn checked(
        shape: Shape,
        sets: Vec<ColumnSet>,
        weights: Vec<f64>,
        uniform: bool,
    ) -> Result<Self, WorkloadError> {
        let cells: Vec<u64> = sets.iter().map(|set| cells_of(&shape, set)).collect::<Result<_, _>>()?;
        if cells.iter().sum::<u64>() > MAX_CELLS {
            return Err(WorkloadError::ManyCells);
        }
        let order = sets.last().map_or(0, ColumnSet::len);
        Ok(Self { shape, sets, cells, weights, level_weights: vec![1.0; order], uniform })
    }

    /// How many values each column has.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// All sets, in increasing order: the empty one first.
    #[must_use]
    pub fn sets(&self) -> &[ColumnSet] {
        &self.sets
    }

    /// How many columns the largest sets have.
    #[must_use]
    pub fn order(&self) -> usize {
        self.sets.last().map_or(0, ColumnSet::len)
    }

    /// The place of a set among all.
    #[must_use]
    pub fn find(&self, set: &ColumnSet) -> Option<usize> {
        self.sets.binary_search(set).ok()
    }

    /// How many cells the table of a set has: the product of the sizes of its columns.
    #[must_use]
    pub fn cells(&self, index: usize) -> u64 {
        self.cells[index]
    }

    /// How many values each column of a set has.
    #[must_use]
    pub fn sizes(&self, index: usize) -> Vec<usize> {
        self.sets[index]
            .columns()
            .iter()
            .map(|&column| self.shape.size(usize::from(column)) as usize)
            .collect()
    }

    /// The weight that was given to a set.
    #[must_use]
    pub fn weight(&self, index: usize) -> f64 {
        self.weights[index]
    }

    /// The weights of the levels.
    #[must_use]
    pub fn level_weights(&self) -> &[f64] {
        &self.level_weights
    }

    /// The sets that are in no other.
    #[must_use]
    pub fn maximal(&self) -> Vec<usize> {
        let mut inside = vec![false; self.sets.len()];
        for set in &self.sets {
            let without = (0..set.len()).map(|place| set.masked(!(1 << place)));
            without.filter_map(|smaller| self.find(&smaller)).for_each(|smaller| inside[smaller] = true);
        }
        (0..self.sets.len()).filter(|&index| !inside[index]).collect()
    }

    /// The places of all subsets of a set. The bits of the place in the list say which of its columns are in.
    pub(crate) fn subsets(&self, index: usize) -> Vec<usize> {
        let set = &self.sets[index];
        let all = 0..1_usize << set.len();
        // A workload is closed downwards, so every subset is there.
        all.map(|mask| self.find(&set.masked(mask)).unwrap_or(index)).collect()
    }

    /// What the variance of a cell of a set's table counts for: the weight of its level, divided among its sets, times
    /// its own. The number of records counts by the tables that it is a part of.
    pub(crate) fn importance(&self) -> Vec<f64> {
        let mut members = vec![0.0; self.order() + 1];
        self.sets.iter().for_each(|set| members[set.len()] += 1.0);
        let level = |set: &ColumnSet| if set.is_empty() { 0.0 } else { self.level_weights[set.len() - 1] };
        self.sets
            .iter()
            .zip(&self.weights)
            .map(|(set, weight)| weight * level(set) / members[set.len()])
            .collect()
    }

    /// Whether all sets of each size are there, with the same weight.
    pub(crate) fn is_uniform(&self) -> bool {
        self.uniform
    }
}

fn check_set(shape: &Shape, set: &ColumnSet) -> Result<(), WorkloadError> {
    let columns = shape.columns();
    match set.columns().iter().find(|&&column| usize::from(column) >= columns) {
        Some(&column) => Err(WorkloadError::NoSuchColumn { set: set.clone(), column, columns }),
        // Every column has two values at least, so a table with so many columns is too large anyway.
        None => cells_of(shape, set).map(|_| ()),
    }
}

fn check_weight(weight: f64) -> Result<(), WorkloadError> {
    let possible = (1.0 / MAX_WEIGHT..=MAX_WEIGHT).contains(&weight);
    if possible { Ok(()) } else { Err(WorkloadError::Weight { weight }) }
}

fn add_subsets(set: &ColumnSet, closed: &mut BTreeMap<ColumnSet, f64>) -> Result<(), WorkloadError> {
    for mask in 1..1_usize << set.len() {
        closed.entry(set.masked(mask)).or_insert(1.0);
        if closed.len() > MAX_SETS {
            return Err(WorkloadError::ManySets);
        }
    }
    Ok(())
}

fn cells_of(shape: &Shape, set: &ColumnSet) -> Result<u64, WorkloadError> {
    let sizes = set.columns().iter().map(|&column| u64::from(shape.size(usize::from(column))));
    let product = sizes.fold(1_u64, u64::saturating_mul);
    if product > MAX_TABLE_CELLS { Err(WorkloadError::LargeTable { set: set.clone() }) } else { Ok(product) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(columns: &[u16]) -> ColumnSet {
        ColumnSet::new(columns.iter().copied()).expect("different columns")
    }

    fn shape(sizes: &[u32]) -> Shape {
        Shape::new(sizes.to_vec()).expect("sizes")
    }

    #[test]
    fn named_sets_are_closed_downwards() {
        let workload =
            Workload::of(shape(&[2, 3, 4, 5]), [(set(&[0, 1, 3]), 5.0), (set(&[2]), 2.0)]).expect("sets");
        assert_eq!(workload.sets().len(), 1 + 4 + 3 + 1);
        assert_eq!(workload.find(&set(&[1, 3])), Some(7));
        assert_eq!(workload.maximal(), [3, 8]);
        assert_eq!(workload.weight(8), 5.0);
        assert_eq!(workload.subsets(7), [0, 2, 4, 7]);
    }

    /// If this fails, the quick way to list all sets is not the general one.
    #[test]
    fn all_sets_are_those_that_close_the_largest() {
        let all = Workload::all(shape(&[2, 3, 4, 5]), 3).expect("sets");
        let largest = all.maximal().into_iter().map(|index| (all.sets()[index].clone(), 1.0));
        let closed = Workload::of(shape(&[2, 3, 4, 5]), largest).expect("sets");
        assert_eq!((all.sets(), all.importance()), (closed.sets(), closed.importance()));
    }

    #[test]
    fn what_is_no_workload_is_refused() {
        let of = |sets: Vec<(ColumnSet, f64)>| Workload::of(shape(&[2, 3, 1 << 20, 1 << 20]), sets);
        assert_eq!(of(vec![]), Err(WorkloadError::NoSet));
        assert_eq!(of(vec![(set(&[]), 1.0)]), Err(WorkloadError::NoSet));
        assert_eq!(of(vec![(set(&[0]), 0.0)]), Err(WorkloadError::Weight { weight: 0.0 }));
        assert_eq!(of(vec![(set(&[2, 3]), 1.0)]), Err(WorkloadError::LargeTable { set: set(&[2, 3]) }));
        let missing = WorkloadError::NoSuchColumn { set: set(&[1, 4]), column: 4, columns: 4 };
        assert_eq!(of(vec![(set(&[1, 4]), 1.0)]), Err(missing));
        assert_eq!(Workload::all(shape(&[2; 3]), 4), Err(WorkloadError::Order { order: 4, columns: 3 }));
        assert_eq!(Workload::all(shape(&[2; 300]), 3), Err(WorkloadError::ManySets));
        assert_eq!(Workload::all(shape(&[2000; 20]), 2), Err(WorkloadError::ManyCells));
        let levels = Workload::all(shape(&[2; 3]), 2).expect("pairs").with_level_weights(vec![1.0]);
        assert_eq!(levels, Err(WorkloadError::Levels { given: 1, levels: 2 }));
    }
}
