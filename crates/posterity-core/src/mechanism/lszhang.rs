//! LSZhang: Laplace noise of scale 2k/epsilon on every count.

use super::noisy_counts::{NoisyCounts, rate_over};
use super::{Decoding, Definition, Description, Drawing, FitError, Last, Mechanism};
use crate::model::Setting;
use crate::noise::FlooredLaplace;

/// The mechanism `lszhang`, which has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lszhang;

impl Lszhang {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "lszhang",
        summary: "floored Laplace noise of scale 2k/epsilon on every count; epsilon-DP",
        private: true,
        proof: "docs/proofs/noisy-counts.md",
        parameters: &[],
        tunable: false,
        exchangeable: true,
        uses_prior: false,
        decodable: true,
        decoding: Decoding::AsPublished,
        usual: || Self.into(),
        read: |_| Ok(Self.into()),
    };
}

impl Definition for Lszhang {
    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(lszhang(setting)))
    }

    fn drawing(&self) -> Drawing {
        Drawing::Noisy(Last::Noised)
    }
}

/// Each of the k counts becomes `floor_0^n(c_i + Lap(2k/epsilon))`, independently (Zhang, Rubinstein and Dimitrakakis
/// 2016). The released counts need not sum to n.
///
/// # Guarantee
/// epsilon-DP, with room to spare: one record changes two counts by one each, which costs only `epsilon/k`
/// (docs/proofs/noisy-counts.md).
#[must_use]
pub fn lszhang(setting: Setting) -> NoisyCounts {
    let rate = rate_over(&setting, 2 * setting.k() as u64);
    NoisyCounts::new(&Lszhang::DESCRIPTION, setting, FlooredLaplace::new(rate), Last::Noised)
}
