//! EHDL: the exponential mechanism calibrated to the local sensitivity. Not private.

use super::exponential::{Divisor, Exponential};
use super::{Decoding, Definition, Description, FitError, Guarantee, Look, Mechanism};
use crate::model::Setting;

/// The mechanism `ehdl`, which has no parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ehdl;

impl Ehdl {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "ehdl",
        summary: "exponential mechanism scaled to the local sensitivity; NOT private, a benchmark",
        private: false,
        proof: "docs/proofs/exponential.md",
        parameters: &[],
        tunable: true,
        exchangeable: true,
        decodable: true,
        decoding: Decoding::AsPublished,
        look: Look { colour: [0x00, 0x00, 0x00], corners: 3, eighths: 0 },
        pinned: [8, 9, 33],
        usual: || Self.into(),
        read: |_| Ok(Self.into()),
    };
}

impl Definition for Ehdl {
    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(ehdl(setting)))
    }
}

/// `P(r) ~ exp(-epsilon H / (2 LS(c)))` over all candidates: a benchmark for what calibration to the data could gain.
///
/// # Guarantee
/// None. The scale depends on the data without bound: at prior (0.05, 0.05), n = 300 and epsilon = 0.1 the loss is
/// above 0.107.
#[must_use]
pub fn ehdl(setting: Setting) -> Exponential {
    let reason = "its noise is scaled to the local sensitivity, which itself depends on the data";
    Exponential::new(&Ehdl::DESCRIPTION, setting, Divisor::Local, Guarantee::None { reason })
}
