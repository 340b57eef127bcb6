//! The posterior of very many categories. Those with the same evidence are computed once, and the law of the sum of all
//! others comes from characteristic functions (docs/proofs/tables.md, theorem 3).

use std::sync::OnceLock;

use super::kinds::Kinds;
use super::mass::Mass;
use super::mixture::BetaMixture;
use super::waves::Waves;
use super::window::{Weight, Window};
use super::{
    Cells, LIMIT, LeftOut, NoiseAware, NoiseAwareError, TOLERANCE, WORST, marginal, narrowed, tilt_of_means,
    tilt_of_peaks, total,
};
use crate::noise::Factor;
use crate::parallelism::Parallelism;
use crate::special::Sum;

/// From this many categories on, sums of so many counts are smooth enough.
pub(super) const LEAST: usize = 256;

/// The posterior given factors; nothing if the sum of the counts is not one of very many similar counts.
pub(super) fn posterior(
    alpha: &[f64],
    n: u64,
    factors: &[Factor],
) -> Result<Option<NoiseAware>, NoiseAwareError> {
    // A count of which nothing was said is as uncertain as the sum of all others, which the tree handles better.
    if factors.iter().any(|factor| matches!(factor, Factor::Flat)) {
        return Ok(None);
    }
    let kinds = Kinds::new(alpha, factors);
    let weight = |&cell: &usize| Weight { alpha: alpha[cell], factor: &factors[cell], n };
    let weights: Vec<Weight<'_>> = kinds.first.iter().map(weight).collect();
    let cells = &kinds.cells;
    let parallelism = Parallelism::AllCores;
    // What is left out of the windows of all categories adds up, so that they are wider where there are more.
    let mut depth = 45.0 + 1.5 * libm::log(alpha.len() as f64);
    let mut tilt = tilt_of_peaks(&weights, cells, n);
    for _ in 0..4 {
        let windows: Vec<Window> = parallelism.map(&weights, |weight| weight.window(tilt, depth));
        let Some(narrow) = narrowed(&windows, cells, n) else {
            depth *= 2.0;
            continue;
        };
        let counts: f64 = narrow.iter().map(|window| window.len() as f64).sum();
        if counts > LIMIT {
            // The windows of single categories may still do.
            return Ok(None);
        }
        let logs = parallelism.map(0..weights.len(), |i| weights[i].logs(narrow[i], tilt));
        tilt = tilt_of_means(&logs, cells, tilt, n, parallelism);
        let leaves = parallelism.map(0..logs.len(), |i| {
            let (leaf, unit) = logs[i].weights(tilt);
            let inside = leaf.values.iter().copied().fold(0.0, f64::max);
            let left_out = LeftOut {
                beyond: weights[i].outside(windows[i], tilt, unit),
                largest: weights[i].largest_up(narrow[i], inside, tilt, unit),
                total: 1.0 + weights[i].outside(narrow[i], tilt, unit),
            };
            (leaf, left_out)
        });
        let (laws, left_out): (Vec<Mass>, Vec<LeftOut>) = leaves.into_iter().unzip();
        let outside = LeftOut::joint_up(&kinds.spread(&left_out));
        let Some(waves) = Waves::new(&laws, cells, n, parallelism) else { return Ok(None) };
        let joint = parallelism.map(0..laws.len(), |kind| {
            let (others, error) = waves.without(kind, &laws[kind]);
            let values = laws[kind].values.iter().zip(others).map(|(value, other)| value * other).collect();
            Mass { error, ..Mass::new(laws[kind].start, values) }
        });
        let likely = joint.iter().map(|mass| total(&mass.values)).fold(f64::INFINITY, f64::min);
        if outside / likely > TOLERANCE {
            depth *= 1.5;
            continue;
        }
        let rounding = joint.iter().map(|mass| mass.error).fold(0.0, f64::max);
        let of_logs = logs.iter().zip(&joint).zip(cells);
        let of_logs: f64 =
            of_logs.map(|((logs, mass), &cells)| cells as f64 * logs.error_up(tilt, mass)).sum();
        let error = 2.0 * (outside + rounding + of_logs) / likely;
        if error.is_nan() || error > WORST {
            return Ok(None);
        }
        let sum = alpha.iter().copied().collect::<Sum>();
        let joint: Vec<(Mass, usize)> = joint.into_iter().zip(kinds.first.iter().copied()).collect();
        let mixtures: Vec<BetaMixture> = parallelism.map(joint, |(mass, cell)| {
            let mut rest = sum;
            rest.add(-alpha[cell]);
            marginal(mass, alpha[cell], rest.value(), n)
        });
        return Ok(Some(NoiseAware {
            alpha: alpha.to_vec(),
            n,
            marginals: kinds.spread(&mixtures),
            cells: Cells::Kinds { laws, kinds, tree: OnceLock::new() },
            error,
            missing: outside + of_logs,
            trimmed: true,
        }));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
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
        for (k, rate, most) in [(600, 0.5, 30), (512, 0.05, 300), (1_500, 1.0, 8)] {
            let at: Vec<u64> = (0..k).map(|i| if i % 3 == 0 { 0 } else { below(most) }).collect();
            // The sum of all counts is somewhat larger or smaller than that of the released ones.
            let n = at.iter().sum::<u64>() + 40;
            let factors: Vec<Factor> = at.iter().map(|&at| Factor::TwoSided { rate, at }).collect();
            let alpha: Vec<f64> = (0..k).map(|i| [1.0, 0.5, 3.0][i % 3]).collect();
            compare(&alpha, n, &factors);
        }
    }

    /// One count that is far more uncertain than all others makes the sum no sum of many similar counts.
    #[test]
    fn a_single_wide_count_is_left_to_the_tree() {
        for wide in [Factor::Flat, Factor::TwoSided { rate: 1e-4, at: 10 }] {
            let mut factors = vec![Factor::TwoSided { rate: 2.0, at: 10 }; 400];
            factors[399] = wide;
            assert!(posterior(&[1.0; 400], 4_000, &factors).expect("fits").is_none());
        }
    }
}
