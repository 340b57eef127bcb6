//! Exact output laws.

use thiserror::Error;

use super::Space;
use crate::distance::{Pair, cost, from_cost, ln_bc};
use crate::model::{Setting, SettingError};
use crate::parallelism::Parallelism;
use crate::special::Sum;

/// All outcomes of a mechanism at given counts, in lexicographic order, with their probabilities.
#[derive(Clone, PartialEq)]
pub struct OutputLaw {
    k: usize,
    counts: Vec<u64>,
    probabilities: Vec<f64>,
    distances: Vec<f64>,
    truth: Vec<u64>,
}

/// Hides the true counts, which are private.
impl std::fmt::Debug for OutputLaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OutputLaw").field("k", &self.k).field("outcomes", &self.len()).finish_non_exhaustive()
    }
}

/// One line of an [`OutputLaw`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome<'a> {
    /// The released counts.
    pub counts: &'a [u64],
    /// Their probability.
    pub probability: f64,
    /// The Hellinger distance of their posterior from the true one.
    pub distance: f64,
}

/// Why a law cannot be stated.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LawError {
    /// The counts do not fit.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Too many outcomes to list.
    #[error("there are about {outcomes:.3e} possible outcomes, more than the {limit} that may be listed")]
    TooLarge {
        /// How many there are, roughly.
        outcomes: f64,
        /// How many may be listed.
        limit: u64,
    },
}

impl OutputLaw {
    /// The law with the given logarithms of probabilities, in the order of the space.
    pub(crate) fn new(setting: &Setting, space: Space, truth: &[u64], ln_probabilities: &[f64]) -> Self {
        let (k, n, alpha) = (setting.k(), setting.n(), setting.prior().parameters());
        let mut counts = Vec::with_capacity(ln_probabilities.len() * k);
        let mut distances = Vec::with_capacity(ln_probabilities.len());
        // Where all outcomes have the same total, the cost is a sum over the categories that can be looked up.
        let costs: Vec<Vec<f64>> = match space {
            Space::Candidates => alpha.iter().zip(truth).map(|(&alpha, &c)| costs(alpha, c, n)).collect(),
            Space::Cube | Space::Remainder | Space::Lattice => Vec::new(),
        };
        space.for_each(k, n, |outcome| {
            counts.extend_from_slice(outcome);
            let cost = if space == Space::Candidates {
                outcome.iter().zip(&costs).map(|(&r, costs)| costs[r as usize]).collect::<Sum>().value()
            } else {
                let categories = alpha.iter().zip(truth.iter().zip(outcome));
                cost(categories.map(|(&alpha, (&c, &r))| Pair::of_counts(alpha, c, r)))
            };
            distances.push(from_cost(cost));
        });
        let probabilities = ln_probabilities.iter().map(|&ln| libm::exp(ln)).collect();
        Self { k, counts, probabilities, distances, truth: truth.to_vec() }
    }

    /// The outcomes in lexicographic order of their counts.
    pub fn outcomes(&self) -> impl ExactSizeIterator<Item = Outcome<'_>> {
        let values = self.probabilities.iter().zip(&self.distances);
        self.counts.chunks_exact(self.k).zip(values).map(|(counts, (&probability, &distance))| Outcome {
            counts,
            probability,
            distance,
        })
    }

    /// The same outcomes with other distances from the truth, as a decoder has them.
    pub(crate) fn with_distances(self, distances: Vec<f64>) -> Self {
        Self { distances, ..self }
    }

    /// The true counts.
    #[must_use]
    pub fn truth(&self) -> &[u64] {
        &self.truth
    }

    /// The number of outcomes.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a mechanism always has an outcome")]
    pub fn len(&self) -> usize {
        self.probabilities.len()
    }

    /// The expected Hellinger distance between the released and the true posterior.
    #[must_use]
    pub fn expected_distance(&self) -> f64 {
        self.outcomes().map(|outcome| outcome.probability * outcome.distance).collect::<Sum>().value()
    }

    /// The probability that the true counts are released.
    #[must_use]
    pub fn probability_exact(&self) -> f64 {
        self.outcomes()
            .find(|outcome| outcome.counts == self.truth)
            .map_or(0.0, |outcome| outcome.probability)
    }
}

/// `-ln_bc` of one category for every released count.
pub(crate) fn costs(alpha: f64, c: u64, n: u64) -> Vec<f64> {
    let cost = |r| -ln_bc(Pair::of_counts(alpha, c, r));
    // An audit runs on all cores already, with small n; one large law does not.
    let how = if n < 100_000 { Parallelism::OneThread } else { Parallelism::AllCores };
    how.map(0..=n, cost)
}
