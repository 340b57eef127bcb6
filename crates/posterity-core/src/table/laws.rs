//! The laws of the sums of groups of cells, before the condition that all counts sum to n.

use crate::noise_aware::{CUT_TAIL, Mass, NoiseAware, Purpose, Transforms, Tree, Waves};
use crate::parallelism::Parallelism;

/// From this many cells on, the law of their sum comes from characteristic functions.
const WAVES_FROM: usize = 32;

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
    /// Nothing if the data sets are listed, so that the cells have no laws of their own.
    pub(super) fn new(aware: &'a NoiseAware) -> Option<Self> {
        let leaves = aware.leaves()?;
        let ends = leaves.iter().fold((0, 0), |(low, high), leaf| (low + leaf.start, high + leaf.end()));
        let counts = leaves.iter().map(|leaf| leaf.values.len() as f64).sum();
        let parallelism = Parallelism::for_counts(counts);
        let transforms = Transforms::default();
        let kinds = aware.kinds();
        Some(Self { leaves, kinds, ends, n: aware.n(), trim: aware.is_trimmed(), transforms, parallelism })
    }

    /// The law of the sum of some cells, as far as the other cells can complete it to n.
    pub(super) fn of_cells(&self, cells: &[usize]) -> Mass {
        if cells.len() >= WAVES_FROM
            && let Some(mass) = self.of_many(cells)
        {
            return mass;
        }
        let leaves = cells.iter().map(|&cell| self.leaves[cell].clone()).collect();
        self.tree(leaves).mass().clone()
    }

    /// The law of the sum of many cells, from the characteristic functions of their kinds.
    fn of_many(&self, cells: &[usize]) -> Option<Mass> {
        let (of_cell, laws) = self.kinds?;
        let mut numbers = vec![0_u64; laws.len()];
        cells.iter().for_each(|&cell| numbers[of_cell[cell] as usize] += 1);
        let mut there: Vec<(u64, &Mass)> =
            numbers.into_iter().zip(laws).filter(|(number, _)| *number > 0).collect();
        let wide = take_wide(&mut there);
        let some: Vec<Mass> = there.iter().map(|(_, law)| (*law).clone()).collect();
        let numbers: Vec<u64> = there.iter().map(|(number, _)| *number).collect();
        let mean: f64 = there.iter().map(|(number, law)| law.moments().0 * *number as f64).sum();
        let total = mean.round() as u64;
        let waves = Waves::new(&some, &numbers, total, Purpose::Sum, f64::INFINITY, self.parallelism)?;
        let sum = waves.sum(total, &self.transforms).trimmed();
        Some(match wide {
            Some(wide) => sum.convolve(wide, 0, self.n, &self.transforms).trimmed(),
            None => sum,
        })
    }

    /// The tree of some sums of different cells.
    pub(super) fn tree(&self, masses: Vec<Mass>) -> Tree {
        let inside = masses.iter().fold((0, 0), |(low, high), mass| (low + mass.start, high + mass.end()));
        // Sums that were cut off at their ends leave more to the others than they can take, which only keeps more sums.
        let others = (self.ends.0.saturating_sub(inside.0), self.ends.1.saturating_sub(inside.1));
        let others = (others.0.min(self.n), others.1);
        let trim = if self.trim { CUT_TAIL } else { 0.0 };
        Tree::new(masses, others, self.n, trim, &self.transforms, self.parallelism)
    }
}

/// Takes out the law of a single cell that is about as uncertain as the sum of all others, such as the cell that
/// geometric noise leaves out.
fn take_wide<'m>(there: &mut Vec<(u64, &'m Mass)>) -> Option<&'m Mass> {
    let variances: Vec<f64> = there.iter().map(|(number, law)| *number as f64 * law.moments().1).collect();
    let all: f64 = variances.iter().sum();
    let single = (0..there.len()).filter(|&place| there[place].0 == 1);
    let widest = single.max_by(|&a, &b| variances[a].total_cmp(&variances[b]))?;
    (variances[widest] > 0.1 * all && there.len() > 1).then(|| there.remove(widest).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::uniform;
    use crate::noise::{Evidence, Factor};

    /// If this fails, the sum of many cells by waves is not their convolution, or its error is larger than stated.
    #[test]
    fn sums_of_many_cells_are_convolutions() {
        let at: Vec<u64> = (0..900).map(|i| (i * i) % 17).collect();
        let n = at.iter().sum::<u64>() + 30;
        let factors = at.iter().map(|&at| Factor::TwoSided { rate: 0.5, at }).collect();
        let aware = NoiseAware::new(&uniform(900, n, "1"), &Evidence::new(factors)).expect("fits");
        assert!(aware.kinds().is_some());
        let sums = Sums::new(&aware).expect("laws of cells");
        let cells: Vec<usize> = (0..500).collect();
        let waves = sums.of_many(&cells).expect("many");
        let leaves = cells.iter().map(|&cell| sums.leaves[cell].clone()).collect();
        let tree = sums.tree(leaves).mass().clone();
        let (low, high) = (waves.start.min(tree.start), waves.end().max(tree.end()));
        let mut total = 0.0;
        for sum in low..=high {
            let bound = waves.error + tree.error + tree.relative * tree.at(sum) + 1e-23;
            let difference = (waves.at(sum) - tree.at(sum)).abs();
            assert!(difference <= bound, "{sum}: {} {} {bound}", waves.at(sum), tree.at(sum));
            total += waves.at(sum);
        }
        assert!((total - 1.0).abs() < 1e-10 && waves.error < 1e-12, "{total} {}", waves.error);
    }
}
