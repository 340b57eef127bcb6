//! EHD: the exponential mechanism calibrated to the global sensitivity.

use thiserror::Error;

use super::exponential::{Divisor, Exponential};
use super::score_parameter::{SCORE, read_score, score_argument};
use super::{Decoding, Definition, Description, FitError, Form, Guarantee, Mechanism, Parameter, Value};
use crate::model::Setting;
use crate::score::Scoring;
use crate::sensitivity::{PUBLISHED_GLOBAL, global};

/// The mechanism `ehd`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ehd {
    /// The global sensitivity to use.
    pub sensitivity: GlobalSensitivity,
    /// What candidates are scored by.
    pub score: Scoring,
}

const SENSITIVITY: Parameter = Parameter {
    name: "global-sensitivity",
    form: Form::Word("WHICH", &["exact", "published"]),
    help: "Sensitivity of ehd: exact for the prior and n, or the research's constant sqrt(1 - pi/4), which is refused where \
           it is too small [default: exact]",
};

impl Ehd {
    /// The facts of the mechanism.
    pub const DESCRIPTION: Description = Description {
        name: "ehd",
        summary: "exponential mechanism scaled to the global Hellinger sensitivity; epsilon-DP",
        private: true,
        proof: "docs/proofs/exponential.md",
        parameters: &[SENSITIVITY, SCORE],
        tunable: true,
        exchangeable: true,
        uses_prior: true,
        decodable: true,
        decoding: Decoding::AsPublished,
        usual: || Self::default().into(),
        read: |arguments| {
            let sensitivity = arguments.value(&SENSITIVITY, sensitivity)?.unwrap_or_default();
            Ok(Self { sensitivity, score: read_score(arguments)? }.into())
        },
    };
}

fn sensitivity(text: &str) -> Result<GlobalSensitivity, String> {
    match text {
        "exact" => Ok(GlobalSensitivity::Exact),
        "published" => Ok(GlobalSensitivity::Published),
        other => Err(format!("there is no sensitivity {other:?}; choose exact or published")),
    }
}

impl Definition for Ehd {
    fn arguments(&self) -> Vec<(&'static str, Value)> {
        let published = (self.sensitivity == GlobalSensitivity::Published)
            .then_some((SENSITIVITY.name, Value::Word("published")));
        published.into_iter().chain(score_argument(self.score)).collect()
    }

    fn fit(&self, setting: Setting) -> Result<Box<dyn Mechanism>, FitError> {
        if self.sensitivity == GlobalSensitivity::Published && !self.score.is_hellinger() {
            return Err(FitError::PublishedScore { score: self.score.facts().name });
        }
        Ok(Box::new(ehd(setting, self.sensitivity)?.with_score(self.score)?))
    }
}

/// Which global sensitivity `ehd` uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GlobalSensitivity {
    /// The exact value for the prior and n.
    #[default]
    Exact,
    /// The constant `sqrt(1 - pi/4)` of the research.
    Published,
}

/// The published constant is below the exact global sensitivity: with it the mechanism would not be private.
#[derive(Clone, Debug, PartialEq, Error)]
#[error(
    "the published global sensitivity sqrt(1 - pi/4) = {PUBLISHED_GLOBAL:.6} is too small for this prior, whose exact \
     value is {exact:.6}: the release would not be private; use the exact value"
)]
pub struct PublishedConstantError {
    /// The exact global sensitivity.
    pub exact: f64,
}

/// `P(r) ~ exp(-epsilon H / (2 GS))` over all candidates.
///
/// # Guarantee
/// epsilon-DP (McSherry and Talwar 2007; docs/proofs/exponential.md, rounding included).
///
/// # Errors
/// [`PublishedConstantError`] if the published constant is asked for where it is too small.
pub fn ehd(setting: Setting, sensitivity: GlobalSensitivity) -> Result<Exponential, PublishedConstantError> {
    let exact = global(setting.prior(), setting.n());
    let value = match sensitivity {
        GlobalSensitivity::Exact => exact,
        // Where the two are the same number, their last digits may still differ by rounding.
        GlobalSensitivity::Published if exact <= PUBLISHED_GLOBAL * (1.0 + 1e-14) => {
            exact.max(PUBLISHED_GLOBAL)
        }
        GlobalSensitivity::Published => return Err(PublishedConstantError { exact }),
    };
    let guarantee = Guarantee::proven(&setting);
    Ok(Exponential::new(&Ehd::DESCRIPTION, setting, Divisor::Constant(value), guarantee))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::setting;

    #[test]
    fn the_published_constant_is_refused_where_it_is_too_small() {
        for prior in [&[1.0, 1.0][..], &[1.0, 1.0, 1.0], &[7.0, 4.0, 5.0]] {
            assert!(ehd(setting(prior, 10, "1"), GlobalSensitivity::Published).is_ok(), "{prior:?}");
        }
        for prior in [&[0.5, 0.5, 0.5][..], &[0.1, 0.5], &[0.99, 1.0, 1.0]] {
            assert!(ehd(setting(prior, 10, "1"), GlobalSensitivity::Published).is_err(), "{prior:?}");
        }
    }
}
