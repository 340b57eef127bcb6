//! What is known of a table before there is any data.

use std::collections::BTreeSet;

use posterity::Terms;
use posterity::number::count;
use posterity::table::{Space, Term};
use posterity::{Reading, ReadingError};
use posterity_core::model::{Adjacency, Epsilon, Prior, Setting, interval_level};

use super::column_shape::{ColumnShape, assumed, cell_shares};
use super::columns::{Columns, MOST_CELLS};
use super::design_error::DesignError;
use super::one_release::OneRelease;

/// What is known of a table before there is any data: its columns, what is read of them, and the number of records.
///
/// All cells are assumed to be equally large, unless columns have a [`ColumnShape`]: then the share of a cell is the
/// product of those of its values.
///
/// ```
/// use posterity_advice::design::Table;
/// let table = Table::new("gender=2,admitted=2,department=6".parse()?, vec!["admitted | gender".parse()?], 4_526)?;
/// assert_eq!(table.assumed(), "all 24 cells are equally large");
/// let table = table.with_shape("gender=3,2".parse()?)?;
/// assert_eq!(table.assumed(), "the groups of gender are as large as given, and all others equally large");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Table {
    columns: Columns,
    readings: Vec<Reading>,
    n: u64,
    /// The shares of the values of columns for which they were given.
    shapes: Vec<ColumnShape>,
    level: f64,
    outside: bool,
    adjacency: Adjacency,
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
        let table = Self {
            columns,
            readings,
            n,
            shapes: Vec::new(),
            level: Terms::LEVEL,
            outside: false,
            adjacency: Adjacency::Replace,
        };
        for reading in &table.readings {
            if reading.is_count() {
                return Err(DesignError::Count { reading: reading.to_string() });
            }
            let columns = table.columns_of(reading)?;
            let cells = table.cells(&columns);
            if cells > MOST_CELLS as f64 {
                return Err(DesignError::Cells { reading: reading.to_string(), cells, most: MOST_CELLS });
            }
            reading.check(&table.space(&columns))?;
        }
        Ok(table)
    }

    /// Sets the expected shares of the values of a column, with or without those that are no answers. They are equal if not
    /// given, and no value is unknown.
    ///
    /// # Errors
    /// [`DesignError`] if there is no such column, or it has another number of values.
    pub fn with_shape(mut self, shape: ColumnShape) -> Result<Self, DesignError> {
        let column = self.position(shape.column())?;
        let shape = shape.of_all_values(&self.columns.as_slice()[column])?;
        self.shapes.retain(|known| known.column() != shape.column());
        self.shapes.push(shape);
        Ok(self)
    }

    /// Sets the probability of the intervals.
    ///
    /// # Errors
    /// [`DesignError::Level`] if it is not strictly between 0 and 1.
    pub fn with_level(self, level: f64) -> Result<Self, DesignError> {
        Ok(Self { level: interval_level(level)?, ..self })
    }

    /// Plans releases under this adjacency. Where n is private, the number of records is a guess.
    #[must_use]
    pub fn under(self, adjacency: Adjacency) -> Self {
        Self { adjacency, ..self }
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

    /// What is protected.
    #[must_use]
    pub fn adjacency(&self) -> Adjacency {
        self.adjacency
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
    pub fn assumed(&self) -> String {
        let answers = self.columns.as_slice().iter().map(|column| column.answers().count() as f64);
        let cells = Some(count(answers.product()));
        assumed(self.columns.as_slice(), &self.shapes, cells, self.outside)
    }

    /// Whether the sizes of the groups of a column were given.
    #[must_use]
    pub fn has_shape(&self) -> bool {
        !self.shapes.is_empty()
    }

    /// The assumed shares of the cells of the joint table, in which the last column changes fastest.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        let all = self.joint().columns;
        cell_shares(&self.space(&all), &self.shapes)
    }

    /// Takes another number of records.
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
        let shares = (cell_shares(&space, &self.shapes), self.n);
        let prior = Prior::uniform(space.all_cells())?;
        let spec = Terms::usual_mechanism(self.adjacency);
        OneRelease::new(space, readings, prior, shares, self.level, (spec, self.adjacency))
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
        reading.columns().into_iter().map(|name| self.position(name)).collect()
    }

    /// The position of a column.
    fn position(&self, name: &str) -> Result<usize, DesignError> {
        let known = self.columns.as_slice();
        known.iter().position(|column| column.name == name).ok_or_else(|| {
            let columns = known.iter().map(|column| column.name.clone()).collect();
            DesignError::Reading(ReadingError::UnknownColumn { column: name.to_owned(), columns })
        })
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
    fn shares_are_products_and_without_noise_all_designs_say_the_same() {
        let table =
            table("2,3,2", &["a, c"], 780).expect("valid").with_shape("c=1,3".parse().expect("a shape"));
        let table = table.expect("fits");
        let set = table.sets().remove(0);
        assert_eq!(cell_shares(&table.space(&set.columns), &table.shapes), [0.125, 0.375, 0.125, 0.375]);
        let (one, joint) =
            (table.release(&set).expect("valid"), table.release(&table.joint()).expect("valid"));
        assert!((one.without()[0].mean - joint.without()[0].mean).abs() < 1e-9);
        let outside = table.with_outside();
        assert_eq!(cell_shares(&outside.space(&set.columns), &outside.shapes)[4], 0.5);
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
        assert!(matches!(two.clone().with_level(1.0), Err(DesignError::Level(_))));
        let shape = |text: &str| two.clone().with_shape(text.parse().expect("a shape")).expect_err("refused");
        assert_eq!(shape("a=1,2,3"), DesignError::Shape { column: "a".into(), shape: 3, values: 2 });
        assert!(matches!(shape("z=1,2"), DesignError::Reading(ReadingError::UnknownColumn { .. })));
    }
}
