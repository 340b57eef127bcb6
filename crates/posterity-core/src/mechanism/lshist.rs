//! LSHist: Laplace noise calibrated to the sensitivity of a histogram.

use super::noisy_counts::{CONSISTENT, NoisyCounts, consistent_arguments, histogram_rate, last};
use super::{Decoding, Definition, Description, Drawing, FitError, Mechanism, Value};
use crate::model::Setting;
use crate::noise::FlooredLaplace;

/// The mechanism `lshist`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lshist {
    /// Whether the counts are cut so that they sum to n.
    pub consistent: bool,
}

impl Lshist {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "lshist",
        summary: "floored Laplace noise of scale 1/epsilon (k = 2) or 2/epsilon; epsilon-DP",
        private: true,
        proof: "docs/proofs/noisy-counts.md",
        parameters: &[CONSISTENT],
        tunable: false,
        exchangeable: false,
        uses_prior: false,
        decodable: true,
        decoding: Decoding::AsPublished,
        usual: || Self::default().into(),
        read: |arguments| Ok(Self { consistent: arguments.has(&CONSISTENT) }.into()),
    };
}

impl Definition for Lshist {
    fn arguments(&self) -> Vec<(&'static str, Value)> {
        consistent_arguments(self.consistent)
    }

    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(lshist(setting, self.consistent)))
    }

    fn drawing(&self) -> Drawing {
        Drawing::Noisy(last(self.consistent))
    }
}

/// As lsdim with `Lap(s/epsilon)`, where s = 1 for two categories and 2 for more.
///
/// # Guarantee
/// epsilon-DP: one record changes s of the noised counts by one each (docs/proofs/noisy-counts.md).
#[must_use]
pub fn lshist(setting: Setting, consistent: bool) -> NoisyCounts {
    let rate = histogram_rate(&setting);
    NoisyCounts::new(&Lshist::DESCRIPTION, setting, FlooredLaplace::new(rate), last(consistent))
}
