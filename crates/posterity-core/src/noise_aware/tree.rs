//! A binary tree of sums of independent counts.

use super::mass::{Mass, Transforms};
use crate::parallelism::Parallelism;
use crate::sampler::{BitSource, SourceError, uniform_unit};

/// The law of the sum of the counts of some neighbouring categories, and the trees of both halves of them.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    mass: Mass,
    /// The largest weight of each block of sums. It shows which blocks need not be added up.
    peaks: Vec<f64>,
    halves: Option<Box<(Tree, Tree)>>,
}

impl Tree {
    /// The tree over these categories. The counts of all other categories sum to between `others.0` and `others.1`, and
    /// only sums that these can complete to `n` are kept. Ends of at most the weight `trim` are cut off; with zero,
    /// none are.
    pub(crate) fn new(
        leaves: Vec<Mass>,
        others: (u64, u64),
        n: u64,
        trim: f64,
        transforms: &Transforms,
        parallelism: Parallelism,
    ) -> Self {
        if leaves.len() == 1 {
            let mass = leaves.into_iter().next().unwrap_or_else(|| Mass::new(0, vec![1.0]));
            return Self { peaks: peaks(&mass), mass, halves: None };
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
        let (low, high) = (n.saturating_sub(others.1), n.saturating_sub(others.0));
        let mass = left.mass.convolve(&right.mass, low, high, transforms);
        let mass = if trim > 0.0 { mass.trimmed_to(trim) } else { mass };
        Self { peaks: peaks(&mass), mass, halves: Some(Box::new((left, right))) }
    }

    /// For every category, `P(count = c, all counts sum to n)`, and the bounds on what is missing.
    pub(crate) fn joint(&self, n: u64, transforms: &Transforms, parallelism: Parallelism) -> Vec<Mass> {
        let mut leaves = Vec::new();
        self.leaves(&mut leaves);
        let nothing = Mass::new(0, vec![1.0]);
        let outsides = self.outsides(nothing, Some(n), transforms, parallelism);
        leaves.into_iter().zip(outsides).map(|(leaf, outside)| leaf.completed(&outside, n)).collect()
    }

    /// The law of the sum of all counts.
    pub(crate) fn mass(&self) -> &Mass {
        &self.mass
    }

    /// For every leaf, the law of the sum of all other leaves and of `outside`. With a total, only the sums that the
    /// leaf can complete to it are computed.
    pub(crate) fn outsides(
        &self,
        outside: Mass,
        total: Option<u64>,
        transforms: &Transforms,
        parallelism: Parallelism,
    ) -> Vec<Mass> {
        let Some(halves) = &self.halves else { return vec![outside] };
        let (left, right) = &**halves;
        let descend = |inner: &Self, beside: &Self| {
            let (low, high) = total.map_or((0, u64::MAX), |total| {
                (total.saturating_sub(inner.mass.end()), total.saturating_sub(inner.mass.start))
            });
            let outside = outside.convolve(&beside.mass, low, high, transforms);
            inner.outsides(outside, total, transforms, parallelism)
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
        let chosen = split(left, right, self.whole(total), total, bits)?;
        left.sample(chosen, bits, counts)?;
        right.sample(total - chosen, bits, counts)
    }

    /// Draws counts once from each source. A source is asked for the same bits in the same order as by
    /// [`Tree::sample`], so that the counts are the same. All draws visit a node together, so that its weights are read
    /// from memory once.
    pub(crate) fn sample_each<B: BitSource>(
        &self,
        totals: &[u64],
        bits: &mut [B],
        counts: &mut [Vec<u64>],
    ) -> Result<(), SourceError> {
        let Some(halves) = &self.halves else {
            counts.iter_mut().zip(totals).for_each(|(counts, &total)| counts.push(total));
            return Ok(());
        };
        let (left, right) = &**halves;
        let chosen = totals.iter().zip(bits.iter_mut());
        let chosen: Vec<u64> = chosen
            .map(|(&total, bits)| split(left, right, self.whole(total), total, bits))
            .collect::<Result<_, _>>()?;
        left.sample_each(&chosen, bits, counts)?;
        let rest: Vec<u64> = totals.iter().zip(chosen).map(|(total, chosen)| total - chosen).collect();
        right.sample_each(&rest, bits, counts)
    }

    /// The weight of a sum, if it is known so well that its error does not matter for a draw.
    fn whole(&self, total: u64) -> Option<f64> {
        let weight = self.mass.at(total);
        (weight * 1e-10 > self.mass.error + self.mass.lost && self.mass.relative < 1e-10).then_some(weight)
    }
}

/// The largest weight of each block.
fn peaks(mass: &Mass) -> Vec<f64> {
    mass.values.chunks(BLOCK_LENGTH).map(|block| block.iter().copied().fold(0.0, f64::max)).collect()
}

/// Sums are added up in blocks of this many, so that most blocks need no second look.
const BLOCK_LENGTH: usize = 64;

/// Blocks of less than this share of all weights are not added up.
const UNSUMMED_SHARE: f64 = 1e-17;

/// Draws the first of two numbers with these weights that sum to `total`. `whole` is the sum of the weights of all
/// choices, if it is known.
fn split(
    left: &Tree,
    right: &Tree,
    whole: Option<f64>,
    total: u64,
    bits: &mut dyn BitSource,
) -> Result<u64, SourceError> {
    let ((left, left_peaks), (right, right_peaks)) = ((&left.mass, &left.peaks), (&right.mass, &right.peaks));
    // The sums that have a weight: the first number runs up while the second runs down.
    let low = left.start.max(total.saturating_sub(right.end()));
    let high = left.end().min(total.saturating_sub(right.start)).max(low);
    let length = (high - low) as usize + 1;
    let from = |mass: &Mass, first: u64| {
        let start = (first.saturating_sub(mass.start) as usize).min(mass.values.len());
        start..(start + length).min(mass.values.len())
    };
    let (up_range, down_range) = (from(left, low), from(right, total.saturating_sub(high)));
    let (ups, downs) = (&left.values[up_range.clone()], &right.values[down_range.clone()]);
    let blocks = || ups.chunks(BLOCK_LENGTH).zip(downs.rchunks(BLOCK_LENGTH));
    // A bound on the weight of a block, from the largest weights of the two blocks that each side may overlap.
    let largest = |peaks: &[f64], first: usize, length: usize| {
        peaks[first / BLOCK_LENGTH..=(first + length - 1) / BLOCK_LENGTH].iter().copied().fold(0.0, f64::max)
    };
    let bound = |(block, (ups, downs)): (usize, (&[f64], &[f64]))| {
        let up = largest(left_peaks, up_range.start + block * BLOCK_LENGTH, ups.len());
        let down = largest(right_peaks, down_range.end - block * BLOCK_LENGTH - downs.len(), downs.len());
        up * down * BLOCK_LENGTH as f64
    };
    let bounds: Vec<f64> = blocks().enumerate().map(bound).collect();
    let sum_above = |least: f64| {
        let added = blocks().zip(&bounds).filter(|(_, bound)| **bound >= least);
        added.map(|((ups, downs), _)| cross(ups, downs)).sum::<f64>()
    };
    let whole = whole.unwrap_or_else(|| {
        let highest = bounds.iter().copied().fold(0.0, f64::max);
        let sum = sum_above(UNSUMMED_SHARE * highest / bounds.len() as f64);
        // What is not added up is less than this share of the highest bound. Where that bound is far above the sum, all
        // is added up.
        if sum >= 0.01 * highest { sum } else { sum_above(0.0) }
    });
    let mut rest = uniform_unit(bits)? * whole;
    let mut chosen = low;
    for (block, ((ups, downs), bound)) in blocks().zip(&bounds).enumerate() {
        if *bound < UNSUMMED_SHARE * whole {
            continue;
        }
        let first = low + (block * BLOCK_LENGTH) as u64;
        let weight = cross(ups, downs);
        if rest >= weight && weight > 0.0 {
            // Rounding may leave a rest after the last block; then the last sum with a weight is the draw.
            chosen = first + ups.iter().rposition(|up| *up > 0.0).unwrap_or(0) as u64;
            rest -= weight;
            continue;
        }
        for (sum, (up, down)) in (first..).zip(ups.iter().zip(downs.iter().rev())) {
            let weight = up * down;
            if weight > 0.0 {
                chosen = sum;
                if rest < weight {
                    return Ok(chosen);
                }
                rest -= weight;
            }
        }
        if weight > 0.0 {
            return Ok(chosen);
        }
    }
    Ok(chosen)
}

/// `sum_i ups[i] downs[last - i]`, in four sums that do not wait for each other.
fn cross(ups: &[f64], downs: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (quads, rest) = ups.as_chunks::<4>();
    let (front, backs) = downs.as_rchunks::<4>();
    for (up, down) in quads.iter().zip(backs.iter().rev()) {
        for i in 0..4 {
            sums[i] += up[i] * down[3 - i];
        }
    }
    let rest: f64 = rest.iter().zip(front.iter().rev()).map(|(up, down)| up * down).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::SeededBits;

    /// Compares with a walk over all sums, one by one. If this fails, a block was skipped or taken wrongly.
    #[test]
    fn blocks_draw_what_single_sums_draw() {
        let hat = |length: u32, start: u64| {
            let raw = (0..length).map(|i| f64::from((i + 1) * (length - i)) * f64::from(i % 7));
            Mass::new(start, raw.collect())
        };
        let leaf = |mass: Mass| Tree { peaks: peaks(&mass), mass, halves: None };
        let (left, right) = (hat(300, 5), hat(211, 40));
        let (left_tree, right_tree) = (leaf(left.clone()), leaf(right.clone()));
        for total in [45, 47, 60, 250, 380, 500, 552] {
            for seed in 0..200 {
                let weight =
                    |sum: u64| left.at(sum) * total_minus(total, sum).map_or(0.0, |rest| right.at(rest));
                let sums = left.start..=left.end();
                let whole: f64 = sums.clone().map(weight).sum();
                let mut rest = uniform_unit(&mut SeededBits::new(seed)).expect("seeded") * whole;
                let mut expected = left.start;
                for sum in sums.filter(|&sum| weight(sum) > 0.0) {
                    expected = sum;
                    if rest < weight(sum) {
                        break;
                    }
                    rest -= weight(sum);
                }
                for known in [None, (whole > 0.0).then_some(whole)] {
                    let bits = &mut SeededBits::new(seed);
                    let found = split(&left_tree, &right_tree, known, total, bits).expect("seeded");
                    if whole > 0.0 {
                        assert_eq!(found, expected, "total {total} seed {seed}");
                    }
                }
            }
        }
    }

    /// If this fails, many draws at once are not the draws one by one.
    #[test]
    fn draws_at_once_are_those_one_by_one() {
        let leaf = |at: u64| {
            let raw: Vec<f64> = (0..400_u64).map(|c| libm::exp(-0.1 * c.abs_diff(at) as f64)).collect();
            let total: f64 = raw.iter().sum();
            Mass::new(0, raw.iter().map(|value| value / total).collect())
        };
        let leaves: Vec<Mass> = [3, 70, 150, 8, 211, 40, 90].map(leaf).into();
        let transforms = Transforms::default();
        let tree = Tree::new(leaves, (0, 0), 600, 1e-20, &transforms, Parallelism::OneThread);
        let mut bits: Vec<SeededBits> = (0..40).map(SeededBits::new).collect();
        let mut found = vec![Vec::new(); bits.len()];
        tree.sample_each(&vec![600; bits.len()], &mut bits, &mut found).expect("seeded");
        for (seed, found) in (0..).zip(found) {
            let mut expected = Vec::new();
            tree.sample(600, &mut SeededBits::new(seed), &mut expected).expect("seeded");
            assert_eq!((found.iter().sum::<u64>(), &found), (600, &expected), "seed {seed}");
        }
    }

    fn total_minus(total: u64, sum: u64) -> Option<u64> {
        total.checked_sub(sum)
    }
}
