//! Why a plan cannot be made.

use posterity::TermsError;
use posterity_core::accuracy::DecodedError;
use posterity_core::calibrate::CalibrationError;
use posterity_core::decode::DecodeError;
use posterity_core::mechanism::ReleaseError;
use posterity_core::model::{CountsError, LevelError, PriorError};
use posterity_core::sampler::SourceError;
use thiserror::Error;

use crate::comparison::ComparisonError;

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
    /// Too many records to draw made-up data from the prior.
    #[error(
        "made-up data from the prior are drawn for up to {most} records, and there are {n}; give the expected shares"
    )]
    ManyRecords {
        /// The number of records.
        n: u64,
        /// The most.
        most: u64,
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
    /// There are no intervals that take the noise into account.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A mechanism cannot be measured.
    #[error(transparent)]
    Comparison(#[from] ComparisonError),
    /// A mechanism cannot be measured.
    #[error(transparent)]
    Measure(#[from] DecodedError),
    /// The interval level is not a probability.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The assumed counts do not fit the prior.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// A simulated draw failed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// A simulated draw failed.
    #[error(transparent)]
    Source(#[from] SourceError),
}
