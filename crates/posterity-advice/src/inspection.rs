//! Everything exact about one mechanism at one data set.

use std::fmt;

use posterity::Request;
use posterity_core::accuracy::decoded_outcomes;
use posterity_core::calibrate::CalibrationError;
use posterity_core::decode::{DecodeError, Decoder};
use posterity_core::mechanism::{
    Description, LawError, Mechanism, Mh, OutputLaw, Sensitivities, Spec, mh_beta,
};
use posterity_core::model::{Counts, Gamma, PriorError};
use posterity_core::sensitivity::{gamma_smooth, global, local};
use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};
use thiserror::Error;

use crate::calibration::{Calibration, score_of};

/// The most outcomes that are decoded one by one. A decoder takes milliseconds for each.
pub const MAX_DECODED: usize = 20_000;

/// What is known exactly about a mechanism at one data set. It shows the data, so it is not private.
#[derive(Clone, Serialize)]
pub struct Inspection {
    /// The mechanism.
    pub mechanism: &'static Description,
    /// The prior's parameters.
    pub prior: Vec<f64>,
    /// The data.
    pub counts: Vec<u64>,
    /// The number of records.
    pub n: u64,
    /// The privacy budget.
    pub epsilon: f64,
    /// Gamma of ehds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gamma: Option<f64>,
    /// What an exponential mechanism scores candidates by, if it is not the Hellinger distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// How the scale was set.
    pub calibration: Calibration,
    /// The decoder that follows the mechanism.
    pub decoder: Decoder,
    /// The parameter delta of mh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
    /// The smoothing that follows from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beta: Option<f64>,
    /// Always false: an inspection shows the data.
    pub private: bool,
    /// How far the posterior can move when one record changes; absent where n is private.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sensitivity: Option<Sensitivity>,
    /// The mean distance.
    pub expected_distance: f64,
    /// How likely the true counts are released.
    pub probability_exact: f64,
    /// Every outcome with its probability and distance.
    #[serde(serialize_with = "outcomes")]
    pub outcomes: OutputLaw,
}

/// Hides the counts.
impl fmt::Debug for Inspection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inspection").field("mechanism", &self.mechanism.name).finish_non_exhaustive()
    }
}

/// How far the posterior moves when one record changes, measured by the score of the mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sensitivity {
    /// At the worst data set.
    pub global: f64,
    /// At this data set.
    pub local: f64,
    /// beta-smooth for mh, gamma-smooth for all others.
    pub smooth: f64,
}

/// Why there is no inspection.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InspectionError {
    /// The mechanism cannot be made.
    #[error(transparent)]
    Mechanism(#[from] CalibrationError),
    /// The law cannot be stated.
    #[error(transparent)]
    Law(#[from] LawError),
    /// Too many outcomes to decode.
    #[error("there are {outcomes} outcomes, more than the {MAX_DECODED} that may be decoded one by one")]
    TooManyToDecode {
        /// How many there are.
        outcomes: usize,
    },
    /// The decoder does not suit.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The counts do not fit the prior.
    #[error(transparent)]
    Prior(#[from] PriorError),
}

/// Inspects the mechanism of a request at one data set, listing at most `max_outcomes` outcomes. `progress` is called
/// with the number of data sets done while a mechanism is audited.
///
/// ```
/// use posterity::{Counts, Decoder, Terms};
/// use posterity_advice::inspect;
/// let terms = Terms { decoder: Some(Decoder::None), ..Terms::new("1".parse()?) };
/// let request = terms.request(2, 7, &|_| ())?;
/// let found = inspect(&request, &Counts::new(vec![3, 4])?, 100, &|_| ())?;
/// assert_eq!(found.outcomes.len(), 8);
/// let sensitivity = found.sensitivity.ok_or("n is public")?;
/// assert!(sensitivity.local <= sensitivity.global);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`InspectionError`].
pub fn inspect(
    request: &Request,
    counts: &Counts,
    max_outcomes: u64,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Inspection, InspectionError> {
    let (setting, spec, decoder) = (request.setting(), request.spec(), request.decoder());
    let mechanism = request.mechanism(progress)?;
    let mut law = mechanism.law(counts, max_outcomes)?;
    if decoder != Decoder::None {
        if law.len() > MAX_DECODED {
            return Err(InspectionError::TooManyToDecode { outcomes: law.len() });
        }
        law = decoded_outcomes(law, &*mechanism, decoder)?;
    }
    let beta = match spec.loose() {
        Spec::Mh(Mh { delta, .. }) => Some(mh_beta(setting, *delta)),
        _ => None,
    };
    Ok(Inspection {
        mechanism: spec.description(),
        prior: setting.prior().parameters().to_vec(),
        counts: counts.as_slice().to_vec(),
        n: counts.total(),
        epsilon: setting.epsilon().to_f64(),
        gamma: spec.number("gamma"),
        score: score_of(spec),
        calibration: Calibration::of(spec),
        decoder,
        delta: spec.number("delta"),
        beta,
        private: false,
        sensitivity: match setting.n_is_private() {
            true => None,
            false => Some(sensitivity(&*mechanism, counts)?),
        },
        expected_distance: law.expected_distance(),
        probability_exact: law.probability_exact(),
        outcomes: law,
    })
}

/// The sensitivities of the mechanism's score; of a mechanism without a score those of the Hellinger distance, with
/// gamma = 1.
fn sensitivity(mechanism: &dyn Mechanism, counts: &Counts) -> Result<Sensitivity, InspectionError> {
    if let Some(exponential) = mechanism.tunable() {
        let Sensitivities { global, local, smooth } =
            exponential.sensitivities(counts).map_err(LawError::from)?;
        return Ok(Sensitivity { global, local, smooth });
    }
    let setting = mechanism.setting();
    Ok(Sensitivity {
        global: global(setting.prior(), setting.n()),
        local: local(setting.prior(), counts)?,
        smooth: gamma_smooth(setting.prior(), counts, Gamma::ONE)?,
    })
}

fn outcomes<S: Serializer>(law: &OutputLaw, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Line<'a> {
        counts: &'a [u64],
        probability: f64,
        distance: f64,
    }
    let mut list = serializer.serialize_seq(Some(law.len()))?;
    for outcome in law.outcomes() {
        list.serialize_element(&Line {
            counts: outcome.counts,
            probability: outcome.probability,
            distance: outcome.distance,
        })?;
    }
    list.end()
}

#[cfg(test)]
mod tests {
    use posterity_testkit::fixture::{counts, epsilon, spec};

    use super::*;
    use posterity::Terms;

    fn request(name: &str, n: u64) -> Request {
        Terms { spec: spec(name), ..Terms::new(epsilon("1")) }.request(2, n, &|_| ()).expect("valid")
    }

    #[test]
    fn probabilities_sum_to_one_and_debug_hides_the_data() {
        let counts = counts(&[3, 4]);
        let found = inspect(&request("lattice", 7), &counts, 100, &|_| ()).expect("small");
        let sum: f64 = found.outcomes.outcomes().map(|outcome| outcome.probability).sum();
        assert!((sum - 1.0).abs() < 1e-12);
        assert_eq!(found.decoder, Decoder::Projection, "as a release has it");
        assert!(!format!("{found:?}").contains('3'));
    }

    #[test]
    fn rejects() {
        let counts = counts(&[15_000, 15_000]);
        let found = inspect(&request("lattice", 30_000), &counts, 1_000_000, &|_| ());
        assert_eq!(found.err(), Some(InspectionError::TooManyToDecode { outcomes: 30_001 }));
        let found = inspect(&request("ehd", 30_000), &counts, 10, &|_| ());
        assert!(matches!(found.err(), Some(InspectionError::Law(LawError::TooLarge { .. }))));
    }
}
