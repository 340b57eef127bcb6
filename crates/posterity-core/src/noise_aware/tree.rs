//! A binary tree of sums of independent counts.

use super::mass::{Mass, Transforms};
use crate::parallelism::Parallelism;
use crate::sampler::{BitSource, SourceError, uniform_unit};

/// The law of the sum of the counts of some neighbouring categories, and the trees of both halves of them.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    mass: Mass,
    halves: Option<Box<(Tree, Tree)>>,
}

impl Tree {
    /// The tree over these categories. The counts of all other categories sum to between `others.0` and `others.1`, and only
    /// sums that these can complete to `n` are kept. With `trim`, ends of negligible weight are cut off.
    pub(crate) fn new(
        leaves: Vec<Mass>,
        others: (u64, u64),
        n: u64,
        trim: bool,
        transforms: &Transforms,
        parallelism: Parallelism,
    ) -> Self {
        if leaves.len() == 1 {
            let mass = leaves.into_iter().next().unwrap_or_else(|| Mass::new(0, vec![1.0]));
            return Self { mass, halves: None };
        }
        let mut left = leaves;
        let right = left.split_off(left.len() / 2);
        let add = |(low, high): (u64, u64), masses: &[Mass]| {
            let ends = masses.iter().map(|mass| (mass.start, mass.end()));
            ends.fold((low, high), |(low, high), (start, end)| (low + start, high + end))
        };
        let (beside_left, beside_right) = (add(others, &right), add(others, &left));
        let (left, right) = parallelism.join(
            || Self::new(left, beside_left, n, trim, transforms, parallelism),
            || Self::new(right, beside_right, n, trim, transforms, parallelism),
        );
        let (low, high) = (n.saturating_sub(others.1), n - others.0);
        let mass = left.mass.convolve(&right.mass, low, high, transforms);
        let mass = if trim { mass.trimmed() } else { mass };
        Self { mass, halves: Some(Box::new((left, right))) }
    }

    /// For every category, `P(count = c, all counts sum to n)`, and the bounds on what is missing. `outside` is the law of
    /// the sum of all other categories.
    pub(crate) fn joint(
        &self,
        outside: &Mass,
        n: u64,
        transforms: &Transforms,
        parallelism: Parallelism,
    ) -> Vec<Mass> {
        let Some(halves) = &self.halves else {
            let values = (self.mass.start..).zip(&self.mass.values);
            let values = values.map(|(count, value)| value * outside.at(n - count)).collect();
            return vec![Mass {
                start: self.mass.start,
                values,
                lost: self.mass.lost + outside.lost,
                error: self.mass.error + outside.error,
                relative: self.mass.relative + outside.relative,
            }];
        };
        let (left, right) = &**halves;
        let descend = |inner: &Self, beside: &Self| {
            // The sums of all other categories that this half can complete to n.
            let (low, high) = (n - inner.mass.end(), n - inner.mass.start);
            let outside = outside.convolve(&beside.mass, low, high, transforms);
            inner.joint(&outside, n, transforms, parallelism)
        };
        let (mut found, rest) = parallelism.join(|| descend(left, right), || descend(right, left));
        found.extend(rest);
        found
    }

    /// Appends the laws of the single categories.
    pub(crate) fn leaves<'t>(&'t self, found: &mut Vec<&'t Mass>) {
        match &self.halves {
            None => found.push(&self.mass),
            Some(halves) => {
                halves.0.leaves(found);
                halves.1.leaves(found);
            }
        }
    }

    /// Draws counts that sum to `total`, by their law given this sum.
    pub(crate) fn sample(
        &self,
        total: u64,
        bits: &mut dyn BitSource,
        counts: &mut Vec<u64>,
    ) -> Result<(), SourceError> {
        let Some(halves) = &self.halves else {
            counts.push(total);
            return Ok(());
        };
        let (left, right) = &**halves;
        let weight = |sum: u64| left.mass.at(sum) * right.mass.at(total - sum);
        let range = left.mass.start..=left.mass.end().min(total);
        let whole: f64 = range.clone().map(weight).sum();
        let mut rest = uniform_unit(bits)? * whole;
        let mut chosen = *range.start();
        for sum in range {
            let weight = weight(sum);
            if weight > 0.0 {
                // Rounding may leave a rest after the last sum; then the last sum is the draw.
                chosen = sum;
                if rest < weight {
                    break;
                }
                rest -= weight;
            }
        }
        left.sample(chosen, bits, counts)?;
        right.sample(total - chosen, bits, counts)
    }
}
