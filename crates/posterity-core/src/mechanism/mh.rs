//! M_H: the exponential mechanism calibrated to the beta-smooth sensitivity. Its published proof fails.

use super::arguments::number;
use super::exponential::{Divisor, Exponential};
use super::score_parameter::{SCORE, read_score, score_argument};
use super::{Decoding, Definition, Description, FitError, Form, Guarantee, Mechanism, Parameter, Value};
use crate::model::{Delta, Setting};
use crate::sampler::ln_candidates;
use crate::score::Scoring;

/// The mechanism `mh`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mh {
    /// The parameter from which its smoothing follows.
    pub delta: Delta,
    /// What candidates are scored by.
    pub score: Scoring,
}

const DELTA: Parameter = Parameter {
    name: "delta",
    form: Form::Number("DELTA"),
    help: "Parameter of mh, from which its smoothing follows [default: 1e-8]",
};

impl Mh {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "mh",
        summary: "exponential mechanism scaled to the beta-smooth sensitivity; does NOT keep its epsilon everywhere",
        private: false,
        proof: "docs/proofs/mh.md",
        parameters: &[DELTA, SCORE],
        tunable: true,
        exchangeable: true,
        uses_prior: true,
        decodable: true,
        decoding: Decoding::AsPublished,
        usual: || Self::default().into(),
        read: |arguments| {
            let delta = arguments.value(&DELTA, delta)?.unwrap_or(Delta::RESEARCH);
            Ok(Self { delta, score: read_score(arguments)? }.into())
        },
    };
}

/// The research mostly uses delta = 1e-8.
impl Default for Mh {
    fn default() -> Self {
        Delta::RESEARCH.into()
    }
}

impl From<Delta> for Mh {
    fn from(delta: Delta) -> Self {
        Self { delta, score: Scoring::default() }
    }
}

fn delta(text: &str) -> Result<Delta, String> {
    Delta::new(number(text)?).map_err(|error| error.to_string())
}

impl Definition for Mh {
    fn arguments(&self) -> Vec<(&'static str, Value)> {
        let delta = (DELTA.name, Value::Number(self.delta.value()));
        [delta].into_iter().chain(score_argument(self.score)).collect()
    }

    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        Ok(Box::new(mh(setting, self.delta).with_score(self.score)?))
    }
}

/// `P(r) ~ exp(-epsilon H / (2 S_beta(c)))` over all candidates, with beta from [`mh_beta`].
///
/// # Guarantee
/// None for what is drawn: the published argument for (epsilon, delta)-DP compares probabilities of different events
/// (docs/fidelity.md). In real numbers, without the rounding of scores and scales, it is (3 epsilon/2, delta/2)-DP; with
/// two categories also (7/5) epsilon-DP without a delta, and epsilon-DP at prior (1, 1) (docs/proofs/mh.md). What it
/// really loses can be audited for a given prior and n.
#[must_use]
pub fn mh(setting: Setting, delta: Delta) -> Exponential {
    let beta = mh_beta(&setting, delta);
    let reason = "the published proof of its (epsilon, delta) guarantee does not hold together";
    Exponential::new(&Mh::DESCRIPTION, setting, Divisor::BetaSmooth(beta), Guarantee::None { reason })
}

/// `beta = ln(1 - epsilon / (2 ln(delta / (2 card(R)))))`, where `card(R) = C(n+k-1, k-1)`. Always positive.
#[must_use]
pub fn mh_beta(setting: &Setting, delta: Delta) -> f64 {
    let ln_share = libm::log(delta.value() / 2.0) - ln_candidates(setting.k(), setting.n());
    libm::log1p(-setting.epsilon().to_f64() / (2.0 * ln_share))
}
