//! Why a plan cannot be made.

use posterity::TermsError;
use posterity_core::accuracy::DecodedError;
use posterity_core::calibrate::CalibrationError;
use posterity_core::mechanism::ReleaseError;
use posterity_core::model::CountsError;
use thiserror::Error;

use crate::comparison::ComparisonError;
use crate::design::DesignError;

/// Why a plan cannot be made. No data is involved.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// The shape is for another number of categories.
    #[error("there are {shape} expected shares for {categories} categories; give one per category")]
    Shape {
        /// How many shares there are.
        shape: usize,
        /// How many categories there are.
        categories: usize,
    },
    /// The public terms do not go together.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// The assumed counts are not valid.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// The mechanism cannot be made.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// The intervals of a release cannot be forecast.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// A mechanism cannot be measured.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// A mechanism cannot be measured.
    #[error(transparent)]
    Measure(#[from] DecodedError),
    /// A simulated draw failed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
}
