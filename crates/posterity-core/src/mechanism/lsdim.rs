//! LSDim: Laplace noise of scale k/epsilon on all counts but the last.

use super::noisy_counts::{CONSISTENT, NoisyCounts, consistent_arguments, last, rate_over};
use super::{Decoding, Definition, Description, Drawing, FitError, Mechanism, Value};
use crate::model::Setting;
use crate::noise::FlooredLaplace;

/// The mechanism `lsdim`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lsdim {
    /// Whether the counts are cut so that they sum to n.
    pub consistent: bool,
}

impl Lsdim {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "lsdim",
        summary: "floored Laplace noise of scale k/epsilon on all counts but the last; epsilon-DP",
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

impl Definition for Lsdim {
    fn arguments(&self) -> Vec<(&'static str, Value)> {
        consistent_arguments(self.consistent)
    }

    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(lsdim(setting, self.consistent)))
    }

    fn drawing(&self) -> Drawing {
        Drawing::Noisy(last(self.consistent))
    }
}

/// The first k-1 counts become `floor_0^n(c_i + Lap(k/epsilon))`, the last is what they leave of n.
///
/// # Guarantee
/// epsilon-DP: one record changes at most two of the noised counts by one each, and only one if k = 2, which costs
/// at most `2 epsilon/k`, or `epsilon/2` (docs/proofs/noisy-counts.md).
#[must_use]
pub fn lsdim(setting: Setting, consistent: bool) -> NoisyCounts {
    let rate = rate_over(&setting, setting.k() as u64);
    NoisyCounts::new(&Lsdim::DESCRIPTION, setting, FlooredLaplace::new(rate), last(consistent))
}
