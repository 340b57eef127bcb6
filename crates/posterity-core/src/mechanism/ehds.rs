//! EHDS: the exponential mechanism calibrated to the gamma-smooth sensitivity.

use super::arguments::number;
use super::exponential::{Divisor, Exponential};
use super::score_parameter::{SCORE, read_score, score_argument};
use super::{Decoding, Definition, Description, FitError, Form, Guarantee, Mechanism, Parameter, Value};
use crate::model::{Gamma, Setting};
use crate::score::Scoring;

/// The mechanism `ehds`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ehds {
    /// The smoothing parameter.
    pub gamma: GammaChoice,
    /// What candidates are scored by.
    pub score: Scoring,
}

/// A gamma, or the best one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GammaChoice {
    /// This one.
    Value(Gamma),
    /// The one for which a tightly calibrated ehds is nearest to the truth.
    Auto,
}

const GAMMA: Parameter = Parameter {
    name: "gamma",
    form: Form::Number("GAMMA"),
    help: "Smoothing parameter of ehds, or `auto` with tight calibration [default: 1]",
};

impl Ehds {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "ehds",
        summary: "exponential mechanism scaled to the gamma-smooth sensitivity; epsilon-DP",
        private: true,
        proof: "docs/proofs/exponential.md",
        parameters: &[GAMMA, SCORE],
        tunable: true,
        exchangeable: true,
        uses_prior: true,
        decodable: true,
        decoding: Decoding::ComparisonShows,
        usual: || Self::default().into(),
        read: |arguments| {
            let gamma = arguments.value(&GAMMA, gamma)?.unwrap_or(GammaChoice::Value(Gamma::ONE));
            Ok(Self { gamma, score: read_score(arguments)? }.into())
        },
    };
}

/// The research uses gamma = 1.
impl Default for Ehds {
    fn default() -> Self {
        Gamma::ONE.into()
    }
}

impl From<Gamma> for Ehds {
    fn from(gamma: Gamma) -> Self {
        Self { gamma: GammaChoice::Value(gamma), score: Scoring::default() }
    }
}

fn gamma(text: &str) -> Result<GammaChoice, String> {
    if text == "auto" {
        return Ok(GammaChoice::Auto);
    }
    Gamma::new(number(text)?).map(GammaChoice::Value).map_err(|error| error.to_string())
}

impl Definition for Ehds {
    fn arguments(&self) -> Vec<(&'static str, Value)> {
        let gamma = match self.gamma {
            GammaChoice::Value(gamma) => (GAMMA.name, Value::Number(gamma.value())),
            GammaChoice::Auto => (GAMMA.name, Value::Word("auto")),
        };
        [gamma].into_iter().chain(score_argument(self.score)).collect()
    }

    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        match self.gamma {
            GammaChoice::Value(gamma) => Ok(Box::new(ehds(setting, gamma).with_score(self.score)?)),
            GammaChoice::Auto => Err(FitError::AutoGamma),
        }
    }
}

/// `P(r) ~ exp(-epsilon H / (2 (1+gamma) S_gamma(c)))` over all candidates. With another score D, which is at most
/// Dmax, it is `exp(-epsilon D / (2 (1 + gamma Dmax) S_gamma(c)))`.
///
/// # Guarantee
/// epsilon-DP: between adjacent data sets the score changes by at most S and `1/S` by at most gamma, while the score
/// never exceeds 1, or Dmax (docs/proofs/exponential.md and docs/proofs/scores.md, rounding included).
#[must_use]
pub fn ehds(setting: Setting, gamma: Gamma) -> Exponential {
    let guarantee = Guarantee::proven(&setting);
    Exponential::new(&Ehds::DESCRIPTION, setting, Divisor::GammaSmooth(gamma), guarantee)
}
