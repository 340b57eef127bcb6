//! Two-sided geometric noise calibrated to the sensitivity of a histogram.

use super::noisy_counts::{CONSISTENT, NoisyCounts, consistent_arguments, histogram_rate, last, rate_over};
use super::{Decoding, Definition, Description, Drawing, FitError, Last, Mechanism, Value};
use crate::model::Setting;
use crate::noise::TwoSidedGeometric;

/// The mechanism `geometric`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Geometric {
    /// Whether the counts are cut so that they sum to n.
    pub consistent: bool,
}

impl Geometric {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "geometric",
        summary: "two-sided geometric noise on all counts but the last, or on all if n is private; epsilon-DP",
        private: true,
        proof: "docs/proofs/noisy-counts.md",
        parameters: &[CONSISTENT],
        tunable: false,
        exchangeable: false,
        uses_prior: false,
        decodable: true,
        decoding: Decoding::AdviceTries,
        usual: || Self::default().into(),
        read: |arguments| Ok(Self { consistent: arguments.has(&CONSISTENT) }.into()),
    };
}

impl Definition for Geometric {
    fn arguments(&self) -> Vec<(&'static str, Value)> {
        consistent_arguments(self.consistent)
    }

    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(geometric(setting, self.consistent)))
    }

    fn drawing(&self) -> Drawing {
        Drawing::Noisy(last(self.consistent))
    }
}

/// As lshist with two-sided geometric noise of ratio `exp(-epsilon/s)`: whole numbers from the start, and symmetric.
/// For two categories and every loss that depends on how far a count is off it is the best there is, whatever the prior
/// (Ghosh, Roughgarden and Sundararajan 2009); for the Hellinger distance our linear program finds the same
/// (docs/proofs/limit.md).
///
/// # Guarantee
/// epsilon-DP: one record changes s of the noised counts by one each (docs/proofs/noisy-counts.md).
///
/// Where n is private, every count has noise of ratio `exp(-epsilon/r)`, where r is the most records of a unit: a unit
/// that is there or not changes the counts by at most r in sum (docs/proofs/private-n.md).
#[must_use]
pub fn geometric(setting: Setting, consistent: bool) -> NoisyCounts {
    let (rate, last) = if setting.n_is_private() {
        (rate_over(&setting, setting.records_per_unit().get()), Last::Noised)
    } else {
        (histogram_rate(&setting), last(consistent))
    };
    NoisyCounts::new(&Geometric::DESCRIPTION, setting, TwoSidedGeometric::new(rate), last)
}
