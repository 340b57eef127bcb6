//! The laws of the sums of groups of cells, before the condition that all counts sum to n.

use crate::noise_aware::{Mass, NoiseAware, Transforms, Tree, Waves};
use crate::parallelism::Parallelism;

/// From this many cells on, the law of their sum comes from characteristic functions.
const MANY: usize = 400;

/// Makes laws of sums from the laws of single cells.
pub(super) struct Sums<'a> {
    leaves: Vec<&'a Mass>,
    kinds: Option<(&'a [u32], &'a [Mass])>,
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
        let kinds = aware.kinds();
        Self { leaves, kinds, ends, n: aware.n(), trim: aware.is_trimmed(), transforms, parallelism }
    }

    /// The law of the sum of some cells, as far as the other cells can complete it to n.
    pub(super) fn of_cells(&self, cells: &[usize]) -> Mass {
        if cells.len() >= MANY
            && let Some(mass) = self.of_many(cells)
        {
            return mass;
        }
        let leaves = cells.iter().map(|&cell| self.leaves[cell].clone()).collect();
        self.tree(leaves).mass().clone()
    }

    /// The same from the characteristic functions of the kinds of cells.
    fn of_many(&self, cells: &[usize]) -> Option<Mass> {
        let (of_cell, laws) = self.kinds?;
        let mut numbers = vec![0_u64; laws.len()];
        cells.iter().for_each(|&cell| numbers[of_cell[cell] as usize] += 1);
        let there = || numbers.iter().zip(laws).filter(|(number, _)| **number > 0);
        let some: Vec<Mass> = there().map(|(_, law)| law.clone()).collect();
        let numbers: Vec<u64> = there().map(|(number, _)| *number).collect();
        let mean =
            |law: &Mass| law.values.iter().zip(law.start..).map(|(p, count)| p * count as f64).sum::<f64>();
        let mean: f64 = some.iter().zip(&numbers).map(|(law, &number)| mean(law) * number as f64).sum();
        let total = mean.round() as u64;
        let waves = Waves::new(&some, &numbers, total, self.parallelism)?;
        Some(waves.sum(total, &self.transforms).trimmed())
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
