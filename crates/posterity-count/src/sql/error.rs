//! Why there is no query.

use thiserror::Error;

use super::dialect::Dialect;
use crate::cells::CellsError;
use crate::filter::FilterError;

/// Why there is no query that means what our own count means.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SqlError {
    /// The question declares no categories.
    #[error(transparent)]
    Cells(#[from] CellsError),
    /// The filter cannot be read.
    #[error("the filter {filter:?} {error}")]
    Filter {
        /// The filter.
        filter: String,
        /// What is wrong with it.
        error: FilterError,
    },
    /// The private filter cannot be read.
    #[error("the private filter {filter:?} {error}")]
    Within {
        /// The filter.
        filter: String,
        /// What is wrong with it.
        error: FilterError,
    },
    /// A part of a filter that an engine would read otherwise.
    #[error(
        "in the condition {filter:?}, {why}, so {dialect} would not count as we do; make it a column of the table, or count here"
    )]
    Condition {
        /// The filter.
        filter: String,
        /// The engine.
        dialect: Dialect,
        /// What has no translation.
        why: String,
    },
    /// No table is named.
    #[error("no table is named; write the name of the table, such as visits or hospital.visits")]
    NoTable,
    /// A column has the name of one of the result.
    #[error("a column is called {column:?}, as one of the result is; rename it in a view")]
    ColumnName {
        /// The column.
        column: String,
    },
    /// Bins of what is no number for the engine.
    #[error(
        "column {column:?} is of type {stored}, and bins need numbers that the engine stores as such; cast them in a view, and say \
         the type integer or number"
    )]
    Bins {
        /// The column.
        column: String,
        /// Its type.
        stored: super::stored::Stored,
    },
    /// A type that an engine does not have.
    #[error(
        "column {column:?} is said to be of type {stored}, and {dialect} stores no such values; say string, integer or number"
    )]
    Type {
        /// The column.
        column: String,
        /// Its type.
        stored: super::stored::Stored,
        /// The engine.
        dialect: Dialect,
    },
    /// Units that are numbers with a floating point.
    #[error(
        "the unit {column:?} is of type number, which does not tell units apart; store it as text or integer"
    )]
    Unit {
        /// The column.
        column: String,
    },
    /// An order that is no whole number and no day.
    #[error(
        "records are ordered by {column:?}, whose type has to be integer or date here; say so with its type"
    )]
    Order {
        /// The column.
        column: String,
    },
    /// An engine without a hash function.
    #[error(
        "{dialect} has no hash by which records could be drawn; choose first, mode or latest COLUMN, or count here"
    )]
    Draws {
        /// The engine.
        dialect: Dialect,
    },
}
