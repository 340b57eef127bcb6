//! LSDim: Laplace noise of scale k/epsilon on all counts but the last.

use dashu_ratio::RBig;

use super::Name;
use super::noisy_counts::{Last, Noise, NoisyCounts};
use crate::model::Setting;
use crate::sampler::FlooredLaplace;

/// The first k-1 counts become `floor_0^n(c_i + Lap(k/epsilon))`, the last is what they leave of n.
///
/// # Guarantee
/// epsilon-DP: one record changes at most two of the noised counts by one each, and only one if k = 2, which costs
/// at most `2 epsilon/k`, or `epsilon/2` (docs/proofs/noisy-counts.md).
#[must_use]
pub fn lsdim(setting: Setting, consistent: bool) -> NoisyCounts {
    let rate = setting.epsilon().rational() / RBig::from(setting.k() as u64);
    let last = if consistent { Last::Consistent } else { Last::Remainder };
    NoisyCounts::new(Name::Lsdim, setting, Noise::FlooredLaplace(FlooredLaplace::new(rate)), last)
}
