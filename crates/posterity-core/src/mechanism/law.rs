//! Exact output laws.

use thiserror::Error;

use crate::model::SettingError;
use crate::special::Sum;

/// All outcomes of a mechanism at given counts, in lexicographic order, with their probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputLaw {
    k: usize,
    counts: Vec<u64>,
    probabilities: Vec<f64>,
    distances: Vec<f64>,
    truth: Vec<u64>,
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
    /// An empty law over `k` categories at the true counts.
    pub(crate) fn with_capacity(truth: &[u64], capacity: usize) -> Self {
        let k = truth.len();
        Self {
            k,
            counts: Vec::with_capacity(capacity * k),
            probabilities: Vec::with_capacity(capacity),
            distances: Vec::with_capacity(capacity),
            truth: truth.to_vec(),
        }
    }

    pub(crate) fn push(&mut self, counts: &[u64], probability: f64, distance: f64) {
        self.counts.extend_from_slice(counts);
        self.probabilities.push(probability);
        self.distances.push(distance);
    }

    /// Divides all weights by their sum.
    pub(crate) fn normalise(&mut self) {
        let total = self.probabilities.iter().copied().collect::<Sum>().value();
        self.probabilities.iter_mut().for_each(|weight| *weight /= total);
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

/// Calls `visit` with every vector of `k` whole numbers that sums to `n`, in lexicographic order.
pub(crate) fn for_each_candidate(k: usize, n: u64, mut visit: impl FnMut(&[u64])) {
    let mut counts = vec![0; k];
    counts[k - 1] = n;
    loop {
        visit(&counts);
        // The next one: empty the last category into the first place before it that it can raise by one.
        let rest = std::mem::take(&mut counts[k - 1]);
        if rest > 0 {
            counts[k - 2] += 1;
            counts[k - 1] = rest - 1;
            continue;
        }
        // Everything sits before the last place: carry from the last place that holds something.
        let Some(place) = (1..k - 1).rev().find(|&place| counts[place] > 0) else { return };
        let carried = std::mem::take(&mut counts[place]);
        counts[place - 1] += 1;
        counts[k - 1] = carried - 1;
    }
}

/// Calls `visit` with every vector of `length` whole numbers from 0 to `n`, in lexicographic order.
pub(crate) fn for_each_in_cube(length: usize, n: u64, mut visit: impl FnMut(&[u64])) {
    let mut counts = vec![0; length];
    loop {
        visit(&counts);
        let Some(place) = counts.iter().rposition(|&count| count < n) else { return };
        counts[place] += 1;
        counts[place + 1..].fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerations_are_complete_and_in_order() {
        for (k, n) in [(2, 5), (3, 4), (4, 3), (5, 1)] {
            let mut all = Vec::new();
            for_each_candidate(k, n, |counts| all.push(counts.to_vec()));
            let mut cube = Vec::new();
            for_each_in_cube(k, n, |counts| cube.push(counts.to_vec()));
            assert!(cube.is_sorted());
            assert_eq!(cube.len() as u64, (n + 1).pow(k as u32));
            cube.retain(|counts| counts.iter().sum::<u64>() == n);
            assert_eq!(all, cube);
        }
    }
}
