//! The noise with the least mean variance for its price (docs/proofs/residuals.md, theorem 4).

use crate::price::{Patterns, Symmetry};

/// The search ends when the mean variance is this close to the least possible one, as a part of it.
const CLOSE: f64 = 1e-4;

/// About how many multiplications the search may take.
const WORK: usize = 400_000_000;

/// The least and the most steps of the search.
const STEPS: (usize, usize) = (8, 400);

/// How many times a step's length is halved in.
const HALVINGS: usize = 40;

/// Weights `1/sigma^2`, one for each orbit, up to a common factor.
pub(crate) struct Optimum {
    pub(crate) weights: Vec<f64>,
    /// The mean variance is at most this many times the least possible one.
    pub(crate) within: f64,
}

/// Under add-remove: `1/sigma_A^2` proportional to `sqrt(v_A/p_A)` (Cauchy and Schwarz).
pub(crate) fn for_add_remove(variance: &[f64], price: &[f64]) -> Vec<f64> {
    variance.iter().zip(price).map(|(v, p)| libm::sqrt(v / p)).collect()
}

/// Under replace: minimises `sum V_o/w_o` so that no pattern D has `sum N_o w_o g_o(D)` above a bound.
///
/// `variance` holds `V_o`, the sum of `v_A` over the sets of an orbit; `price` holds `N_o p_o`, the sum of `p_A`. For a
/// mixture of patterns with the mean price G the least is `(sum sqrt(V_o G_o))^2`, at `w_o = sqrt(V_o/G_o)`; the mixture
/// for which it is largest gives the optimum. Each step adds the worst pattern to the mixture (Frank and Wolfe 1956).
pub(crate) fn for_replace(
    symmetry: &Symmetry,
    patterns: &Patterns,
    variance: &[f64],
    price: &[f64],
) -> Optimum {
    // The mean over all records is the price of adding one.
    let mut mixture = price.to_vec();
    let mut best = Optimum { weights: for_add_remove(variance, &mixture), within: f64::INFINITY };
    let (mut least, mut bound) = (f64::INFINITY, 0.0_f64);
    for _ in 0..(WORK / patterns.work().max(1)).clamp(STEPS.0, STEPS.1) {
        let weights = for_add_remove(variance, &mixture);
        let (largest, worst) = worst(symmetry, patterns, price, &weights);
        // What has no variance has no weight.
        let noisy = weights.iter().zip(variance).filter(|(weight, _)| **weight > 0.0);
        let reached = largest * noisy.map(|(weight, variance)| variance / weight).sum::<f64>();
        bound = bound.max(dual(variance, &mixture, &worst, 0.0));
        if reached < least {
            least = reached;
            best.weights = weights;
        }
        if least <= bound * (1.0 + CLOSE) {
            break;
        }
        let step = longest(|step| slope(variance, &mixture, &worst, step));
        mixture.iter_mut().zip(&worst).for_each(|(g, w)| *g += step * (w - *g));
    }
    best.within = least / bound;
    best
}

/// What the worst pattern costs, and its price `N_o g_o` by orbit.
fn worst(symmetry: &Symmetry, patterns: &Patterns, price: &[f64], weights: &[f64]) -> (f64, Vec<f64>) {
    let orbits = symmetry.orbits();
    // The sum over the sets of an orbit of `prod y_i` is N_o prod (m_i - 1) at the pattern 0, so this counts N_o p_o.
    let largest = |at: usize| patterns.largest(&orbits[at]).map_or(f64::INFINITY, |largest| largest as f64);
    let numbers: Vec<f64> = (0..orbits.len()).map(|at| weights[at] * price[at] / largest(at)).collect();
    let sums = patterns.sums(orbits, &numbers);
    let least = (0..sums.len()).min_by(|&a, &b| sums[a].total_cmp(&sums[b])).unwrap_or(0);
    let counts = patterns.counts(least);
    let of_orbit = |(orbit, price): (_, &f64)| price * (1.0 - patterns.likeness(orbit, &counts));
    (sums[0] - sums[least], orbits.iter().zip(price).map(of_orbit).collect())
}

/// `(sum sqrt(V_o G_o))^2` for a mixture with so much of another pattern.
fn dual(variance: &[f64], mixture: &[f64], other: &[f64], step: f64) -> f64 {
    let term = |((v, g), w): ((&f64, &f64), &f64)| libm::sqrt(v * (g + step * (w - g)));
    let sum: f64 = variance.iter().zip(mixture).zip(other).map(term).sum();
    sum * sum
}

/// The derivative of `sum sqrt(V_o G_o)` by the step, times two.
fn slope(variance: &[f64], mixture: &[f64], other: &[f64], step: f64) -> f64 {
    let term = |((v, g), w): ((&f64, &f64), &f64)| (w - g) * libm::sqrt(v / (g + step * (w - g)));
    variance.iter().zip(mixture).zip(other).map(term).sum()
}

/// Where a decreasing function crosses zero, between 0 and almost 1.
fn longest(slope: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.0, 0.999);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    low
}
