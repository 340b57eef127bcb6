//! The posterior of many categories. Those with the same evidence are computed once, and the law of the sum of all
//! others comes from characteristic functions (docs/proofs/tables.md, theorem 3).

use std::sync::OnceLock;

use super::kinds::Kinds;
use super::logs::Logs;
use super::mass::{Mass, Transforms};
use super::mixture::BetaMixture;
use super::waves::{Purpose, Waves};
use super::window::{Weight, Window};
use super::{
    Cells, MAX_POSSIBLE_COUNTS, LeftOut, NoiseAware, MAX_CUT_SHARE, WORST, counts, deeper, first_tilt, flat, marginal,
    narrowed, tilt_beside, tilt_of_means, total,
};
use crate::noise::Factor;
use crate::parallelism::Parallelism;
use crate::special::Sum;

/// From this many categories on, sums of so many counts are smooth enough.
const SMOOTH_FROM: usize = 48;

/// From this many on, some have the same evidence.
const EVIDENCE_REPEATS_FROM: usize = 256;

/// With fewer categories times records, a tree of convolutions takes milliseconds.
const LARGE_TREE: f64 = 262_144.0;

/// A tree of fewer possible counts takes a few milliseconds too.
const QUICK_TREE: f64 = 8_192.0;

/// Whether the number of categories and records is worth a try.
pub(super) fn is_large(categories: usize, n: u64) -> bool {
    categories >= EVIDENCE_REPEATS_FROM || categories >= SMOOTH_FROM && categories as f64 * n as f64 >= LARGE_TREE
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

/// The posterior given factors, unless the sum of the counts is not one of many similar counts. One count of which nothing was
/// said, as the last one of geometric noise, is what the others leave of n.
pub(super) fn posterior(
    alpha: &[f64],
    n: u64,
    factors: &[Factor],
    patience: Patience,
) -> Result<NoiseAware, LeftToTree> {
    match flat(factors).as_slice() {
        [] => similar(alpha, n, factors, patience),
        &[cell] => similar_but_one(alpha, n, factors, cell, patience),
        // Counts that are as uncertain as the sum of all others are left to the tree.
        _ => Err(LeftToTree { tilt: None }),
    }
}

/// The windows, laws and logarithms of kinds of cells at a tilt.
struct Laws {
    logs: Vec<Logs>,
    laws: Vec<Mass>,
    left_out: Vec<LeftOut>,
}

impl Patience {
    /// Whether a tree over cells with these windows is quick enough.
    fn leaves(self, windows: &[Window], cells: &[u64]) -> bool {
        let counts: f64 =
            windows.iter().zip(cells).map(|(window, &cells)| window.len() as f64 * cells as f64).sum();
        self == Self::ForTheQuicker && counts < QUICK_TREE
    }
}

impl Laws {
    fn new(
        weights: &[Weight<'_>],
        windows: &[Window],
        narrow: &[Window],
        logs: Vec<Logs>,
        tilt: f64,
    ) -> Self {
        let leaves = Parallelism::AllCores.map(0..logs.len(), |i| {
            let (leaf, unit) = logs[i].weights(tilt);
            let inside = leaf.values.iter().copied().fold(0.0, f64::max);
            let left_out = LeftOut {
                beyond: weights[i].outside(windows[i], tilt, unit),
                largest: weights[i].largest_up(narrow[i], inside, tilt, unit),
                total: 1.0 + weights[i].outside(narrow[i], tilt, unit),
            };
            (leaf, left_out)
        });
        let (laws, left_out) = leaves.into_iter().unzip();
        Self { logs, laws, left_out }
    }

    /// How many terms of sums over waves are computed in about the time of a tree of convolutions.
    fn most_terms(&self, cells: &[u64], n: u64, patience: Patience) -> f64 {
        /// For each count of each cell and each doubling of their number, as measured. Trees of wide laws take up to three times
        /// as long.
        const TERMS: f64 = 30.0;
        let widths = || self.laws.iter().map(|law| law.values.len() as f64).zip(cells);
        let counts: f64 = widths().map(|(width, &cells)| cells as f64 * width).sum();
        if patience == Patience::Any || counts > MAX_POSSIBLE_COUNTS {
            return f64::INFINITY;
        }
        // No sum is above n, which makes trees of wider laws quicker.
        let narrowed = widths().map(|(width, &cells)| (width.min(0.25 * n as f64 + 1.0), cells as f64));
        narrowed.map(|(width, cells)| TERMS * cells * width * libm::log2(width + 1.0)).sum()
    }

    /// The joint law of the count of each kind and of the sum of all counts being n.
    fn joint(&self, waves: &Waves) -> Vec<Mass> {
        Parallelism::AllCores.map(0..self.laws.len(), |kind| {
            let law = &self.laws[kind];
            let (others, error) = waves.without(kind, law);
            let values = law.values.iter().zip(others).map(|(value, other)| value * other).collect();
            Mass { error, ..Mass::new(law.start, values) }
        })
    }
}

/// All counts are similar.
fn similar(alpha: &[f64], n: u64, factors: &[Factor], patience: Patience) -> Result<NoiseAware, LeftToTree> {
    let kinds = Kinds::new(alpha, factors);
    let weights = weights(alpha, n, factors, &kinds);
    let cells = &kinds.cells;
    let parallelism = Parallelism::AllCores;
    let mut depth = first_depth(alpha.len());
    let mut tilt = first_tilt(&weights, cells, n, depth);
    for tries in 0..5 {
        let windows_at =
            |tilt: f64| -> Vec<Window> { parallelism.map(&weights, |weight| weight.window(tilt, depth)) };
        let mut windows = windows_at(tilt);
        let Some(mut narrow) = narrowed(&windows, cells, n) else {
            depth *= 2.0;
            continue;
        };
        if patience.leaves(&narrow, cells) {
            return Err(LeftToTree { tilt: Some(tilt) });
        }
        // The windows of single categories may still do.
        if counts(&narrow) > MAX_POSSIBLE_COUNTS {
            return Err(LeftToTree { tilt: None });
        }
        let logs_at = |narrow: &[Window], tilt: f64| {
            parallelism.map(0..weights.len(), |i| weights[i].logs(narrow[i], tilt))
        };
        let mut logs = logs_at(&narrow, tilt);
        let mut start = tilt;
        tilt = tilt_of_means(&logs, cells, tilt, n, parallelism);
        // At the tilt to begin with, windows may be too wide.
        let better = windows_at(tilt);
        if counts(&better) < 0.9 * counts(&narrow)
            && let Some(found) = narrowed(&better, cells, n)
        {
            logs = logs_at(&found, tilt);
            (windows, narrow, start) = (better, found, tilt);
        }
        let laws = Laws::new(&weights, &windows, &narrow, logs, tilt);
        let outside = LeftOut::joint_up(&kinds.spread(&laws.left_out));
        let most_terms = laws.most_terms(cells, n, patience);
        let waves = Waves::new(&laws.laws, cells, n, Purpose::LeaveOneOut, most_terms, parallelism);
        let left = LeftToTree { tilt: Some(tilt) };
        let waves = waves.ok_or(left)?;
        let joint = laws.joint(&waves);
        let excess = outside / likely(&joint) / MAX_CUT_SHARE;
        if excess > 1.0 {
            depth = deeper(depth, excess, start, tilt, tries);
            continue;
        }
        return finished(alpha, n, kinds, laws, joint, outside, tilt).ok_or(left);
    }
    Err(LeftToTree { tilt: None })
}

/// All counts are similar but that of one cell, of which nothing was said (docs/proofs/tables.md, theorem 4).
fn similar_but_one(
    alpha: &[f64],
    n: u64,
    factors: &[Factor],
    flat: usize,
    patience: Patience,
) -> Result<NoiseAware, LeftToTree> {
    let kinds = Kinds::new(alpha, factors);
    let all = weights(alpha, n, factors, &kinds);
    // The cell is the only one of its kind.
    let wide = kinds.of_cell[flat] as usize;
    let others = |index: &usize| *index != wide;
    let narrow_kinds: Vec<usize> = (0..all.len()).filter(others).collect();
    let weights: Vec<Weight<'_>> = narrow_kinds.iter().map(|&kind| all[kind]).collect();
    let cells: Vec<u64> = narrow_kinds.iter().map(|&kind| kinds.cells[kind]).collect();
    let parallelism = Parallelism::AllCores;
    let transforms = Transforms::default();
    let mut depth = first_depth(alpha.len());
    let mut tilt = 0.0;
    for tries in 0..4 {
        let windows: Vec<Window> = parallelism.map(&weights, |weight| weight.window(tilt, depth));
        if counts(&windows) > MAX_POSSIBLE_COUNTS || patience.leaves(&windows, &cells) {
            return Err(LeftToTree { tilt: None });
        }
        let logs = parallelism.map(0..weights.len(), |i| weights[i].logs(windows[i], tilt));
        let others: Vec<&Logs> = logs.iter().collect();
        let found = tilt_beside(&others, &cells, alpha[flat], n, 0.0, parallelism);
        tilt = found.ok_or(LeftToTree { tilt: None })?;
        let left = LeftToTree { tilt: Some(tilt) };
        let mut laws = Laws::new(&weights, &windows, &windows, logs, tilt);
        let means = laws.laws.iter().zip(&cells).map(|(law, &cells)| law.moments().0 * cells as f64);
        let before = means.sum::<f64>().round() as u64;
        let most_terms = laws.most_terms(&cells, n, patience);
        let waves = Waves::new(&laws.laws, &cells, before, Purpose::Sum, most_terms, parallelism);
        let mut waves = waves.ok_or(left)?;
        let (mean, reach, unlikely) = waves.reach_up();
        // What the others leave of n, as far as that is likely. The casts saturate.
        let most = (n as f64 - mean + reach + 1.0).min(n as f64);
        if most < 0.0 {
            return Err(left);
        }
        let window = Window { low: (n as f64 - mean - reach - 1.0).max(0.0) as u64, high: most as u64 };
        let wide_logs = all[wide].logs(window, tilt);
        let (law, unit) = wide_logs.weights(tilt);
        let inside = law.values.iter().copied().fold(0.0, f64::max);
        let largest = all[wide].largest_up(window, inside, tilt, unit);
        // Either a count is outside its window and the cell has any weight, or the others leave something outside its window.
        let totals: f64 =
            laws.left_out.iter().zip(&cells).map(|(one, &cells)| cells as f64 * libm::log(one.total)).sum();
        let beyond: f64 =
            laws.left_out.iter().zip(&cells).map(|(one, &cells)| cells as f64 * one.beyond).sum();
        let outside = (beyond * libm::exp(totals) + unlikely) * largest;
        let sum = waves.sum(before, &transforms);
        let values = law.values.iter().zip(law.start..);
        let values = values.map(|(value, count)| value * sum.at(n - count)).collect();
        let of_wide = Mass { error: sum.error + sum.lost, ..Mass::new(law.start, values) };
        waves.add(&law, before, n, &transforms);
        let mut joint = laws.joint(&waves);
        joint.insert(wide, of_wide);
        let excess = outside / likely(&joint) / MAX_CUT_SHARE;
        if excess > 1.0 {
            depth = deeper(depth, excess, tilt, tilt, tries);
            continue;
        }
        laws.laws.insert(wide, law);
        laws.logs.insert(wide, wide_logs);
        return finished(alpha, n, kinds, laws, joint, outside, tilt).ok_or(left);
    }
    Err(LeftToTree { tilt: None })
}

fn weights<'f>(alpha: &[f64], n: u64, factors: &'f [Factor], kinds: &Kinds) -> Vec<Weight<'f>> {
    kinds.first.iter().map(|&cell| Weight { alpha: alpha[cell], factor: &factors[cell], n }).collect()
}

/// What is left out of the windows of all categories adds up, so that they are wider where there are more.
fn first_depth(categories: usize) -> f64 {
    45.0 + 1.5 * libm::log(categories as f64)
}

fn likely(joint: &[Mass]) -> f64 {
    joint.iter().map(|mass| total(&mass.values)).fold(f64::INFINITY, f64::min)
}

/// The posterior from the joint laws of all kinds; nothing if it is not precise enough.
fn finished(
    alpha: &[f64],
    n: u64,
    kinds: Kinds,
    laws: Laws,
    joint: Vec<Mass>,
    outside: f64,
    tilt: f64,
) -> Option<NoiseAware> {
    let Laws { logs, laws, .. } = laws;
    let rounding = joint.iter().map(|mass| mass.error).fold(0.0, f64::max);
    let of_logs = logs.iter().zip(&joint).zip(&kinds.cells);
    let of_logs: f64 = of_logs.map(|((logs, mass), &cells)| cells as f64 * logs.error_up(tilt, mass)).sum();
    let likely = likely(&joint);
    let error = 2.0 * (outside + rounding + of_logs) / likely;
    if error.is_nan() || error > WORST {
        return None;
    }
    let sum = alpha.iter().copied().collect::<Sum>();
    let joint: Vec<(Mass, usize)> = joint.into_iter().zip(kinds.first.iter().copied()).collect();
    let mixtures: Vec<BetaMixture> = Parallelism::AllCores.map(joint, |(mass, cell)| {
        let mut rest = sum;
        rest.add(-alpha[cell]);
        marginal(mass, alpha[cell], rest.value(), n)
    });
    Some(NoiseAware {
        alpha: alpha.to_vec(),
        n,
        marginals: kinds.spread(&mixtures),
        cells: Cells::Kinds { laws, kinds, tree: OnceLock::new() },
        error,
        missing: outside + of_logs,
        likely,
        trimmed: true,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tilt_of_peaks;
    use super::*;
    use crate::sampler::{BitSource, SeededBits};

    fn compare(alpha: &[f64], n: u64, factors: &[Factor]) {
        let many = posterior(alpha, n, factors, Patience::Any).expect("many similar counts");
        let tree = NoiseAware::one_by_one(alpha, n, factors, None).expect("fits");
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

    /// Counts below zero are released as zero, so that the peaks sum to a little more than n. They sum to n where the tilt is the
    /// rate of the noise, and there every count below its peak is as likely.
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
        let wide = Factor::TwoSided { rate: 1e-4, at: 10 };
        for (one, other) in [(similar.clone(), wide), (Factor::Flat, Factor::Flat)] {
            let mut factors = vec![similar.clone(); 400];
            (factors[17], factors[399]) = (one, other);
            assert!(posterior(&[1.0; 400], 4_000, &factors, Patience::Any).is_err());
        }
    }

    /// What the others leave is far from the mean of the last count within its window. A search for a tilt that moves that mean
    /// found one at which the counts beyond the window weigh most, and no posterior.
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
                let tree = NoiseAware::one_by_one(&alpha, n, &factors, None).expect("fits");
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
        assert!(is_large(60, 600_000) && is_large(256, 1) && !is_large(60, 600) && !is_large(47, u64::MAX));
    }

    /// One count of which nothing was said: the others leave it much, little, or less than nothing.
    #[test]
    fn a_count_of_which_nothing_was_said_is_what_the_others_leave() {
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
