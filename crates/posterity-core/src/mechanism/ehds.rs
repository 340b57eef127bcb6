//! EHDS: the exponential mechanism calibrated to the gamma-smooth sensitivity.

use super::exponential::{Calibration, Exponential};
use super::{Guarantee, Name};
use crate::model::{Gamma, Setting};

/// `P(r) ~ exp(-epsilon H / (2 (1+gamma) S_gamma(c)))` over all candidates.
///
/// # Guarantee
/// epsilon-DP: between adjacent data sets the score changes by at most S and `1/S` by at most gamma, while the score
/// never exceeds 1 (docs/proofs/exponential.md, rounding included).
#[must_use]
pub fn ehds(setting: Setting, gamma: Gamma) -> Exponential {
    let guarantee = Guarantee::proven(&setting);
    Exponential::new(Name::Ehds, setting, Calibration::GammaSmooth(gamma), guarantee)
}
