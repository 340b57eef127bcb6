//! The posterior of many categories. Those with the same evidence are computed once, and the law of the sum of all
//! others comes from characteristic functions (docs/proofs/tables.md, theorem 3).

use std::sync::OnceLock;

use super::joint::Joint;
use super::kinds::Kinds;
use super::laws::{Laws, LeftOut};
use super::logs::Logs;
use super::mass::{Mass, Transforms};
use super::search::{Missed, Search};
use super::tilt::{Means, first_tilt};
use super::waves::{Purpose, Waves};
use super::window::{Weight, Window, narrowed, number_of_counts, windows};
use super::{Cells, MAX_POSSIBLE_COUNTS, NoiseAware, NoiseAwareError, uninformative};
use crate::noise::Factor;
use crate::parallelism::Parallelism;

/// From this many categories on, the law of their sum is smooth enough.
const SMOOTH_FROM: usize = 16;

/// From this many categories on, some have the same evidence.
const EVIDENCE_REPEATS_FROM: usize = 256;

/// With fewer categories times records, a tree of convolutions takes milliseconds.
const LARGE_TREE: f64 = 262_144.0;

/// A tree of fewer possible counts takes a few milliseconds too.
const QUICK_TREE: f64 = 8_192.0;

/// Whether sums over waves may be quicker than a tree for this many categories and records.
pub(super) fn is_large(categories: usize, n: u64) -> bool {
    categories >= EVIDENCE_REPEATS_FROM
        || categories >= SMOOTH_FROM && categories as f64 * n as f64 >= LARGE_TREE
}

/// When to leave a posterior to the tree of convolutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// If the tree is quicker.
    ForTheQuicker,
    /// Never.
    Any,
}

/// A posterior that is left to the tree of convolutions.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeftToTree {
    /// A tilt to begin with, if one was found.
    pub(super) tilt: Option<f64>,
}

/// The posterior given factors, unless the sum of the counts is not one of many similar counts. One uninformative
/// count, as the last one of geometric noise, is what the others leave of n.
pub(super) fn posterior(
    alpha: &[f64],
    n: u64,
    factors: &[Factor],
    patience: Patience,
) -> Result<NoiseAware, LeftToTree> {
    let kinds = Kinds::new(alpha, factors);
    let weights = weights(alpha, n, factors, &kinds);
    let depth = first_depth(alpha.len());
    match uninformative(factors)[..] {
        [] => {
            let tilt = first_tilt(&weights, &kinds.cells, n, depth);
            let similar = Similar { alpha, n, kinds, weights, patience };
            Search { depth, tilt, tries: 0 }.run(|search| similar.attempt(search))
        }
        [free] => {
            let similar = SimilarButOne::new(alpha, n, kinds, weights, free, patience);
            Search { depth, tilt: 0.0, tries: 0 }.run(|search| similar.attempt(search))
        }
        // Counts that are as uncertain as the sum of all others are left to the tree.
        _ => Err(LeftToTree { tilt: None }),
    }
}

impl LeftToTree {
    /// The tree has to find its own tilt.
    const WITHOUT_TILT: Missed<Self> = Missed::GivenUp(Self { tilt: None });

    /// The tree may begin with this tilt.
    fn at(tilt: f64) -> Missed<Self> {
        Missed::GivenUp(Self { tilt: Some(tilt) })
    }
}

impl Patience {
    /// Whether a tree over cells with these windows is so quick that nothing else is tried.
    fn prefers_tree(self, windows: &[Window], cells: &[u64]) -> bool {
        let counts: f64 =
            windows.iter().zip(cells).map(|(window, &cells)| window.len() as f64 * cells as f64).sum();
        self == Self::ForTheQuicker && counts < QUICK_TREE
    }

    /// How many terms of sums over waves are computed in about the time of a tree of convolutions over cells with these
    /// laws.
    fn most_terms(self, laws: &[Mass], cells: &[u64], n: u64) -> f64 {
        /// For each count of each cell and each doubling of their number, as measured. Trees of wide laws take up to
        /// three times as long.
        const TERMS: f64 = 30.0;
        let widths = || laws.iter().map(|law| law.values.len() as f64).zip(cells);
        let counts: f64 = widths().map(|(width, &cells)| cells as f64 * width).sum();
        if self == Self::Any || counts > MAX_POSSIBLE_COUNTS {
            return f64::INFINITY;
        }
        // No sum is above n, which makes trees of wider laws quicker.
        let narrowed = widths().map(|(width, &cells)| (width.min(0.25 * n as f64 + 1.0), cells as f64));
        narrowed.map(|(width, cells)| TERMS * cells * width * libm::log2(width + 1.0)).sum()
    }
}

/// Cells whose counts are all similar.
struct Similar<'a> {
    alpha: &'a [f64],
    n: u64,
    kinds: Kinds,
    weights: Vec<Weight<'a>>,
    patience: Patience,
}

/// The windows of all kinds for a tilt, with the weights in them.
struct Listed {
    tilt: f64,
    windows: Vec<Window>,
    /// The windows without the counts that other cells cannot complete to n.
    narrow: Vec<Window>,
    logs: Vec<Logs>,
}

impl Similar<'_> {
    /// This many attempts are made.
    const ATTEMPTS: usize = 5;

    /// The posterior, if the windows of this search are deep enough.
    fn attempt(&self, search: Search) -> Result<NoiseAware, Missed<LeftToTree>> {
        if search.tries == Self::ATTEMPTS {
            return Err(LeftToTree::WITHOUT_TILT);
        }
        let cells = &self.kinds.cells;
        let (listed, tilt) = self.listed(search)?;
        let Listed { tilt: start, windows, narrow, logs } = listed;
        let laws = Laws::new(&self.weights, &windows, &narrow, logs, tilt, Parallelism::AllCores);
        let outside = LeftOut::joint_up(&self.kinds.spread(&laws.left_out));
        let most_terms = self.patience.most_terms(&laws.laws, cells, self.n);
        let waves =
            Waves::new(&laws.laws, cells, self.n, Purpose::LeaveOneOut, most_terms, Parallelism::AllCores);
        let waves = waves.ok_or_else(|| LeftToTree::at(tilt))?;
        let joint = Joint::new(joint_laws(&laws.laws, &waves), outside, Parallelism::AllCores);
        Missed::check(&joint, start, tilt)?;
        finished(self.alpha, self.n, &self.kinds, laws, joint).map_err(|_| LeftToTree::at(tilt))
    }

    /// The weights within windows, and the tilt at which their means sum to n.
    fn listed(&self, search: Search) -> Result<(Listed, f64), Missed<LeftToTree>> {
        let cells = &self.kinds.cells;
        let windows_at = |tilt: f64| windows(&self.weights, tilt, search.depth, Parallelism::AllCores);
        let windows = windows_at(search.tilt);
        let narrow = narrowed(&windows, cells, self.n).ok_or(Missed::NoSum)?;
        if self.patience.prefers_tree(&narrow, cells) {
            return Err(LeftToTree::at(search.tilt));
        }
        // The windows of single categories may still do.
        if number_of_counts(&narrow) > MAX_POSSIBLE_COUNTS {
            return Err(LeftToTree::WITHOUT_TILT);
        }
        let first = self.list(search.tilt, windows, narrow);
        let logs: Vec<&Logs> = first.logs.iter().collect();
        let means = Means { logs: &logs, cells, n: self.n, parallelism: Parallelism::AllCores };
        let tilt = means.tilt(search.tilt);
        // At the tilt to begin with, windows may be too wide, or leave out what weighs at this one.
        let better = windows_at(tilt);
        let beyond = first
            .windows
            .iter()
            .zip(&better)
            .map(|(window, better)| window.left_out_of(*better))
            .sum::<u64>();
        let number = number_of_counts(&better);
        if (number < 0.9 * number_of_counts(&first.narrow) || beyond as f64 > 0.01 * number)
            && let Some(narrow) = narrowed(&better, cells, self.n)
            && number_of_counts(&narrow) <= MAX_POSSIBLE_COUNTS
        {
            return Ok((self.list(tilt, better, narrow), tilt));
        }
        Ok((first, tilt))
    }

    fn list(&self, tilt: f64, windows: Vec<Window>, narrow: Vec<Window>) -> Listed {
        let logs = Parallelism::AllCores.map(0..narrow.len(), |i| self.weights[i].logs(narrow[i], tilt));
        Listed { tilt, windows, narrow, logs }
    }
}

/// Cells whose counts are all similar, beside one uninformative count, which is free to take what the others leave of n
/// (docs/proofs/tables.md, theorem 4).
struct SimilarButOne<'a> {
    alpha: &'a [f64],
    n: u64,
    kinds: Kinds,
    patience: Patience,
    /// The kind of the free cell. No other cell is of this kind.
    free: usize,
    free_weight: Weight<'a>,
    /// The weights of all other kinds, and how many cells have each.
    weights: Vec<Weight<'a>>,
    cells: Vec<u64>,
    transforms: Transforms,
}

/// The law of the free count, as far as the others are likely to leave it something.
struct FreeCount {
    logs: Logs,
    law: Mass,
    /// A bound on the largest weight of any count, in the unit of the law.
    largest: f64,
}

impl<'a> SimilarButOne<'a> {
    /// This many attempts are made.
    const ATTEMPTS: usize = 4;

    fn new(
        alpha: &'a [f64],
        n: u64,
        kinds: Kinds,
        mut weights: Vec<Weight<'a>>,
        cell: usize,
        patience: Patience,
    ) -> Self {
        let free = kinds.of_cell[cell] as usize;
        let free_weight = weights.remove(free);
        let mut cells = kinds.cells.clone();
        cells.remove(free);
        let transforms = Transforms::default();
        Self { alpha, n, kinds, patience, free, free_weight, weights, cells, transforms }
    }

    /// The posterior, if the windows of this search are deep enough.
    fn attempt(&self, search: Search) -> Result<NoiseAware, Missed<LeftToTree>> {
        if search.tries == Self::ATTEMPTS {
            return Err(LeftToTree::WITHOUT_TILT);
        }
        let others = self.laws_of_others(search)?;
        let tilt = others.tilt;
        let sum = self.rounded_sum(&others.laws);
        let most_terms = self.patience.most_terms(&others.laws, &self.cells, self.n);
        let waves =
            Waves::new(&others.laws, &self.cells, sum, Purpose::Sum, most_terms, Parallelism::AllCores);
        let mut waves = waves.ok_or_else(|| LeftToTree::at(tilt))?;
        let (mean, reach, unlikely) = waves.reach_up();
        let window = self.left_by_others(mean, reach).ok_or_else(|| LeftToTree::at(tilt))?;
        let free = self.free_count(window, tilt);
        // Either a count is outside its window and the free one has any weight, or the others leave something outside
        // its window.
        let outside = (self.beyond_up(&others.left_out) + unlikely) * free.largest;
        let joint_of_free = free.joint(&waves.sum(sum, &self.transforms), self.n);
        waves.add(&free.law, sum, self.n, &self.transforms);
        let mut masses = joint_laws(&others.laws, &waves);
        masses.insert(self.free, joint_of_free);
        let joint = Joint::new(masses, outside, Parallelism::AllCores);
        Missed::check(&joint, tilt, tilt)?;
        let mut laws = others;
        laws.laws.insert(self.free, free.law);
        laws.logs.insert(self.free, free.logs);
        finished(self.alpha, self.n, &self.kinds, laws, joint).map_err(|_| LeftToTree::at(tilt))
    }

    /// The laws of the other counts, at the tilt at which all means sum to n.
    fn laws_of_others(&self, search: Search) -> Result<Laws, Missed<LeftToTree>> {
        let windows = windows(&self.weights, search.tilt, search.depth, Parallelism::AllCores);
        if number_of_counts(&windows) > MAX_POSSIBLE_COUNTS
            || self.patience.prefers_tree(&windows, &self.cells)
        {
            return Err(LeftToTree::WITHOUT_TILT);
        }
        let logs =
            Parallelism::AllCores.map(0..windows.len(), |i| self.weights[i].logs(windows[i], search.tilt));
        let all: Vec<&Logs> = logs.iter().collect();
        let means = Means { logs: &all, cells: &self.cells, n: self.n, parallelism: Parallelism::AllCores };
        let tilt = means.tilt_beside(self.free_weight.alpha, 0.0).ok_or(LeftToTree::WITHOUT_TILT)?;
        Ok(Laws::new(&self.weights, &windows, &windows, logs, tilt, Parallelism::AllCores))
    }

    /// The mean of the sum of the other counts, rounded.
    fn rounded_sum(&self, laws: &[Mass]) -> u64 {
        let means = laws.iter().zip(&self.cells).map(|(law, &cells)| law.moments().0 * cells as f64);
        means.sum::<f64>().round() as u64
    }

    /// What the others leave of n, if the distance of their sum from its mean is at most `reach`.
    fn left_by_others(&self, mean: f64, reach: f64) -> Option<Window> {
        let n = self.n as f64;
        let high = (n - mean + reach + 1.0).min(n);
        // The casts saturate.
        (high >= 0.0).then(|| Window { low: (n - mean - reach - 1.0).max(0.0) as u64, high: high as u64 })
    }

    fn free_count(&self, window: Window, tilt: f64) -> FreeCount {
        let logs = self.free_weight.logs(window, tilt);
        let (law, unit) = logs.weights(tilt);
        let largest = self.free_weight.largest_up(window, law.largest(), tilt, unit);
        FreeCount { logs, law, largest }
    }

    /// A bound on the joint weight of all other counts of which at least one is outside its window.
    fn beyond_up(&self, left_out: &[LeftOut]) -> f64 {
        let sum = |part: fn(&LeftOut) -> f64| -> f64 {
            left_out.iter().zip(&self.cells).map(|(one, &cells)| cells as f64 * part(one)).sum()
        };
        sum(|one| one.beyond) * libm::exp(sum(|one| libm::log(one.total)))
    }
}

impl FreeCount {
    /// The joint law of this count and of the sum of all counts being n, from the law of the sum of the others.
    fn joint(&self, others: &Mass, n: u64) -> Mass {
        Mass { error: others.error + others.lost, lost: 0.0, ..self.law.completed(others, n) }
    }
}

/// The joint law of the count of each kind and of the sum of all counts being n.
fn joint_laws(laws: &[Mass], waves: &Waves) -> Vec<Mass> {
    Parallelism::AllCores.map(0..laws.len(), |kind| {
        let law = &laws[kind];
        let (others, error) = waves.without(kind, law);
        let values = law.values.iter().zip(others).map(|(value, other)| value * other).collect();
        Mass { error, ..Mass::new(law.start, values) }
    })
}

/// The weights of one cell of each kind.
fn weights<'f>(alpha: &[f64], n: u64, factors: &'f [Factor], kinds: &Kinds) -> Vec<Weight<'f>> {
    kinds.first.iter().map(|&cell| Weight { alpha: alpha[cell], factor: &factors[cell], n }).collect()
}

/// What is left out of the windows of all categories adds up, so that they are wider where there are more.
fn first_depth(categories: usize) -> f64 {
    32.0 + 1.5 * libm::log(categories as f64)
}

/// The posterior from the joint laws of all kinds.
///
/// # Errors
/// [`NoiseAwareError::Imprecise`].
fn finished(
    alpha: &[f64],
    n: u64,
    kinds: &Kinds,
    laws: Laws,
    joint: Joint,
) -> Result<NoiseAware, NoiseAwareError> {
    let Laws { tilt, logs, laws, .. } = laws;
    let bounds = joint.bounds(&logs, &kinds.cells, tilt, Parallelism::AllCores)?;
    let own = kinds.first.iter().map(|&cell| alpha[cell]);
    let mixtures = joint.marginals(own, alpha, n, Parallelism::AllCores);
    Ok(NoiseAware {
        alpha: alpha.to_vec(),
        n,
        marginals: kinds.spread(&mixtures),
        cells: Cells::Kinds { laws, kinds: kinds.clone(), tree: OnceLock::new() },
        bounds,
        trimmed: true,
    })
}

#[cfg(test)]
mod tests {
    use super::super::by_tree;
    use super::super::tilt::tilt_of_peaks;
    use super::*;
    use crate::sampler::{BitSource, SeededBits};

    fn compare(alpha: &[f64], n: u64, factors: &[Factor]) {
        let many = posterior(alpha, n, factors, Patience::Any).expect("many similar counts");
        let tree = by_tree::posterior(alpha, n, factors, None).expect("fits");
        assert!(many.error_up() < 1e-8, "{}", many.error_up());
        let (intervals, expected) =
            (many.intervals(0.95).expect("level"), tree.intervals(0.95).expect("level"));
        for (cell, (a, b)) in many.marginals().iter().zip(tree.marginals()).enumerate() {
            // The distance of the laws of the counts is below the sum of both bounds.
            let mut distance = 0.0;
            let other: std::collections::HashMap<u64, f64> = b.counts().collect();
            for (count, probability) in a.counts() {
                distance += 0.5 * (probability - other.get(&count).copied().unwrap_or(0.0)).abs();
            }
            let bound = many.error_up() + tree.error_up() + 1e-13;
            assert!(distance <= bound, "cell {cell}: {distance} {bound}");
            assert!((intervals[cell][0] - expected[cell][0]).abs() < 1e-9 * expected[cell][1]);
            assert!((intervals[cell][1] - expected[cell][1]).abs() < 1e-9 * expected[cell][1]);
        }
    }

    /// If this fails, waves and trees disagree, or the error that is stated is too small.
    #[test]
    fn waves_agree_with_a_tree_of_convolutions() {
        let mut bits = SeededBits::new(8);
        let mut below = |bound: u64| bits.next_u64().expect("seeded") % bound;
        let of_many = [(600, 0.5, 30), (400, 0.1, 150), (900, 1.0, 8)];
        let of_some = [(64, 0.05, 3_000), (50, 0.02, 9_000), (80, 0.1, 150), (200, 0.5, 20)];
        for (k, rate, most) in of_many.into_iter().chain(of_some) {
            let at: Vec<u64> = (0..k).map(|i| if i % 3 == 0 { 0 } else { below(most) }).collect();
            // The sum of all counts is somewhat larger or smaller than that of the released ones.
            let n = at.iter().sum::<u64>() + 40;
            let factors: Vec<Factor> = at.iter().map(|&at| Factor::TwoSided { rate, at }).collect();
            let alpha: Vec<f64> = (0..k).map(|i| [1.0, 0.5, 3.0][i % 3]).collect();
            compare(&alpha, n, &factors);
        }
    }

    /// Counts below zero are released as zero, so that the peaks sum to a little more than n. They sum to n where the
    /// tilt is the rate of the noise, and there every count below its peak is as likely.
    #[test]
    fn the_search_does_not_begin_where_laws_are_flat() {
        let mut bits = SeededBits::new(10);
        let mut below = |bound: u64| bits.next_u64().expect("seeded") % bound;
        let (k, rate) = (300, 0.05);
        let at: Vec<u64> = (0..k).map(|i| if i % 10 == 0 { 0 } else { below(20_000) }).collect();
        let n = at.iter().sum::<u64>() - 300;
        let factors: Vec<Factor> = at.iter().map(|&at| Factor::TwoSided { rate, at }).collect();
        let alpha = vec![1.0; k];
        let kinds = Kinds::new(&alpha, &factors);
        let (weights, depth) = (weights(&alpha, n, &factors, &kinds), first_depth(k));
        let tilt = tilt_of_peaks(&weights, &kinds.cells, n);
        assert!((tilt - rate).abs() < 1e-6, "{tilt}");
        assert!(first_tilt(&weights, &kinds.cells, n, depth).abs() < 1e-12);
        compare(&alpha, n, &factors);
    }

    /// One count that is far more uncertain than all others makes the sum no sum of many similar counts.
    #[test]
    fn a_single_wide_count_is_left_to_the_tree() {
        let similar = Factor::TwoSided { rate: 2.0, at: 10 };
        let wide = Factor::TwoSided { rate: 1e-4, at: 100_000 };
        for (one, other, n) in [(similar.clone(), wide, 103_990), (Factor::Flat, Factor::Flat, 4_000)] {
            let mut factors = vec![similar.clone(); 400];
            (factors[17], factors[399]) = (one, other);
            assert!(posterior(&[1.0; 400], n, &factors, Patience::Any).is_err());
        }
    }

    /// One count is wider than the others, but where it has lost its waves, the sum has none either. If this fails, a
    /// count is left out that cannot be left out without losing digits.
    #[test]
    fn a_somewhat_wider_count_is_left_out_like_the_others() {
        let mut factors = vec![Factor::TwoSided { rate: 2.0, at: 10 }; 400];
        factors[399] = Factor::TwoSided { rate: 1e-4, at: 10 };
        compare(&[1.0; 400], 4_000, &factors);
    }

    /// What the others leave is far from the mean of the last count within its window. A search for a tilt that moves
    /// that mean found one at which the counts beyond the window weigh most, and no posterior.
    #[test]
    fn what_the_others_leave_may_be_unlikely_by_itself() {
        let at = |i: u64| 40 + 241 * i * (i % 7);
        for (k, prior) in [(50, 0.1), (50, 0.01), (12, 0.1), (12, 0.01)] {
            let mut factors: Vec<Factor> =
                (1..k).map(|i| Factor::TwoSided { rate: 0.5, at: at(i) }).collect();
            factors.push(Factor::Flat);
            let alpha = vec![prior; k as usize];
            for left in [100, 1_000, 3_000, 6_000, 20_000] {
                let n = (1..k).map(at).sum::<u64>() + left;
                let tree = by_tree::posterior(&alpha, n, &factors, None).expect("fits");
                assert!(tree.error_up() < 1e-7, "{k} {prior} {left}: {}", tree.error_up());
                let (low, high) = tree.marginals()[k as usize - 1].interval(0.95).expect("level");
                let share = left as f64 / n as f64;
                assert!(
                    low < share && share < high && high < 3.0 * share + 60.0 / n as f64,
                    "{low} {share} {high}"
                );
                if k == 50 {
                    compare(&alpha, n, &factors);
                }
            }
        }
    }

    /// If this fails, small problems take longer than by a tree.
    #[test]
    fn few_possible_counts_are_left_to_the_tree() {
        let factors = vec![Factor::TwoSided { rate: 1.5, at: 10_000 }; 100];
        let left = posterior(&[1.0; 100], 1_000_000, &factors, Patience::ForTheQuicker).expect_err("quick");
        assert!(left.tilt.is_some_and(|tilt| tilt.abs() < 1e-9), "{left:?}");
        assert!(is_large(60, 600_000) && is_large(256, 1) && !is_large(60, 600) && !is_large(15, u64::MAX));
    }

    /// One uninformative count: the others leave it much, little, or less than nothing.
    #[test]
    fn an_uninformative_count_is_what_the_others_leave() {
        let mut bits = SeededBits::new(9);
        let mut below = |bound: u64| bits.next_u64().expect("seeded") % bound;
        for (k, rate, most, left, prior) in [
            (300, 0.5, 30, 2_000, 1.0),
            (400, 0.3, 40, 20, 0.5),
            (300, 0.5, 30, -60, 3.0),
            (600, 1.0, 9, 0, 1.0),
            (50, 0.05, 3_000, 800, 1.0),
            (100, 0.5, 300, 9_000, 0.5),
        ] {
            let at: Vec<u64> = (1..k).map(|i| if i % 3 == 0 { 0 } else { below(most) }).collect();
            let n = at.iter().sum::<u64>().checked_add_signed(left).expect("positive");
            let mut factors: Vec<Factor> = at.iter().map(|&at| Factor::TwoSided { rate, at }).collect();
            let mut alpha: Vec<f64> = (1..k).map(|i| [1.0, 0.5, 3.0][i % 3]).collect();
            // It is not always the last one.
            let place = if left == 20 { 100 } else { factors.len() };
            factors.insert(place, Factor::Flat);
            alpha.insert(place, prior);
            compare(&alpha, n, &factors);
        }
    }
}
