//! From released counts to a posterior. The data has no part in it.

use posterity_core::decode::{DecodeError, Decoded, Decoder};
use posterity_core::mechanism::Mechanism;
use posterity_core::model::Released;
use posterity_core::noise_aware::NoiseAware;

use crate::document::{Recalled, percent};
use crate::terms::Request;

/// Released counts, decoded.
pub(crate) struct Reading {
    pub(crate) decoder: Decoder,
    pub(crate) decoded: Decoded,
    pub(crate) noise_aware: Option<NoiseAware>,
    /// Why the noise is not modelled although its law is known.
    failed: Option<DecodeError>,
}

impl Reading {
    /// Reads released counts as the request asks. Where the noise spreads too wide to be modelled, a simpler decoder takes
    /// the place of the one that was asked for.
    pub(crate) fn new(
        request: &Request,
        mechanism: &dyn Mechanism,
        released: &Released,
    ) -> Result<Self, DecodeError> {
        let (noise_aware, failed) = match posterity_core::decode::noise_aware(mechanism, released) {
            Ok(aware) => (Some(aware), None),
            Err(DecodeError::NoEvidence { .. }) => (None, None),
            Err(error) if error.is_too_wide() => (None, Some(error)),
            Err(other) => return Err(other),
        };
        let decoder = if failed.is_some() { request.decoder().fallback() } else { request.decoder() };
        let decoded = decoder.decode_with(mechanism, released, noise_aware.as_ref())?;
        Ok(Self { decoder, decoded, noise_aware, failed })
    }

    /// The notes that say how to read the document.
    pub(crate) fn notes(&self, level: f64) -> impl Iterator<Item = String> {
        let decoding = match self.decoder {
            Decoder::None => None,
            Decoder::Projection => Some("the nearest counts that are possible".to_owned()),
            Decoder::Mean => Some("the expected counts given the noisy ones, rounded".to_owned()),
            Decoder::Moments => {
                Some("the means and the total variance of the noise-aware posterior".to_owned())
            }
            Decoder::Best => Some(format!(
                "the distribution that is expected nearest to the true posterior given the noisy counts (found from {})",
                self.decoded.start
            )),
        };
        let decoding = decoding.map(|what| {
            format!("The Dirichlet parameters were decoded from the noisy counts: {what}. That uses no data and costs no privacy.")
        });
        let reading = match (&self.noise_aware, &self.failed) {
            (Some(_), _) => format!(
                "The noise-aware means and intervals take the privacy noise into account. On average over data drawn from the prior, \
                 {} % of such intervals hold the true proportion. That is no statement about this one interval, and none about data \
                 for which the prior is far off. The intervals of the released Dirichlet distribution have not even that property.",
                percent(level)
            ),
            (None, Some(error)) => format!(
                "The privacy noise is not modelled ({error}). The intervals are those of the released posterior and cover the truth \
                 less often than their level says."
            ),
            (None, None) => "The intervals are those of the released posterior. They do not include the privacy noise, so they cover \
                              the truth less often than their level says; the smaller n and epsilon, the less often."
                .to_owned(),
        };
        decoding.into_iter().chain([reading])
    }
}

/// The notes that a reader must not miss.
pub(crate) fn warnings(
    proven: bool,
    seed: Option<u64>,
    recalled: Option<&Recalled>,
) -> impl Iterator<Item = String> {
    let before = recalled.map(|Recalled { drawn }| {
        format!("Recalled from the ledger: it was drawn at {drawn}, and the data may have changed since.")
    });
    let seeded = seed
        .map(|seed| format!("Drawn from seed {seed}: anyone can repeat the noise, so nothing is protected."));
    let unproven = (!proven)
        .then(|| "The mechanism has no proven guarantee: do not publish this as private.".to_owned());
    seeded.into_iter().chain(unproven).chain(before)
}

/// The note on categories that are the keys of a mapping.
pub(crate) const KEYS: &str = "The categories are the keys of a mapping, and are published as they stand: nothing is promised about which keys \
                    there are. They must not come from the data.";

/// The note on data without a name.
pub(crate) const NAMELESS: &str = "The data has no name by which the ledger could recognise it: the same question is charged again each time. A name \
                        for this data would let the ledger answer it for nothing.";
