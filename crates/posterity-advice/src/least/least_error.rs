//! Why no epsilon can be searched for.

use posterity_core::model::{PriorError, SettingError};
use thiserror::Error;

use crate::advice::AdviceError;
use crate::design::DesignError;

/// Why no epsilon can be searched for. No data is involved.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LeastError {
    /// The half-width is not between 0 and 1/2.
    #[error(
        "the half-width is {value}; give a number above 0 and below 0.5, such as 0.03 for 3 percentage points to each side"
    )]
    HalfWidth {
        /// Its value.
        value: f64,
    },
    /// The distance is not between 0 and 1.
    #[error("the distance is {value}; give a number above 0 and below 1, such as 0.05")]
    Distance {
        /// Its value.
        value: f64,
    },
    /// The shape is for another number of categories.
    #[error("there are {shape} expected shares for {categories} categories; give one per category")]
    Shape {
        /// How many shares there are.
        shape: usize,
        /// How many categories there are.
        categories: usize,
    },
    /// There are more categories than the search is quick for.
    #[error(
        "the least epsilon is searched for up to {most} categories, and there are {categories}; join some, or ask what to expect at \
         one epsilon"
    )]
    TooMany {
        /// How many categories there are.
        categories: usize,
        /// How many there may be.
        most: usize,
    },
    /// There is no such prior.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// The number of records is zero or too large.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The half-width cannot be forecast.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// The distance cannot be forecast.
    #[error(transparent)]
    Advice(#[from] AdviceError),
}

impl LeastError {
    /// The argument that it is about, as programs name it; nothing if it is about several, or none.
    #[must_use]
    pub fn argument(&self) -> Option<&'static str> {
        match self {
            Self::HalfWidth { .. } => Some("half_width"),
            Self::Distance { .. } => Some("distance"),
            Self::Shape { .. } => Some("shape"),
            _ => None,
        }
    }
}
