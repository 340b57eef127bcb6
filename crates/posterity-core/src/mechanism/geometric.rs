//! Two-sided geometric noise calibrated to the sensitivity of a histogram.

use super::Name;
use super::lshist::histogram_rate;
use super::noisy_counts::{Last, Noise, NoisyCounts};
use crate::model::Setting;
use crate::sampler::TwoSidedGeometric;

/// As lshist with two-sided geometric noise of ratio `exp(-epsilon/s)`: whole numbers from the start, symmetric, and
/// for two categories the best noise there is for every user (Ghosh, Roughgarden and Sundararajan 2009).
///
/// # Guarantee
/// epsilon-DP: one record changes s of the noised counts by one each (docs/proofs/noisy-counts.md).
#[must_use]
pub fn geometric(setting: Setting, consistent: bool) -> NoisyCounts {
    let rate = histogram_rate(&setting);
    let last = if consistent { Last::Consistent } else { Last::Remainder };
    NoisyCounts::new(Name::Geometric, setting, Noise::TwoSidedGeometric(TwoSidedGeometric::new(rate)), last)
}
