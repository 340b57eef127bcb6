//! What is known of a table before there is any data.

use std::collections::BTreeSet;

use posterity::Terms;
use posterity::table::{Space, Term};
use posterity::{Reading, ReadingError};
use posterity_core::mechanism::Lattice;
use posterity_core::model::{Epsilon, Prior, Setting, interval_level};

use super::columns::{Columns, MOST_CELLS};
use super::design_error::DesignError;
use super::one_release::{Assumed, OneRelease};
use crate::advice::Shape;

/// What is known of a table before there is any data: its columns, what is read of them, and the number of records.
///
/// The prior is one of all cells of the joint table. A release of some columns only has the prior that follows from it:
/// the parameters of the cells that it adds up are added (docs/proofs/tables.md). So designs differ in their noise, and
/// in nothing else.
///
/// ```
/// use posterity_advice::design::Table;
/// let table = Table::new("gender=2,admitted=2,department=6".parse()?, vec!["admitted | gender".parse()?], 4_526)?;
/// assert_eq!(table.prior(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    columns: Columns,
    readings: Vec<Reading>,
    n: u64,
    prior: f64,
    shape: Option<Shape>,
    level: f64,
    outside: bool,
}

/// A set of columns that is released together, and which readings are of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Set {
    pub(super) columns: BTreeSet<usize>,
    pub(super) readings: Vec<usize>,
}

impl Table {
    /// Columns, what is read of them, and the number of records. Without readings, the shares of each column.
    ///
    /// # Errors
    /// [`DesignError`], for example if a reading names another column, or is of more than 5,000 cells.
    pub fn new(columns: Columns, readings: Vec<Reading>, n: u64) -> Result<Self, DesignError> {
        let readings = if readings.is_empty() {
            let one = |column: &(&str, usize)| Reading::shares(vec![Term::each(column.0)], Vec::new());
            columns.sizes().iter().map(one).collect()
        } else {
            readings
        };
        Setting::new(Prior::uniform(2)?, n, Epsilon::from_f64(1.0)?)?;
        let mut table =
            Self { columns, readings, n, prior: 1.0, shape: None, level: Terms::LEVEL, outside: false };
        for reading in &table.readings {
            let columns = table.columns_of(reading)?;
            let cells = table.cells(&columns);
            if cells > MOST_CELLS as f64 {
                return Err(DesignError::Cells { reading: reading.to_string(), cells, most: MOST_CELLS });
            }
            reading.check(&table.space(&columns))?;
        }
        table.prior = table.usual_prior();
        Ok(table)
    }

    /// The parameter of each cell of the joint table unless another one is given: 1, as in a release; or less, so that
    /// all together weigh no more than a tenth of the records, or than 1 for each cell of the largest table that is
    /// read. Otherwise columns that nobody reads would make the prior outweigh the data.
    fn usual_prior(&self) -> f64 {
        let largest = self.sets().iter().map(|set| self.cells(&set.columns)).fold(0.0, f64::max);
        let most = largest.max(self.n as f64 / 10.0);
        (most / self.columns.cells()).min(1.0)
    }

    /// Sets the prior parameter of each cell of the joint table.
    ///
    /// # Errors
    /// [`DesignError::CellPrior`] if it is not above zero and finite.
    pub fn with_prior(self, prior: f64) -> Result<Self, DesignError> {
        if !(prior > 0.0 && prior.is_finite()) {
            return Err(DesignError::CellPrior { value: prior });
        }
        Ok(Self { prior, ..self })
    }

    /// Sets the expected shares of the cells of the joint table, in which the last column changes fastest. They are
    /// even if not given.
    ///
    /// # Errors
    /// [`DesignError::Shape`] if they are for another number of cells.
    pub fn with_shape(self, shape: Shape) -> Result<Self, DesignError> {
        let cells = self.columns.cells();
        if shape.len() as f64 != cells {
            return Err(DesignError::Shape { shape: shape.len(), cells });
        }
        Ok(Self { shape: Some(shape), ..self })
    }

    /// Sets the probability of the intervals.
    ///
    /// # Errors
    /// [`DesignError::Level`] if it is not strictly between 0 and 1.
    pub fn with_level(self, level: f64) -> Result<Self, DesignError> {
        Ok(Self { level: interval_level(level)?, ..self })
    }

    /// Adds a cell for records outside of a private filter. Half of the records are assumed to be there.
    #[must_use]
    pub fn with_outside(self) -> Self {
        Self { outside: true, ..self }
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// What is read.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// The number of records.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The prior parameter of each cell of the joint table.
    #[must_use]
    pub fn prior(&self) -> f64 {
        self.prior
    }

    /// The probability of the intervals.
    #[must_use]
    pub fn level(&self) -> f64 {
        self.level
    }

    /// The number of cells of the joint table, which may be very large.
    #[must_use]
    pub fn joint_cells(&self) -> f64 {
        self.columns.cells()
    }

    /// What is assumed of the data, in words.
    #[must_use]
    pub fn assumed(&self) -> &'static str {
        match (&self.shape, self.outside) {
            (Some(_), _) => "the expected shares",
            (None, true) => "half of the records outside, and the same number in every cell inside",
            (None, false) => "the same number of records in every cell",
        }
    }

    /// The same table with another number of records.
    pub(super) fn with_records(&self, n: u64) -> Self {
        Self { n, ..self.clone() }
    }

    /// Whether one release of all columns is small enough to be compared.
    pub(super) fn has_joint(&self) -> bool {
        self.columns.cells() <= MOST_CELLS as f64
    }

    /// All columns, with all readings.
    pub(super) fn joint(&self) -> Set {
        Set {
            columns: (0..self.columns.as_slice().len()).collect(),
            readings: (0..self.readings.len()).collect(),
        }
    }

    /// One set for each distinct set of columns that is read together.
    pub(super) fn sets(&self) -> Vec<Set> {
        let mut sets: Vec<Set> = Vec::new();
        for (index, reading) in self.readings.iter().enumerate() {
            // Unknown columns were refused.
            let columns = self.columns_of(reading).unwrap_or_default();
            match sets.iter_mut().find(|set| set.columns == columns) {
                Some(set) => set.readings.push(index),
                None => sets.push(Set { columns, readings: vec![index] }),
            }
        }
        sets
    }

    /// The sets that are in no larger one. What a smaller set asks for is read from the first that contains it.
    pub(super) fn largest_sets(&self) -> Vec<Set> {
        let all = self.sets();
        let contained =
            |set: &Set| all.iter().any(|other| other != set && other.columns.is_superset(&set.columns));
        let mut largest: Vec<Set> = all.iter().filter(|set| !contained(set)).cloned().collect();
        for set in all.iter().filter(|set| contained(set)) {
            let home = largest.iter_mut().find(|other| other.columns.is_superset(&set.columns));
            home.into_iter().for_each(|other| other.readings.extend(&set.readings));
        }
        largest
    }

    /// The names of the columns of a set.
    pub(super) fn names(&self, set: &Set) -> Vec<String> {
        set.columns.iter().map(|&column| self.columns.as_slice()[column].name.clone()).collect()
    }

    /// The release of a set of columns.
    pub(super) fn release(&self, set: &Set) -> Result<OneRelease, DesignError> {
        let space = self.space(&set.columns);
        let readings = set.readings.iter().map(|&index| self.readings[index].clone()).collect();
        let (cells, inside) = (space.cells(), if self.outside { self.n / 2 } else { self.n });
        let each = self.prior * (self.columns.cells() / cells as f64);
        let mut prior = vec![each; cells];
        let mut counts = self.counts(&space, &set.columns, inside);
        if self.outside {
            prior.push(1.0);
            counts.push(self.n - inside);
        }
        let (prior, level, spec) = (Prior::new(prior)?, self.level, Lattice.into());
        OneRelease::new(Assumed { space, readings, prior, counts, level, spec })
    }

    /// The assumed counts of a set of columns: sums of those of the joint table, if that is small enough to be listed.
    fn counts(&self, space: &Space, columns: &BTreeSet<usize>, n: u64) -> Vec<u64> {
        let even =
            |cells: usize| Shape::new(vec![1.0; cells]).map(|shape| shape.counts(n)).unwrap_or_default();
        if !self.has_joint() && self.shape.is_none() {
            return even(space.cells());
        }
        let all = self.columns.space(0..self.columns.as_slice().len());
        let joint = match &self.shape {
            Some(shape) => shape.counts(n),
            None => even(all.cells()),
        };
        let mut counts = vec![0; space.cells()];
        for (cell, count) in joint.into_iter().enumerate() {
            let place = columns.iter().fold(0, |place, &column| {
                place * all.columns()[column].values.len() + all.value(cell, column)
            });
            counts[place] += count;
        }
        counts
    }

    fn space(&self, columns: &BTreeSet<usize>) -> Space {
        let space = self.columns.space(columns.iter().copied());
        if self.outside { space.with_outside() } else { space }
    }

    fn cells(&self, columns: &BTreeSet<usize>) -> f64 {
        columns.iter().map(|&column| self.columns.as_slice()[column].values.len() as f64).product()
    }

    /// The positions of the columns of a reading.
    fn columns_of(&self, reading: &Reading) -> Result<BTreeSet<usize>, DesignError> {
        let known = self.columns.as_slice();
        let position = |name: &str| {
            known.iter().position(|column| column.name == name).ok_or_else(|| {
                let columns = known.iter().map(|column| column.name.clone()).collect();
                DesignError::Reading(ReadingError::UnknownColumn { column: name.to_owned(), columns })
            })
        };
        reading.columns().into_iter().map(position).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &str, readings: &[&str], n: u64) -> Result<Table, DesignError> {
        let readings = readings.iter().map(|text| text.parse().expect("a reading")).collect();
        Table::new(columns.parse().expect("columns"), readings, n)
    }

    fn columns(sets: &[Set]) -> Vec<Vec<usize>> {
        sets.iter().map(|set| set.columns.iter().copied().collect()).collect()
    }

    #[test]
    fn sets_are_those_that_are_read_together() {
        let table = table("2,2,6", &["a", "c | b", "b, c", "b"], 90).expect("valid");
        assert_eq!(columns(&table.sets()), [vec![0], vec![1, 2], vec![1]]);
        let largest = table.largest_sets();
        assert_eq!(columns(&largest), [vec![0], vec![1, 2]]);
        assert_eq!(largest[1].readings, [1, 2, 3]);
    }

    /// If this fails, designs differ in more than their noise.
    #[test]
    fn priors_and_counts_of_a_set_are_sums_of_those_of_the_joint_table() {
        let shape = Shape::new((1..=12).map(f64::from).collect()).expect("valid");
        let table = table("2,3,2", &["a, c"], 780).expect("valid").with_prior(0.5).expect("valid");
        let table = table.with_shape(shape).expect("fits");
        let set = table.sets().remove(0);
        let one = table.release(&set).expect("valid");
        assert_eq!(one.prior().parameters(), [1.5; 4]);
        // Cells 1, 3, 5 of the joint table are those of the first values of a and c.
        let joint = table.release(&table.joint()).expect("valid");
        assert_eq!(joint.prior().parameters(), [0.5; 12]);
        assert_eq!(table.counts(one.space(), &set.columns, 780), [90, 120, 270, 300]);
        // Without noise both say the same.
        assert!((one.without()[0].mean() - joint.without()[0].mean()).abs() < 1e-12);
    }

    #[test]
    fn the_usual_prior_does_not_outweigh_the_data() {
        let prior = |columns: &str, readings: &[&str], n| table(columns, readings, n).expect("valid").prior();
        assert_eq!(prior("2,2,6", &[], 4_526), 1.0);
        assert_eq!(prior("4,4,4,4,4", &[], 2_000), 200.0 / 1_024.0);
        assert_eq!(prior("2,2", &["a | b"], 6), 1.0);
        assert_eq!(prior("2,8", &[], 10), 0.5);
    }

    #[test]
    fn rejects() {
        let unknown = table("2,2", &["a | z"], 10).expect_err("refused");
        assert!(matches!(unknown, DesignError::Reading(ReadingError::UnknownColumn { .. })), "{unknown:?}");
        let value = table("2,2", &["a=3"], 10).expect_err("refused");
        assert!(matches!(value, DesignError::Reading(ReadingError::UnknownValue { .. })), "{value:?}");
        let large = table("100,100", &["a | b"], 10).expect_err("refused");
        assert!(matches!(large, DesignError::Cells { cells: 1e4, .. }), "{large:?}");
        assert!(matches!(table("2,2", &[], 0), Err(DesignError::Records(_))));
        let two = table("2,2", &[], 10).expect("valid");
        assert!(matches!(two.clone().with_prior(0.0), Err(DesignError::CellPrior { .. })));
        assert!(matches!(two.clone().with_level(1.0), Err(DesignError::Level(_))));
        let shape = Shape::new(vec![1.0; 3]).expect("valid");
        assert_eq!(two.with_shape(shape).expect_err("refused"), DesignError::Shape { shape: 3, cells: 4.0 });
    }
}
