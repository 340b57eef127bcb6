//! Outcomes that are so far from the data that their score is one.

use crate::model::Prior;
use crate::special::Sum;

/// From this cost on, a score is exactly one: the distance is at least `1 - exp(-31)`, and the score is its multiple of
/// 2^-44 (docs/proofs/audit.md, lemma 1).
pub(crate) const FAR_COST: f64 = 31.0;

/// For two categories: every outcome that is more than this many records away from the data has a cost above
/// [`FAR_COST`].
///
/// A difference of D records costs at least `D^2 / (2 A)`, where A is the sum of the prior parameters and n
/// (docs/proofs/audit.md, lemma 2).
pub(crate) fn reach(prior: &Prior, n: u64) -> u64 {
    reach_of(prior, n, FAR_COST)
}

/// From this cost on every score that is a function of `BC = exp(-cost)` is its largest, rounded to a multiple of 2^-44:
/// the coefficient is below 2^-57, half of the last digit of one.
pub(super) const LARGEST_SCORE_COST: f64 = 40.0;

/// For two categories: every outcome that is more than this many records away from the data has a cost above this one.
pub(super) fn reach_of(prior: &Prior, n: u64, cost: f64) -> u64 {
    let total = prior.parameters().iter().copied().collect::<Sum>().value() + n as f64;
    // The small factor covers the rounding of the sum and the root. A conversion of a larger number gives the largest
    // u64.
    libm::ceil(libm::sqrt(2.0 * cost * total) * (1.0 + 1e-12)) as u64
}

#[cfg(test)]
mod tests {
    use posterity_testkit::Random;

    use super::*;
    use crate::distance::{Pair, ln_bc};
    use crate::sampler::{CostKind, RoundedScore};
    use crate::score::Scoring;

    /// If this fails, laws of two categories take a score for one that is not.
    #[test]
    fn scores_beyond_the_reach_are_one() {
        let mut random = Random::new(11);
        for case in 0..400 {
            let alpha = random.prior(2, if case % 4 == 0 { 1e-300 } else { 0.02 }, 1e6);
            let n = 1 + random.below(30_000);
            let reach = reach(&Prior::new(alpha.clone()).expect("valid"), n);
            for _ in 0..20 {
                let c = random.below(n + 1);
                for r in
                    [c.checked_sub(reach + 1), Some(c + reach + 1).filter(|&r| r <= n)].into_iter().flatten()
                {
                    let pairs = [Pair::of_counts(alpha[0], c, r), Pair::of_counts(alpha[1], n - c, n - r)];
                    let costs = pairs.map(|pair| -ln_bc(pair));
                    assert!(
                        costs.iter().sum::<f64>() >= FAR_COST,
                        "alpha {alpha:?} n {n} c {c} r {r}: {costs:?}"
                    );
                    assert_eq!(RoundedScore::from_costs(costs.into_iter()).distance(), 1.0);
                }
            }
        }
        assert_eq!(RoundedScore::from_costs([FAR_COST * (1.0 - 1e-12)].into_iter()).distance(), 1.0);
    }

    /// If this fails, laws of other scores take a score for the largest that is not.
    #[test]
    fn scores_beyond_the_largest_cost_are_the_largest() {
        let prior = Prior::new(vec![0.3, 2.0]).expect("valid");
        for score in ["angle", "squared-hellinger", "hellinger"] {
            let ruler = score.parse::<Scoring>().expect("a score").fit(&prior, 100).expect("fits").ruler();
            assert_eq!(ruler.kind(), CostKind::Overlap);
            let largest = RoundedScore::from_share(ruler.share(f64::INFINITY));
            for step in 0..10_000 {
                let cost = LARGEST_SCORE_COST + f64::from(step) * 0.01;
                assert_eq!(RoundedScore::from_share(ruler.share(cost)), largest, "{score} {cost}");
            }
        }
    }
}
