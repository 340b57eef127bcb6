//! Exact draws from `a_r exp(-rate d(c, r))`, by rejection.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::weighting::{Weighting, distance};
use crate::mechanism::Space;
use crate::model::Counts;
use crate::noise::LatticeNoise;
use crate::pulse::beat;
use crate::sampler::{BitSource, SourceError, bernoulli_exp, uniform_u128};

/// Where proposals come from. Both are exact; the one that is accepted more often is taken.
///
/// How often a proposal is accepted is the same for all data sets, so that the time of a draw says nothing about the
/// data.
#[derive(Clone, Debug)]
pub(super) enum Proposal {
    /// Lattice noise, accepted with probability `a_r / max a` if the noisy counts r are possible.
    Noise(LatticeNoise),
    /// A candidate r with probability `a_r / sum a`, accepted with probability `exp(-rate d(c, r))`. These are the
    /// candidates with the sums of the weights up to and including each.
    Weights(Vec<(Vec<u64>, u128)>),
}

impl Proposal {
    /// The proposal that is accepted more often.
    pub(super) fn new(k: usize, n: u64, weighting: &Weighting) -> Self {
        let noise = LatticeNoise::for_setting_of(k, weighting.rate().clone());
        let mut sum = 0;
        let mut candidates = Vec::new();
        Space::Candidates.for_each(k, n, |candidate| {
            sum += u128::from(weighting.weight(candidate));
            candidates.push((candidate.to_vec(), sum));
        });
        // Both acceptance probabilities have the same numerator, `sum_r a_r exp(-rate d(c, r))`.
        let by_noise = libm::exp(noise.ln_normaliser()) * weighting.largest() as f64;
        if by_noise <= sum as f64 { Self::Noise(noise) } else { Self::Weights(candidates) }
    }

    /// One draw.
    pub(super) fn draw(
        &self,
        counts: &Counts,
        weighting: &Weighting,
        bits: &mut dyn BitSource,
    ) -> Result<Vec<u64>, SourceError> {
        loop {
            beat();
            let accepted = match self {
                Self::Noise(noise) => from_noise(noise, counts, weighting, bits)?,
                Self::Weights(candidates) => from_weights(candidates, counts, weighting, bits)?,
            };
            if let Some(candidate) = accepted {
                return Ok(candidate);
            }
        }
    }
}

fn from_noise(
    noise: &LatticeNoise,
    counts: &Counts,
    weighting: &Weighting,
    bits: &mut dyn BitSource,
) -> Result<Option<Vec<u64>>, SourceError> {
    let noisy = counts.as_slice().iter().zip(noise.sample(bits)?).map(|(&count, z)| IBig::from(count) + z);
    let noisy = noisy.map(|count| UBig::try_from(count).ok().and_then(|count| u64::try_from(count).ok()));
    // The noise sums to zero, so counts that are all zero or more sum to n.
    let Some(noisy) = noisy.collect::<Option<Vec<u64>>>() else { return Ok(None) };
    let uniform = uniform_u128(u128::from(weighting.largest()), bits)?;
    Ok((uniform < u128::from(weighting.weight(&noisy))).then_some(noisy))
}

fn from_weights(
    candidates: &[(Vec<u64>, u128)],
    counts: &Counts,
    weighting: &Weighting,
    bits: &mut dyn BitSource,
) -> Result<Option<Vec<u64>>, SourceError> {
    let total = candidates.last().map_or(1, |(_, sum)| *sum);
    let uniform = uniform_u128(total, bits)?;
    let index = candidates.partition_point(|(_, sum)| *sum <= uniform);
    // The last sum is the total, so there is such a candidate.
    let candidate = &candidates[index].0;
    let apart = RBig::from(distance(counts.as_slice(), candidate));
    let exponent = weighting.rate().rational() * apart;
    // A rate is positive, and a distance is not negative.
    let numerator = UBig::try_from(exponent.numerator().clone()).unwrap_or_default();
    Ok(bernoulli_exp(&numerator, exponent.denominator(), bits)?.then(|| candidate.clone()))
}
