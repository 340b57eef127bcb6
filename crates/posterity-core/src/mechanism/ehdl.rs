//! EHDL: the exponential mechanism calibrated to the local sensitivity. Not private.

use super::exponential::{Divisor, Exponential};
use super::score_parameter::{SCORE, read_score, score_argument};
use super::{Decoding, Definition, Description, FitError, Guarantee, Mechanism, Value};
use crate::model::Setting;
use crate::score::Scoring;

/// The mechanism `ehdl`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ehdl {
    /// What candidates are scored by.
    pub score: Scoring,
}

impl Ehdl {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "ehdl",
        summary: "exponential mechanism scaled to the local sensitivity; does NOT keep its epsilon, a benchmark",
        private: false,
        proof: "docs/proofs/mh.md",
        parameters: &[SCORE],
        tunable: true,
        exchangeable: true,
        uses_prior: true,
        decodable: true,
        decoding: Decoding::AsPublished,
        usual: || Self::default().into(),
        read: |arguments| Ok(Self { score: read_score(arguments)? }.into()),
    };
}

impl Definition for Ehdl {
    fn arguments(&self) -> Vec<(&'static str, Value)> {
        score_argument(self.score).into_iter().collect()
    }

    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(ehdl(setting).with_score(self.score)?))
    }
}

/// `P(r) ~ exp(-epsilon H / (2 LS(c)))` over all candidates: a benchmark for what calibration to the data could gain.
///
/// # Guarantee
/// None for what is drawn. The scale depends on the data without bound: at prior (0.05, 0.05), n = 300 and epsilon = 0.1
/// the loss is above 0.107. In real numbers, with two categories, it is (7/5) epsilon-DP (docs/proofs/mh.md).
#[must_use]
pub fn ehdl(setting: Setting) -> Exponential {
    let reason = "its noise is scaled to the local sensitivity, which itself depends on the data";
    Exponential::new(&Ehdl::DESCRIPTION, setting, Divisor::Local, Guarantee::None { reason })
}
