//! Why there is no advice for a table.

use posterity::ReadingError;
use posterity_core::decode::DecodeError;
use posterity_core::mechanism::{FitError, ReleaseError};
use posterity_core::model::{CountsError, EpsilonError, LevelError, PriorError, SettingError};
use posterity_core::sampler::SourceError;
use thiserror::Error;

/// Why there is no advice for a table. No data is involved.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DesignError {
    /// Counts have no half-width in points.
    #[error(
        "{reading} is a number of records, and this is about the precision of shares and means; leave it out: it can be read of every release"
    )]
    Count {
        /// The reading.
        reading: String,
    },
    /// There are no columns.
    #[error(
        "no column is given; give the number of values of each, such as 2,2,6 or gender=2,admitted=2,department=6"
    )]
    NoColumns,
    /// An item of a list of columns is not a column.
    #[error(
        "column {} is {text:?}; give its number of values, from 2 to {most}, such as 6 or department=6",
        index + 1
    )]
    Column {
        /// Its position, from zero.
        index: usize,
        /// What was given.
        text: String,
        /// The most values of one column.
        most: usize,
    },
    /// Two columns of one name.
    #[error("two columns are named {name:?}; give each a name of its own")]
    Repeated {
        /// The name.
        name: String,
    },
    /// More columns than can be handled.
    #[error("there are {found} columns, more than the {most} that advice takes; give those that are read")]
    Columns {
        /// How many there are.
        found: usize,
        /// The most.
        most: usize,
    },
    /// A table that is read together is too large.
    #[error(
        "the reading {reading:?} is of a table of {cells:.3e} cells, more than the {most} that advice takes; read fewer columns \
         together, or columns with fewer values"
    )]
    Cells {
        /// The reading.
        reading: String,
        /// How many cells it has.
        cells: f64,
        /// The most.
        most: usize,
    },
    /// Expected shares are not written as a column and its numbers.
    #[error(
        "the shape is {text:?}; give a column and one number for each of its values, such as ward=0.3,0.2,0.5"
    )]
    ShapeText {
        /// What was given.
        text: String,
    },
    /// An expected share is not positive.
    #[error("expected share {} of {column} is {value}; give numbers above 0, such as 0.3,0.2,0.5", index + 1)]
    Share {
        /// The column.
        column: String,
        /// Its position, from zero.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// The expected shares are for another number of values.
    #[error("there are {shape} expected shares for the {values} values of {column}; give one for each")]
    Shape {
        /// The column.
        column: String,
        /// How many shares there are.
        shape: usize,
        /// How many values there are.
        values: usize,
    },
    /// An earlier release is not private.
    #[error(
        "the earlier release is not private, and its shares would be published through the choice of epsilon; take a private \
         one, or shares from a public source"
    )]
    EarlierNotPrivate,
    /// An earlier release lacks a column.
    #[error(
        "the earlier release has no column {column:?}; its columns are {}. Give the expected shares of {column}, too",
        columns.join(", ")
    )]
    EarlierColumn {
        /// The column.
        column: String,
        /// Those that it has.
        columns: Vec<String>,
    },
    /// A column of an earlier release has other values.
    #[error(
        "the column {column:?} of the earlier release has {found} values, and here it has {values}; give its expected shares"
    )]
    EarlierValues {
        /// The column.
        column: String,
        /// How many values the earlier release has.
        found: usize,
        /// How many values there are here.
        values: usize,
    },
    /// The half-width is not between 0 and 1/2.
    #[error(
        "the half-width is {value}; give a number above 0 and below 0.5, such as 0.03 for 3 percentage points to each side"
    )]
    HalfWidth {
        /// Its value.
        value: f64,
    },
    /// A half-width is asked for of a mean, which is not a share.
    #[error(
        "{reading:?} is no share, so that its interval is not measured in percentage points; leave it out"
    )]
    Mean {
        /// The reading.
        reading: String,
    },
    /// The noise of a mechanism is not modelled cell by cell.
    #[error(
        "the noise of {mechanism} is not modelled cell by cell, so that its intervals are not forecast; use lattice"
    )]
    NotModelled {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// A reading cannot be made.
    #[error(transparent)]
    Reading(#[from] ReadingError),
    /// There is no such prior.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// The number of records is zero or too large.
    #[error(transparent)]
    Records(#[from] SettingError),
    /// The assumed counts are not valid.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// A share of the budget is too small or too large.
    #[error(transparent)]
    Epsilon(#[from] EpsilonError),
    /// The interval level is not a probability.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The mechanism cannot be used.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// There are no intervals that take the noise into account.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A release cannot be simulated.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// A release cannot be simulated.
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl DesignError {
    /// The argument that it is about, as programs name it; nothing if it is about several, or none.
    #[must_use]
    pub fn argument(&self) -> Option<&'static str> {
        Some(match self {
            Self::Prior(_) => "prior",
            Self::Shape { .. } | Self::Share { .. } => "shape",
            Self::HalfWidth { .. } => "half_width",
            Self::Count { .. } | Self::Mean { .. } | Self::Reading(_) | Self::Cells { .. } => "read",
            Self::Records(_) | Self::Counts(_) => "n",
            Self::Epsilon(_) => "epsilon",
            Self::Level(_) => "level",
            Self::NoColumns | Self::Column { .. } | Self::Columns { .. } | Self::Repeated { .. } => "columns",
            _ => return None,
        })
    }
}
