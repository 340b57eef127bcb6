//! M_H: the exponential mechanism calibrated to the beta-smooth sensitivity. Its published proof fails.

use super::exponential::{Calibration, Exponential};
use super::{Guarantee, Name};
use crate::model::{Delta, Setting};
use crate::sampler::ln_candidates;

/// `P(r) ~ exp(-epsilon H / (2 S_beta(c)))` over all candidates, with beta from [`mh_beta`].
///
/// # Guarantee
/// None that is proven: the published argument for (epsilon, delta)-DP compares probabilities of different events
/// (docs/fidelity.md). What it really loses can be audited for a given prior and n.
#[must_use]
pub fn mh(setting: Setting, delta: Delta) -> Exponential {
    let beta = mh_beta(&setting, delta);
    let reason = "the published proof of its (epsilon, delta) guarantee does not hold together";
    Exponential::new(Name::Mh, setting, Calibration::BetaSmooth(beta), Guarantee::None { reason })
}

/// `beta = ln(1 - epsilon / (2 ln(delta / (2 card(R)))))`, where `card(R) = C(n+k-1, k-1)`. Always positive.
#[must_use]
pub fn mh_beta(setting: &Setting, delta: Delta) -> f64 {
    let ln_share = libm::log(delta.value() / 2.0) - ln_candidates(setting.k(), setting.n());
    libm::log1p(-setting.epsilon().to_f64() / (2.0 * ln_share))
}
