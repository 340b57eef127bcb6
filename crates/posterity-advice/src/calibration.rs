//! What the text of a specification says, for reports.

use posterity_core::mechanism::{Spec, Value};
use serde::{Deserialize, Serialize};

/// How the scale of an exponential mechanism is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Calibration {
    /// By the proof.
    #[default]
    Proven,
    /// By an exact audit of all data sets of this size, to use the budget up.
    Tight,
    /// As the research says, of a mechanism of which no promise is proven.
    Unproven,
}

impl Calibration {
    /// How a specification sets the scale.
    ///
    /// ```
    /// use posterity_advice::Calibration;
    /// assert_eq!(Calibration::of(&"tight(ehds)".parse()?), Calibration::Tight);
    /// assert_eq!(Calibration::of(&"ehds".parse()?), Calibration::Proven);
    /// assert_eq!(Calibration::of(&"ehdl".parse()?), Calibration::Unproven);
    /// # Ok::<(), posterity::SpecError>(())
    /// ```
    #[must_use]
    pub fn of(spec: &Spec) -> Self {
        match (spec.is_tight(), spec.description().private) {
            (true, _) => Self::Tight,
            (false, true) => Self::Proven,
            (false, false) => Self::Unproven,
        }
    }
}

/// What an exponential mechanism scores candidates by, if it is not the Hellinger distance.
pub(crate) fn score_of(spec: &Spec) -> Option<String> {
    spec.arguments().into_iter().find_map(|(name, value)| match value {
        Value::Text(score) if name == "score" => Some(score),
        _ => None,
    })
}
