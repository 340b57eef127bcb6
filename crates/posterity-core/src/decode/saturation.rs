//! Whether every answer is as far from the truth as can be.

use crate::distance::{Pair, ln_bc};
use crate::model::Prior;
use crate::noise_aware::{Mass, NoiseAware};
use crate::parallelism::Parallelism;

/// With fewer categories than this, the search is quick.
const MIN_CATEGORIES: usize = 16;

/// The law of a count is divided into this many parts of about the same weight.
const PARTS: usize = 32;

/// An expected distance that is nearer to one than this tells nothing.
const NEAR_ONE: f64 = 1e-4;

/// If the logarithm of the expected coefficient of two true posteriors is below this, the expected distance of every
/// distribution is within [`NEAR_ONE`] of one.
const SATURATED_LN_COEFFICIENT: f64 = -18.43;

/// Whether an expected distance is so near to one that it tells nothing.
pub(super) fn is_far(expected: f64) -> bool {
    expected > 1.0 - NEAR_ONE
}

/// Whether the expected Hellinger distance of every distribution from the true posterior is within [`NEAR_ONE`] of one, so
/// that no search finds a better one. It is so with many categories and a small epsilon, because the true posterior is then
/// known far less well than it is narrow.
///
/// With c and c' two independent draws of the true counts given the release, `E BC(c, r) <= sqrt(E BC(c, c'))` for
/// every distribution r, and `E BC(c, c') <= prod_i E g_i(c_i, c_i') / P^2`, where the counts on the right are
/// independent, P is the probability that they sum to n, and `g_i` is the factor of one category
/// (docs/proofs/decoding.md).
pub(super) fn is_saturated(prior: &Prior, aware: &NoiseAware) -> bool {
    let alpha = prior.parameters();
    if alpha.len() < MIN_CATEGORIES || aware.likely() <= 0.0 {
        return false;
    }
    let factors: f64 = match (aware.kinds(), aware.leaves()) {
        (Some((of_cell, laws)), _) => {
            let mut numbers = vec![0.0; laws.len()];
            let mut parameter = vec![0.0; laws.len()];
            for (&kind, &alpha) in of_cell.iter().zip(alpha) {
                numbers[kind as usize] += 1.0;
                parameter[kind as usize] = alpha;
            }
            let logs =
                Parallelism::AllCores.map(0..laws.len(), |kind| ln_factor_up(parameter[kind], &laws[kind]));
            logs.iter().zip(numbers).map(|(log, number)| number * log).sum()
        }
        (None, Some(leaves)) => Parallelism::AllCores
            .map(0..leaves.len(), |cell| ln_factor_up(alpha[cell], leaves[cell]))
            .iter()
            .sum(),
        (None, None) => return false,
    };
    factors - 2.0 * libm::log(aware.likely()) <= SATURATED_LN_COEFFICIENT
}

/// A bound on `ln E g(c, c')` for two independent counts of this law. Two counts of different parts are at least as far
/// apart as the nearest counts of these parts, and g falls with that distance.
fn ln_factor_up(alpha: f64, law: &Mass) -> f64 {
    let parts = parts(law);
    let mut sum = 0.0;
    for (place, &(_, last, weight)) in parts.iter().enumerate() {
        sum += weight * weight;
        for &(first, _, other) in &parts[place + 1..] {
            let near = libm::exp(ln_bc(Pair::new(alpha + last as f64, alpha + first as f64)));
            sum += 2.0 * weight * other * near;
        }
    }
    // Rounding, and what was cut off from the law.
    libm::log(sum * (1.0 + 1e-9)).min(0.0)
}

/// The first and the last count and the weight of each part of a law.
fn parts(law: &Mass) -> Vec<(u64, u64, f64)> {
    let mut parts = Vec::with_capacity(PARTS + 1);
    let (mut first, mut weight) = (law.start, 0.0);
    for (count, value) in (law.start..).zip(&law.values) {
        weight += value;
        if weight * PARTS as f64 >= 1.0 || count == law.end() {
            parts.push((first, count, weight));
            (first, weight) = (count + 1, 0.0);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::uniform;
    use crate::noise::{Evidence, Factor};
    use crate::sampler::SeededBits;

    fn aware(k: usize, at: u64, rate: f64) -> (Prior, NoiseAware) {
        let setting = uniform(k, at * k as u64, "1");
        let evidence = Evidence::new(vec![Factor::TwoSided { rate, at }; k]);
        (setting.prior().clone(), NoiseAware::new(&setting, &evidence).expect("fits"))
    }

    /// If this fails, the bound on one category is below the sum over all pairs of counts, or useless.
    #[test]
    fn the_bound_of_one_category_is_above_the_sum_over_all_pairs() {
        let (_, aware) = aware(70, 60, 0.1);
        let law = aware.leaves().expect("not listed")[0].clone();
        let mut exact = 0.0;
        for (c, p) in (law.start..).zip(&law.values) {
            for (d, q) in (law.start..).zip(&law.values) {
                exact += p * q * libm::exp(ln_bc(Pair::new(1.0 + c as f64, 1.0 + d as f64)));
            }
        }
        let (bound, exact) = (ln_factor_up(1.0, &law), libm::log(exact));
        assert!(bound >= exact && bound < 0.6 * exact, "{bound} {exact}");
    }

    /// Draws of the true counts: if this fails, a search is left out that would find something.
    #[test]
    fn saturated_posteriors_are_far_from_each_other() {
        for (k, at, rate, expected) in
            [(700, 60, 0.05, true), (70, 60, 0.05, true), (300, 60, 1.0, false), (20, 60, 0.2, false)]
        {
            let (prior, aware) = aware(k, at, rate);
            assert_eq!(is_saturated(&prior, &aware), expected, "{k} {at} {rate}");
            let draws: Vec<Vec<u64>> =
                aware.sample_counts_each((0..8).map(SeededBits::new).collect()).expect("seeded");
            let pair = |a: &u64, b: &u64| ln_bc(Pair::new(1.0 + *a as f64, 1.0 + *b as f64));
            for other in &draws[1..] {
                let ln: f64 = draws[0].iter().zip(other).map(|(a, b)| pair(a, b)).sum();
                assert!(!expected || ln < -9.2, "{ln}");
            }
        }
    }
}
