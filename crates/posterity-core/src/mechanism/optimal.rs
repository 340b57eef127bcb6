//! The most accurate mechanism for small spaces, found by linear programming.

#[cfg(feature = "limit")]
mod fitted;

#[cfg(feature = "limit")]
pub use fitted::{MostAccurate, optimal};

use super::{Decoding, Definition, Description, FitError, Mechanism};
use crate::model::Setting;

/// The mechanism `optimal`, which has no parameters.
///
/// It needs a solver of linear programs, which a build has if its feature `limit` is on. Without it, the mechanism is
/// listed and refuses to be fitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Optimal;

impl Optimal {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "optimal",
        summary: "least mean distance that is possible under the prior, for small n and k; epsilon-DP",
        private: true,
        proof: "docs/proofs/optimal.md",
        parameters: &[],
        tunable: false,
        exchangeable: true,
        uses_prior: true,
        decodable: false,
        decoding: Decoding::AsPublished,
        usual: || Self.into(),
        read: |_| Ok(Self.into()),
    };
}

impl Definition for Optimal {
    #[cfg(feature = "limit")]
    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(optimal(setting)?))
    }

    #[cfg(not(feature = "limit"))]
    fn fit(&self, _setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Err(FitError::NoSolver)
    }

    #[cfg(feature = "limit")]
    fn suits_advice(&self, setting: &Setting) -> bool {
        fitted::is_quick(setting)
    }
}
