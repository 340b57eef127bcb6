//! Two-sided geometric noise calibrated to the sensitivity of a histogram.

use super::Name;
use super::lshist::histogram_rate;
use super::noisy_counts::{Last, Noise, NoisyCounts};
use crate::model::Setting;
use crate::sampler::TwoSidedGeometric;

/// As lshist with two-sided geometric noise of ratio `exp(-epsilon/s)`: whole numbers from the start, and symmetric. For two
/// categories and every loss that depends on how far a count is off it is the best there is, whatever the prior (Ghosh,
/// Roughgarden and Sundararajan 2009); for the Hellinger distance our linear program finds the same (docs/proofs/limit.md).
///
/// # Guarantee
/// epsilon-DP: one record changes s of the noised counts by one each (docs/proofs/noisy-counts.md).
#[must_use]
pub fn geometric(setting: Setting, consistent: bool) -> NoisyCounts {
    let rate = histogram_rate(&setting);
    let last = if consistent { Last::Consistent } else { Last::Remainder };
    NoisyCounts::new(Name::Geometric, setting, Noise::TwoSidedGeometric(TwoSidedGeometric::new(rate)), last)
}
