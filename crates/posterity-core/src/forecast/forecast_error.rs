//! Why there is no forecast.

use thiserror::Error;

use crate::accuracy::DecodedError;
use crate::decode::DecodeError;
use crate::mechanism::{FitError, ReleaseError};
use crate::model::{CountsError, EpsilonError, LevelError, PriorError, SettingError};

/// Why there is no forecast. No data is involved.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ForecastError {
    /// The assumed data have another number of categories than the prior.
    #[error("there are {assumed} expected shares for {categories} categories; give one per category")]
    Categories {
        /// How many shares there are.
        assumed: usize,
        /// How many categories there are.
        categories: usize,
    },
    /// The level is not a probability.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The number of records is zero or too large.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The budget is not positive.
    #[error(transparent)]
    Epsilon(#[from] EpsilonError),
    /// The prior does not fit.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// The assumed counts are not valid.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// The mechanism cannot be made at this size.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A simulated draw failed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// The noise cannot be taken into account.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A distance cannot be computed.
    #[error(transparent)]
    Distance(#[from] DecodedError),
}
