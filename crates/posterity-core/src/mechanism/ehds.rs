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
    /// Whether the score is divided by the smallest constant that is proven, and not by the published one.
    pub sharp: bool,
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

const SHARP: Parameter = Parameter {
    name: "sharp",
    form: Form::Flag,
    help: "Divide the score of ehds by the smallest constant that is proven, and not by the published one: less noise for \
           the same epsilon",
};

impl Ehds {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "ehds",
        summary: "exponential mechanism scaled to the gamma-smooth sensitivity; epsilon-DP",
        private: true,
        proof: "docs/proofs/exponential.md",
        parameters: &[GAMMA, SHARP, SCORE],
        tunable: true,
        exchangeable: true,
        uses_prior: true,
        decodable: true,
        decoding: Decoding::ComparisonShows,
        usual: || Self::default().into(),
        read: |arguments| {
            let gamma = arguments.value(&GAMMA, gamma)?.unwrap_or(GammaChoice::Value(Gamma::ONE));
            Ok(Self { gamma, sharp: arguments.has(&SHARP), score: read_score(arguments)? }.into())
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
        Self { gamma: GammaChoice::Value(gamma), sharp: false, score: Scoring::default() }
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
        let sharp = self.sharp.then_some((SHARP.name, Value::Flag));
        [gamma].into_iter().chain(sharp).chain(score_argument(self.score)).collect()
    }

    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        match self.gamma {
            GammaChoice::Value(gamma) => {
                let made = if self.sharp { ehds_sharp(setting, gamma) } else { ehds(setting, gamma) };
                Ok(Box::new(made.with_score(self.score)?))
            }
            GammaChoice::Auto => Err(FitError::AutoGamma),
        }
    }

    /// The sharp constant: it promises the same, and every release is expected nearer to the truth.
    fn advised(&self) -> Option<super::Spec> {
        Some(Self { sharp: true, ..*self }.into())
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
    smooth(setting, gamma, false)
}

/// `P(r) ~ exp(-epsilon H / ((1 + E) S_gamma(c)))` over all candidates, with
/// `E = max over 0 <= D <= 1 of (1 - D^2) sqrt(-ln(1 - D^2))/D + gamma D`, rounded up: 2.313 in place of the 4 of
/// [`ehds`] at gamma = 1. The score angle has an E of its own. With any other score D the constant is
/// `2 + gamma Dmax`.
///
/// # Guarantee
/// epsilon-DP: from one data set to an adjacent one with a larger `1/S`, the score over S falls by at most 1 and grows
/// by at most E, or `1 + gamma Dmax` (docs/proofs/exponential.md and docs/proofs/scores.md, rounding included).
#[must_use]
pub fn ehds_sharp(setting: Setting, gamma: Gamma) -> Exponential {
    smooth(setting, gamma, true)
}

fn smooth(setting: Setting, gamma: Gamma, sharp: bool) -> Exponential {
    let guarantee = Guarantee::proven(&setting);
    Exponential::new(&Ehds::DESCRIPTION, setting, Divisor::GammaSmooth { gamma, sharp }, guarantee)
}
