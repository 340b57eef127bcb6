//! The weights of the candidates, and the exact check that they make a private mechanism.

use std::collections::HashMap;

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use thiserror::Error;

use super::cholesky::{Cholesky, residual};
use crate::mechanism::{FitError, MAX_CANDIDATES, Space};
use crate::model::{Epsilon, Setting};
use crate::sampler::{Rate, exp_enclosure};
use crate::special::ln_gamma;

/// The number of different weights beyond which a setting is refused: the equations for them take about a second. That
/// is about n = 105 for k = 3, n = 50 for k = 4 and n = 2,000 for k = 2.
const MAX_WEIGHTS: usize = 1_000;

/// The most different weights. They are found in far less than a second.
const QUICK_WEIGHTS: usize = 600;

/// The whole number that a weight of one becomes.
const UNIT: f64 = (1_u64 << 56) as f64;

/// The bits of the bounds on `exp(-rate d)`. The product of a weight and such a bound is below 2^122.
const BITS: usize = 64;

/// The rate is epsilon less this part of it, as a power of two.
const RESERVE_BITS: usize = 36;

/// Whole-number weights of the candidates, which depend on the counts but not on their order.
#[derive(Clone, Debug)]
pub(super) struct Weighting {
    rate: Rate,
    /// By the counts in increasing order.
    weights: HashMap<Vec<u64>, u64>,
    largest: u64,
}

/// Why weights do not make a private mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum WeightingError {
    /// There is no weight for a candidate, or it is zero.
    #[error("a weight is zero")]
    Zero,
    /// The sums at two data sets are too far apart.
    #[error("the normalising sums of two data sets are too far apart")]
    Spread,
}

/// The candidates, each with the place of its increasing order among all increasing ones.
struct Places {
    increasing: Vec<Vec<u64>>,
    candidates: Vec<(Vec<u64>, usize)>,
}

impl Weighting {
    /// The weights for these public inputs.
    pub(super) fn fit(setting: &Setting) -> Result<Self, FitError> {
        let places = Places::within(setting, MAX_WEIGHTS)?;
        let rate = rate_down(setting.epsilon());
        let weights = places.solve(rate.to_f64()).filter(|weights| weights.iter().all(|&a| a * UNIT >= 1.0));
        let weights = weights.ok_or_else(|| FitError::NoPositiveWeights {
            k: setting.k(),
            n: setting.n(),
            epsilon: setting.epsilon().to_f64(),
        })?;
        // A weight is at most one, since the sum at its own candidate is one. The cast saturates otherwise.
        let weights = weights.iter().map(|&a| libm::round(a * UNIT) as u64);
        let weights = places.increasing.iter().cloned().zip(weights).collect();
        Self::new(&places, weights, setting.epsilon()).map_err(|error| FitError::Unverified {
            mechanism: super::Simplex::DESCRIPTION.name,
            reason: error.to_string(),
        })
    }

    /// Checks that every candidate has a weight, and that the sums `Z_c = sum_r a_r exp(-rate d(c, r))` satisfy
    /// `Z_c <= exp(epsilon - rate) Z_c'` for all c, c'.
    fn new(
        places: &Places,
        weights: HashMap<Vec<u64>, u64>,
        epsilon: &Epsilon,
    ) -> Result<Self, WeightingError> {
        let rate = rate_down(epsilon);
        let by_place: Vec<u64> =
            places.increasing.iter().map(|r| weights.get(r).copied().unwrap_or(0)).collect();
        if by_place.contains(&0) {
            return Err(WeightingError::Zero);
        }
        let (mut least, mut most) = (u128::MAX, 0);
        let bounds = powers(&rate, places.n());
        for c in &places.increasing {
            let (mut low, mut high) = (0_u128, 0_u128);
            for (r, place) in &places.candidates {
                let weight = u128::from(by_place[*place]);
                let (below, above) = bounds[distance(c, r)];
                low = low.saturating_add(weight.saturating_mul(below));
                high = high.saturating_add(weight.saturating_mul(above));
            }
            (least, most) = (least.min(low), most.max(high));
        }
        // exp(x) >= 1 + x, so this suffices. A sum that saturated is too large.
        let reserve = RBig::ONE + epsilon.rational() - rate.rational();
        if most == u128::MAX || RBig::from(most) > RBig::from(least) * reserve {
            return Err(WeightingError::Spread);
        }
        let largest = by_place.into_iter().max().unwrap_or(0);
        Ok(Self { rate, weights, largest })
    }

    /// The rate at which the law falls with the distance, a little below epsilon.
    pub(super) fn rate(&self) -> &Rate {
        &self.rate
    }

    /// The largest weight.
    pub(super) fn largest(&self) -> u64 {
        self.largest
    }

    /// The weight of a candidate.
    pub(super) fn weight(&self, candidate: &[u64]) -> u64 {
        let mut increasing = candidate.to_vec();
        increasing.sort_unstable();
        self.weights.get(&increasing).copied().unwrap_or(0)
    }
}

/// Whether the weights are found in far less than a second.
pub(super) fn is_quick(setting: &Setting) -> bool {
    Places::within(setting, QUICK_WEIGHTS).is_ok()
}

impl Places {
    /// Lists the candidates, if there are at most `max` different weights.
    fn within(setting: &Setting, max: usize) -> Result<Self, FitError> {
        let (k, n) = (setting.k(), setting.n());
        let candidates = Space::Candidates.size(k, n);
        let too_large = |weights: f64| FitError::TooLarge {
            mechanism: super::Simplex::DESCRIPTION.name,
            variables: weights,
            max_variables: max,
            candidates,
            max_candidates: MAX_CANDIDATES,
        };
        if candidates > MAX_CANDIDATES as f64 {
            // No weight is shared by more candidates than there are orders of k counts.
            return Err(too_large(libm::ceil(candidates * libm::exp(-ln_gamma(k as f64 + 1.0)))));
        }
        let all = Space::Candidates.list(k, n);
        let increasing: Vec<Vec<u64>> =
            all.iter().filter(|candidate| candidate.is_sorted()).cloned().collect();
        if increasing.len() > max {
            return Err(too_large(increasing.len() as f64));
        }
        let place: HashMap<&[u64], usize> = increasing.iter().map(Vec::as_slice).zip(0..).collect();
        let candidates = all.into_iter().filter_map(|candidate| {
            let mut sorted = candidate.clone();
            sorted.sort_unstable();
            let place = *place.get(sorted.as_slice())?;
            Some((candidate, place))
        });
        let candidates = candidates.collect();
        Ok(Self { increasing, candidates })
    }

    fn n(&self) -> u64 {
        self.increasing.first().map_or(0, |counts| counts.iter().sum())
    }

    /// The solution of `sum_r a_r exp(-rate d(c, r)) = 1` for all c. None if rounding hides it.
    ///
    /// With the number `s_i` of orders of the counts at place i, `sqrt(s_i / s_j) sum_r exp(-rate d(i, r))` over the
    /// orders r of place j is a symmetric matrix. It is positive definite, since `exp(-rate abs(x - y))` is a positive
    /// definite function on the line and products of such functions are too.
    fn solve(&self, rate: f64) -> Option<Vec<f64>> {
        let m = self.increasing.len();
        let mut orders = vec![0.0; m];
        self.candidates.iter().for_each(|(_, place)| orders[*place] += 1.0);
        let roots: Vec<f64> = orders.iter().map(|&orders| libm::sqrt(orders)).collect();
        let powers: Vec<f64> = (0..=self.n()).map(|d| libm::exp(-rate * d as f64)).collect();
        let mut matrix = vec![vec![0.0; m]; m];
        for (row, c) in matrix.iter_mut().zip(&self.increasing) {
            self.candidates.iter().for_each(|(r, place)| row[*place] += powers[distance(c, r)]);
        }
        for (row, root) in matrix.iter_mut().zip(&roots) {
            row.iter_mut().zip(&roots).for_each(|(entry, other)| *entry *= root / other);
        }
        let lower = matrix.iter().enumerate().map(|(i, row)| row[..=i].to_vec()).collect();
        let factors = Cholesky::new(lower)?;
        let mut scaled = factors.solve(&roots);
        // Two steps of refinement bring the sums within a few units in the last place of one.
        for _ in 0..2 {
            let correction = factors.solve(&residual(&matrix, &scaled, &roots));
            scaled.iter_mut().zip(correction).for_each(|(x, by)| *x += by);
        }
        Some(scaled.iter().zip(&roots).map(|(x, root)| x / root).collect())
    }
}

/// The rate `epsilon (1 - 2^-36)`.
fn rate_down(epsilon: &Epsilon) -> Rate {
    let reserve = RBig::from_parts(IBig::ONE, UBig::ONE << RESERVE_BITS);
    let less = Epsilon::from_rational(epsilon.rational() * (RBig::ONE - reserve));
    // The product is positive, unless it underflows as a floating-point number; then nothing is verified.
    less.map_or_else(|_| Rate::from(epsilon), |less| Rate::from(&less))
}

/// Lower and upper bounds on `exp(-rate d) 2^BITS` for d from 0 to n.
fn powers(rate: &Rate, n: u64) -> Vec<(u128, u128)> {
    let bound = |d: u64| {
        let (low, high) = exp_enclosure(&(rate.rational() * RBig::from(d)), BITS);
        (u128::try_from(low).unwrap_or(0), u128::try_from(high).unwrap_or(u128::MAX))
    };
    (0..=n).map(bound).collect()
}

/// The number of records that differ: half the sum of the differences.
pub(super) fn distance(c: &[u64], r: &[u64]) -> usize {
    c.iter().zip(r).map(|(c, r)| r.saturating_sub(*c)).sum::<u64>() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Prior;

    fn setting(k: usize, n: u64, epsilon: &str) -> Setting {
        Setting::new(Prior::uniform(k).expect("valid"), n, epsilon.parse().expect("positive")).expect("valid")
    }

    fn weighting(k: usize, n: u64, epsilon: &str) -> Weighting {
        Weighting::fit(&setting(k, n, epsilon)).expect("positive weights")
    }

    /// Two categories: `1/(1+t)` at the ends and `(1-t)/(1+t)` between them, `t = exp(-epsilon)`.
    #[test]
    fn two_categories_are_the_geometric_mechanism() {
        for epsilon in ["0.01", "1", "5"] {
            let found = weighting(2, 9, epsilon);
            let t = (-epsilon.parse::<f64>().expect("a number")).exp();
            for (candidate, expected) in [([0, 9], 1.0), ([9, 0], 1.0), ([3, 6], 1.0 - t)] {
                let weight = found.weight(&candidate) as f64 / UNIT;
                assert!((weight - expected / (1.0 + t)).abs() < 1e-11, "{epsilon} {candidate:?}");
            }
        }
    }

    /// From exact elimination in rational numbers: k = 3, n = 4, `t = 1/2`.
    #[test]
    fn golden_weights() {
        let found = weighting(3, 4, "0.693147180559945309417");
        for (candidate, part) in
            [([0, 0, 4], 324.0), ([1, 3, 0], 118.0), ([2, 0, 2], 124.0), ([1, 1, 2], 29.0)]
        {
            let weight = found.weight(&candidate) as f64 / UNIT;
            assert!((weight - part / 611.0).abs() < 1e-10, "{candidate:?}: {weight}");
        }
    }

    /// If one of these is accepted, a mechanism that is not private could be drawn from.
    #[test]
    fn rejects_corrupted_weights() {
        let setting = setting(3, 5, "1");
        let places = Places::within(&setting, 100).expect("small");
        let good = Weighting::fit(&setting).expect("positive weights");
        let build = |weights| Weighting::new(&places, weights, setting.epsilon()).err();
        assert_eq!(build(good.weights.clone()), None);
        for candidate in &places.increasing {
            let with = |weight| {
                let mut weights = good.weights.clone();
                weights.insert(candidate.clone(), weight);
                build(weights)
            };
            let weight = good.weights[candidate];
            assert_eq!(with(0), Some(WeightingError::Zero));
            assert_eq!(with(weight + weight / 1_000_000), Some(WeightingError::Spread));
            assert_eq!(with(u64::MAX), Some(WeightingError::Spread));
            let mut fewer = good.weights.clone();
            fewer.remove(candidate);
            assert_eq!(build(fewer), Some(WeightingError::Zero));
        }
        // The weights of another budget do not fit this one.
        assert_eq!(build(weighting(3, 5, "1.001").weights), Some(WeightingError::Spread));
    }

    #[test]
    fn rejects_settings() {
        let refused = |k, n, epsilon| Weighting::fit(&setting(k, n, epsilon)).err();
        for (k, n, weights) in [(2, 2_000, 1_001.0), (3, 200, 3_384.0), (6, 1_000_000, 0.0)] {
            let found = refused(k, n, "1");
            assert!(
                matches!(found, Some(FitError::TooLarge { variables, .. }) if variables >= weights),
                "{k} {n}: {found:?}"
            );
        }
        assert_eq!(refused(3, 8, "0.1"), Some(FitError::NoPositiveWeights { k: 3, n: 8, epsilon: 0.1 }));
    }
}
