//! The joint category space of the declared columns.

use posterity_core::model::{Categories, CategoriesError};
use thiserror::Error;

use crate::question::{Column, Domain, Question};

/// The most cells that a question may declare.
pub const MAX_CELLS: usize = 1_000_000;

/// All combinations of the declared values: the cells, of which each is one category.
///
/// They are in row-major order: the last column changes fastest. With one column they are named as its values,
/// with several `a=x,b=y`.
///
/// ```
/// use posterity_data::{Column, Question, Space};
/// let question = Question::new(vec![Column::new("a", ["x", "y"]), Column::new("b", ["u", "v"])]);
/// let space = Space::new(&question)?;
/// assert_eq!(space.categories().names(), ["a=x,b=u", "a=x,b=v", "a=y,b=u", "a=y,b=v"]);
/// # Ok::<(), posterity_data::SpaceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    axes: Vec<Axis>,
    categories: Categories,
}

/// One column of a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    /// The column.
    pub(crate) column: String,
    /// What is declared; the position of each category is its index.
    pub(crate) domain: Domain,
    /// How many indices there are, with those of other and missing values.
    pub(crate) len: usize,
    /// Index of a value that is not declared.
    pub(crate) other: Option<usize>,
    /// Index of a missing value.
    pub(crate) missing: Option<usize>,
}

/// Why a question declares no categories.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpaceError {
    /// No column is named.
    #[error("no column is named; name the column whose values are counted")]
    NoColumns,
    /// A column is named twice.
    #[error("the column {column:?} is named twice; name each column once")]
    RepeatedColumn {
        /// The column.
        column: String,
    },
    /// The values of a column cannot be categories.
    #[error("column {column:?}: {error}")]
    Values {
        /// The column.
        column: String,
        /// What is wrong with them.
        error: CategoriesError,
    },
    /// Two cells have the same name.
    #[error(
        "two combinations of values have the same name, because a value contains a comma or an equals sign: {0}"
    )]
    Names(CategoriesError),
    /// There are too many cells.
    #[error("the declared values have more than {MAX_CELLS} combinations; declare fewer columns or values")]
    TooManyCells,
}

impl Space {
    /// Checks the declared values of every column, and names all cells.
    ///
    /// # Errors
    /// [`SpaceError`] says which column is wrong.
    pub fn new(question: &Question) -> Result<Self, SpaceError> {
        let Question { columns, other, missing, .. } = question;
        if columns.is_empty() {
            return Err(SpaceError::NoColumns);
        }
        let mut axes: Vec<Axis> = Vec::with_capacity(columns.len());
        let mut values: Vec<Vec<String>> = Vec::with_capacity(columns.len());
        let mut cells = 1_usize;
        for Column { name, domain } in columns {
            if axes.iter().any(|axis| axis.column == *name) {
                return Err(SpaceError::RepeatedColumn { column: name.clone() });
            }
            let mut all = domain.names();
            let mut place = |extra: &Option<String>| {
                extra.as_ref().map(|extra| {
                    all.iter().position(|value| value == extra).unwrap_or_else(|| {
                        all.push(extra.clone());
                        all.len() - 1
                    })
                })
            };
            let (other, missing) = (place(other), place(missing));
            let checked =
                Categories::new(all).map_err(|error| SpaceError::Values { column: name.clone(), error })?;
            let all = Vec::from(checked);
            cells = cells
                .checked_mul(all.len())
                .filter(|&cells| cells <= MAX_CELLS)
                .ok_or(SpaceError::TooManyCells)?;
            axes.push(Axis { column: name.clone(), domain: domain.clone(), len: all.len(), other, missing });
            values.push(all);
        }
        let names = if let ([_], Some(only)) = (axes.as_slice(), values.first()) {
            only.clone()
        } else {
            (0..cells).map(|cell| cell_name(&axes, &values, cell)).collect()
        };
        let categories = Categories::new(names).map_err(SpaceError::Names)?;
        Ok(Self { axes, categories })
    }

    /// The names of the cells.
    #[must_use]
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// The number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.categories.names().len()
    }

    /// The columns, in their order.
    pub(crate) fn axes(&self) -> &[Axis] {
        &self.axes
    }
}

fn cell_name(axes: &[Axis], values: &[Vec<String>], cell: usize) -> String {
    let mut rest = cell;
    let mut parts: Vec<String> = axes
        .iter()
        .zip(values)
        .rev()
        .map(|(axis, values)| {
            let index = rest % values.len();
            rest /= values.len();
            format!("{}={}", axis.column, values[index])
        })
        .collect();
    parts.reverse();
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(values: &[&str]) -> Question {
        Question::new(vec![Column::new("a", values.iter().copied())])
    }

    #[test]
    fn other_and_missing_are_appended_unless_declared() {
        let with = |other: Option<&str>, missing: Option<&str>| {
            let question = Question {
                other: other.map(Into::into),
                missing: missing.map(Into::into),
                ..one(&["x", "y"])
            };
            let space = Space::new(&question).expect("valid");
            let axis = &space.axes()[0];
            (space.categories().names().join(" "), axis.other, axis.missing)
        };
        assert_eq!(with(None, None), ("x y".into(), None, None));
        assert_eq!(with(Some("o"), None), ("x y o".into(), Some(2), None));
        assert_eq!(with(None, Some("m")), ("x y m".into(), None, Some(2)));
        assert_eq!(with(Some("o"), Some("m")), ("x y o m".into(), Some(2), Some(3)));
        assert_eq!(with(Some("o"), Some("o")), ("x y o".into(), Some(2), Some(2)));
        assert_eq!(with(Some("y"), Some("x")), ("x y".into(), Some(1), Some(0)));
    }

    #[test]
    fn rejects() {
        let wide = Column::new("w", (0..1001).map(|i| i.to_string()));
        let table = [
            (Question::new(vec![]), SpaceError::NoColumns),
            (
                Question::new(vec![Column::new("a", ["x", "y"]), Column::new("a", ["x", "y"])]),
                SpaceError::RepeatedColumn { column: "a".into() },
            ),
            (
                one(&["x"]),
                SpaceError::Values { column: "a".into(), error: CategoriesError::TooFew { found: 1 } },
            ),
            (
                one(&["x", "y", "x"]),
                SpaceError::Values {
                    column: "a".into(),
                    error: CategoriesError::Repeated { name: "x".into(), first: 0, second: 2 },
                },
            ),
            (
                one(&["x", ""]),
                SpaceError::Values { column: "a".into(), error: CategoriesError::Empty { index: 1 } },
            ),
            (
                Question { other: Some(String::new()), ..one(&["x", "y"]) },
                SpaceError::Values { column: "a".into(), error: CategoriesError::Empty { index: 2 } },
            ),
            (
                Question::new(vec![wide.clone(), Column { name: "v".into(), ..wide }]),
                SpaceError::TooManyCells,
            ),
        ];
        for (question, error) in table {
            assert_eq!(Space::new(&question), Err(error));
        }
        let ambiguous =
            Question::new(vec![Column::new("a", ["x", "x,b=y"]), Column::new("b", ["y", "y,b=y"])]);
        assert!(matches!(Space::new(&ambiguous), Err(SpaceError::Names(_))));
    }
}
