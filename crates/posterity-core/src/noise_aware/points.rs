//! Possible data sets, listed with their probabilities.

use crate::sampler::{BitSource, SourceError, uniform_unit};
use crate::special::Sum;

/// Data sets with their probabilities given a release. It is used where the likelihood is not a product over the
/// categories.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    k: usize,
    /// The counts of all data sets, one after the other.
    counts: Vec<u64>,
    probabilities: Vec<f64>,
    /// The probability of each data set and all before it.
    below: Vec<f64>,
}

impl Points {
    /// Data sets over k categories with weights that are not all zero. Their probabilities are proportional to the
    /// weights.
    pub(crate) fn new(k: usize, counts: Vec<u64>, weights: Vec<f64>) -> Self {
        let total = weights.iter().copied().collect::<Sum>().value();
        let probabilities: Vec<f64> = weights.into_iter().map(|weight| weight / total).collect();
        let mut sum = Sum::default();
        let below = probabilities
            .iter()
            .map(|&probability| {
                sum.add(probability);
                sum.value()
            })
            .collect();
        Self { k, counts, probabilities, below }
    }

    /// The number of data sets.
    pub(crate) fn len(&self) -> usize {
        self.probabilities.len()
    }

    /// The data sets with their probabilities.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u64], f64)> {
        self.counts.chunks_exact(self.k).zip(self.probabilities.iter().copied())
    }

    /// The first count of a category that is listed, and the probabilities of the counts from there on.
    pub(super) fn marginal(&self, category: usize) -> (u64, Vec<f64>) {
        let counts = || self.counts.iter().skip(category).step_by(self.k);
        let (low, high) =
            counts().fold((u64::MAX, 0), |(low, high), &count| (low.min(count), high.max(count)));
        let mut sums = vec![Sum::default(); (high - low) as usize + 1];
        for (&count, &probability) in counts().zip(&self.probabilities) {
            sums[(count - low) as usize].add(probability);
        }
        (low, sums.into_iter().map(Sum::value).collect())
    }

    /// The points with the counts of these groups of categories in place of those of single ones.
    pub(crate) fn summed(&self, groups: &[&[usize]]) -> Self {
        let sums = |counts: &[u64]| -> Vec<u64> {
            groups.iter().map(|group| group.iter().map(|&category| counts[category]).sum()).collect()
        };
        Self {
            k: groups.len(),
            counts: self.counts.chunks_exact(self.k).flat_map(sums).collect(),
            probabilities: self.probabilities.clone(),
            below: self.below.clone(),
        }
    }

    /// One draw of a data set.
    pub(crate) fn sample(&self, bits: &mut dyn BitSource) -> Result<Vec<u64>, SourceError> {
        let unit = uniform_unit(bits)?;
        let index = self.below.partition_point(|&below| below < unit).min(self.len() - 1);
        Ok(self.counts[index * self.k..(index + 1) * self.k].to_vec())
    }
}
