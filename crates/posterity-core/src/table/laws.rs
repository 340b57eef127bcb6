//! The laws of the sums of groups of cells, before the condition that all counts sum to n.

use crate::noise_aware::{Mass, NoiseAware, Transforms, Tree};
use crate::parallelism::Parallelism;

/// Makes laws of sums from the laws of single cells.
pub(super) struct Sums<'a> {
    leaves: Vec<&'a Mass>,
    /// The least and the largest sum of all cells.
    ends: (u64, u64),
    n: u64,
    trim: bool,
    pub(super) transforms: Transforms,
    pub(super) parallelism: Parallelism,
}

impl<'a> Sums<'a> {
    pub(super) fn new(aware: &'a NoiseAware) -> Self {
        let leaves = aware.leaves();
        let ends = leaves.iter().fold((0, 0), |(low, high), leaf| (low + leaf.start, high + leaf.end()));
        let counts = leaves.iter().map(|leaf| leaf.values.len() as f64).sum();
        let parallelism = Parallelism::for_counts(counts);
        let transforms = Transforms::default();
        Self { leaves, ends, n: aware.n(), trim: aware.is_trimmed(), transforms, parallelism }
    }

    /// The law of the sum of some cells, as far as the other cells can complete it to n.
    pub(super) fn of_cells(&self, cells: &[usize]) -> Mass {
        let leaves = cells.iter().map(|&cell| self.leaves[cell].clone()).collect();
        self.tree(leaves).mass().clone()
    }

    /// The tree of some sums of different cells.
    pub(super) fn tree(&self, masses: Vec<Mass>) -> Tree {
        let inside = masses.iter().fold((0, 0), |(low, high), mass| (low + mass.start, high + mass.end()));
        // Sums that were cut off at their ends leave more to the others than they can take, which only keeps more sums.
        let others = (self.ends.0.saturating_sub(inside.0), self.ends.1.saturating_sub(inside.1));
        let others = (others.0.min(self.n), others.1);
        Tree::new(masses, others, self.n, self.trim, &self.transforms, self.parallelism)
    }
}
