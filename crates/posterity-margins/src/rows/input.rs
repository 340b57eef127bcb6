//! What a fit of rows is told: the sizes of the columns and the released residuals. All of it is public.

use std::collections::BTreeMap;

use thiserror::Error;

/// The largest number of columns in one set. Its subsets are enumerated, and there are `2^k` of them.
pub const MOST_COLUMNS_OF_A_SET: usize = 16;

/// The largest number of cells in all tables together. It keeps the offsets of a fit within 32 bits.
pub const MOST_CELLS: usize = 1 << 28;

/// The released residual of one set of columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The columns, ascending.
    pub columns: Vec<usize>,
    /// The noisy residual in counts, the last column fastest. Whether it is already centred makes no difference.
    pub residual: Vec<f64>,
    /// The variance of the noise on one entry of the residual before it is centred, `sigma_A^2`.
    pub variance: f64,
}

/// A release that rows can be fitted to. The sets are closed downwards and hold every column.
///
/// ```
/// use posterity_margins::rows::{Input, Measured};
/// let yes_no = Measured { columns: vec![0], residual: vec![20.0, -20.0], variance: 4.0 };
/// let input = Input::new(vec![2], 100.0, vec![yes_no]).expect("valid");
/// assert_eq!(input.sizes(), [2]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    sizes: Vec<u16>,
    records: f64,
    sets: Vec<Measured>,
    places: BTreeMap<Vec<usize>, usize>,
}

/// Why rows cannot be fitted to these residuals.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InputError {
    /// A column without values.
    #[error("column {column} has no values; declare at least one value for every column")]
    NoValues {
        /// The column.
        column: usize,
    },
    /// There are no records, or their number is not a number.
    #[error("the number of records is {records}; give a positive number (a noisy one may need more budget)")]
    Records {
        /// The number.
        records: f64,
    },
    /// The columns of a set are not distinct known columns in ascending order.
    #[error(
        "set {columns:?} is not an ascending list of 1 to {MOST_COLUMNS_OF_A_SET} of the columns; list each column once, by its place"
    )]
    Columns {
        /// The columns as given.
        columns: Vec<usize>,
    },
    /// A set is there twice.
    #[error("set {columns:?} was given twice; give every set once")]
    Twice {
        /// The columns of the set.
        columns: Vec<usize>,
    },
    /// A residual has another number of entries than its table has cells.
    #[error(
        "the residual of set {columns:?} has {found} entries; its table has {expected} cells, so give as many"
    )]
    Cells {
        /// The columns of the set.
        columns: Vec<usize>,
        /// The number of cells.
        expected: usize,
        /// The number of entries.
        found: usize,
    },
    /// A residual holds something that is no number.
    #[error("entry {entry} of the residual of set {columns:?} is no finite number; read the release again")]
    Entry {
        /// The columns of the set.
        columns: Vec<usize>,
        /// The entry.
        entry: usize,
    },
    /// A variance that noise cannot have.
    #[error("the noise of set {columns:?} has variance {variance}; give a positive number")]
    Variance {
        /// The columns of the set.
        columns: Vec<usize>,
        /// The variance as given.
        variance: f64,
    },
    /// A part of a set was not measured.
    #[error("set {subset:?} is missing; add it, because every part of a measured set must be measured")]
    NotClosed {
        /// The missing set.
        subset: Vec<usize>,
    },
    /// The tables do not fit into memory.
    #[error("the tables have more than {MOST_CELLS} cells together; fit fewer sets")]
    TooLarge,
}

impl Input {
    /// A release of `records` records (public, or noisy) over columns with this many values each.
    ///
    /// # Errors
    /// [`InputError`] says which set is wrong.
    pub fn new(sizes: Vec<u16>, records: f64, mut sets: Vec<Measured>) -> Result<Self, InputError> {
        if let Some(column) = sizes.iter().position(|&size| size == 0) {
            return Err(InputError::NoValues { column });
        }
        if !(records.is_finite() && records > 0.0) {
            return Err(InputError::Records { records });
        }
        sets.iter().try_for_each(|set| set.check(&sizes))?;
        let total = sets.iter().try_fold(0_usize, |sum, set| sum.checked_add(set.residual.len()));
        if total.is_none_or(|total| total > MOST_CELLS) {
            return Err(InputError::TooLarge);
        }
        sets.sort_by(|a, b| (a.columns.len(), &a.columns).cmp(&(b.columns.len(), &b.columns)));
        let places = places(&sets)?;
        check_closed(sizes.len(), &sets, &places)?;
        Ok(Self { sizes, records, sets, places })
    }

    /// How many values each column has.
    #[must_use]
    pub fn sizes(&self) -> &[u16] {
        &self.sizes
    }

    /// The number of records, perhaps noisy.
    #[must_use]
    pub fn records(&self) -> f64 {
        self.records
    }

    /// The measured sets: small sets first, then in the order of their columns.
    #[must_use]
    pub fn sets(&self) -> &[Measured] {
        &self.sets
    }

    /// The places of the nonempty subsets of a set, each with a mask of the set's columns that it holds.
    pub(super) fn subsets(&self, set: usize) -> impl Iterator<Item = (u32, usize)> + '_ {
        let columns = &self.sets[set].columns;
        (1..1_u32 << columns.len()).map(move |mask| (mask, self.places[&chosen(columns, mask)]))
    }
}

impl Measured {
    fn check(&self, sizes: &[u16]) -> Result<(), InputError> {
        let columns = || self.columns.clone();
        let ascending = self.columns.windows(2).all(|pair| pair[0] < pair[1]);
        let known = self.columns.last().is_some_and(|&last| last < sizes.len());
        if !ascending || !known || self.columns.len() > MOST_COLUMNS_OF_A_SET {
            return Err(InputError::Columns { columns: columns() });
        }
        let cells = self.columns.iter().try_fold(1_usize, |product, &c| product.checked_mul(sizes[c].into()));
        let expected = cells.ok_or(InputError::TooLarge)?;
        let found = self.residual.len();
        if found != expected {
            return Err(InputError::Cells { columns: columns(), expected, found });
        }
        if let Some(entry) = self.residual.iter().position(|value| !value.is_finite()) {
            return Err(InputError::Entry { columns: columns(), entry });
        }
        if !(self.variance.is_finite() && self.variance > 0.0) {
            return Err(InputError::Variance { columns: columns(), variance: self.variance });
        }
        Ok(())
    }
}

fn places(sets: &[Measured]) -> Result<BTreeMap<Vec<usize>, usize>, InputError> {
    let mut places = BTreeMap::new();
    for (place, set) in sets.iter().enumerate() {
        if places.insert(set.columns.clone(), place).is_some() {
            return Err(InputError::Twice { columns: set.columns.clone() });
        }
    }
    Ok(places)
}

fn check_closed(
    width: usize,
    sets: &[Measured],
    places: &BTreeMap<Vec<usize>, usize>,
) -> Result<(), InputError> {
    let singles = (0..width).map(|column| vec![column]);
    let parts =
        sets.iter().flat_map(|set| (0..set.columns.len()).map(|left_out| without(&set.columns, left_out)));
    let missing =
        singles.chain(parts.filter(|part| !part.is_empty())).find(|part| !places.contains_key(part));
    missing.map_or(Ok(()), |subset| Err(InputError::NotClosed { subset }))
}

fn without(columns: &[usize], left_out: usize) -> Vec<usize> {
    columns.iter().enumerate().filter(|&(place, _)| place != left_out).map(|(_, &column)| column).collect()
}

/// The columns that a mask chooses.
fn chosen(columns: &[usize], mask: u32) -> Vec<usize> {
    columns
        .iter()
        .enumerate()
        .filter(|(place, _)| mask >> place & 1 == 1)
        .map(|(_, &column)| column)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(column: usize) -> Measured {
        Measured { columns: vec![column], residual: vec![1.0, -1.0], variance: 1.0 }
    }

    fn pair(columns: [usize; 2]) -> Measured {
        Measured { columns: columns.to_vec(), residual: vec![0.0; 4], variance: 1.0 }
    }

    #[test]
    fn accepts_sets_in_any_order() {
        let input = Input::new(vec![2, 2], 9.0, vec![pair([0, 1]), single(1), single(0)]).expect("valid");
        assert_eq!(
            input.sets().iter().map(|set| set.columns.clone()).collect::<Vec<_>>(),
            [vec![0], vec![1], vec![0, 1]]
        );
    }

    #[test]
    fn rejects() {
        let both = || vec![single(0), single(1)];
        let with = |set: Measured| both().into_iter().chain([set]).collect::<Vec<_>>();
        let columns = vec![0];
        for (sizes, records, sets, error) in [
            (vec![2, 0], 9.0, both(), InputError::NoValues { column: 1 }),
            (vec![2, 2], 0.0, both(), InputError::Records { records: 0.0 }),
            (vec![2, 2], f64::INFINITY, both(), InputError::Records { records: f64::INFINITY }),
            (vec![2, 2], 9.0, with(pair([1, 0])), InputError::Columns { columns: vec![1, 0] }),
            (vec![2, 2], 9.0, with(pair([1, 1])), InputError::Columns { columns: vec![1, 1] }),
            (vec![2, 2], 9.0, with(single(2)), InputError::Columns { columns: vec![2] }),
            (
                vec![2, 2],
                9.0,
                with(Measured { columns: vec![], residual: vec![9.0], variance: 1.0 }),
                InputError::Columns { columns: vec![] },
            ),
            (vec![2, 2], 9.0, with(single(0)), InputError::Twice { columns: columns.clone() }),
            (vec![3, 2], 9.0, both(), InputError::Cells { columns: columns.clone(), expected: 3, found: 2 }),
            (
                vec![2],
                9.0,
                vec![Measured { residual: vec![0.0, f64::NAN], ..single(0) }],
                InputError::Entry { columns: columns.clone(), entry: 1 },
            ),
            (
                vec![2],
                9.0,
                vec![Measured { variance: 0.0, ..single(0) }],
                InputError::Variance { columns, variance: 0.0 },
            ),
            (vec![2, 2], 9.0, vec![single(0)], InputError::NotClosed { subset: vec![1] }),
            (vec![2, 2], 9.0, vec![single(0), pair([0, 1])], InputError::NotClosed { subset: vec![1] }),
        ] {
            assert_eq!(Input::new(sizes, records, sets), Err(error));
        }
    }
}
