//! LSHist: Laplace noise calibrated to the sensitivity of a histogram.

use dashu_ratio::RBig;

use super::Name;
use super::noisy_counts::{Last, Noise, NoisyCounts};
use crate::model::Setting;
use crate::sampler::FlooredLaplace;

/// As lsdim with `Lap(s/epsilon)`, where s = 1 for two categories and 2 for more.
///
/// # Guarantee
/// epsilon-DP: one record changes s of the noised counts by one each (docs/proofs/noisy-counts.md).
#[must_use]
pub fn lshist(setting: Setting, consistent: bool) -> NoisyCounts {
    let rate = histogram_rate(&setting);
    let last = if consistent { Last::Consistent } else { Last::Remainder };
    NoisyCounts::new(Name::Lshist, setting, Noise::FlooredLaplace(FlooredLaplace::new(rate)), last)
}

/// `epsilon/s`, where s is the number of noised counts that one record can change.
pub(super) fn histogram_rate(setting: &Setting) -> RBig {
    setting.epsilon().rational() / RBig::from(if setting.k() == 2 { 1_u8 } else { 2 })
}
