//! Accuracy of decoded releases.

use std::collections::{BTreeMap, HashMap};

use thiserror::Error;

use super::{DistanceLaw, Metric, SimulationError, over_data, prior_predictive, simulate};
use crate::audit::{AuditError, Scope};
use crate::decode::{DecodeError, Decoder, decode_class, project};
use crate::distance::hellinger;
use crate::mechanism::{LawError, Mechanism, OutputLaw, ReleaseError, Space};
use crate::model::{Counts, PriorError, Released};
use crate::parallelism::Parallelism;
use crate::pulse::beat;
use crate::sampler::BitSource;
use crate::special::Sum;

/// Why the accuracy of a decoder is not known.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DecodedError {
    /// The law of the mechanism.
    #[error(transparent)]
    Law(#[from] LawError),
    /// The decoder.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A draw failed.
    #[error(transparent)]
    Release(#[from] ReleaseError),
    /// The posterior does not fit.
    #[error(transparent)]
    Prior(#[from] PriorError),
    /// Too many data sets or outcomes.
    #[error(transparent)]
    TooLarge(#[from] AuditError),
    /// More outcomes have to be decoded than allowed.
    #[error("{outcomes} likely outcomes would have to be decoded, more than the {limit} that may be")]
    TooMany {
        /// How many.
        outcomes: usize,
        /// How many may be decoded.
        limit: usize,
    },
}

impl DecodedError {
    /// Whether there are only too many outcomes to list or to decode, so that a simulation is the way out.
    #[must_use]
    pub fn is_too_many(&self) -> bool {
        matches!(self, Self::TooMany { .. } | Self::Law(LawError::TooLarge { .. }))
    }
}

impl From<SimulationError> for DecodedError {
    fn from(error: SimulationError) -> Self {
        match error {
            SimulationError::Release(error) => Self::Release(error),
            SimulationError::Prior(error) => Self::Prior(error),
        }
    }
}

/// Outcomes are not decoded if all of them together are less likely than this; their distance is taken as one.
const UNDECODED_PROBABILITY: f64 = 1e-9;

/// A law with the distances of the posteriors that a decoder makes of its outcomes, on all cores.
///
/// # Errors
/// [`DecodeError`] if the decoder does not suit the mechanism.
pub fn decoded_outcomes(
    law: OutputLaw,
    mechanism: &dyn Mechanism,
    decoder: Decoder,
) -> Result<OutputLaw, DecodeError> {
    let truth = mechanism.setting().prior().posterior(law.truth())?;
    let outcomes: Vec<Released> =
        law.outcomes().map(|outcome| Released::new(outcome.counts.to_vec())).collect();
    prepare(mechanism, decoder);
    let distances = Parallelism::AllCores.try_map(&outcomes, |released| {
        let posterior = decoder.decode(mechanism, released)?.posterior;
        // Both have k parameters.
        Ok::<f64, DecodeError>(hellinger(&truth, &posterior).unwrap_or(1.0))
    })?;
    Ok(law.with_distances(distances))
}

/// The law of the distance between the decoded and the true posterior at given counts, on all cores. At most `decoded`
/// outcomes are decoded: the likeliest, until those left have a probability below 1e-9 together. Without a decoder all
/// are taken as they are.
///
/// # Errors
/// [`DecodedError`].
pub fn decoded_law(
    mechanism: &dyn Mechanism,
    decoder: Decoder,
    counts: &Counts,
    metric: Metric,
    limit: u64,
    decoded: usize,
) -> Result<DistanceLaw, DecodedError> {
    let setting = mechanism.setting();
    if decoder == Decoder::None {
        return Ok(DistanceLaw::new(&mechanism.law(counts, limit)?, setting.prior(), metric)?);
    }
    let (k, n) = (setting.k(), setting.n());
    let size = mechanism.space().size(k, n);
    if size > limit as f64 {
        return Err(LawError::TooLarge { outcomes: size, limit }.into());
    }
    let mut outcomes: Vec<(Released, f64)> = Vec::new();
    let probabilities = mechanism.ln_probabilities(counts).map_err(LawError::Setting)?;
    let mut index = 0;
    // What is far below the average of what may be neglected is not even listed.
    let least = libm::log(1e-3 * UNDECODED_PROBABILITY / size);
    mechanism.space().for_each(k, n, |released| {
        if probabilities[index] >= least {
            outcomes.push((Released::new(released.to_vec()), libm::exp(probabilities[index])));
        }
        index += 1;
    });
    outcomes.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut rest = 1.0;
    let needed = outcomes.iter().take_while(|(_, probability)| {
        let needed = rest > UNDECODED_PROBABILITY;
        rest -= probability;
        needed
    });
    let needed = needed.count();
    if needed > decoded {
        return Err(DecodedError::TooMany { outcomes: needed, limit: decoded });
    }
    outcomes.truncate(needed);
    prepare(mechanism, decoder);
    let truth = setting.prior().posterior(counts.as_slice())?;
    let points = Parallelism::over_releases(setting).map(&outcomes[..], |(released, probability)| {
        let posterior = decoder.decode(mechanism, released)?.posterior;
        Ok((metric.of_posteriors(&truth, &posterior)?, *probability, posterior == truth))
    });
    let points = points.into_iter().collect::<Result<Vec<(f64, f64, bool)>, DecodedError>>()?;
    let exact = points.iter().filter(|point| point.2).map(|point| point.1).collect::<Sum>().value();
    let missing = 1.0 - points.iter().map(|point| point.1).collect::<Sum>().value();
    let far = (metric == Metric::Hellinger && missing > 0.0).then_some((1.0, missing));
    Ok(DistanceLaw::from_points(
        points.into_iter().map(|point| (point.0, point.1)).chain(far).collect(),
        exact,
    ))
}

/// The empirical law of that distance in `runs` independent draws.
///
/// # Errors
/// [`DecodedError`].
pub fn simulate_decoded(
    mechanism: &dyn Mechanism,
    decoder: Decoder,
    counts: &Counts,
    metric: Metric,
    runs: usize,
    bits: &mut dyn BitSource,
) -> Result<DistanceLaw, DecodedError> {
    if decoder == Decoder::None {
        return Ok(simulate(mechanism, counts, metric, runs, bits)?);
    }
    let truth = mechanism.setting().prior().posterior(counts.as_slice())?;
    let mut drawn: BTreeMap<Released, usize> = BTreeMap::new();
    for released in mechanism.release_many(counts, runs, bits)? {
        *drawn.entry(released).or_default() += 1;
    }
    // The same release is decoded once.
    let drawn: Vec<(Released, usize)> = drawn.into_iter().collect();
    prepare(mechanism, decoder);
    let points = Parallelism::over_releases(mechanism.setting()).map(&drawn[..], |(released, times)| {
        let posterior = decoder.decode(mechanism, released)?.posterior;
        let share = *times as f64 / runs as f64;
        Ok((metric.of_posteriors(&truth, &posterior)?, share, posterior == truth))
    });
    let points = points.into_iter().collect::<Result<Vec<(f64, f64, bool)>, DecodedError>>()?;
    let exact = points.iter().filter(|point| point.2).map(|point| point.1).collect::<Sum>().value();
    Ok(DistanceLaw::from_points(points.into_iter().map(|point| (point.0, point.1)).collect(), exact))
}

/// Releases that differ by an exchange of categories, in the order of their counts.
#[derive(Default)]
struct Class {
    probability: f64,
    /// The possible counts that they are projected to, in the same order, with their probabilities.
    projections: BTreeMap<Vec<u64>, f64>,
}

/// The expected Hellinger distance of every decoder but [`Decoder::None`], when the data follow the prior-predictive
/// law: `sum_w P(w) E[H | w]`. `limit` bounds the number of probabilities computed.
///
/// # Errors
/// [`DecodedError`].
pub fn decoded_over_data(mechanism: &dyn Mechanism, limit: f64) -> Result<[(Decoder, f64); 4], DecodedError> {
    let setting = mechanism.setting();
    let (k, n) = (setting.k(), setting.n());
    let scope = Scope::of_laws(mechanism);
    scope.within(limit)?;
    let all = Space::Candidates.list(k, n);
    // A few sums, each over one part of the data sets; the same parts on every machine.
    let part = all.len().div_ceil(16);
    let sums = Parallelism::AllCores.try_map(all.chunks(part), |part| {
        let mut sums = vec![0.0; scope.outcomes as usize];
        for counts in part {
            beat();
            let weight = prior_predictive(setting.prior(), counts);
            let counts = Counts::new(counts.clone()).map_err(AuditError::Counts)?;
            let law = mechanism.ln_probabilities(&counts).map_err(LawError::Setting)?;
            sums.iter_mut().zip(law).for_each(|(sum, ln)| *sum += weight * libm::exp(ln));
        }
        Ok::<Vec<f64>, DecodedError>(sums)
    })?;
    let mut classes: HashMap<Released, Class> = HashMap::new();
    let mut index = 0;
    let symmetric = is_symmetric(mechanism);
    mechanism.space().for_each(k, n, |released| {
        let probability = sums.iter().map(|sums| sums[index]).sum::<f64>();
        let mut order: Vec<usize> = (0..k).collect();
        if symmetric {
            order.sort_by_key(|&category| released[category]);
        }
        let sorted = |counts: &[u64]| order.iter().map(|&category| counts[category]).collect::<Vec<u64>>();
        let class = classes.entry(Released::new(sorted(released))).or_default();
        class.probability += probability;
        *class.projections.entry(sorted(&project(released, n))).or_default() += probability;
        index += 1;
    });
    prepare(mechanism, Decoder::Best);
    let mut classes: Vec<(Released, Class)> = classes.into_iter().collect();
    classes.sort_by(|a, b| a.0.cmp(&b.0));
    let distances = Parallelism::AllCores.try_map(&classes, |(released, class)| {
        let (projected, weights): (Vec<Vec<u64>>, Vec<f64>) =
            class.projections.iter().map(|(counts, probability)| (counts.clone(), *probability)).unzip();
        let (decoded, projections) = decode_class(mechanism, released, &projected)?;
        let mut distances =
            decoded.map(|(_, decoded)| class.probability * decoded.expected_distance.unwrap_or(1.0));
        distances[0] = projections.iter().zip(weights).map(|(distance, weight)| distance * weight).sum();
        Ok::<[f64; 4], DecodedError>(distances)
    })?;
    let mean = |place: usize| distances.iter().map(|all| all[place]).collect::<Sum>().value();
    Ok([
        (Decoder::Projection, mean(0)),
        (Decoder::Mean, mean(1)),
        (Decoder::Moments, mean(2)),
        (Decoder::Best, mean(3)),
    ])
}

/// The expected Hellinger distance of one decoder, or of none, when the data follow the prior-predictive law.
///
/// # Errors
/// [`DecodedError`].
pub fn mean_over_data(mechanism: &dyn Mechanism, decoder: Decoder, limit: f64) -> Result<f64, DecodedError> {
    if decoder == Decoder::None {
        return Ok(over_data(mechanism, limit)?.mean);
    }
    let all = decoded_over_data(mechanism, limit)?;
    // All decoders are there.
    Ok(all.into_iter().find(|(one, _)| *one == decoder).map_or(f64::NAN, |(_, mean)| mean))
}

/// Computes once, before several threads need it, what the decoder needs of the mechanism.
fn prepare(mechanism: &dyn Mechanism, decoder: Decoder) {
    // A decoder with a fallback is one that needs the noise.
    if let Some(joint) = mechanism.joint_likelihood().filter(|_| decoder.fallback() != decoder) {
        joint.prepare();
    }
}

/// Whether categories can be exchanged: then what is known after releases that differ by an exchange differs by it too.
fn is_symmetric(mechanism: &dyn Mechanism) -> bool {
    let prior = mechanism.setting().prior().parameters();
    mechanism.description().exchangeable && prior.iter().all(|alpha| *alpha == prior[0])
}
