//! Whether every answer is as far from the truth as can be.

use super::Decoder;
use crate::distance::{Pair, cost};
use crate::model::{Dirichlet, Prior};
use crate::noise_aware::{BetaMixture, NoiseAware};
use crate::sampler::{SeededBits, uniform_unit};

/// With fewer categories than this, the search is quick, and counts depend much on each other.
const MIN_CATEGORIES: usize = 16;

/// How many draws of the counts are looked at.
const DRAWS: usize = 32;

/// The most counts that all draws together have. With many categories all draws are about as far, so fewer are enough.
const MOST_COUNTS: usize = 20_000;

/// If the logarithm of the Bhattacharyya coefficient is below minus this, the distance is above `1 - 1e-4`.
const FAR: f64 = 10.0;

/// An expected distance that is nearer to one than this tells nothing.
const NEAR_ONE: f64 = 1e-4;

/// Whether an expected distance is so near to one that it tells nothing.
pub(super) fn is_far(expected: f64) -> bool {
    expected > 1.0 - NEAR_ONE
}

/// Whether all parts are so far from the true posterior that no search finds a better distribution. It is so with many
/// categories and a small epsilon, because the true posterior is then known far less well than it is narrow.
///
/// Each count is drawn by itself, which needs no tree of their sums. So this is no proof. It decides only whether to
/// search, and a distance of one may always be stated, because none is larger.
pub(super) fn is_saturated(prior: &Prior, aware: &NoiseAware, parts: &[(Decoder, Dirichlet); 3]) -> bool {
    let alpha = prior.parameters();
    if alpha.len() < MIN_CATEGORIES {
        return false;
    }
    let draws = (MOST_COUNTS / alpha.len()).clamp(1, DRAWS);
    (0..draws as u64).all(|seed| {
        let mut bits = SeededBits::new(seed);
        // A seeded source does not fail.
        let mut count =
            |marginal: &BetaMixture| uniform_unit(&mut bits).map_or(0, |unit| marginal.count_at(unit));
        let truth: Vec<f64> = alpha
            .iter()
            .zip(aware.marginals())
            .map(|(alpha, marginal)| alpha + count(marginal) as f64)
            .collect();
        let is_far = |part: &Dirichlet| {
            cost(truth.iter().zip(part.parameters()).map(|(&truth, &part)| Pair::new(truth, part))) > FAR
        };
        parts.iter().all(|(_, part)| is_far(part))
    })
}

#[cfg(test)]
mod tests {
    use super::super::parts;
    use super::*;
    use crate::fixture::uniform;
    use crate::model::Released;
    use crate::noise::{Evidence, Factor};

    fn aware(k: usize, at: u64, rate: f64) -> (Prior, NoiseAware) {
        let setting = uniform(k, at * k as u64, "1");
        let evidence = Evidence::new(vec![Factor::TwoSided { rate, at }; k]);
        (setting.prior().clone(), NoiseAware::new(&setting, &evidence).expect("fits"))
    }

    /// Draws of all counts together: if this fails, a search is left out that would find something, or one is made that
    /// cannot.
    #[test]
    fn saturated_posteriors_are_far_from_each_other() {
        let cases = [
            (700, 60, 0.05, true),
            (70, 60, 0.05, true),
            (20, 6_000, 0.001, true),
            (300, 60, 1.0, false),
            (20, 60, 0.2, false),
            (15, 60, 0.05, false),
        ];
        for (k, at, rate, expected) in cases {
            let (prior, aware) = aware(k, at, rate);
            let n = at * k as u64;
            let parts = parts(&prior, n, &Released::new(vec![at; k]), &aware).expect("fits");
            assert_eq!(is_saturated(&prior, &aware, &parts), expected, "{k} {at} {rate}");
            let draws = aware.sample_counts_each((0..8).map(SeededBits::new).collect()).expect("seeded");
            let far = draws.iter().all(|draw| {
                let of = |part: &Dirichlet| {
                    let pairs = draw.iter().zip(part.parameters());
                    cost(pairs.map(|(count, v)| Pair::new(1.0 + *count as f64, *v)))
                };
                parts.iter().all(|(_, part)| of(part) > 9.2)
            });
            assert!(far || !expected, "{k} {at} {rate}");
        }
    }
}
