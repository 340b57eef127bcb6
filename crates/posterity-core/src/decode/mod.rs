//! From a release to one Dirichlet posterior.
//!
//! What a mechanism releases may be impossible as counts: more than n records, or none where there must be some. A
//! decoder turns it into the Dirichlet distribution that is published. It sees only the release and public inputs,
//! never the data, so it costs no privacy; and it is deterministic, so that everyone can repeat it
//! (docs/proofs/decoding.md).

mod belief;
mod best;
mod candidate;
mod overlap;
mod project;
mod saturation;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::mechanism::{Decoding, Description, Mechanism};
use crate::model::{Dirichlet, DirichletError, Drawn, Prior, PriorError, Released};
use crate::noise_aware::{NoiseAware, NoiseAwareError};

use belief::Belief;
use candidate::Candidate;
use saturation::is_saturated;

pub use project::{project, round_to_total};

/// A rule from released counts to a Dirichlet distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decoder {
    /// `Dir(alpha + released)`, as in the research.
    None,
    /// The nearest counts that sum to n, in the Euclidean distance.
    Projection,
    /// The expected counts given the release, rounded.
    Mean,
    /// The Dirichlet distribution with the means and the total variance of the noise-aware posterior.
    Moments,
    /// The one of the three last with the least expected Hellinger distance from the true posterior, improved by local
    /// search.
    Best,
}

/// There is no decoder of that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no decoder {name:?}; choose one of {}", Decoder::ALL.map(Decoder::as_str).join(", "))]
pub struct UnknownDecoder {
    /// The name.
    pub name: String,
}

/// Why a release cannot be decoded.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The likelihood of the mechanism's releases is not known here.
    #[error("{mechanism} releases possible counts already and has no noise to decode; use the decoder none")]
    NoEvidence {
        /// The mechanism.
        mechanism: &'static str,
    },
    /// There is no noise-aware posterior.
    #[error(transparent)]
    NoiseAware(#[from] NoiseAwareError),
    /// The released counts do not fit the prior.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// A search left the positive numbers; does not happen.
    #[error(transparent)]
    Parameters(#[from] DirichletError),
}

impl DecodeError {
    /// Whether there is no noise-aware posterior because the noise spreads too wide for it, or too wide to be precise.
    #[must_use]
    pub fn is_too_wide(&self) -> bool {
        let wide = |error: &NoiseAwareError| {
            matches!(
                error,
                NoiseAwareError::TooWide { .. }
                    | NoiseAwareError::TooMany { .. }
                    | NoiseAwareError::Imprecise { .. }
            )
        };
        matches!(self, Self::NoiseAware(error) if wide(error))
    }
}

/// A decoded release.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// The distribution to publish.
    pub posterior: Dirichlet,
    /// The rule that found it: for [`Decoder::Best`], the part that it started from.
    pub start: Decoder,
    /// Its expected Hellinger distance from the true posterior given the release, where the decoder computes it.
    pub expected_distance: Option<f64>,
}

impl Decoder {
    /// All decoders.
    pub const ALL: [Self; 5] = [Self::None, Self::Projection, Self::Mean, Self::Moments, Self::Best];

    /// The name as it is written everywhere.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Projection => "projection",
            Self::Mean => "mean",
            Self::Moments => "moments",
            Self::Best => "best",
        }
    }

    /// The decoder that belongs to a mechanism, unless someone asks for another.
    #[must_use]
    pub fn default_for(mechanism: &Description) -> Self {
        match mechanism.decoding {
            Decoding::Best => Self::Best,
            Decoding::AsPublished | Decoding::AdviceTries | Decoding::ComparisonShows => Self::None,
        }
    }

    /// One line on what it does.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            Self::None => "take the released counts as they are",
            Self::Projection => "the nearest possible counts",
            Self::Mean => "the expected counts given the release, rounded",
            Self::Moments => "means and total variance of the noise-aware posterior",
            Self::Best => "the best of the last three, improved by local search",
        }
    }

    /// The decoder that takes its place where there is no noise-aware posterior.
    #[must_use]
    pub fn fallback(self) -> Self {
        match self {
            Self::Mean | Self::Moments | Self::Best => Self::Projection,
            Self::None | Self::Projection => self,
        }
    }

    /// Whether it can be used with a mechanism: all but [`Decoder::None`] need the likelihood of its releases.
    #[must_use]
    pub fn suits(self, mechanism: &dyn Mechanism) -> bool {
        self == Self::None || mechanism.has_likelihood()
    }

    /// The distribution to publish for counts that the mechanism released.
    ///
    /// # Errors
    /// [`DecodeError`].
    pub fn decode(self, mechanism: &dyn Mechanism, released: &Released) -> Result<Decoded, DecodeError> {
        match self {
            Self::None | Self::Projection => self.decode_with(mechanism, released, None),
            Self::Mean | Self::Moments | Self::Best => {
                let aware = noise_aware(mechanism, released)?;
                self.decode_with(mechanism, released, Some(&aware))
            }
        }
    }

    /// Decodes with a noise-aware posterior that is at hand; it is computed if needed and not given.
    ///
    /// # Errors
    /// [`DecodeError`].
    pub fn decode_with(
        self,
        mechanism: &dyn Mechanism,
        released: &Released,
        aware: Option<&NoiseAware>,
    ) -> Result<Decoded, DecodeError> {
        let (prior, n) = (mechanism.setting().prior(), mechanism.setting().n());
        if !self.suits(mechanism) {
            return Err(DecodeError::NoEvidence { mechanism: mechanism.name() });
        }
        let plain = |posterior: Dirichlet| Decoded { posterior, start: self, expected_distance: None };
        Ok(match (self, aware) {
            (Self::None, _) => plain(prior.posterior(released.as_slice())?),
            (Self::Projection, _) => plain(prior.posterior(&project(released.as_slice(), n))?),
            (_, None) => return self.decode(mechanism, released),
            (Self::Mean, Some(aware)) => plain(mean(prior, n, aware)?),
            (Self::Moments, Some(aware)) => plain(moments(prior, n, aware)?),
            (Self::Best, Some(aware)) => {
                let parts = parts(prior, n, released, aware)?;
                if is_saturated(prior, aware, &parts) {
                    let [_, _, (start, posterior)] = parts;
                    Decoded { posterior, start, expected_distance: Some(1.0) }
                } else {
                    best::best(prior, aware, &Belief::new(prior, n, aware), parts)?
                }
            }
        })
    }
}

/// What each decoder but [`Decoder::None`] makes of a release.
pub type DecodedByEach = [(Decoder, Decoded); 4];

/// All decoders but [`Decoder::None`] on one release, each with its expected distance.
///
/// # Errors
/// [`DecodeError`].
pub fn decode_all(mechanism: &dyn Mechanism, released: &Released) -> Result<DecodedByEach, DecodeError> {
    Ok(decode_class(mechanism, released, &[])?.0)
}

/// [`decode_all`], and the expected distances of the posteriors of other possible counts. The projection breaks ties by
/// the order of the categories, so releases that differ by an exchange of categories are projected to counts that may
/// not.
///
/// # Errors
/// [`DecodeError`].
pub(crate) fn decode_class(
    mechanism: &dyn Mechanism,
    released: &Released,
    others: &[Vec<u64>],
) -> Result<(DecodedByEach, Vec<f64>), DecodeError> {
    let aware = noise_aware(mechanism, released)?;
    let (prior, n) = (mechanism.setting().prior(), mechanism.setting().n());
    let belief = Belief::new(prior, n, &aware);
    let expected =
        |posterior: &Dirichlet| Candidate::new(&belief, posterior.parameters().to_vec()).expected();
    let of_others = others.iter().map(|counts| Ok(expected(&prior.posterior(counts)?)));
    let of_others = of_others.collect::<Result<Vec<f64>, DecodeError>>()?;
    let parts = parts(prior, n, released, &aware)?;
    let best = best::best(prior, &aware, &belief, parts.clone())?;
    let [projection, mean, moments] = parts.map(|(decoder, posterior)| {
        let expected_distance = Some(expected(&posterior));
        (decoder, Decoded { posterior, start: decoder, expected_distance })
    });
    Ok(([projection, mean, moments, (Decoder::Best, best)], of_others))
}

/// The decoders that [`Decoder::Best`] starts from.
fn parts(
    prior: &Prior,
    n: u64,
    released: &Released,
    aware: &NoiseAware,
) -> Result<[(Decoder, Dirichlet); 3], PriorError> {
    Ok([
        (Decoder::Projection, prior.posterior(&project(released.as_slice(), n))?),
        (Decoder::Mean, mean(prior, n, aware)?),
        (Decoder::Moments, moments(prior, n, aware)?),
    ])
}

/// What an outcome of a mechanism says about the truth, for analyses that list all outcomes.
///
/// # Errors
/// [`DecodeError`] if the mechanism's noise cannot be modelled, or spreads too wide.
pub fn noise_aware(mechanism: &dyn Mechanism, released: &Released) -> Result<NoiseAware, DecodeError> {
    if let Some(joint) = mechanism.joint_likelihood() {
        return Ok(joint.posterior(released)?);
    }
    let missing = DecodeError::NoEvidence { mechanism: mechanism.name() };
    let evidence = mechanism.likelihood().ok_or(missing)?.evidence(released);
    Ok(NoiseAware::new(mechanism.setting(), &evidence)?)
}

/// What a draw says about the truth: the posterior of a document. Where clipping loses something, that is more than what
/// the released counts say.
///
/// # Errors
/// As [`noise_aware`].
pub fn noise_aware_of_draw(mechanism: &dyn Mechanism, drawn: &Drawn) -> Result<NoiseAware, DecodeError> {
    let Some(likelihood) = mechanism.likelihood() else {
        return noise_aware(mechanism, &mechanism.drawing().released(drawn, mechanism.setting().n()));
    };
    Ok(NoiseAware::new(mechanism.setting(), &likelihood.evidence_of_draw(drawn))?)
}

fn mean(prior: &Prior, n: u64, aware: &NoiseAware) -> Result<Dirichlet, PriorError> {
    prior.posterior(&round_to_total(&aware.mean_counts(), n))
}

fn moments(prior: &Prior, n: u64, aware: &NoiseAware) -> Result<Dirichlet, PriorError> {
    // A variance of zero, which only rounding makes, leaves nothing to match.
    aware.moment_matched().map_or_else(|| mean(prior, n, aware), Ok)
}

impl fmt::Display for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Decoder {
    type Err = UnknownDecoder;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.into_iter().find(|decoder| decoder.as_str() == text);
        known.ok_or_else(|| UnknownDecoder { name: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::uniform;
    use crate::mechanism::ALL;
    use crate::mechanism::table::Table;

    /// What it releases says nothing about the data, and it is not an exponential mechanism.
    fn without_likelihood() -> Table {
        Table::new(2, 4, |_| vec![0.2; 5])
    }

    /// If this fails, a decoder models noise whose law is unknown.
    #[test]
    fn a_mechanism_without_likelihood_is_refused_by_every_decoder_but_none() {
        let mechanism = without_likelihood();
        assert!(mechanism.likelihood().is_none() && mechanism.tunable().is_none());
        let released = Released::new(vec![1, 3]);
        let refused = DecodeError::NoEvidence { mechanism: mechanism.name() };
        for decoder in Decoder::ALL.into_iter().filter(|&decoder| decoder != Decoder::None) {
            assert!(!decoder.suits(&mechanism), "{decoder}");
            assert_eq!(decoder.decode(&mechanism, &released), Err(refused.clone()), "{decoder}");
            assert_eq!(decoder.decode_with(&mechanism, &released, None), Err(refused.clone()), "{decoder}");
        }
        assert_eq!(noise_aware(&mechanism, &released).err(), Some(refused.clone()));
        assert_eq!(decode_all(&mechanism, &released), Err(refused));
        assert!(Decoder::None.suits(&mechanism));
        let plain = Decoder::None.decode(&mechanism, &released).expect("taken as it is");
        assert_eq!(plain.posterior.parameters(), [2.0, 4.0]);
        assert_eq!((plain.start, plain.expected_distance), (Decoder::None, None));
    }

    /// All decoders go with the mechanisms that add noise to counts, and the usual decoder goes with its mechanism.
    #[test]
    fn decoders_suit_mechanisms_whose_noise_is_known() {
        for one in ALL {
            let mechanism = one.spec().fit(uniform(3, 6, "1")).expect("valid");
            let suited = Decoder::ALL.into_iter().filter(|decoder| decoder.suits(&*mechanism)).count();
            assert_eq!(suited, if one.decodable { 5 } else { 1 }, "{one}");
            assert!(Decoder::default_for(one).suits(&*mechanism), "{one}");
        }
    }

    #[test]
    fn released_counts_of_another_length_are_refused() {
        let released = Released::new(vec![1, 2, 1]);
        let error = Decoder::None.decode(&without_likelihood(), &released).expect_err("refused");
        assert_eq!(error, DecodeError::Prior(PriorError::WrongLength { found: 2, expected: 3 }));
    }

    /// Where there is no noise-aware posterior, what takes a decoder's place needs none.
    #[test]
    fn fallbacks_need_no_noise_aware_posterior() {
        for decoder in Decoder::ALL {
            assert!(matches!(decoder.fallback(), Decoder::None | Decoder::Projection), "{decoder}");
            assert_eq!(decoder.fallback().fallback(), decoder.fallback());
        }
        assert_eq!(Decoder::None.fallback(), Decoder::None);
    }

    #[test]
    fn names_read_back() {
        for decoder in Decoder::ALL {
            assert_eq!(decoder.to_string().parse(), Ok(decoder));
            assert_eq!(serde_json::to_string(&decoder).expect("serialises"), format!("\"{decoder}\""));
        }
        for name in ["", "Best", " best", "mode"] {
            assert_eq!(name.parse::<Decoder>(), Err(UnknownDecoder { name: name.into() }));
        }
    }
}
