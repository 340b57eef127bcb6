//! The cells of a release: all combinations of the values of its columns.

use posterity_core::model::Categories;

use super::error::ReadingError;
use crate::about::{About, AboutColumn};

/// The cells of a release, in row-major order: the last column changes fastest.
///
/// A release with a private filter has one more cell, for all records outside. Every reading is then conditional on being
/// inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    columns: Vec<SpaceColumn>,
    outside: Option<usize>,
}

/// A column with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceColumn {
    /// Its name.
    pub name: String,
    /// Its values, in their order.
    pub values: Vec<String>,
}

impl Space {
    /// The name of the only column of counts that belong to no named column.
    pub const CATEGORY: &'static str = "category";

    /// The combinations of the values of columns.
    ///
    /// ```
    /// use posterity::{Space, SpaceColumn};
    /// let column = |name: &str, values: &[&str]| SpaceColumn {
    ///     name: name.into(),
    ///     values: values.iter().map(|value| value.to_string()).collect(),
    /// };
    /// let space = Space::new(vec![column("ward", &["A", "B"]), column("cured", &["yes", "no", "unknown"])]);
    /// assert_eq!(space.cells(), 6);
    /// assert_eq!((space.value(4, 0), space.value(4, 1)), (1, 1));
    /// ```
    #[must_use]
    pub fn new(columns: Vec<SpaceColumn>) -> Self {
        Self { columns, outside: None }
    }

    /// The same with one more cell, the last, for what is outside a private filter.
    #[must_use]
    pub fn with_outside(self) -> Self {
        let outside = Some(self.cells());
        Self { outside, ..self }
    }

    /// The cells of a release with this subject and these categories.
    ///
    /// # Errors
    /// [`ReadingError`] if it is not said which values the columns have, or if they do not fit the categories.
    pub fn of(about: &About, categories: &Categories) -> Result<Self, ReadingError> {
        let categories = categories.names();
        let whole = |name: &str| SpaceColumn { name: name.to_owned(), values: categories.to_vec() };
        let columns = match about.columns.as_slice() {
            [] => vec![whole(Self::CATEGORY)],
            [only] if only.values.is_none() => vec![whole(&only.name)],
            several => {
                let column = |column: &AboutColumn| {
                    let values = column.values.clone().ok_or(ReadingError::NoValues)?;
                    Ok(SpaceColumn { name: column.name.clone(), values })
                };
                several.iter().map(column).collect::<Result<_, ReadingError>>()?
            }
        };
        let space = Self::new(columns);
        match categories.len() {
            found if found == space.cells() => Ok(space),
            found if found == space.cells() + 1 => Ok(space.with_outside()),
            found => Err(ReadingError::Cells { categories: found, cells: space.cells() }),
        }
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[SpaceColumn] {
        &self.columns
    }

    /// The number of combinations of values, without the cell outside.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.columns.iter().map(|column| column.values.len()).product()
    }

    /// The number of all cells, with the one outside.
    #[must_use]
    pub fn all_cells(&self) -> usize {
        self.cells() + usize::from(self.outside.is_some())
    }

    /// The cell outside of a private filter.
    #[must_use]
    pub fn outside(&self) -> Option<usize> {
        self.outside
    }

    /// The position of the value of a column in a cell.
    #[must_use]
    pub fn value(&self, cell: usize, column: usize) -> usize {
        let after: usize = self.columns[column + 1..].iter().map(|column| column.values.len()).product();
        cell / after % self.columns[column].values.len()
    }

    /// The position of a column.
    pub(super) fn column(&self, name: &str) -> Result<usize, ReadingError> {
        self.columns.iter().position(|column| column.name == name).ok_or_else(|| {
            ReadingError::UnknownColumn {
                column: name.to_owned(),
                columns: self.columns.iter().map(|column| column.name.clone()).collect(),
            }
        })
    }
}

impl SpaceColumn {
    /// The position of a value.
    pub(super) fn position(&self, value: &str) -> Result<usize, ReadingError> {
        self.values.iter().position(|known| known == value).ok_or_else(|| ReadingError::UnknownValue {
            column: self.name.clone(),
            value: value.to_owned(),
            values: self.values.clone(),
        })
    }
}
