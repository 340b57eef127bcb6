//! EHDL: the exponential mechanism calibrated to the local sensitivity. Not private.

use super::exponential::{Calibration, Exponential};
use super::{Guarantee, Name};
use crate::model::Setting;

/// `P(r) ~ exp(-epsilon H / (2 LS(c)))` over all candidates: a benchmark for what calibration to the data could gain.
///
/// # Guarantee
/// None. The scale depends on the data without bound: at prior (0.05, 0.05), n = 300 and epsilon = 0.1 the loss is
/// above 0.107.
#[must_use]
pub fn ehdl(setting: Setting) -> Exponential {
    let reason = "its noise is scaled to the local sensitivity, which itself depends on the data";
    Exponential::new(Name::Ehdl, setting, Calibration::Local, Guarantee::None { reason })
}
