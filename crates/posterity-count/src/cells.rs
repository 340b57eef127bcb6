//! The cells of a question: all combinations of the declared values of its columns.

use posterity_core::model::{Categories, CategoriesError};
use thiserror::Error;

use crate::question::{Column, Domain, OUTSIDE_CELL, Question};
use crate::spelling::SpellingError;

/// The most cells that a question may declare.
pub const MAX_CELLS: usize = 1_000_000;

/// The most cells that the tables of all sets of columns may have together.
pub const MAX_MARGIN_CELLS: usize = 1 << 25;

/// All combinations of the declared values. Each is a cell, and each cell is one category.
///
/// They are in row-major order: the last column changes fastest. With one column they are named as its values,
/// with several `a=x,b=y`. With a private filter the last cell is [`OUTSIDE_CELL`].
///
/// ```
/// use posterity_count::{Cells, Column, Question};
/// let question = Question::new(vec![Column::new("a", ["x", "y"]), Column::new("b", ["u", "v"])]);
/// let cells = Cells::new(&question)?;
/// assert_eq!(cells.categories().names(), ["a=x,b=u", "a=x,b=v", "a=y,b=u", "a=y,b=v"]);
/// # Ok::<(), posterity_count::CellsError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    dimensions: Vec<Dimension>,
    categories: Categories,
    outside: Option<usize>,
}

/// One column, as a dimension of the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dimension {
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
    /// Other spellings, each with the index of its category.
    pub(crate) aliases: Vec<(String, usize)>,
}

/// Why a question declares no categories.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CellsError {
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
    /// The aliases or the labels of a column cannot be used.
    #[error("column {column:?}: {error}")]
    Spelling {
        /// The column.
        column: String,
        /// What is wrong with them.
        error: SpellingError,
    },
    /// Two cells have the same name.
    #[error(
        "two combinations of values have the same name, because a value contains a comma or an equals sign: {0}"
    )]
    Names(CategoriesError),
    /// A declared value has the name of the cell of records outside a private filter.
    #[error(
        "column {column:?} has a category {OUTSIDE_CELL:?}, which is the name for records outside the private filter; rename the \
         category"
    )]
    NamedOutside {
        /// The column.
        column: String,
    },
    /// There are too many cells.
    #[error("the declared values have more than {MAX_CELLS} combinations; declare fewer columns or values")]
    TooManyCells,
}

impl Cells {
    /// Checks the declared values of every column, and names all cells.
    ///
    /// # Errors
    /// [`CellsError`] says which column is wrong.
    pub fn new(question: &Question) -> Result<Self, CellsError> {
        let mut cells = 1_usize;
        let mut within_limit = |dimension: &Dimension| {
            cells = cells
                .checked_mul(dimension.len)
                .filter(|&cells| cells <= MAX_CELLS)
                .ok_or(CellsError::TooManyCells)?;
            Ok(())
        };
        let (dimensions, values) = Dimension::all(&question.columns, &mut within_limit)?;
        let mut names = if let ([only], Some(values)) = (dimensions.as_slice(), values.first()) {
            if question.within.is_some() && values.iter().any(|value| value == OUTSIDE_CELL) {
                return Err(CellsError::NamedOutside { column: only.column.clone() });
            }
            values.clone()
        } else {
            (0..cells).map(|cell| cell_name(&dimensions, &values, cell)).collect()
        };
        let outside = question.within.as_ref().map(|_| {
            names.push(OUTSIDE_CELL.to_owned());
            cells
        });
        let categories = Categories::new(names).map_err(CellsError::Names)?;
        Ok(Self { dimensions, categories, outside })
    }

    /// The position of the cell of records outside the private filter, if there is one.
    #[must_use]
    pub fn outside(&self) -> Option<usize> {
        self.outside
    }

    /// The names of the cells.
    #[must_use]
    pub fn categories(&self) -> &Categories {
        &self.categories
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        self.categories.names().len()
    }

    /// The columns, in their order.
    pub(crate) fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }
}

/// How many bits the code of one of so many categories takes.
pub(crate) fn code_bits(categories: usize) -> u32 {
    categories.next_power_of_two().trailing_zeros()
}

impl Dimension {
    /// The values that the domain declares and the aliases, each with the index of its category.
    pub(crate) fn names_of<'a>(
        &'a self,
        declared: &'a [String],
    ) -> impl Iterator<Item = (&'a String, usize)> {
        let declared = declared.iter().enumerate().map(|(index, name)| (name, index));
        declared.chain(self.aliases.iter().map(|(name, index)| (name, *index)))
    }

    /// Checks the declared values of every column, and what `allow` says of each dimension. Returns the dimensions and
    /// the names of their categories.
    pub(crate) fn all(
        columns: &[Column],
        allow: &mut dyn FnMut(&Self) -> Result<(), CellsError>,
    ) -> Result<(Vec<Self>, Vec<Vec<String>>), CellsError> {
        if columns.is_empty() {
            return Err(CellsError::NoColumns);
        }
        let mut dimensions: Vec<Self> = Vec::with_capacity(columns.len());
        let mut values = Vec::with_capacity(columns.len());
        for column in columns {
            if dimensions.iter().any(|dimension| dimension.column == column.name) {
                return Err(CellsError::RepeatedColumn { column: column.name.clone() });
            }
            let (dimension, names) = Self::of(column)?;
            allow(&dimension)?;
            dimensions.push(dimension);
            values.push(names);
        }
        Ok((dimensions, values))
    }

    /// Checks the declared values of a column.
    pub(crate) fn of(column: &Column) -> Result<(Self, Vec<String>), CellsError> {
        let Column { name, domain, other, missing, .. } = column;
        let all = column.names();
        let place = |extra: &Option<String>| all.iter().position(|value| Some(value) == extra.as_ref());
        let (other, missing) = (place(other), place(missing));
        column.check_spelling().map_err(|error| CellsError::Spelling { column: name.clone(), error })?;
        let spelled = column.aliases.iter().filter_map(|(category, aliases)| {
            let index = all.iter().position(|value| value == category)?;
            Some(aliases.iter().map(move |alias| (alias.clone(), index)))
        });
        let mut aliases: Vec<(String, usize)> = spelled.flatten().collect();
        aliases.sort_unstable();
        let checked =
            Categories::new(all).map_err(|error| CellsError::Values { column: name.clone(), error })?;
        let all = Vec::from(checked);
        let (column, domain) = (name.clone(), domain.clone());
        Ok((Self { column, domain, len: all.len(), other, missing, aliases }, all))
    }
}

fn cell_name(dimensions: &[Dimension], values: &[Vec<String>], cell: usize) -> String {
    let mut rest = cell;
    let mut parts: Vec<String> = dimensions
        .iter()
        .zip(values)
        .rev()
        .map(|(dimension, values)| {
            let index = rest % values.len();
            rest /= values.len();
            format!("{}={}", dimension.column, values[index])
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
            let (other, missing) = (other.map(Into::into), missing.map(Into::into));
            let column = Column { other, missing, ..Column::new("a", ["x", "y"]) };
            let cells = Cells::new(&Question::new(vec![column])).expect("valid");
            let dimension = &cells.dimensions()[0];
            (cells.categories().names().join(" "), dimension.other, dimension.missing)
        };
        assert_eq!(with(None, None), ("x y".into(), None, None));
        assert_eq!(with(Some("o"), None), ("x y o".into(), Some(2), None));
        assert_eq!(with(None, Some("m")), ("x y m".into(), None, Some(2)));
        assert_eq!(with(Some("o"), Some("m")), ("x y o m".into(), Some(2), Some(3)));
        assert_eq!(with(Some("o"), Some("o")), ("x y o".into(), Some(2), Some(2)));
        assert_eq!(with(Some("y"), Some("x")), ("x y".into(), Some(1), Some(0)));
    }

    /// If this fails, a table has combinations of values that no record can have.
    #[test]
    fn a_column_has_only_its_own_extra_categories() {
        let (a, b) = (Column::new("a", ["x", "y"]), Column::new("b", ["u", "v"]));
        let missing = Question::new(vec![Column { missing: Some("m".into()), ..a }, b]);
        let cells = Cells::new(&missing).expect("valid");
        let names = ["a=x,b=u", "a=x,b=v", "a=y,b=u", "a=y,b=v", "a=m,b=u", "a=m,b=v"];
        assert_eq!(cells.categories().names(), names);
        assert_eq!((cells.dimensions()[0].missing, cells.dimensions()[1].missing), (Some(2), None));
    }

    #[test]
    fn records_outside_have_the_last_cell() {
        let within = Question { within: Some("age > 30".into()), ..one(&["x", "y"]) };
        let cells = Cells::new(&within).expect("valid");
        assert_eq!((cells.categories().names().join(" "), cells.outside()), ("x y outside".into(), Some(2)));
        let two = Question {
            columns: vec![Column::new("a", ["x", "outside"]), Column::new("b", ["u", "v"])],
            ..within
        };
        let cells = Cells::new(&two).expect("cells of several columns have other names");
        assert_eq!((cells.categories().names()[4].as_str(), cells.outside()), ("outside", Some(4)));
        let named = Question { within: Some("age > 30".into()), ..one(&["x", "outside"]) };
        assert_eq!(Cells::new(&named), Err(CellsError::NamedOutside { column: "a".into() }));
    }

    #[test]
    fn rejects() {
        let wide = Column::new("w", (0..1001).map(|i| i.to_string()));
        let table = [
            (Question::new(vec![]), CellsError::NoColumns),
            (
                Question::new(vec![Column::new("a", ["x", "y"]), Column::new("a", ["x", "y"])]),
                CellsError::RepeatedColumn { column: "a".into() },
            ),
            (
                one(&["x"]),
                CellsError::Values { column: "a".into(), error: CategoriesError::TooFew { found: 1 } },
            ),
            (
                one(&["x", "y", "x"]),
                CellsError::Values {
                    column: "a".into(),
                    error: CategoriesError::Repeated { name: "x".into(), first: 0, second: 2 },
                },
            ),
            (
                one(&["x", ""]),
                CellsError::Values { column: "a".into(), error: CategoriesError::Empty { index: 1 } },
            ),
            (
                one(&["x", "y"]).with_other(""),
                CellsError::Values { column: "a".into(), error: CategoriesError::Empty { index: 2 } },
            ),
            (
                Question::new(vec![wide.clone(), Column { name: "v".into(), ..wide }]),
                CellsError::TooManyCells,
            ),
        ];
        for (question, error) in table {
            assert_eq!(Cells::new(&question), Err(error));
        }
        let ambiguous =
            Question::new(vec![Column::new("a", ["x", "x,b=y"]), Column::new("b", ["y", "y,b=y"])]);
        assert!(matches!(Cells::new(&ambiguous), Err(CellsError::Names(_))));
    }
}
