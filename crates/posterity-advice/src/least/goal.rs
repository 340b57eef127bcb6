//! The error that one can bear.

use serde::Serialize;

use super::least_error::LeastError;

/// The error that one can bear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Goal {
    /// The expected half-width of the widest noise-aware interval, in units of its share: 0.03 is 3 percentage points.
    HalfWidth(f64),
    /// The expected Hellinger distance of the released from the true posterior.
    Distance(f64),
}

impl Goal {
    /// Its number.
    #[must_use]
    pub fn wanted(self) -> f64 {
        match self {
            Self::HalfWidth(wanted) | Self::Distance(wanted) => wanted,
        }
    }

    /// Refuses numbers that no error can have.
    pub(super) fn check(self) -> Result<Self, LeastError> {
        match self {
            Self::HalfWidth(value) if !(value > 0.0 && value < 0.5) => Err(LeastError::HalfWidth { value }),
            Self::Distance(value) if !(value > 0.0 && value < 1.0) => Err(LeastError::Distance { value }),
            fine => Ok(fine),
        }
    }
}
