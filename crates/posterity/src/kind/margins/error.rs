//! Why tables of many columns cannot be released on these terms.

use posterity_core::noise::DiscreteGaussianError;
use posterity_margins::{PlanError, ShapeError, TablesError, WorkloadError};
use thiserror::Error;

use crate::table::ReadingError;

/// Why tables of many columns cannot be released on these terms.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MarginsError {
    /// The text does not say which tables.
    #[error(
        "{text:?} does not say which tables: {problem}. Write how many columns they have at most, or sets of columns, perhaps with \
         weights: `2`, `age, ward; ward, cured`, `2; age, ward = 5`. Put names with blanks or with any of , ; = in quotes: \
         `\"blood type\", ward`"
    )]
    Which {
        /// The text.
        text: String,
        /// What is wrong with it, and where.
        problem: String,
    },
    /// A set names a column that is not there.
    #[error("there is no column {column:?}; the columns are {}", columns.join(", "))]
    UnknownColumn {
        /// The column.
        column: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// A set names a column twice.
    #[error("the column {column:?} occurs twice in a set; name it once")]
    Twice {
        /// The column.
        column: String,
    },
    /// A column is in no table.
    #[error("no table has the column {column:?}; leave the column out, or name it in a set")]
    UnusedColumn {
        /// The column.
        column: String,
    },
    /// A column says nothing.
    #[error(
        "the column {column:?} has fewer than two values, so it says nothing; leave it out or declare more values"
    )]
    OneValue {
        /// The column.
        column: String,
    },
    /// A table is too large.
    #[error("the table of {columns} has too many cells; leave a column out or group its values")]
    LargeTable {
        /// Its columns.
        columns: String,
    },
    /// The columns have no shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The sets are no workload.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// There is no plan for this budget.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// There is no noise for this budget.
    #[error(transparent)]
    Noise(#[from] DiscreteGaussianError),
    /// The counts are no tables of these columns.
    #[error(transparent)]
    Tables(#[from] TablesError),
    /// The budget has no delta.
    #[error(
        "tables of many columns are released with a delta between 0 and 1; choose one far below one part of as many as there are \
         people, such as 1e-9"
    )]
    Delta,
    /// A part of the question has no meaning here.
    #[error("{what} cannot be used where tables of many columns are released; leave it out")]
    Unused {
        /// What it is.
        what: &'static str,
    },
    /// A unit counts with several records.
    #[error("a unit counts with one record in tables of many columns; choose random, first, mode or latest")]
    SeveralRecords,
    /// A reading that is asked for cannot be read.
    #[error(transparent)]
    Reading(#[from] ReadingError),
}
