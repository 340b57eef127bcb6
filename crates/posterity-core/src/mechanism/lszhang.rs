//! LSZhang: Laplace noise of scale 2k/epsilon on every count.

use dashu_ratio::RBig;

use super::Name;
use super::noisy_counts::{Last, Noise, NoisyCounts};
use crate::model::Setting;
use crate::sampler::FlooredLaplace;

/// Each of the k counts becomes `floor_0^n(c_i + Lap(2k/epsilon))`, independently (Zhang, Rubinstein and Dimitrakakis
/// 2016). The released counts need not sum to n.
///
/// # Guarantee
/// epsilon-DP, with room to spare: one record changes two counts by one each, which costs only `epsilon/k`
/// (docs/proofs/noisy-counts.md).
#[must_use]
pub fn lszhang(setting: Setting) -> NoisyCounts {
    let rate = setting.epsilon().rational() / RBig::from(2 * setting.k() as u64);
    NoisyCounts::new(Name::Lszhang, setting, Noise::FlooredLaplace(FlooredLaplace::new(rate)), Last::Noised)
}
