//! The posterior of very many categories. Those with the same evidence are computed once, and the law of the sum of all
//! others comes from characteristic functions (docs/proofs/tables.md, theorem 3).

use std::sync::OnceLock;

use super::kinds::Kinds;
use super::logs::Logs;
use super::mass::{Mass, Transforms};
use super::mixture::BetaMixture;
use super::waves::{Purpose, Waves};
use super::window::{Weight, Window};
use super::{
    Cells, LIMIT, LeftOut, NoiseAware, NoiseAwareError, TOLERANCE, WORST, counts, deeper, first_tilt,
    marginal, narrowed, tilt_of_means, total,
};
use crate::noise::Factor;
use crate::parallelism::Parallelism;
use crate::special::Sum;

/// From this many categories on, sums of so many counts are smooth enough.
pub(super) const LEAST: usize = 256;

/// The posterior given factors; nothing if the sum of the counts is not one of very many similar counts. One count of which
/// nothing was said, as the last one of geometric noise, is what the others leave of n.
pub(super) fn posterior(
    alpha: &[f64],
    n: u64,
    factors: &[Factor],
) -> Result<Option<NoiseAware>, NoiseAwareError> {
    let mut flat = factors.iter().enumerate().filter(|(_, factor)| matches!(factor, Factor::Flat));
    match (flat.next().map(|(cell, _)| cell), flat.next()) {
        (None, _) => similar(alpha, n, factors),
        (Some(cell), None) => similar_but_one(alpha, n, factors, cell),
        // Counts that are as uncertain as the sum of all others are left to the tree.
        (Some(_), Some(_)) => Ok(None),
    }
}

/// The windows, laws and logarithms of kinds of cells at a tilt.
struct Laws {
    logs: Vec<Logs>,
    laws: Vec<Mass>,
    left_out: Vec<LeftOut>,
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
fn similar(alpha: &[f64], n: u64, factors: &[Factor]) -> Result<Option<NoiseAware>, NoiseAwareError> {
    let kinds = Kinds::new(alpha, factors);
    let weights = weights(alpha, n, factors, &kinds);
    let cells = &kinds.cells;
    let parallelism = Parallelism::AllCores;
    let mut depth = first_depth(alpha.len());
    let mut tilt = first_tilt(&weights, cells, n, depth);
    for _ in 0..5 {
        let windows_at =
            |tilt: f64| -> Vec<Window> { parallelism.map(&weights, |weight| weight.window(tilt, depth)) };
        let mut windows = windows_at(tilt);
        let Some(mut narrow) = narrowed(&windows, cells, n) else {
            depth *= 2.0;
            continue;
        };
        if counts(&narrow) > LIMIT {
            // The windows of single categories may still do.
            return Ok(None);
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
        let Some(waves) = Waves::new(&laws.laws, cells, n, Purpose::LeaveOneOut, parallelism) else {
            return Ok(None);
        };
        let joint = laws.joint(&waves);
        if outside / likely(&joint) > TOLERANCE {
            depth = deeper(depth, 1.5, start, tilt);
            continue;
        }
        return Ok(finished(alpha, n, kinds, laws, joint, outside, tilt));
    }
    Ok(None)
}

/// All counts are similar but that of one cell, of which nothing was said (docs/proofs/tables.md, theorem 4).
fn similar_but_one(
    alpha: &[f64],
    n: u64,
    factors: &[Factor],
    flat: usize,
) -> Result<Option<NoiseAware>, NoiseAwareError> {
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
    for _ in 0..4 {
        let windows: Vec<Window> = parallelism.map(&weights, |weight| weight.window(tilt, depth));
        if counts(&windows) > LIMIT {
            return Ok(None);
        }
        let logs = parallelism.map(0..weights.len(), |i| weights[i].logs(windows[i], tilt));
        let Some(found) = tilt_beside(&logs, &cells, alpha[flat], n) else { return Ok(None) };
        tilt = found;
        let mut laws = Laws::new(&weights, &windows, &windows, logs, tilt);
        let mean = sum_of_means(&laws.laws, &cells);
        let before = mean.round() as u64;
        let Some(mut waves) = Waves::new(&laws.laws, &cells, before, Purpose::Sum, parallelism) else {
            return Ok(None);
        };
        let (mean, reach, unlikely) = waves.reach_up();
        // What the others leave of n, as far as that is likely. The casts saturate.
        let most = (n as f64 - mean + reach + 1.0).min(n as f64);
        if most < 0.0 {
            return Ok(None);
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
        if outside / likely(&joint) > TOLERANCE {
            depth *= 1.5;
            continue;
        }
        laws.laws.insert(wide, law);
        laws.logs.insert(wide, wide_logs);
        return Ok(finished(alpha, n, kinds, laws, joint, outside, tilt));
    }
    Ok(None)
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

fn sum_of_means(laws: &[Mass], cells: &[u64]) -> f64 {
    let mean = |law: &Mass| {
        let inside = law.values.iter().zip(0_u64..).map(|(p, count)| p * count as f64).sum::<f64>();
        law.start as f64 + inside
    };
    laws.iter().zip(cells).map(|(law, &cells)| mean(law) * cells as f64).sum()
}

/// The tilt at which the means of all counts sum to n, approximately, where one more count has the weights
/// `Gamma(alpha + c)/c!`. With a tilt t its mean is `alpha/(exp(t) - 1)`, so that the tilt is positive.
///
/// Near a tilt s the other means are about `m - v (t - s)`, and the mean of the one is about `alpha/t`: a quadratic equation.
fn tilt_beside(logs: &[Logs], cells: &[u64], alpha: f64, n: u64) -> Option<f64> {
    let lows = logs.iter().zip(cells).map(|(logs, &cells)| i128::from(logs.low) * i128::from(cells));
    let base = (lows.sum::<i128>() - i128::from(n)) as f64;
    let mut tilt = 0.0;
    for _ in 0..30 {
        // The sums are taken in the order of the categories, so that they do not depend on the number of cores.
        let all = Parallelism::AllCores.map(logs, |logs| logs.moments(tilt));
        let variance: f64 = all.iter().zip(cells).map(|(one, &cells)| one.1 * cells as f64).sum();
        let means: f64 = all.iter().zip(cells).map(|(one, &cells)| one.0 * cells as f64).sum();
        let odds = 1.0 / libm::expm1(tilt);
        let excess = base + means + alpha * odds;
        let spread = libm::sqrt(variance + alpha * odds * (odds + 1.0));
        // If the mean is within a third of a standard deviation of n, the sum n is likely enough.
        if tilt > 0.0 && excess.abs() <= 0.3 * spread {
            return Some(tilt);
        }
        // v t^2 + d t - alpha = 0, without cancellation.
        let d = -(base + means) - variance * tilt;
        let root = libm::sqrt(d * d + 4.0 * variance * alpha);
        tilt = if d > 0.0 { 2.0 * alpha / (d + root) } else { (root - d) / (2.0 * variance) };
        if !(tilt > 0.0 && tilt.is_finite()) {
            return None;
        }
    }
    None
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
        let many = posterior(alpha, n, factors).expect("fits").expect("many similar counts");
        let tree = NoiseAware::one_by_one(alpha, n, factors).expect("fits");
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
        for (k, rate, most) in [(600, 0.5, 30), (400, 0.1, 150), (900, 1.0, 8)] {
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
            assert!(posterior(&[1.0; 400], 4_000, &factors).expect("fits").is_none());
        }
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
