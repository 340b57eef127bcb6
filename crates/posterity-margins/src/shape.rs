//! How many values each column has.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The most columns.
pub const MAX_COLUMNS: usize = 512;

/// The most values of one column.
pub const MAX_VALUES: u32 = 1 << 20;

/// How many values each of d columns may have. Both are public.
///
/// ```
/// use posterity_margins::{Shape, ShapeError};
/// let shape = Shape::new(vec![2, 3])?;
/// assert_eq!(shape.columns(), 2);
/// assert_eq!(Shape::new(vec![2, 1]), Err(ShapeError::OneValue { column: 1, values: 1 }));
/// # Ok::<(), ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<u32>", into = "Vec<u32>")]
pub struct Shape {
    sizes: Vec<u32>,
}

/// Why sizes are no shape.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// There is no column.
    #[error("there is no column; name at least one")]
    NoColumn,
    /// There are too many columns.
    #[error("there are {columns} columns; this version takes at most {MAX_COLUMNS}, so leave some out")]
    TooManyColumns {
        /// How many there are.
        columns: usize,
    },
    /// A column says nothing.
    #[error(
        "column {column} (counted from 0) may have {values} values; a column needs two at least, so leave it out"
    )]
    OneValue {
        /// Which.
        column: usize,
        /// How many values it may have.
        values: u32,
    },
    /// A column has too many values.
    #[error("column {column} (counted from 0) may have {values} values, more than {MAX_VALUES}; group them")]
    TooManyValues {
        /// Which.
        column: usize,
        /// How many values it may have.
        values: u32,
    },
}

impl Shape {
    /// A shape of these sizes. A column with one value only is refused: its tables are those without it.
    ///
    /// # Errors
    /// [`ShapeError`].
    pub fn new(sizes: Vec<u32>) -> Result<Self, ShapeError> {
        if sizes.is_empty() {
            return Err(ShapeError::NoColumn);
        }
        if sizes.len() > MAX_COLUMNS {
            return Err(ShapeError::TooManyColumns { columns: sizes.len() });
        }
        for (column, &values) in sizes.iter().enumerate() {
            if values < 2 {
                return Err(ShapeError::OneValue { column, values });
            }
            if values > MAX_VALUES {
                return Err(ShapeError::TooManyValues { column, values });
            }
        }
        Ok(Self { sizes })
    }

    /// How many columns there are.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.sizes.len()
    }

    /// How many values each column may have.
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// How many values a column may have.
    #[must_use]
    pub fn size(&self, column: usize) -> u32 {
        self.sizes[column]
    }
}

impl TryFrom<Vec<u32>> for Shape {
    type Error = ShapeError;

    fn try_from(sizes: Vec<u32>) -> Result<Self, ShapeError> {
        Self::new(sizes)
    }
}

impl From<Shape> for Vec<u32> {
    fn from(shape: Shape) -> Self {
        shape.sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_shape_is_refused() {
        for (sizes, error) in [
            (vec![], ShapeError::NoColumn),
            (vec![2; 513], ShapeError::TooManyColumns { columns: 513 }),
            (vec![2, 0], ShapeError::OneValue { column: 1, values: 0 }),
            (vec![MAX_VALUES + 1], ShapeError::TooManyValues { column: 0, values: MAX_VALUES + 1 }),
        ] {
            assert_eq!(Shape::new(sizes), Err(error));
        }
    }

    /// If this fails, a document can hold a shape that the constructor refuses.
    #[test]
    fn deserialising_validates() {
        assert_eq!(serde_json::from_str::<Shape>("[2,3]").ok(), Shape::new(vec![2, 3]).ok());
        assert!(serde_json::from_str::<Shape>("[2,1]").is_err());
    }
}
