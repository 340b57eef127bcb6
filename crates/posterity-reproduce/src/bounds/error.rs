//! Why a formula cannot be evaluated.

use posterity_core::distance::LengthError;
use posterity_core::mechanism::LawError;
use posterity_core::model::{CountsError, PriorError, SettingError};
use thiserror::Error;

/// Why a formula cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BoundsError {
    /// The exact value cannot be computed.
    #[error(transparent)]
    Law(#[from] LawError),
    /// The counts do not fit the prior.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// The counts are not valid.
    #[error(transparent)]
    Counts(#[from] CountsError),
    /// The formula speaks of steps between two categories.
    #[error("there are {found} categories; this formula is stated for two, so give two counts")]
    Categories {
        /// How many there are.
        found: usize,
    },
    /// No such formula is known for the mechanism.
    #[error("the research states no such bound for {name}; choose lszhang, lshist, ehd or ehdl")]
    Unstated {
        /// The mechanism.
        name: &'static str,
    },
}

impl From<SettingError> for BoundsError {
    fn from(error: SettingError) -> Self {
        Self::Law(LawError::Setting(error))
    }
}

impl From<LengthError> for BoundsError {
    fn from(error: LengthError) -> Self {
        Self::Prior(PriorError::WrongLength { found: error.left, expected: error.right })
    }
}
